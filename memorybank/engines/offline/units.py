"""A text as a row of units that no border may cut: sentences, turns of a dialogue, whole tables and code blocks.

A heading belongs to the unit after it. The units joined equal the text, so whoever groups them loses nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from memorybank.language.text import HAN_RE, TURN_RE, Block, Piece, blocks, fold_space, sentences

LONGEST_SENTENCE = 2_000
"""Characters after which a stretch without an end is no sentence any more: it is cut at a clause or a space, never
within a word or a number."""
LONGEST_BLOCK = 8_000
"""Characters after which even a table or a code block is cut, between two lines, and after which a word is cut."""


class Before(Enum):
    """The thing that stands before a unit: it tells how ready the text itself is to be cut there."""

    ATTACHED = "attached"
    """A lead-in ("as follows:") or, in prose, a question: what follows belongs to it."""
    QUESTION = "question"
    """A turn that asks; this one may answer it."""
    SENTENCE = "sentence"
    PARAGRAPH = "paragraph"
    SECTION = "section"
    """A heading, which is part of the unit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A unit of a text: `text[start:end]`."""

    start: int
    end: int
    before: Before
    words: str
    """The words to compare with other units: less mark-up, speaker and surplus space, of a table its first lines."""
    said: str = ""
    """The words without the headings before them."""
    speaker: str = ""
    heading: str = ""
    body: int = 0
    """The place where the text after its headings begins; 0 without any."""
    whole: bool = False
    """A table or code: shown and summarised as it is."""

    @property
    def size(self) -> int:
        """Return its characters, Han ones counted twice: about the same amount of content in both languages."""
        return width(self.words)


PRONOUN_RE = re.compile(
    r"\s*(?:(?:It|Its|He|His|She|Her|They|Their|This|That|These|Those|Such|Both)\b"
    r"|[他她它]们?|该|其(?!中|他|实|余)|这|那|此(?!外|后|前)|两者|前者|后者)"
)
"""The beginnings of sentences that are hard to understand without the one before."""
_LINE_MARK_RE = re.compile(r"^[ \t]*(?:(?:#{1,6}|[-*•+>]|\d{1,2}[.)、])[ \t]+|>)+", re.MULTILINE)
_EMPHASIS_RE = re.compile(r"(\*\*|(?<!`)`|(?<![\w*])\*)(?=[^\s*`])([^\n*`。！？．]+?)(?<=\S)\1(?![*`])")
_LINE_END_RE = re.compile(r"\n\s*")
_CLAUSE_RE = re.compile(r"[，；：、）”]+\s*|\s+")


def width(text: str) -> int:
    return len(text) + len(HAN_RE.findall(text))


def unmarked(text: str) -> str:
    """Return a text without the marks of Markdown before its lines and around its words; nothing else changes."""
    return _EMPHASIS_RE.sub(r"\2", _LINE_MARK_RE.sub("", text))


def plain(text: str) -> str:
    """Return the text without Markdown marks and surplus space."""
    return fold_space(unmarked(text))


def looks_like_dialogue(text: str) -> bool:
    """Whether nearly all lines are turns (`speaker: text`) of speakers that come again."""
    lines = [line for line in text.splitlines() if line.strip()]
    speakers = [match["speaker"] or match["who"] for line in lines if (match := TURN_RE.match(line))]
    return len(lines) >= 2 and len(speakers) >= 0.8 * len(lines) and len(set(speakers)) <= max(2, len(speakers) // 3)


def units(text: str, *, dialogue: bool = False) -> list[Unit]:
    """Cut a text into units. A text of white space alone is one unit; an empty one has none."""
    parts = list(_turns(text) if dialogue else _prose(text))
    if not parts:
        return [Unit(start=0, end=len(text), before=Before.SECTION, words="")] if text else []
    parts[0] = replace(parts[0], start=0, before=Before.SECTION)
    parts[-1] = replace(parts[-1], end=len(text))  # a heading or white space that nothing follows
    return parts


def _turns(text: str) -> Iterator[Unit]:
    """Yield a unit a line; where most lines name a speaker, one that does not goes on with the turn before it."""
    borders = pairwise([0, *(match.end() for match in re.finditer("\n", text)), len(text)])
    lines = [start for start, end in borders if text[start:end].strip()]
    opens = [bool(TURN_RE.match(text[start : start + 200])) for start in lines]
    spoken = sum(opens) * 2 > len(lines)
    starts = [start for start, opening in zip(lines, opens, strict=True) if opening or not spoken]
    after_question = False
    for start, end in pairwise([*starts, len(text)]):
        words = fold_space(TURN_RE.sub("", text[start:end]))
        opening = TURN_RE.match(text[start : start + 200])
        yield Unit(
            start=start, end=end, before=Before.QUESTION if after_question else Before.SENTENCE, words=words,
            said=words, speaker=(opening["speaker"] or opening["who"]) if opening else "",
        )  # fmt: skip
        after_question = words.endswith(("?", "？"))


def _prose(text: str) -> Iterator[Unit]:
    title, headings = "", list[str]()
    start = 0  # where the next unit begins: before the headings that wait for it
    leads_in = broken = False
    for block in blocks(text):
        body = text[block.start : block.end]
        if block.kind == "heading":
            headings.append(plain(body).strip("=- "))
            title = headings[-1] if body.lstrip().startswith("# ") or not title else title
            continue
        for piece, words in _pieces(block, body):
            if headings:
                before = Before.SECTION
            elif leads_in:
                before = Before.ATTACHED
            else:
                before = Before.PARAGRAPH if broken or piece.start == block.start else Before.SENTENCE
            heading = " – ".join(dict.fromkeys([title, *headings])) if headings else ""
            yield Unit(
                start=start, end=piece.end, before=before, words=": ".join([*headings, words]), said=words,
                heading=heading.strip(" –"), body=piece.start if headings else 0,
                whole=block.kind in ("table", "code"),
            )  # fmt: skip
            start, headings = piece.end, []
            tail = text[max(piece.start, piece.end - 40) : piece.end]
            broken = "\n" in tail[len(tail.rstrip()) :]
            leads_in = words.endswith((":", "：")) or (words.endswith(("?", "？")) and not broken)


def _pieces(block: Block, body: str) -> Iterator[tuple[Piece, str]]:
    """Yield the units of a block with the words they are compared by; white space alone gives none."""
    whole = block.kind in ("table", "code")
    if whole:
        parts = list(_bounded(body, LONGEST_BLOCK, _LINE_END_RE))
    else:
        parts = [
            part for start, end in sentences(body) for part in _bounded(body, LONGEST_SENTENCE, _CLAUSE_RE, start, end)
        ]
    for start, end in parts:
        if body[start:end].strip():
            words = fold_space(body[start : min(end, start + 500)]) if whole else plain(body[start:end])
            yield Piece(block.start + start, block.start + end), words


def _bounded(text: str, longest: int, mark: re.Pattern[str], start: int = 0, end: int | None = None) -> Iterator[Piece]:
    """Yield `text[start:end]`, cut after the last mark within each `longest` characters, else after the next mark."""
    end = len(text) if end is None else end
    while end - start > longest:
        ends = [match.end() for match in mark.finditer(text, start + longest // 2, start + longest)]
        following = None if ends else mark.search(text, start + longest, min(end, start + LONGEST_BLOCK))
        cut = ends[-1] if ends else following.end() if following else start + LONGEST_BLOCK
        if cut >= end:
            break
        yield Piece(start, cut)
        start = cut
    yield Piece(start, end)
