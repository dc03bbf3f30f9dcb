"""A story as it goes out: chapters with their headings, and their text as paragraphs.

A chapter's text as the archive has it begins with the heading's own line, indents paragraphs by spaces, and may be
wrapped at 72 characters. Here the heading is apart, what stands above it (the name of a volume) too, and a paragraph
is one line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Final, Literal

from memorybank.language.text import UNSPACED, fold_space
from memorybank.memory.types import Lang, Value
from memorybank_studio.books.chapters import LONGEST_TITLE
from memorybank_studio.books.headings import Rank, heading_of, headings, shown
from memorybank_studio.books.packed.blocks import Block, Reading
from memorybank_studio.types import Chunk

BookLanguage = Literal["en", "zh-Hans", "zh-Hant"]
LANGUAGES: Final[tuple[BookLanguage, ...]] = ("en", "zh-Hans", "zh-Hant")

_SPACE_RE: Final = re.compile(r"[ \t\r\f\v]+")
_NO_XML_RE: Final = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufeff\ufffe\uffff]")
"""Characters that a document cannot hold, and that no text needs."""
_LINE_RE: Final = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_ENDS_RE: Final = re.compile(r"[.!?。！？…:;：；][\"'”’」』)）\]*_]*\Z|[—-]\Z")
_UNSPACED_RE: Final = re.compile(f"[{UNSPACED}\u3001-\u303f\uff01-\uff5e]")
_WRAPPED_AT: Final = 100
"""Widest line of a text that is wrapped."""
_FILLED: Final = 40
"""Width that its lines have, on the average."""
_ABOVE: Final = 4
"""Lines that may stand above a chapter's heading."""
_UNTITLED: Final[dict[BookLanguage, str]] = {"en": "Chapter {}", "zh-Hans": "第{}章", "zh-Hant": "第{}章"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryChapter(Value):
    number: int
    heading: str
    above: tuple[str, ...] = ()
    """Names of volumes and parts that begin with it."""
    paragraphs: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Edition(Value):
    title: str
    author: str = ""
    language: BookLanguage
    chapters: tuple[StoryChapter, ...]
    at: datetime

    @property
    def in_parts(self) -> bool:
        return any(chapter.above for chapter in self.chapters)


def archived_chapters(chunks: Iterable[Chunk]) -> dict[int, tuple[str, str]]:
    """Return titles and texts of the archive's chapters, by number."""
    texts: dict[int, tuple[str, str]] = {}
    for chunk in chunks:
        before = texts.get(chunk.chapter_id, ("", ""))[1]
        texts[chunk.chapter_id] = chunk.chapter_title, before + chunk.text
    return texts


def story_chapters(texts: dict[int, tuple[str, str]], language: BookLanguage) -> tuple[StoryChapter, ...]:
    """Return the chapters in the order of their numbers."""
    wrapped = is_wrapped(text for _, text in texts.values())
    return tuple(
        story_chapter(number, title, text, language, wrapped=wrapped) for number, (title, text) in sorted(texts.items())
    )


def story_chapter(number: int, title: str, text: str, language: BookLanguage, *, wrapped: bool = False) -> StoryChapter:
    lines = paragraphs(text, wrapped=wrapped)
    title = fold_space(_NO_XML_RE.sub("", title))
    above, heading, rest = _parted(lines, title)
    named = heading or _UNTITLED[language].format(number)
    return StoryChapter(number=number, heading=named, above=tuple(above), paragraphs=tuple(rest))


def _parted(lines: Sequence[str], title: str) -> tuple[Sequence[str], str, Sequence[str]]:
    """Return the lines above the heading, the heading and the rest; the title is the heading where no line is."""
    for at, line in enumerate(lines[: _ABOVE + 1]):
        if title and (lines_of := _heading_lines(lines[at : at + 2], title)):
            return [shown(above)[0] for above in lines[:at]], lines_of[0], lines[at + len(lines_of[1]) :]
        parsed = heading_of(shown(line)[0], 0, 0, 0)
        if parsed is None or parsed.rank is not Rank.VOLUME:
            break
    return (), title, lines


def _heading_lines(lines: Sequence[str], title: str) -> tuple[str, Sequence[str]] | None:
    """Return the heading as it stands in full, and its lines: one, or two as of "CHAPTER I"."""
    for heading in (fold_space(lines[0]), shown(lines[0])[0]):
        if heading[:LONGEST_TITLE].strip() == title:
            return heading, lines[:1]
        if len(lines) == 2 and (both := fold_space(f"{heading} {lines[1]}"))[:LONGEST_TITLE].strip() == title:
            return both, lines
    return None


def paragraphs(text: str, *, wrapped: bool = False) -> list[str]:
    """Return the text's lines; of a text that is wrapped, those joined that stand together."""
    if not wrapped:
        return [line for raw in _LINE_RE.split(text) if (line := clean_line(raw))]
    heading_starts = {heading.start for heading in headings(text)}
    joined: list[str] = []
    together = False
    start = 0
    for raw in text.splitlines(keepends=True):
        line, is_heading = clean_line(raw), start in heading_starts
        start += len(raw)
        if line and together and not is_heading:
            joined[-1] = _joined(joined[-1], line)
        elif line:
            joined.append(line)
        together = bool(line) and not is_heading
    return joined


def _joined(before: str, after: str) -> str:
    unspaced = _UNSPACED_RE.match(before[-1]) and _UNSPACED_RE.match(after[0])
    return f"{before}{'' if unspaced else ' '}{after}"


def plain_text(text: str, lang: Lang) -> str:
    """Return a chapter as platforms of web novels take it: paragraphs set in by two Han blanks, or parted by lines."""
    lines = paragraphs(text)
    return "\n".join(f"\u3000\u3000{line}" for line in lines) if lang == "zh" else "\n\n".join(lines)


def story_text(story: Edition) -> str:
    """Return all chapters as they are read, with their headings."""
    parts = ("\n\n".join((*chapter.above, chapter.heading, *chapter.paragraphs)) for chapter in story.chapters)
    return "\n\n\n".join(parts) + "\n"


def is_wrapped(texts: Iterable[str]) -> bool:
    """Whether lines are broken for their width: none is wide, and those with one below mostly end amid a sentence."""
    widths: list[int] = []
    follows = 0
    for text in texts:
        lines = [clean_line(line) for line in _LINE_RE.split(text)]
        if any(_width(line) > _WRAPPED_AT for line in lines):
            return False
        for line, after in pairwise(lines):
            if line and after:
                follows += 1
                widths += [] if _ENDS_RE.search(line) else [_width(line)]
    return len(widths) * 2 > follows and sum(widths) >= _FILLED * len(widths)


def _width(line: str) -> int:
    return len(line) + len(_UNSPACED_RE.findall(line))


def clean_line(line: str) -> str:
    return _SPACE_RE.sub(" ", _NO_XML_RE.sub("", line)).strip()


_FENCE: Final = "---\n"
_MOST_FRONT: Final = 1_000_000
"""Characters of the block; the numbers of 100,000 chapters take fewer."""
_ESCAPED_RE: Final = re.compile(r"[\\`*_\[\]<>~|$&#{}!^@]|(?<=[a-zA-Z]):(?=//)|(?<=www)\.", re.IGNORECASE)
_BEGINS_RE: Final = re.compile(r"(?:[+=:-]|\d{1,9}(?=[.)]))")
"""The signs that begin a list, a rule or a definition at the beginning of a line."""
_UNESCAPED_RE: Final = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING_RE: Final = re.compile(r"(#{1,6}) (.*)")


def story_markdown(story: Edition) -> str:
    head = {"title": story.title, "author": story.author, "lang": story.language}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items() if value]
    numbers = json.dumps([chapter.number for chapter in story.chapters])
    parts = [f"{_FENCE}{chr(10).join(lines)}\ndate: {story.at:%Y-%m-%d}\nchapters: {numbers}\n---"]
    marks = "##" if story.in_parts else "#"
    for chapter in story.chapters:
        parts += [f"# {_escaped(above)}" for above in chapter.above]
        parts.append(f"{marks} {_escaped(chapter.heading)}")
        parts += [_line(paragraph) for paragraph in chapter.paragraphs]
    return "\n\n".join(parts) + "\n"


