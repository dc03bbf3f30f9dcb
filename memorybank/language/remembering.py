"""Remember what was read in a sentence: several readers look at the same one, and at each comparison again."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

T = TypeVar("T")

SHORT: Final = 1_000
"""Characters up to which a text is remembered; a longer one is no sentence, and would only fill the memory."""


def remembered(read: Callable[[str], T]) -> Callable[[str], T]:
    """A function of one text, with a memory for short ones. What it returns must not be changed by who gets it."""
    known = lru_cache(maxsize=8_192)(read)
    return wraps(read)(lambda text: known(text) if len(text) <= SHORT else read(text))
