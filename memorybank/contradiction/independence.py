"""Whether two documents share a passage: then they are one source, however often it is repeated.

Shingles after Broder (1997), "On the resemblance and containment of documents": runs of words, or of Han characters.
"""

from __future__ import annotations

import re
from functools import lru_cache

from memorybank.language.han import HAN, is_han

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
