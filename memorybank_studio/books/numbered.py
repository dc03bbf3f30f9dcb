"""Chapters whose headings are mere numbers: "I", "IV. Rain", "1. Rain", 一、雨, "chapter one" in small letters.

Each of these is a line of prose as well: an item of a list, a word of a dialogue, the end of a wrapped sentence. They
count where nothing stronger opens a chapter, and only as a row of one form that runs from 1 on, with text below each,
through the whole text: what stands before the first, and below the last, is not much longer than the others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

from memorybank.language.numerals import read_han
from memorybank.language.text import fold_space
from memorybank_studio.books.headings import (
    HAN_NUMERAL,
    Heading,
    Rank,
    english_number,
    numbered_english,
    shown,
)

_LONGEST_LINE: Final = 100
_BEFORE: Final = 2
"""What stands before the first is at most so many times as long as the longest chapter but the last."""
_BELOW_LAST: Final = 4
"""The last is at most so many times as long as the longest of the others."""

_NAME: Final = r"(?P<name>[^\d\s.、].{0,60})"
_ROMAN_RE: Final = re.compile(rf"(?P<number>[IVXLC]{{1,9}})(?:\.?|(?:\.|:| [—–-])\s?{_NAME})")
_ARABIC_RE: Final = re.compile(rf"(?P<number>\d{{1,4}})(?:[.、]|[.、]\s?{_NAME})")
_HAN_RE: Final = re.compile(rf"{HAN_NUMERAL}(?:[.、]?|[.、]\s?{_NAME})")
_SENTENCE_END: Final = tuple(".。,，;；:：!！?？…\"”'’")

_Read = tuple[int, str] | None


def _by(pattern: re.Pattern[str], value: Callable[[str], int | None]) -> Callable[[str], _Read]:
    def read(line: str) -> _Read:
        match = pattern.fullmatch(line)
        name = (match["name"] or "").strip() if match else ""
        if match is None or name.endswith(_SENTENCE_END) or name[:1].islower():
            return None
        number = value(match["number"])
        return (number, name) if number else None

    return read


def _lower_case(line: str) -> _Read:
    parsed = numbered_english(line) if line[:2] == "ch" else None
    return (parsed[1], parsed[2]) if parsed and parsed[1] else None


def _han(written: str) -> int | None:
    return None if written.isdigit() else int(read_han(written))


_FORMS: Final[tuple[Callable[[str], _Read], ...]] = (
    _lower_case,
    _by(_ROMAN_RE, english_number),
    _by(_HAN_RE, _han),
    _by(_ARABIC_RE, int),
)


def numbered(text: str) -> list[Heading]:
    """The lines that open chapters by their place in a row; none when there is no such row."""
    by_form: list[list[Heading]] = [[] for _ in _FORMS]
    start = 0
    for raw in text.splitlines(keepends=True):
        end = start + len(raw)
        if len(raw) <= _LONGEST_LINE:
            line, level = shown(raw)
            plain = fold_space(unicodedata.normalize("NFKC", line))
            for form, own in zip(_FORMS, by_form, strict=True):
                if plain and (read := form(plain)):
                    number, name = read
                    heading = Heading(
                        start=start, end=end, rank=Rank.CHAPTER, number=number, line=line, name=name, level=level
                    )
                    own.append(heading)
        start = end
    return next((row for own in by_form if (row := _row(own, text))), [])


def _row(headings: Sequence[Heading], text: str) -> list[Heading]:
    """Those that count from 1 on, when there are two at least and they run through the whole text."""
    row: list[Heading] = []
    for heading in _with_text(headings, text):
        if heading.number == len(row) + 1:
            row.append(heading)
    if len(row) < 2:
        return []
    longest = max(later.start - heading.end for heading, later in pairwise(row))
    through = row[0].start <= _BEFORE * longest and len(text) - row[-1].end <= _BELOW_LAST * longest
    return row if through else []


def _with_text(headings: Sequence[Heading], text: str) -> list[Heading]:
    """Without the entries of lists: those that nothing stands below, and the one that ends such a list."""
    kept: list[Heading] = []
    before: Heading | None = None
    for at, heading in enumerate(headings):
        after = headings[at + 1].start if at + 1 < len(headings) else len(text)
        goes_on = (
            before is not None
            and before.number is not None
            and heading.number == before.number + 1
            and not text[before.end : heading.start].strip()
        )
        if not goes_on and text[heading.end : after].strip():
            kept.append(heading)
        before = heading
    return kept
