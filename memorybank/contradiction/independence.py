"""Which sources are votes on a conflict: each but its parties and their copies, and of copies of each other one.

This is judged here for both engines, and nowhere else; a verdict's evidence carries the result. Two documents that
share a passage are one source, by shingles after Broder (1997), "On the resemblance and containment of documents": runs
of words, or of Han characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from memorybank.language.han import HAN, is_han
from memorybank.language.text import one_form
from memorybank.memory.types import Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcePassage:
    source: str
    """Name of the document; passages of one document share one vote."""
    text: str
    """A passage or the whole document, in one form."""
    party: Literal["left", "right"] | None = None
    """The document that the left or right side of the conflict stands in."""
    shown_by: str = ""
    """The page or document that shows the image whose text this is: it speaks there, once. Empty for others."""

    def __post_init__(self) -> None:
        """Brings the text to one form."""
        object.__setattr__(self, "text", one_form(self.text))

    @property
    def document(self) -> str:
        return self.shown_by or self.source


def judged(
    piece: Evidence, home: SourcePassage, parties: Iterable[SourcePassage], heard: Iterable[SourcePassage]
) -> Evidence:
    """Return a passage that speaks for a value with what it counts for: it is a vote, a party, or a copy of another.

    `home` is the source that it stands in; `heard` are the sources that were counted before it on the same point.
    """
    parties = list(parties)
    if any(home.document == party.document for party in parties):
        return replace(piece, independent=False, refused="party")
    copied = next((other.source for other in (*parties, *heard) if _repeats(home, other)), "")
    return replace(piece, independent=False, refused="copy", copy_of=copied) if copied else piece


def _repeats(source: SourcePassage, other: SourcePassage) -> bool:
    if source.document == other.document:
        return source.source != other.source  # an image and the page that shows it
    return near_identical(source.text, other.text)


_WORDS = 6
_CHARACTERS = 10
_CONTAINED = 0.6
"""Share of the shorter text's shingles found in the longer one."""
_LONG_RUN = 20
"""Shared shingles that make a copied passage of any two documents: 25 words, or 29 characters."""
_TOKEN_RE = re.compile(rf"[{HAN}]|[^\W_{HAN}]+")


def near_identical(left: str, right: str) -> bool:
    """Whether one text is mostly contained in the other, or the two share a long passage."""
    left_shingles, right_shingles = _shingles(left), _shingles(right)
    if not left_shingles or not right_shingles:
        return _plain(left) == _plain(right)
    shared = len(left_shingles & right_shingles)
    return shared >= _LONG_RUN or shared / min(len(left_shingles), len(right_shingles)) >= _CONTAINED


def _plain(text: str) -> tuple[str, ...]:
    return tuple(_TOKEN_RE.findall(text.lower()))


@lru_cache(maxsize=2048)
def _shingles(text: str) -> frozenset[tuple[str, ...]]:
    tokens = _plain(text)
    han = sum(map(is_han, tokens))
    size = _CHARACTERS if 2 * han > len(tokens) else _WORDS
    return frozenset(tokens[at : at + size] for at in range(len(tokens) - size + 1))
