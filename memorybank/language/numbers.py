"""Numbers as they are written: 1,121 · 1'121 · 1.121,0 · 1.1e3 · 3.5 million · two hundred and five · 105亿 · 贰佰.

What looks like a number and is none of these is not read at all, never a part of it.

A number keeps how finely it was stated (`step`, the size of its last written digit), because "1.1 thousand" and "1,121"
do not disagree while "1,100" in a data sheet and "1,121" might.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal
from unicodedata import numeric

from memorybank.language.text import remembered
from memorybank.language.units import PERCENT, Unit

FULL_WIDTH = str.maketrans("０１２３４５６７８９．，％－＋", "0123456789.,%-+")
"""One character for one, so that offsets stay those of the text."""

Bound = Literal["exact", "at_least", "at_most"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """`text[start:end]`: a number with its unit of measure, if it has one."""

    start: int
    end: int
    value: float
    step: float = 1.0
    """The size of its last written digit: 1e5 for 3.5 million."""
    unit: Unit | None = None
    bound: Bound = "exact"
    approximate: bool = False
    scaled: bool = False
    """Written with a word of magnitude (million, 万): rounded by habit."""

    @property
    def dimension(self) -> str:
        return self.unit.dimension if self.unit else ""

    def in_base(self, value: float) -> float:
        return self.unit.base(value) if self.unit else value


UNITS: Final = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen".split()
    )
}
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
TENS: Final = dict(zip(_TENS.split(), range(20, 100, 10), strict=True))
SMALL: Final = UNITS | TENS
SCALES: Final = {"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12.0}
_ODD: Final = {
    "one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth",
    "twelve": "twelfth",
} | {word: word[:-1] + "ieth" for word in TENS}  # fmt: skip
_ORDINALS: Final = {_ODD.get(word, word + "th"): word for word in SMALL}

HAN_FIGURES: Final = "〇零一二三四五六七八九"
"""The characters of years and decimals written figure by figure, for use inside a character class."""
HAN_DIGITS: Final = {char: value for value, char in enumerate(HAN_FIGURES[1:])} | {"〇": 0, "两": 2, "兩": 2}
HAN_SMALL: Final = {"十": 10, "百": 100, "千": 1000}
HAN_LARGE: Final = {"万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
HAN_NUMBER: Final = "".join((*HAN_DIGITS, *HAN_SMALL, *HAN_LARGE))
"""The characters of a Chinese number, for use inside a character class."""
FORMAL: Final = str.maketrans("壹贰叁肆伍陆柒捌玖拾佰仟貳參叄陸", "一二三四五六七八九十百千二三三六") | str.maketrans(
    {"廿": "二十", "卄": "二十", "卅": "三十", "卌": "四十"}
)
"""Numerals of cheques and old books in today's."""
_FORMAL: Final = "".join(map(chr, FORMAL))
_DIGIT = "[壹贰叁肆伍陆柒捌玖貳參叄陸]"
_PLACE = f"(?:{_DIGIT}[拾佰仟万萬亿億]++零?)"
_CHEQUE_RE = re.compile(
    rf"(?<![第{HAN_NUMBER}{_FORMAL}])(?:{_PLACE}{{2,}}{_DIGIT}?|{_PLACE}{_DIGIT}?(?=[元圆]))(?![{HAN_NUMBER}{_FORMAL}])"
)
"""What a cheque's numerals say in a text: 叁万肆仟, 贰拾万元. One alone is as often a name: 伍佰."""
_LARGEST_WHOLE: Final = 999_999
_IN_DIGITS = SCALES | dict.fromkeys(("mn", "m", "mio", "millionen"), 1e6) | {"k": 1e3, "lakh": 1e5, "crore": 1e7}
_IN_DIGITS |= dict.fromkeys(("bn", "mrd", "milliard", "milliarde", "milliarden"), 1e9)
"""The factors of words that stand behind digits: 12 lakh, 1.5 Mrd."""
_SMALL_WORD = "|".join(sorted(SMALL, key=len, reverse=True))
_SCALE_WORD = "|".join(SCALES)
_WORDED_RE = re.compile(
    rf"(?<![A-Za-z0-9-])(?:(?:half\s+a|a|one)\s+(?:{_SCALE_WORD})|(?:{_SMALL_WORD})(?:[\s-]+(?:{_SMALL_WORD}))?)"
    rf"(?:\s+point(?:[\s-]+(?:{_SMALL_WORD}))+)?"
    rf"(?:[\s-]+(?:and\s+(?:a\s+half\s+(?={_SCALE_WORD}))?)?(?:{_SCALE_WORD}|{_SMALL_WORD}))*(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_GROUP = r"[,'’_\u00a0\u2009\u202f ]"
_VULGAR = "¼-¾⅐-⅞"
_RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹"
_DIGITS_RE = re.compile(
    rf"""(?<![0-9A-Za-z_.^])(?<![A-Za-z][-‐])(?<!\d[,'’·٬])(?<!\d[\u00a0\u2009\u202f])(?<!\^[-−])
    # not inside a name: r2, F-35, v1.2; nor in a longer number
    (?P<sign>(?<![0-9A-Za-z)])[-−])?
    (?P<digits>(?P<points>\d{{1,3}}(?:[.\u00a0\u2009\u202f\ ]\d{{3}})+,\d+|\d{{1,3}}(?:\.\d{{3}}){{2,}}+)  # 1.234,5
      |\d{{1,3}}(?P<group>{_GROUP})\d{{3}}(?:(?P=group)\d{{3}})*+(?:\.\d+)?      # 1,234.5 1'250 1 250
      |\d{{1,2}}(?:,\d\d)+,\d{{3}}                                                # 12,34,567
      |\d+(?P<comma>,\d{{1,2}})(?=\s?(?:[%°€£$¥]|[^\W\d_]))                           # 3,5 km
      |\d+(?:\.\d+)?+)
    (?![\d{_FORMAL}]|[.,'’_٬\u00a0\u2009\u202f]\d|·(?!10[\^⁻{_RAISED}])\d|x[0-9a-f]|\^|(?<=10)[⁻{_RAISED}])  # or not
    (?!几|,[-–]|\s\d/\d)(?:\s?(?P<vulgar>[{_VULGAR}]))?
    (?:e(?P<power>[-+−]?\d{{1,3}})\b|\s?[×x*·]\s?10(?P<raised>\^[-−]?\d{{1,3}}|[⁻{_RAISED}]+))?
    (?:(?:\s|-)?(?P<scale>(?:thousand|million|billion|trillion|dozen|lakh|crore|milliard)s?
        |millionen|milliarden?|mio|mrd|bn|mn)\b
      |(?P<short>[km](?=\b)(?!\s?/))                  # 10k, $5m
      |\s?(?P<han>[十百千]?[万萬亿億]+|百(?!分)|千(?![克米瓦字分]))
       (?P<tail>(?:\d{{1,4}}[千百十万萬])*(?:\d{{1,4}}(?![0-9年千百十万亿]))?)? )?
    |(?<![\d/])(?P<part>[{_VULGAR}])""",
    re.VERBOSE | re.IGNORECASE,
)
_HAN_RE = re.compile(
    rf"(?<![第之几数{HAN_NUMBER}{_FORMAL}])(?!零下)[{HAN_NUMBER}]++(?:点[{HAN_FIGURES}]+[万萬亿億]?)?(?![{_FORMAL}几])"
)
_EITHER: Final = frozenset("一二 一两 二三 两三 三四 三五 四五 五六 六七 七八 八九".split())
_HAN_PART_RE = re.compile(rf"(?P<whole>[{HAN_NUMBER}]+)分之(?P<part>[{HAN_NUMBER}点]+)")
_TENTHS_RE = re.compile(
    rf"(?<![\d.几{HAN_NUMBER}])(?:(?P<digits>\d(?:\.\d)?)\s?(?=成(?![立为功员交名了本长]))|(?P<han>[一二两三四五六七八九十])"
    r"(?=成(?!不变|立|员(?!工)|语|果|绩|效|就(?!业)|品(?!牌))|[至到~～—–-][一二两三四五六七八九十]成))"
    r"(?:成(?P<half>半)?(?P<part>[一二三四五六七八九](?![十百千万亿]))?)?"
)
"""四成 is 40 %, 三成半 35 %, 四成五 45 %; 三成员国 are members."""
_PHONE_RE = re.compile(
    r"(?<![A-Za-z0-9_.,+])(?<!\d[\s-])(?:\+(?!\d{1,3}(?:\s\d{3}){1,2}(?!\s?\d))\d{1,3}(?:[\s().-]{1,2}\d{1,8}){2,6}"
    r"|\(0?\d{2,4}\)\s?\d{2,4}(?:[\s.-]\d{2,5})+|0[1-9]\d{0,3}(?:[\s/-]\d{3,8}){1,3}|1[3-9]\d{9}(?!\s?[元万亿年个人吨米%])"
    r"|\d{3}([.-])\d{3,4}\1\d{4}|[48]00-\d{3,4}-\d{3,4}|\d+(?:-\d+){3,})(?![.,]?\d)"
    r"|(?:\b(?:tel|phone|telephone|fax|hotline)\b|电话|传真|热线|手机)[^\d\n]{0,9}\d(?:[\s().-]{0,2}\d){5,}",
    re.IGNORECASE,
)
"""A telephone number, an ISBN: nothing is counted by it, and no group of its digits is a number."""
_FRACTION_RE = re.compile(
    r"(?<![A-Za-z])(?P<top>one|two|three|four|a)[\s-](?P<bottom>half|third|quarter|fifth|tenth)s?(?=\s+of\b)",
    re.IGNORECASE,
)
_NAME_BEFORE_RE = re.compile(r"[A-Z][\w'’-]*\s\Z")
"""The word before a number word that makes it part of a name: System Two, Apollo Eleven."""
_LARGEST = 1e300
"""The value that a larger number is read as: it is nothing but digits, and stays finite."""
_SUPERSCRIPT = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻−", "0123456789--")


@remembered
def scan(text: str) -> tuple[Quantity, ...]:
    """Return all numbers of a text, left to right, none inside another. Full-width digits count as digits."""
    plain = _CHEQUE_RE.sub(lambda cheque: cheque[0].translate(FORMAL), without_phones(text.translate(FULL_WIDTH)))
    kept: list[Quantity] = []
    for candidate in sorted(_all(plain), key=lambda item: (item.start, -item.end)):
        if not kept or candidate.start >= kept[-1].end:
            kept.append(candidate)
    return tuple(kept)


def without_phones(text: str) -> str:
    """Return the text with a sign for each character of a telephone number."""
    return _PHONE_RE.sub(lambda phone: "#" * len(phone[0]), text)


def _all(text: str) -> Iterator[Quantity]:
    for match in _TENTHS_RE.finditer(text):
        finer = 5 if match["half"] else read_han(match["part"] or "零")
        whole = float(match["digits"] or read_han(match["han"]))
        yield _read(match, 10 * whole + finer, 1 if finer or whole % 1 else 10, unit=PERCENT)
    for match in _DIGITS_RE.finditer(text):
        yield _from_digits(match)
    if re.search(r"[A-Za-z]", text):
        for match in _FRACTION_RE.finditer(text):
            bottom = match["bottom"].lower()
            value = SMALL.get(match["top"].lower(), 1) / ({"half": 2, "quarter": 4}.get(bottom) or number(bottom) or 1)
            yield _read(match, value, 0.01)
        for match in _WORDED_RE.finditer(text):
            if match[0][0].isupper() and _NAME_BEFORE_RE.search(text, max(0, match.start() - 40), match.start()):
                continue
            value, last = in_words(match[0].lower()) or 0.0, re.split(r"[\s-]+", match[0].lower())[-1]
            step = last_digit(value) if last in SCALES else 0.1 if value % 1 else 1.0
            yield _read(match, value, step, scaled=last in SCALES and last not in ("hundred", "dozen"))
    for match in _HAN_PART_RE.finditer(text):
        whole, part = read_han(match["whole"]), read_han(match["part"])
        if whole:
            yield _read(match, 100 * part / whole, 100 / whole, unit=PERCENT)
    for match in _HAN_RE.finditer(text):
        digits = {*re.split("[十百千万萬亿億]", match[0])}
        if _EITHER & digits or (match[0][0] != "十" and not any(digits)):
            continue  # 两三百: either of two; 万里, 千万: no digit, no number
        value = float(read_han(match[0]))
        scaled = any(char in HAN_LARGE for char in match[0])
        yield _read(match, value, last_digit(value) if scaled else 1.0, scaled=scaled)


def _from_digits(match: re.Match[str]) -> Quantity:
    if match["part"]:
        return _read(match, numeric(match["part"]), 0.01)
    european = match["points"] or match["comma"]
    written = match["digits"].replace(".", "").replace(",", ".") if european else match["digits"]
    digits = re.sub(_GROUP, "", written)
    scale = 1.0
    if power := match["power"] or match["raised"]:
        scale = 10.0 ** max(-300, min(300, int(power.lstrip("^").translate(_SUPERSCRIPT))))
    before = match.string[max(0, match.start() - 4) : match.start()].rstrip()
    short = match["short"] if match["short"] == "k" or before.endswith(tuple("$€£¥￥₹")) else None  # $5m, but 5m
    end = match.start("short") if match["short"] and not short else match.end()
    if word := match["scale"] or short:
        scale *= _IN_DIGITS[word.lower().removesuffix("s")]
    for char in match["han"] or "":
        scale *= HAN_SMALL.get(char) or HAN_LARGE[char]
    decimals = len(digits.partition(".")[2])
    value = min((float(digits[:300]) + numeric(match["vulgar"] or "0")) * scale, _LARGEST)
    step = (0.01 if match["vulgar"] else 10.0**-decimals) * scale
    if match["tail"]:
        value, step = value + read_han(match["tail"]), 1.0
    return replace(_read(match, -value if match["sign"] else value, step, scaled=scale >= 1e3), end=end)


def _read(
    match: re.Match[str], value: float, step: float, *, scaled: bool = False, unit: Unit | None = None
) -> Quantity:
    return Quantity(start=match.start(), end=match.end(), value=value, step=step, scaled=scaled, unit=unit)


def last_digit(value: float) -> float:
    """Return the size of the last digit that is not zero: 1e5 for 3.5 million."""
    whole, step = abs(int(value)), 1.0
    while whole and whole % 10 == 0:
        whole, step = whole // 10, step * 10
    return step


# -- one written number -----------------------------------------------------------------------------------------------


def number(written: str) -> int | None:
    """Return the value of a whole number or an ordinal up to 999,999: 一千二百, "twelve hundred", "twenty-first"."""
    front, dash, last = re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", written.strip().lower().replace(",", "")).rpartition("-")
    word = front + dash + _ORDINALS.get(last, last)
    if word.isascii() and word.isdecimal():
        value: float | None = int(word) if len(word) <= len(str(_LARGEST_WHOLE)) else None
    else:
        value = read_han(word) if word and all(char in HAN_NUMBER for char in word) else in_words(word)
    return int(value) if value is not None and value <= _LARGEST_WHOLE and value == int(value) else None


def in_words(written: str) -> float | None:
    """Return the value of an English number in words, in lower case: "half a million"; None for other words."""
    words = re.split(r"[\s-]+", written)
    if not any(word in SMALL or word in SCALES for word in words):
        return None
    total, current, place = 0.0, 0.0, 1.0
    for word in words:
        if word == "half":
            current += 0.5
        elif word == "a":
            current = current or 1.0
        elif word == "point":
            place = 0.1
        elif word in SMALL:
            current, place = current + SMALL[word] * place, place if place == 1 else place / 10
        elif word in ("hundred", "dozen"):
            current = (current or 1.0) * SCALES[word]
        elif word in SCALES:
            total, current = total + (current or 1.0) * SCALES[word], 0.0
        elif word != "and":
            return None
    return total + current


def read_han(text: str) -> float:
    """Return the value of Chinese numerals or digits: 一千一百二十一 is 1121, 三点五万 is 35000; also 二〇二三."""
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
            below = total % (unit := HAN_LARGE[char])  # 一亿 stands above 两千万, 一万 below 一万亿
            total, section, digit = total - below + (below + section + digit or 1) * unit, 0, 0
    before = head[-2:-1]
    if digit and before != "十" and before in HAN_SMALL | HAN_LARGE and not {"零", "〇"} & {*head}:
        digit *= (HAN_SMALL.get(before) or HAN_LARGE[before]) // 10  # 两万五 is 25,000
    return (total + section + digit + fraction) * scale
