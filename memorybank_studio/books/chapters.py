"""A book as chapters: every character of it is in exactly one.

Tables of contents, headings repeated at the top of a page or at the end of a chapter, volumes, prologues and epilogues
are told apart by their neighbours; `headings` says what a line may be.

* Numbers are the book's own where they ascend; else (a count that begins again with each volume, a slip of the pen)
  chapters are counted from 1.
* What comes before the first chapter is chapter 0, a prologue and the table of contents with it.
* What comes after the last numbered one (an epilogue) goes on counting.
* A volume's heading belongs to the chapter that follows it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from memorybank.language.numbers import read_han
from memorybank.language.text import fold_space
from memorybank.memory.types import Value
from memorybank_studio.books.headings import (
    HAN_NUMERAL,
    Heading,
    Rank,
    english_number,
    headings,
    numbered_english,
    short_lines,
)

LONGEST_TITLE = 80
_NEXT_LINE_TITLE = 60
"""Characters of a title that stands on the line after "CHAPTER I"."""
_LEADERS_RE = re.compile(r"(?:[\s.·…—-]+\d*)?\s*\Z")
"""Dots and the page number after an entry of a table of contents."""
_WORD_RE = re.compile(r"[^\W_]+")
_STRONG = (Rank.CHAPTER, Rank.SECTION, Rank.VOLUME)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter(Value):
    """A chapter and its place in the book's text: `text` is `book[start : start + len(text)]`."""

    number: int
    title: str
    start: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Book(Value):
    """The chapters' texts joined are the book."""

    title: str
    chapters: tuple[Chapter, ...]
    left: tuple[tuple[str, int], ...] = ()
    """What was not taken from the file is counted here by kind: images, comments, deletions, contents, front."""

    @property
    def front(self) -> Chapter | None:
        """Return what stands before the first chapter of several; None where there is nothing."""
        first = self.chapters[0] if len(self.chapters) > 1 else None
        return first if first is not None and first.number == 0 else None

    def without_front(self) -> Book:
        return replace(self, chapters=self.chapters[1:]) if self.front is not None else self

    @property
    def characters(self) -> int:
        return sum(len(chapter.text) for chapter in self.chapters)


def chapters(text: str, *, title: str = "") -> tuple[Chapter, ...]:
    """Cut a book. Without a heading it is one chapter, 1, with the book's title. An empty text has none."""
    if not text:
        return ()
    all_headings = _all_headings(text)
    cuts = counted(_without_repeats(without_contents(text, _of_one_rank(all_headings), all_headings)))
    if not cuts:
        return (Chapter(number=1, title=title or _first_line(text), start=0, text=text),)
    volumes = {heading.start for heading in all_headings if heading.rank is Rank.VOLUME}
    return cut_at(text, cuts, all_headings, volumes, _title)


def cut_at(
    text: str,
    cuts: Sequence[tuple[Heading, int]],
    all_headings: Sequence[Heading],
    volumes: Set[int],
    titled: Callable[[str, Heading, int], str],
) -> tuple[Chapter, ...]:
    """Return the chapters that these headings open; `volumes`: starts of headings that go with what follows them."""
    places = {heading.start: at for at, heading in enumerate(all_headings)}
    volumes = volumes - {cut.start for cut, _ in cuts}
    starts = [_from_volume(text, all_headings, places[heading.start], volumes) for heading, _ in cuts]
    front = text[: starts[0]]
    if not front.strip():
        starts[0] = 0
    made = [
        Chapter(number=number, title=titled(text, heading, end), start=start, text=text[start:end])
        for (heading, number), start, end in zip(cuts, starts, [*starts[1:], len(text)], strict=True)
    ]
    if front.strip():
        apart = [heading.line for heading in all_headings if heading.rank is Rank.APART and heading.end <= len(front)]
        title = apart[-1][:LONGEST_TITLE] if apart else _first_line(front)  # of a prologue its heading
        made.insert(0, Chapter(number=0, title=title, start=0, text=front))
    return tuple(made)


def _all_headings(text: str) -> list[Heading]:
    all_headings = headings(text)
    levels = [heading.level for heading in all_headings if heading.rank is Rank.MARKDOWN]
    if any(heading.rank in _STRONG for heading in all_headings) or len(levels) > len(set(levels)):
        return _with_left_out(all_headings, text)
    row = {heading.start: heading for heading in numbered(text)}
    return sorted(
        [*(heading for heading in all_headings if heading.start not in row), *row.values()],
        key=lambda heading: heading.start,
    )


