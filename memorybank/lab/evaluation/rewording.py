"""Another way to write a value, and another value: what metamorphic tests do to a sentence (Chen et al. 1998).

Each change is applied to a sentence from outside by patterns of its own, which know nothing of the engine's readers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from memorybank.memory.types import Lang

_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_MONTHS = (
    "January February March April May June July August September October November December"
).split()  # fmt: skip
_HAN_DIGITS = "零一二三四五六七八九"

_COUNT_EN_RE = re.compile(
    r"(?<![\w$£€.,/–—-])(?P<number>\d{1,3}(?:,\d{3})+|\d{1,3})(?= (?!January|February|March|April|May|June|July|August"
    r"|September|October|November|December|percent|per|and|or|to|in|of|at|on|a\.m|p\.m|AM|PM|BC|AD)[a-z]{3,})"
)
_COUNT_ZH_RE = re.compile(r"(?<![\d.,:：\-－~～至到比第])(?P<number>\d{1,5})(?=[个名人座条台家所间艘架辆枚幅件本])")
_DATE_EN_RE = re.compile(rf"\b(?P<month>{'|'.join(_MONTHS)}) (?P<day>\d{{1,2}}), (?P<year>1[5-9]\d\d|20\d\d)\b")
_DATE_ZH_RE = re.compile(r"(?P<year>1[5-9]\d\d|20\d\d)年(?P<month>\d{1,2})月(?P<day>\d{1,2})日")
_LENGTH_EN_RE = re.compile(
    r"(?<![\w.,$–-])(?P<number>\d{1,3}(?:\.\d)?) (?P<unit>km|kilometres|kilometers)\b(?! per| an)"
)
_LENGTH_ZH_RE = re.compile(r"(?<![\d.,\-－~～至到每])(?P<number>\d{1,3}(?:\.\d)?)(?:公里|千米)(?![/每])")

_NOT_PLAIN_BEFORE_RE = re.compile(
    r"\b(?:than|over|under|least|most|about|around|approximately|nearly|almost|to|some|between|from|until|exceed\w*|[Nn]o\."
    r"|number|above|below|roughly|top|[A-Z][\w.’'-]*)\s*$|(?:--|[–—<>=~-])\s*$|[A-Za-z]$"
    r"|(?:超过|逾|近|约|大约|至少|最多|多达|不足|不到|第)$"
)
_NOT_PLAIN_AFTER_RE = re.compile(r"[^.;。；]{0,24}[(（]|\s*(?:--|[–—-]|to |or |至|～|多|余)| ?/")

Form = Literal["digits to words", "thousands separator", "date format", "unit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewording:
    """A sentence, the same with its value written otherwise, and the same with another value."""

    lang: Lang
    form: Form
    sentence: str
    restated: str
    changed: str
    changed_restated: str
    """The other value in the other form."""


def rewordings(sentence: str, lang: Lang) -> Iterator[Rewording]:
    """At most one of each form, on the first value that takes it; none where the sentence has two such values."""
    for form, pattern, written, moved in _FORMS[lang]:
        found = list(pattern.finditer(sentence))
        if len(found) != 1:
            continue
        match = found[0]
        if not _is_plain(sentence, match):
            continue
        before, after = sentence[: match.start()], sentence[match.end() :]
        changed = before + moved(match) + after
        again = next(iter(pattern.finditer(changed)), None)
        if written(match) == match[0] or again is None:
            continue
        yield Rewording(
            lang=lang, form=form, sentence=sentence, restated=before + written(match) + after, changed=changed,
            changed_restated=changed[: again.start()] + written(again) + changed[again.end() :],
        )  # fmt: skip


def _is_plain(sentence: str, match: re.Match[str]) -> bool:
    """Whether a value stands alone: no part of a name (HD 35), no bound (over 100), no score, not told twice in another
    unit. Of a bound another value may hold as well, and a value told twice is not changed by changing it once."""
    before, after = sentence[: match.start()], sentence[match.end() :]
    return bool(before) and not _NOT_PLAIN_BEFORE_RE.search(before) and not _NOT_PLAIN_AFTER_RE.match(after)


def in_words(number: int) -> str:
    """1121: one thousand one hundred and twenty-one. Up to 999,999,999."""
    if number >= 1_000_000:
        low = number % 1_000_000
        return f"{in_words(number // 1_000_000)} million" + (f" {in_words(low)}" if low else "")
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    if number < 1_000:
        rest = f" and {in_words(number % 100)}" if number % 100 else ""
        return f"{_ONES[number // 100]} hundred{rest}"
    below = number % 1_000
    tail = (" and " if below < 100 else " ") + in_words(below) if below else ""
    return f"{in_words(number // 1_000)} thousand{tail}"


def in_han(number: int) -> str:
    """1121: 一千一百二十一. Up to 99,999,999."""
    if number >= 10_000:
        head, rest = divmod(number, 10_000)
        tail = ("零" if rest < 1_000 else "") + in_han(rest) if rest else ""
        return f"{in_han(head)}万{tail}"
    written, gap = "", False
    for place, unit in ((1_000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // place % 10
        if digit:
            written += ("零" if gap and written else "") + _HAN_DIGITS[digit] + unit
        gap = not digit
    written = written or _HAN_DIGITS[0]
    return written[1:] if written.startswith("一十") else written


def _number(match: re.Match[str]) -> int:
    return int(match["number"].replace(",", ""))


def _other_count(number: int) -> int:
    """Another number of about the size that no rounding makes the same."""
    return number + max(2, number * 2 // 5)


def _other_length(match: re.Match[str]) -> str:
    value = float(match["number"])
    return match[0].replace(match["number"], f"{value * 1.5 + 1:.1f}".removesuffix(".0"), 1)


def _metres(match: re.Match[str]) -> int:
    return round(float(match["number"]) * 1_000)


def _without_separator(match: re.Match[str]) -> str:
    return match["number"].replace(",", "")


def _plain_date(match: re.Match[str]) -> str:
    month = _MONTHS.index(match["month"]) + 1 if match["month"] in _MONTHS else int(match["month"])
    return f"{match['year']}-{month:02}-{int(match['day']):02}"


def _later(match: re.Match[str]) -> str:
    """The same day of a year some years on."""
    return match[0].replace(match["year"], str(int(match["year"]) + 3))


_FORMS: dict[
    Lang, tuple[tuple[Form, re.Pattern[str], Callable[[re.Match[str]], str], Callable[[re.Match[str]], str]], ...]
] = {
    "en": (
        ("digits to words", _COUNT_EN_RE, lambda m: in_words(_number(m)), lambda m: f"{_other_count(_number(m)):,}"),
        ("thousands separator", _COUNT_EN_RE, _without_separator, lambda m: f"{_other_count(_number(m)):,}"),
        ("date format", _DATE_EN_RE, _plain_date, _later),
        ("unit", _LENGTH_EN_RE, lambda m: f"{_metres(m):,} m", _other_length),
    ),
    "zh": (
        ("digits to words", _COUNT_ZH_RE, lambda m: in_han(_number(m)), lambda m: str(_other_count(_number(m)))),
        ("date format", _DATE_ZH_RE, _plain_date, _later),
        ("unit", _LENGTH_ZH_RE, lambda m: f"{_metres(m)}米", _other_length),
    ),
}
"""Form, what it finds, the same value written otherwise, and another value written the same way."""