def _escaped(text: str) -> str:
    return _ESCAPED_RE.sub(r"\\\g<0>", text)


def _line(paragraph: str) -> str:
    """Return a paragraph, of which the first character begins no list and no rule."""
    escaped = _escaped(paragraph)
    begins = _BEGINS_RE.match(escaped)
    if begins is None:
        return escaped
    at = begins.end() if begins[0].isdigit() else 0
    return f"{escaped[:at]}\\{escaped[at:]}"


def markdown_blocks(text: str) -> Reading | None:
    """Read what `story_markdown` has written, even if the author has changed it since; None for any other text."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    end = text.find(f"\n{_FENCE}", 0, _MOST_FRONT) if text.startswith(_FENCE) else -1
    if end < 0:
        return None
    head = dict(map(_entry, text[len(_FENCE) : end].splitlines()))
    numbers = head.get("chapters")
    if not isinstance(numbers, list) or not all(type(number) is int and number >= 0 for number in numbers):
        return None
    reading = Reading(title=str(head.get("title", "")))
    _read(reading, text[end + len(_FENCE) + 1 :], numbers)
    return reading


def _entry(line: str) -> tuple[str, object]:
    """Return a line of the front matter as key and value; a value that is no JSON is taken as text."""
    key, _, written = line.partition(":")
    try:
        value: object = json.loads(written)
    except (ValueError, RecursionError):
        value = written.strip()
    return key.strip(), value


def _read(reading: Reading, text: str, numbers: list[int]) -> None:
    lines = [line for line in text.split("\n") if line.strip()]
    levels = [len(heading[1]) for line in lines if (heading := _HEADING_RE.fullmatch(line))]
    deepest = max(levels, default=0)
    own = iter(numbers if levels.count(deepest) == len(numbers) else ())
    for line in lines:
        heading = _HEADING_RE.fullmatch(line)
        level = len(heading[1]) if heading else 0
        words = _UNESCAPED_RE.sub(r"\1", heading[2] if heading else line)
        reading.add(Block(text=words, level=level, mark=next(own, None) if level == deepest and level else None))