def _with_left_out(all_headings: Sequence[Heading], text: str) -> list[Heading]:
    """Add the lines that have the very number which chapters leave out or go on with: in a book put together from
    several, each part has its own style (三章 雨, ##第八章 雨##, 旧港 第十章)."""
    own = [heading for heading in all_headings if heading.rank is Rank.CHAPTER and heading.number]
    known, found, last = {heading.start for heading in all_headings}, list(all_headings), 0
    for (ahead, _, unit), heading in _countable(text):
        while own and own[0].start <= heading.start:
            last = own.pop(0).number or 0
        is_left_out = last and heading.number == last + 1 and not (own and own[0].number == last + 1)
        is_sentence = ahead[-1:] not in ("", "第") or heading.name.endswith(tuple("。，,；;"))
        if is_left_out and heading.start not in known and unit in tuple("章回话話集") and not is_sentence:
            found.append(heading)
            last += 1
    return sorted(found, key=lambda heading: heading.start)


def counted(opening: Sequence[Heading]) -> list[tuple[Heading, int]]:
    """Return the headings that open chapters, with the chapters' numbers."""
    first = next((at for at, heading in enumerate(opening) if heading.number is not None), 0)
    opening = opening[first:]  # a prologue before the first number is part of chapter 0
    own = [heading.number for heading in opening if heading.number is not None]
    if not own or any(later <= earlier for earlier, later in pairwise(own)):
        return list(zip(opening, range(1, len(opening) + 1), strict=True))
    return list(_numbered(opening, last=own[-1]))


def _numbered(opening: Sequence[Heading], *, last: int) -> Iterator[tuple[Heading, int]]:
    """Give the headings their own numbers; one without stays within the chapter before or counts on after the last."""
    after = False
    for heading in opening:
        if heading.number is not None:
            after = heading.number == last
            yield heading, heading.number
        elif after:
            last += 1
            yield heading, last


def _of_one_rank(all_headings: Sequence[Heading]) -> list[Heading]:
    """Return chapters where there are any, else sections, volumes, the shallowest Markdown headings that come again."""
    for rank in (Rank.CHAPTER, Rank.SECTION, Rank.VOLUME):
        if any(heading.rank is rank for heading in all_headings):
            return [heading for heading in all_headings if heading.rank in (rank, Rank.APART)]
    levels = [heading.level for heading in all_headings if heading.level]
    if not levels:
        apart = [heading for heading in all_headings if heading.rank is Rank.APART]
        return apart if len(apart) > 1 else []
    level = next((level for level in sorted(set(levels)) if levels.count(level) > 1), min(levels))
    return [heading for heading in all_headings if heading.level == level]


def without_contents(text: str, opening: Sequence[Heading], all_headings: Sequence[Heading]) -> list[Heading]:
    """Leave out the entries of a table of contents: nothing stands below them, and they come again further down."""
    following = dict(pairwise(heading.start for heading in all_headings))
    last_entry = {_key(heading): at for at, heading in enumerate(opening)}
    last_number = {(heading.rank, heading.number): at for at, heading in enumerate(opening)}
    kept: list[Heading] = []
    in_contents = False
    for at, heading in enumerate(opening):
        blank = not text[heading.end : following.get(heading.start, len(text))].strip()
        again = last_entry[_key(heading)] > at
        numbered = heading.number is not None and last_number[heading.rank, heading.number] > at
        in_contents = (blank and (again or numbered)) or (in_contents and again)
        if not in_contents:
            kept.append(heading)
    return kept


def _without_repeats(opening: Sequence[Heading]) -> list[Heading]:
    kept: list[Heading] = []
    for heading in opening:
        if not kept or not _repeats(heading, kept[-1]):
            kept.append(heading)
    return kept


def _repeats(heading: Heading, before: Heading) -> bool:
    """Say whether it is the same heading once more: the same number, and a name the same, shorter or missing."""
    if (heading.rank, heading.number) != (before.rank, before.number):
        return False
    name, name_before = _bare(heading.name), _bare(before.name)
    if heading.number is None:
        return name == name_before
    return name.startswith(name_before) or name_before.startswith(name)


def _key(heading: Heading) -> tuple[Rank, int | None, str]:
    return heading.rank, heading.number, _bare(heading.name)


def _bare(name: str) -> str:
    return "".join(_WORD_RE.findall(_LEADERS_RE.sub("", name))).casefold()


def _from_volume(text: str, all_headings: Sequence[Heading], at: int, volumes: Set[int]) -> int:
    """Return where the chapter begins: at the volume's heading when only white space stands between."""
    start = all_headings[at].start
    while at and all_headings[at - 1].start in volumes and not text[all_headings[at - 1].end : start].strip():
        at -= 1
        start = all_headings[at].start
    return start


def _title(text: str, heading: Heading, end: int) -> str:
    """Return its line; "CHAPTER I" takes the short line after it along, if the chapter has more than that line."""
    if not heading.name and heading.rank in (Rank.CHAPTER, Rank.SECTION):
        below = text[heading.end : end].lstrip()
        line, _, rest = below.partition("\n")
        line = fold_space(line)
        alone = bool(rest.strip()) and not rest.partition("\n")[0].strip()
        if 0 < len(line) <= _NEXT_LINE_TITLE and alone and line[-1] not in '.。!！?？,，;；:："”…':
            return f"{heading.line} {line}"[:LONGEST_TITLE]
    return heading.line[:LONGEST_TITLE]


