"""What one written number is: 19, 十九, nineteen, twenty-first, 一千二百, 贰拾. `numbers` finds them in a text."""

from __future__ import annotations

import re
from typing import Final

UNITS: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
TENS: Final = {
    word: 10 * value
    for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), start=2)
}
SMALL: Final = UNITS | TENS
SCALES: Final = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0}
_ODD: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
} | {word: word[:-1] + "ieth" for word in TENS}  # fmt: skip
_ORDINALS: Final = {_ODD.get(word, word + "th"): word for word in SMALL}

HAN_FIGURES: Final = "〇零一二三四五六七八九"
"""For use inside a character class: what years and decimals are written with, figure by figure."""
HAN_DIGITS: Final = {char: value for value, char in enumerate(HAN_FIGURES[1:])} | {"〇": 0, "两": 2, "兩": 2}
HAN_SMALL: Final = {"十": 10, "百": 100, "千": 1000}
HAN_LARGE: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
HAN_NUMBER: Final = "".join((*HAN_DIGITS, *HAN_SMALL, *HAN_LARGE))
"""For use inside a character class: what a Chinese number is written with."""
CHEQUE: Final = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟貳參叄陸", "一二三四五六七八九十百千二三三六")
"""Numerals of cheques in today's, one character for one."""
FORMAL: Final = CHEQUE | str.maketrans({"廿": "二十", "卄": "二十", "卅": "三十", "卌": "四十"})
"""Those and the numerals of old books, in today's."""
_LARGEST: Final = 999_999


def number(written: str) -> int | None:
    """The value of one word, an ordinal too; None for what is no number below a thousand."""
    word = _cardinal(written.strip().lower())
    value = whole(word) if " " not in word and "," not in word else None
    return value if value is not None and value < 1_000 else None


def _cardinal(word: str) -> str:
    """ "fortieth" as forty, "twenty-first" as twenty-one, "3rd" as 3; other words as they are."""
    front, dash, last = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", word).rpartition("-")
    return front + dash + _ORDINALS.get(last, last)


def whole(written: str) -> int | None:
    """The value of a whole number up to 999,999: 1200, 1,200, 一千二百, 三万, "twelve hundred"."""
    word = written.strip().replace(",", "")
    value: float | None
    if word.isascii() and word.isdecimal():
        value = int(word) if len(word) <= len(str(_LARGEST)) else None
    elif word and all(char in HAN_NUMBER for char in word):
        value = read_han(word)
    else:
        value = in_words(word.lower())
    return int(value) if value is not None and value <= _LARGEST and value == int(value) else None


def in_words(written: str) -> float | None:
    """The value of an English number in words, in lower case: "half a million"; None for other words."""
    words = re.split(r"[\s-]+", written)
    if not any(word in SMALL or word in SCALES for word in words):
        return None
    total = current = 0.0
    for word in words:
        if word == "half":
            current = 0.5
        elif word == "a":
            current = current or 1.0
        elif word in SMALL:
            current += SMALL[word]
        elif word in ("hundred", "dozen"):
            current = (current or 1.0) * SCALES[word]
        elif word in SCALES:
            total, current = total + (current or 1.0) * SCALES[word], 0.0
        elif word != "and":
            return None
    return total + current


def read_han(text: str) -> float:
    """The value of Chinese numerals or digits: 一千一百二十一 is 1121, 三点五万 is 35000; also 二〇二三 and 廿一."""
    if text.isdecimal():
        return int(text)
    head, _, point = text.translate(FORMAL).partition("点")
    scale = 1
    while point and point[-1] in HAN_LARGE:
        scale, point = scale * HAN_LARGE[point[-1]], point[:-1]
    fraction = sum(HAN_DIGITS.get(char, 0) * 10.0**-place for place, char in enumerate(point, start=1))
    if len(head) > 1 and all(char in HAN_DIGITS for char in head):
        return (int("".join(str(HAN_DIGITS[char]) for char in head)) + fraction) * scale
    total = section = digit = 0
    for char in head:
        if char in HAN_DIGITS:
            digit = HAN_DIGITS[char]
        elif char.isdecimal():  # 1百, 第2百
            digit = 10 * digit + int(char)
        elif char in HAN_SMALL:
            section, digit = section + (digit or 1) * HAN_SMALL[char], 0
        else:
            total, section, digit = (total + section + digit or 1) * HAN_LARGE[char], 0, 0
    before = head[-2:-1]
    if digit and before != "十" and before in HAN_SMALL | HAN_LARGE and not {"零", "〇"} & {*head}:
        digit *= (HAN_SMALL.get(before) or HAN_LARGE[before]) // 10  # 两万五 is 25,000
    return (total + section + digit + fraction) * scale
