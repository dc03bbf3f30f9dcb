"""The chapters that a text names.

第一百二十一章, 第１２章, chapter twelve, ch. 1,200      121, 12, 12, 1200
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from memorybank.language.numerals import HAN_NUMBER
from memorybank_studio.numerals import NUMBER_WORDS, ROMAN, chapter_number

_WRITTEN: Final = rf"\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d{{1,6}}(?!\d)|{NUMBER_WORDS}|(?-i:(?!I\s+[a-z]){ROMAN})(?!\w)"
_CHAPTER_RE: Final = re.compile(
    rf"第\s*(?P<zh>\d{{1,6}}|[{HAN_NUMBER}]{{1,12}})\s*[章回]|\b(?:chapters?|chap\.|ch\.)\s*(?P<en>{_WRITTEN})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ChapterReference:
    """A chapter that a text names, in `text[start:end]`."""

    start: int
    end: int
    chapter: int


def chapter_references(text: str) -> Iterator[ChapterReference]:
    """In order."""
    for match in _CHAPTER_RE.finditer(text):
        chapter = chapter_number(unicodedata.normalize("NFKC", match["zh"] or match["en"]))
        if chapter is not None:
            yield ChapterReference(match.start(), match.end(), chapter)


def first_chapter_named(text: str) -> int | None:
    """The first one."""
    return next((reference.chapter for reference in chapter_references(text)), None)


def without_chapter_ahead(text: str) -> str:
    """The text without the chapter that it begins with: "In chapter 3, Mara leaves", 在第3章，林霜离家."""
    named = next(chapter_references(text), None)
    if named is None or text[: named.start].strip().lower() not in ("", "in", "在"):
        return text
    return text[named.end :].lstrip("，,：: ")
