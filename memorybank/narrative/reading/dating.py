"""In which chapter each statement of a text happens, by the chapters that its sentences name.

    "In chapter 5 Mara left. She slept. In chapter 6 Ilse came."     5, 5, 6
    第一百二十一章, 第１２章, chapter twelve, ch. 1,200               121, 12, 12, 1200

A statement goes by its own sentence (its own clause where that names another chapter than the rest), else by the last
chapter named before it; before the first one nothing dates it.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.language.numerals import HAN_NUMBER, NUMBER_WORDS, ROMAN, whole
from memorybank.language.text import Piece, sentences

_WRITTEN: Final = rf"\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{1,6}}(?!\d)|{NUMBER_WORDS}|(?-i:(?!I\s+[a-z]){ROMAN})(?!\w)"
_CHAPTER_RE: Final = re.compile(
    rf"第\s*(?P<zh>\d{{1,6}}|[{HAN_NUMBER}]{{1,12}})\s*[章回]|\b(?:chapters?|chap\.|ch\.)\s*(?P<en>{_WRITTEN})",
    re.IGNORECASE,
)
_CUT_RE: Final = re.compile(r"[，,；;：:]|\b(?:and|but|then|while)\b")


@dataclass(frozen=True, slots=True)
class ChapterReference:
    """A chapter that a text names, in `text[start:end]`."""

    start: int
    end: int
    chapter: int


def chapter_references(text: str) -> Iterator[ChapterReference]:
    """In order."""
    for match in _CHAPTER_RE.finditer(text):
        chapter = whole(unicodedata.normalize("NFKC", match["zh"] or match["en"]))
        if chapter is not None:
            yield ChapterReference(match.start(), match.end(), chapter)


def first_chapter_named(text: str) -> int | None:
    """The first one."""
    return next((reference.chapter for reference in chapter_references(text)), None)


class Dating:
    """The chapters of one text's statements."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._named = tuple(chapter_references(text))
        self._sentences = tuple(sentences(text)) if self._named else ()

    def at(self, span: Piece) -> int | None:
        """Of the statement that `span` makes, within one sentence."""
        own = next((sentence for sentence in self._sentences if sentence.start <= span.start < sentence.end), span)
        inside = [reference for reference in self._named if own.start <= reference.start < own.end]
        if inside:
            return self._in_sentence(own, span, inside)
        return next((reference.chapter for reference in reversed(self._named) if reference.start < span.start), None)

    def _in_sentence(self, own: Piece, span: Piece, named: list[ChapterReference]) -> int:
        if len(named) == 1:
            return named[0].chapter
        cuts = [
            own.start,
            *(own.start + match.end() for match in _CUT_RE.finditer(self._text[own.start : own.end])),
            own.end,
        ]
        start = max(place for place in cuts if place <= max(span.start, span.end - 1))
        end = min(place for place in cuts if place > start) if start < own.end else own.end
        beside = [reference for reference in named if start <= reference.start < end]
        before = [reference for reference in named if reference.start < start]
        return (beside[:1] or before[-1:] or named[:1])[0].chapter
