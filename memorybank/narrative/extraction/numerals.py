"""Whole numbers as a story writes them: 19, 十九, nineteen, twenty-three; of chapters up to 999,999: 一千二百, XII."""

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


# -- numbers of any size ----------------------------------------------------------------------------------------------

HAN_NUMBER: Final = "〇零一二两三四五六七八九十百千万萬"
"""Characters of a Chinese number."""
_HAN_SCALES: Final = {"十": 10, "百": 100, "千": 1_000}
_LARGEST: Final = 999_999
_WORDS: Final = "|".join(sorted((*_UNITS, *_TENS, "hundred", "thousand"), key=lambda word: -len(word)))
NUMBER_WORDS: Final = rf"(?:{_WORDS})(?:(?:\s+and\s+|[\s-]+)(?:{_WORDS}))*\b"
"""A pattern for an English number in words."""
ROMAN: Final = r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A pattern for a Roman number below 400, in capitals."""
_ROMAN_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


def whole(written: str) -> int | None:
    """The value of a whole number up to 999,999: 1200, 1,200, 一千二百, 三万, "twelve hundred", XII."""
    word = written.strip().replace(",", "")
    if word.isascii() and word.isdecimal():
        value: int | None = int(word) if len(word) <= len(str(_LARGEST)) else None
    elif word and all(char in HAN_NUMBER for char in word):
        value = _han(word.replace("萬", "万"))
    elif word and all(char in _ROMAN_DIGITS for char in word):
        value = _roman(word)
    else:
        value = _in_words(word.lower())
    return value if value is not None and value <= _LARGEST else None


def _han(word: str) -> int:
    if len(word) > 1 and all(char in _DIGITS for char in word):
        return int("".join(str(_DIGITS[char]) for char in word))
    above, _, below = word.rpartition("万")
    return (
        10_000 * (_below_ten_thousand(above) or 1) + _below_ten_thousand(below)
        if "万" in word
        else (_below_ten_thousand(below))
    )


def _below_ten_thousand(word: str) -> int:
    total = digit = 0
    for char in word:
        if char in _HAN_SCALES:
            total, digit = total + (digit or 1) * _HAN_SCALES[char], 0
        else:
            digit = _DIGITS.get(char, 0)
    return total + digit


def _roman(word: str) -> int:
    digits = [_ROMAN_DIGITS[char] for char in word]
    after = [*digits[1:], 0]
    return sum(-digit if digit < following else digit for digit, following in zip(digits, after, strict=True))


def _in_words(written: str) -> int | None:
    total = part = 0
    read = written.replace("-", " ").split()
    for word in read:
        if word == "thousand":
            total, part = total + (part or 1) * 1_000, 0
        elif word == "hundred":
            part = (part or 1) * 100
        elif word in _UNITS or word in _TENS:
            part += _UNITS.get(word, _TENS.get(word, 0))
        elif word != "and":
            return None
    return total + part if read else None
