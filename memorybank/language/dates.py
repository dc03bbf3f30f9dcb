"""Dates as they are written, in English and Chinese, as an interval of days.

"December 2023" is the interval from the 1st to the 31st, so a coarser date contains the finer ones in it: the two are
compatible. A date without a year ("4 December", 12月4日) is compared by what both sides state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

from memorybank.language.numbers import FULL_WIDTH, HAN_FIGURES, read_han, without_phones
from memorybank.language.text import remembered

Day = tuple[int, int, int]
"""Year (negative before Christ), month, day. Compared as tuples; the calendar does not matter for order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Date:
    """`text[start:end]` read as a date. `first` to `last`, both inclusive; year 0 means that no year was stated."""

    start: int
    end: int
    first: Day
    last: Day
    approximate: bool = False
    range: bool = False
    """Written as a span of time (1994–1998): a qualifier, not a moment."""
    bare: bool = False
    """A year with nothing but its four digits."""

    @property
    def year(self) -> int:
        return self.first[0]


def relate(left: Date, right: Date) -> Literal["equal", "compatible", "different"]:
    """Tell equal, compatible (one contains or overlaps the other, or one is approximate) and different dates apart."""
    if (left.first, left.last) == (right.first, right.last):
        return "equal"
    years = bool(left.year and right.year)
    if not years and any(date.first[1] != date.last[1] for date in (left, right)):
        return "compatible"  # a season or a year, and a day of any year
    slack = 5 if years and (left.approximate or right.approximate) else 0
    if slack and left.first[0] - slack <= right.last[0] and right.first[0] - slack <= left.last[0]:
        return "compatible"
    part = slice(0 if years else 1, 3)
    overlap = left.first[part] <= right.last[part] and right.first[part] <= left.last[part]
    return "compatible" if overlap else "different"


MONTHS = {
    name: number
    for number, names in enumerate(
        "january jan,february feb,march mar,april apr,may,june jun,july jul,august aug,september sept sep,"
        "october oct,november nov,december dec".split(","),
        start=1,
    )
    for name in names.split()
}
"""The number of a month by its English name, in full or short, in lower case."""
MONTH = "(?:" + "|".join(sorted((name.capitalize() for name in MONTHS), key=len, reverse=True)) + r")\b\.?"
"""A pattern for the English name of a month, in full or short."""
_NUMERAL_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_LATE_DAY = r"(?:3[01]|2\d|1[3-9])"
_NUMERAL_MONTH = r"(?:1[0-2]|0?[1-9])"
_DAY = rf"{_NUMERAL_DAY}(?:st|nd|rd|th)?"
_YEAR = r"(?:1\d{3}|20\d{2}|21\d{2})"
_HAN_YEAR = rf"{_YEAR}|[一二][{HAN_FIGURES}]{{3}}"
_HAN_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月"
_HAN_DAY = r"(?P<day>[12]\d|3[01]|0?[1-9]|[二三]?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号]"
_TO, _SEP = r"\s?(?:[-–]|to)\s?", r"(?:\s*,\s*|\s+)"
_PART = (
    "spring|summer|autumn|fall|winter|early|mid|late|beginning|end|(?:first|second) half|q[1-4]"
    r"|(?:first|second|third|fourth|1st|2nd|3rd|4th)[\s-]quarter"
)
_Reader = Callable[[re.Match[str]], tuple[Day, Day, bool] | None]


def _number(text: str | None) -> int:
    return int(read_han(text.rstrip("stndrh"))) if text else 0


def _ymd(match: re.Match[str]) -> tuple[Day, Day, bool] | None:
    parts = match.groupdict()
    year, day = _number(parts.get("year")), _number(parts.get("day"))
    name = parts.get("month") or ""
    month = MONTHS.get(name.lower().rstrip("."), 0) or (0 if re.match("[A-Za-z]", name) else _number(name))
    if month > 12 or day > 31 or (name and not month):
        return None
    year = -year if parts.get("era") else year
    first, last = (year, month or 1, day or 1), (year, month or 12, day or 31)
    if until := _number(parts.get("until")):  # 4–6 December 2023
        last = (year, month, until)
    return first, last, bool(until)


def _decade(match: re.Match[str]) -> tuple[Day, Day, bool]:
    year = _number(match["year"])
    if year < 100:  # 20世纪90年代, or 90年代 alone
        year += (_number(match["century"]) - 1) * 100 if match["century"] else 1900
    return (year, 1, 1), (year + 9, 12, 31), False


def _span(match: re.Match[str]) -> tuple[Day, Day, bool] | None:
    first, last = _number(match["year"]), _number(match["until"])
    if len(match["until"]) == 2:
        last += first // 100 * 100
    return ((first, 1, 1), (last, 12, 31), True) if first < last < first + 200 else None


