"""This module measures how long a text is, as word processors count: Han characters, and words of other scripts."""

from __future__ import annotations

import re
from typing import Final

from memorybank.language.numbers import SMALL, number
from memorybank.language.text import HAN

_UNIT_RE: Final = re.compile(rf"[{HAN}]|[^\W{HAN}_]+(?:['’-][^\W{HAN}_]+)*")


def words_in(text: str) -> int:
    """Return 字数 of a Chinese text, words of an English one; of both together in a text that has both."""
    return sum(1 for _ in _UNIT_RE.finditer(text))


_WORDS: Final = "|".join(sorted((*SMALL, "hundred", "thousand"), key=lambda word: -len(word)))
NUMBER_WORDS: Final = rf"(?:{_WORDS})(?:(?:\s+and\s+|[\s-]+)(?:{_WORDS}))*\b"
"""A pattern for an English number in words."""
ROMAN: Final = r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A pattern for a Roman number below 400, in capitals."""
_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}


def roman(word: str) -> int:
    """Return the value of Roman digits, in capitals."""
    digits = [_DIGITS[char] for char in word]
    after = [*digits[1:], 0]
    return sum(-digit if digit < following else digit for digit, following in zip(digits, after, strict=True))


def chapter_number(written: str) -> int | None:
    """Return the value of a whole number up to 999,999, a Roman one too; None for other words."""
    return roman(written) if written and all(char in _DIGITS for char in written) else number(written)
