"""Small whole numbers as a story writes them: 19, 十九, nineteen, twenty-three."""

from __future__ import annotations

import re
from typing import Final

_DIGITS: Final = {
    char: value
    for value, chars in enumerate(("〇零", "一", "二两", "三", "四", "五", "六", "七", "八", "九"))
    for char in chars
}
_UNITS: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS: Final = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_HAN_RE: Final = re.compile(
    r"(?:([一二两三四五六七八九])百零?)?(?:([一二两三四五六七八九])?(十))?([一二两三四五六七八九])?"
)


def number(written: str) -> int | None:
    """Its value; None for what is no number below a thousand."""
    word = written.strip().lower()
    if word.isascii() and word.isdecimal():
        return int(word) if len(word) <= 3 else None
    if word and all(char in _DIGITS for char in word):
        return int("".join(str(_DIGITS[char]) for char in word)) if len(word) <= 3 else None
    match = _HAN_RE.fullmatch(word)
    if match and word:
        hundreds, tens, ten, ones = match.groups()
        return (
            100 * _DIGITS.get(hundreds or "", 0)
            + (10 * _DIGITS.get(tens or "", 1) if ten else 0)
            + _DIGITS.get(ones or "", 0)
        )
    head, _, rest = _cardinal(word).partition("-")
    if head in _TENS and (not rest or rest in _UNITS):
        return _TENS[head] + _UNITS.get(rest, 0)
    return _UNITS.get(head) if not rest else None


_ORDINALS: Final = {
    "first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight", "ninth": "nine",
    "twelfth": "twelve",
}  # fmt: skip


def _cardinal(word: str) -> str:
    """ "fortieth" as forty, "twenty-first" as twenty-one; other words as they are."""
    front, dash, last = word.rpartition("-")
    if last in _ORDINALS:
        return front + dash + _ORDINALS[last]
    if last.endswith("ieth"):
        return front + dash + last[:-4] + "y"
    return front + dash + last[:-2] if last.endswith("th") and last[:-2] in _UNITS else word