_FORMS: tuple[tuple[str, _Reader], ...] = (
    (rf"(?P<year>{_YEAR})[-/.](?P<month>1[0-2]|0?[1-9])[-/.](?P<day>{_DAY})(?!\d)", _ymd),
    (rf"(?<![\d.])(?P<day>{_NUMERAL_DAY})\.(?P<month>{_NUMERAL_MONTH})\.(?P<year>{_YEAR})(?![\d.]*\d)", _ymd),
    # 14/03/2023 and 03/14/2023; nobody knows which of the two 03/04/2023 is
    (rf"(?<![\d/])(?P<day>{_LATE_DAY})/(?P<month>{_NUMERAL_MONTH})/(?P<year>{_YEAR})(?![\d/])", _ymd),
    (rf"(?<![\d/])(?P<month>{_NUMERAL_MONTH})/(?P<day>{_LATE_DAY})/(?P<year>{_YEAR})(?![\d/])", _ymd),
    (rf"(?<![\d/.])(?P<month>{_NUMERAL_MONTH})/(?P<year>{_YEAR})(?![\d/])", _ymd),
    (r"(?<![\d-])(?P<year>(?:19|20)\d{2})-(?P<month>0[1-9]|1[0-2])(?![\d-])(?!\s?(?:season|赛季))", _ymd),
    (
        rf"(?P<month>{MONTH})\s+(?P<day>{_DAY})"
        rf"(?:(?:{_TO}(?P<until>{_DAY}))?{_SEP}(?P<year>{_YEAR})\b|\b(?![,.]?\d))",
        _ymd,
    ),
    (
        rf"\b(?P<day>{_DAY})(?:{_TO}(?P<until>{_DAY})(?=\s))?(?:\s+of)?\s+(?P<month>{MONTH})"
        rf"(?:{_SEP}(?:of\s+)?(?P<year>{_YEAR})\b|(?![a-z]))",
        _ymd,
    ),
    # not "by the end of November, 1100 bombers were ready"
    (rf"(?P<month>{MONTH})(?:\s*,\s*(?!{_YEAR}\s[a-z]{{3,}}s\b)|\s+|\s+of\s+)(?P<year>{_YEAR})\b", _ymd),
    # of a part of a year the year is read
    (rf"\b(?i:{_PART})(?:[\s-]+(?:of\s+)?|,\s*)(?P<begins>)(?P<year>{_YEAR})\b(?!s)", _ymd),
    (rf"\b(?P<year>{_YEAR})(?=\s?Q[1-4]\b)", _ymd),
    (rf"\b(?P<century>)(?P<year>{_YEAR[:-1]}|\d{{3}}0))['’]?s\b", _decade),
    (r"\b(?P<year>\d{1,4})\s?(?P<era>BCE?|B\.C\.(?:E\.)?)(?![A-Za-z])", _ymd),
    (
        rf"(?<![\dA-Za-z])(?P<year>{_YEAR})(?:\s?年)?\s?(?:[-–—~至到]|to)\s?(?P<until>{_YEAR}|\d{{2}})(?:\s?年|(?![\d-]))",
        _span,
    ),
    (
        rf"(?:公元)?(?P<year>{_HAN_YEAR}|(?<=公元)\d{{1,4}}|(?<=[于在])\d{{3}})\s?年"
        rf"(?:\s?{_HAN_MONTH}(?:\s?{_HAN_DAY})?|(?![级代多]))",
        _ymd,
    ),
    (rf"(?<![\d个]){_HAN_MONTH}\s?{_HAN_DAY}", _ymd),
    (r"(?:公元)?(?P<era>前)(?P<year>\d{1,4}|[一二三四五六七八九十百]+)\s?年", _ymd),
    (
        rf"(?:(?P<century>\d{{2}}|十[六七八九]|二十一?)世纪)?"
        rf"(?P<year>{_YEAR}|[1-9一二三四五六七八九][0十])\s?年代",
        _decade,
    ),
)


@cache
def _patterns() -> list[tuple[re.Pattern[str], _Reader]]:
    return [(re.compile(pattern), reader) for pattern, reader in _FORMS]


_BARE_RE = re.compile(rf"(?<![\d.,$€£¥A-Za-z/–-])(?P<year>{_YEAR})(?![\d%]|[,.]\d|[-–/]\w|\s?(?:°|℃|[万亿]))")
_ABOUT_RE = re.compile(
    r"(?:\b(?:about|around|circa|c\.|ca\.|approximately|roughly|near)\s*|约|大约|前后)$", re.IGNORECASE
)
_HINT_RE = re.compile(r"\d{3}|[年月]|世纪|century|\b[JFMASOND][a-z]{2}", re.IGNORECASE)


@remembered
def scan(text: str) -> tuple[Date, ...]:
    """Return all dates of a text, left to right, the longest reading first, none inside another.

    Bare four-digit years are included and marked `bare`: whether "1937" is a year or a count depends on the words
    around it, which the caller knows.
    """
    if not _HINT_RE.search(text):
        return ()
    kept: list[Date] = []
    for candidate in sorted(_all(text.translate(FULL_WIDTH)), key=lambda date: (date.start, -date.end)):
        if not kept or candidate.start >= kept[-1].end:
            kept.append(candidate)
    return tuple(kept)


def _all(text: str) -> Iterator[Date]:
    for pattern, reader in (*_patterns(), (_BARE_RE, _ymd)):
        for match in pattern.finditer(without_phones(text) if pattern is _BARE_RE else text):
            if read := reader(match):
                about = bool(_ABOUT_RE.search(text[max(0, match.start() - 16) : match.start()]))
                yield Date(
                    start=match.start("begins" if "begins" in pattern.groupindex else 0),
                    end=match.end(),
                    first=read[0],
                    last=read[1],
                    approximate=about or text[match.end() : match.end() + 2] in ("左右", "前后"),
                    range=read[2],
                    bare=pattern is _BARE_RE,
                )


RELATIVE_RE = re.compile(
    r"\b(?:yesterday|tomorrow|tonight|(?P<now>today|this (?:morning|afternoon|evening))|\w+ ago"
    r"|(?:last|next|this) (?:week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day))\b"
    r"|(?P<today>今[天日晚早])|前天|后天|[昨明][天日晚早]|[上这本去今明]年|[上下这本]个?(?:月|周|星期|礼拜)",
    re.IGNORECASE,
)
"""A time told from the day on which it is said; `now` and `today` are also how a text speaks of the present."""
