"""Whole numbers as a story writes them: 19, 十九, nineteen, twenty-three; of chapters up to 999,999: 一千二百, XII."""

from __future__ import annotations

from typing import Final

from memorybank.engines.offline.claims.numbers import read_han

HAN_NUMBER: Final = "〇零一二两三四五六七八九十百千万萬"
"""Characters of a Chinese number."""
_UNITS: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_SMALL: Final = _UNITS | {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
_ORDINALS: Final = {
    "first": "one", "second": "two", "third": "three", "fifth": "five", "eighth": "eight", "ninth": "nine",
    "twelfth": "twelve",
}  # fmt: skip
_LARGEST: Final = 999_999
_WORDS: Final = "|".join(sorted((*_SMALL, "hundred", "thousand"), key=lambda word: -len(word)))
NUMBER_WORDS: Final = rf"(?:{_WORDS})(?:(?:\s+and\s+|[\s-]+)(?:{_WORDS}))*\b"
"""A pattern for an English number in words."""
ROMAN: Final = r"(?=[IVXLC])(?:C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})"
"""A pattern for a Roman number below 400, in capitals."""
_ROMAN_DIGITS: Final = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1_000}


def number(written: str) -> int | None:
    """The value of one word, an ordinal too; None for what is no number below a thousand."""
    word = _cardinal(written.strip().lower())
    value = whole(word) if " " not in word and "," not in word else None
    return value if value is not None and value < 1_000 else None


def _cardinal(word: str) -> str:
    """ "fortieth" as forty, "twenty-first" as twenty-one; other words as they are."""
    front, dash, last = word.rpartition("-")
    if last.endswith("ieth"):
        last = last[:-4] + "y"
    elif last.endswith("th") and last[:-2] in _UNITS:
        last = last[:-2]
    return front + dash + _ORDINALS.get(last, last)


def whole(written: str) -> int | None:
    """The value of a whole number up to 999,999: 1200, 1,200, 一千二百, 三万, "twelve hundred", XII."""
    word = written.strip().replace(",", "")
    if word.isascii() and word.isdecimal():
        value: int | None = int(word) if len(word) <= len(str(_LARGEST)) else None
    elif word and all(char in HAN_NUMBER for char in word):
        value = int(read_han(word))
    elif word and all(char in _ROMAN_DIGITS for char in word):
        value = roman(word)
    else:
        value = _in_words(word.lower())
    return value if value is not None and value <= _LARGEST else None


def roman(word: str) -> int:
    """Of Roman digits, in capitals."""
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
        elif word in _SMALL:
            part += _SMALL[word]
        elif word != "and":
            return None
    return total + part if read else None