def _first_line(text: str) -> str:
    return fold_space(text.lstrip("\ufeff# \t\r\n\u3000").partition("\n")[0])[:LONGEST_TITLE]


_LONGEST_LINE: Final = 100
_LONGEST_BEFORE: Final = 16
"""Characters before a number: 正文卷 第, Vol.1 Ch., Episode."""
_BEFORE: Final = 2
"""The text before the first chapter is at most so many times as long as the longest chapter but the last."""
_BELOW_LAST: Final = 4
"""The last is at most so many times as long as the longest of the others."""

_NUMBER_RE: Final = re.compile(rf"(?<!\d)\d{{1,4}}(?!\d)|{HAN_NUMERAL}|\b(?P<roman>[IVXLC]{{1,9}})(?=$|[.:)]| [—–-])")
_UNITS: Final = "章回节節话話集夜"
_AFTER_RE: Final = re.compile(rf"[{_UNITS}]|/\d{{1,4}}[):】\]]?|[.、):】』」〕>\]-]|(?=\s|$)")
"""The characters that part a number from the name of its chapter."""
_SENTENCE_END: Final = tuple(".。,，;；:：!！?？…\"”'’")

_Form = tuple[str, str, str]
"""The text before the number, how the number is written, and what follows it: equal in each line of a row."""


def _readings(line: str) -> Iterator[tuple[_Form, int, str]]:
    """Yield the numbers that a line may count its chapter by, each with the form of the line and the chapter's name."""
    if line[:2] == "ch" and (parsed := numbered_english(line)) and parsed[1]:
        yield ("chapter", "", ""), parsed[1], parsed[2]
    for match in _NUMBER_RE.finditer(line[: _LONGEST_BEFORE + 9]):
        before, written, rest = line[: match.start()], match[0], line[match.end() :]
        after = _AFTER_RE.match(rest)
        if after is None or len(before) > _LONGEST_BEFORE or any(end in before for end in "。，,！？"):
            continue
        name = rest[after.end() :].lstrip(" .—–-")
        is_sentence = name.endswith(_SENTENCE_END) or name[:1].islower() or (written.isdigit() and name[:1].isdigit())
        number = english_number(written) if match["roman"] else int(read_han(written))
        if number and (after[0] in tuple(_UNITS) or not is_sentence):
            kind = "roman" if match["roman"] else "digits" if written.isdigit() else "han"
            yield (before, kind, after[0]), number, name


def _countable(text: str) -> Iterator[tuple[_Form, Heading]]:
    for line, start, end, level in short_lines(text, _LONGEST_LINE):
        for form, number, name in _readings(fold_space(unicodedata.normalize("NFKC", line))):
            place = {"start": start, "end": end, "level": level}
            yield form, Heading(rank=Rank.CHAPTER, number=number, line=line, name=name, **place)


def numbered(text: str) -> list[Heading]:
    """Return the lines that open chapters by their place in a row; none when there is no such row.

    A row is one form of line that comes with rising numbers: IV · 1. Rain · 三、雨 · （三） · 003章 · Day 3.
    """
    by_form: dict[_Form, list[Heading]] = {}
    for form, heading in _countable(text):
        by_form.setdefault(form, []).append(heading)
    return max((_row(own, text) for own in by_form.values()), key=len, default=[])


def _row(headings: Sequence[Heading], text: str) -> list[Heading]:
    """Return headings that count from 1 on, when there are two at least and they run through the whole text."""
    row: list[Heading] = []
    for heading in _with_text(headings, text):
        is_next = heading.number == (row[-1].number or 0) + 1 if row else heading.number == 1
        parts = row[-1].name[:1] + heading.name[:1] if row and heading.number == row[-1].number else ""
        if is_next or parts in ("上中", "上下", "中下"):  # 第三章上 and 第三章下 are two chapters of one number
            row.append(heading)
    if len(row) < 2:
        return []
    longest = max(later.start - heading.end for heading, later in pairwise(row))
    through = row[0].start <= _BEFORE * longest and len(text) - row[-1].end <= _BELOW_LAST * longest
    return row if through else []


def _with_text(headings: Sequence[Heading], text: str) -> list[Heading]:
    """Leave out the entries of lists: those that nothing stands below, and the one that ends such a list."""
    kept: list[Heading] = []
    before: Heading | None = None
    for at, heading in enumerate(headings):
        after = headings[at + 1].start if at + 1 < len(headings) else len(text)
        goes_on = (
            before is not None
            and before.number is not None
            and (heading.number or 0) - before.number in (0, 1)
            and not text[before.end : heading.start].strip()
        )
        if not goes_on and text[heading.end : after].strip():
            kept.append(heading)
        before = heading
    return kept
