"""Quantities: a number with its hedge and unit, and whether two of them agree.

Agreement is generous on purpose, because a false conflict costs a round of research: "about 100" agrees with 105,
"over 100" with 4,000, 1.1 thousand with 1,121, 5 miles with 8 km. What is left is disagreement that a reader would see.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from memorybank.language import numbers
from memorybank.language.numbers import FULL_WIDTH
from memorybank.language.numbers import Quantity as Quantity
from memorybank.language.parse import Place
from memorybank.language.text import HAN, covered
from memorybank.language.units import SIGNS, unit_at

ABOUT_TOLERANCE = 0.1
"""The share by which a value may differ from an "about" one: "about 100" reaches from 90 to 110."""
ABOUT_DIGITS = 5
"""The same in units of its last digit: "about 6,397" is no 6,300."""
ROUNDED_TOLERANCE = 0.03
"""The share by which a round number written in digits (3,000) may differ from the finer one it rounds (3,050)."""
SCALED_TOLERANCE = 0.06
"""The same for a number with a word of magnitude or a unit: 5 million beside 5.2 million."""


def relate(left: Quantity, right: Quantity) -> Literal["equal", "compatible", "different", "unrelated"]:
    """Tell equal, compatible and different values apart; unrelated ones have different dimensions (15 kg and 15 m)."""
    if left.dimension != right.dimension:
        return "unrelated"
    if math.isclose(left.in_base(left.value), right.in_base(right.value), rel_tol=1e-6, abs_tol=1e-12):
        return "equal" if left.bound == right.bound else "compatible"
    low, high = _reach(left, right)
    other_low, other_high = _reach(right, left)
    return "compatible" if low <= other_high and other_low <= high else "different"


def allows(quantity: Quantity, exact: Quantity) -> bool:
    """Whether a value is within what the wording of a quantity allows: 51.2 GWh within "51 GWh", not the reverse."""
    low, high = _reach(quantity, exact)
    return quantity.dimension == exact.dimension and low <= exact.in_base(exact.value) <= high


def _reach(quantity: Quantity, other: Quantity) -> tuple[float, float]:
    """Return the values in base units that the wording allows, seen beside another quantity."""
    value, slack = quantity.in_base(quantity.value), _slack(quantity, other)
    low = -math.inf if quantity.bound == "at_most" else value - slack
    return low, math.inf if quantity.bound == "at_least" else value + slack


def _slack(quantity: Quantity, other: Quantity) -> float:
    """Return how far a value may be off, in base units, by the way it was rounded, hedged or converted."""
    factor = quantity.unit.factor if quantity.unit else 1.0
    value, size = quantity.value, abs(quantity.value) * factor
    slack = 1e-9 * size
    if quantity.approximate:  # beside another "about" the two are meant as different figures
        share = ROUNDED_TOLERANCE if other.approximate else ABOUT_TOLERANCE
        slack = max(slack, min(share * size, ABOUT_DIGITS * max(quantity.step, numbers.last_digit(value)) * factor))
    other_step = other.step * (other.unit.factor if other.unit else 1.0)
    step = quantity.step * factor
    if quantity.bound != "exact":
        pass  # "over 100" means over 100
    elif step > other_step * 1.000001 and (quantity.scaled or quantity.step < 1 or quantity.unit):
        share = quantity.dimension == "share"  # 3.5 million beside 3,521,000; 99.9 % beside 99.87 %
        slack = max(slack, 0.5 * step if share else min(0.5 * step, SCALED_TOLERANCE * size))
    elif step > other_step * 1.000001 or _round(value) > _round(other.value):
        slack = max(slack, min(0.5 * max(step, _round(value) * factor), ROUNDED_TOLERANCE * size))
    if quantity.unit and other.unit and quantity.unit.factor != other.unit.factor:
        slack = max(slack, 0.5 * step if step < 0.2 * size else 0.0, 0.005 * size)  # 5 miles, 8 km
    return slack


def _round(value: float) -> float:
    """1000 for 3,000: the digit that a round number was probably rounded to; 1 for anything under a thousand."""
    step = numbers.last_digit(value)
    return step if step >= 100 else 1.0


_ABOUT = (
    r"about|around|approximately|approx\.?|roughly|nearly|almost|close to|some|an? estimated|circa|ca\.|~|≈"
    r"|约(?:为|有|达)?|大约(?:为|有)?|近|将近|接近|大概(?:有)?|估计(?:约)?"
)
_LEAST = (
    r"more than|over|above|at least|exceed(?:s|ed|ing)|upwards of|no (?:fewer|less) than|not less than|greater than"
    r"|in excess of|>|≥|超过(?:了)?|超|逾|至少(?:可|能)?(?:容纳|达|为|有|需)?|不低于|不少于|高于|突破|大于|多于"
)
_MOST = (
    r"less than|under|below|at most|up to|no more than|not more than|fewer than|within|as (?:many|much|high|low) as|<|≤"
    r"|不到|不足|少于|低于|(?:至多|最多)(?:可|能)?(?:容纳|达|为|有|乘坐|支持)?|不超过|小于"
)
_BEFORE_RE = re.compile(
    rf"(?:(?P<about>{_ABOUT})|(?P<least>{_LEAST})|(?P<most>{_MOST}))\s*(?:a |an |the )?$", re.IGNORECASE
)
_AFTER_RE = re.compile(
    r"\s?(?:(?P<about>左右|上下|or so\b)|(?P<least>\+|以上|or more\b|and counting\b)"
    r"|(?P<most>以下|以内|or (?:less|fewer)\b))"
)
_HALF_RE = re.compile(r"\s+and\s+a\s+half\b|个半(?=小时|钟头|月|世纪|学期)", re.IGNORECASE)
_HALF_MORE_RE = re.compile(rf"(?<=[{HAN}])半(?![径数截成天日夜个])")
"""The half behind a number is two and a half years, 两个半小时; behind its unit it is 两年半."""
_MINUS_RE = re.compile(r"(?:\b[Mm]inus\s|零下|(?<!胜)负)$")
_SIGN_RE = re.compile("(?:" + "|".join(re.escape(sign) for sign in sorted(SIGNS, key=len, reverse=True)) + r")\s?$")


def scan(text: str, *, dates: Iterable[Place] = ()) -> tuple[Quantity, ...]:
    """Return all quantities of a text outside its dates. Scores (6–2, 2比1) and the article 一 are none."""
    plain = text.translate(FULL_WIDTH)
    taken = covered(len(plain), ((date.start, date.end) for date in dates))
    quantities: list[Quantity] = []
    for number in numbers.scan(plain):
        if any(taken[number.start : number.end]):
            continue
        quantity = _quantity(plain, number)
        if quantity and quantities and _is_score(plain, quantities[-1], quantity):
            quantities.pop()
        elif quantity:
            quantities.append(quantity)
    return tuple(quantities)


def _is_score(text: str, left: Quantity, right: Quantity) -> bool:
    """Whether two numbers are a score, 6–2: what falls and has no unit is no range."""
    joined = text[left.end : right.start].strip() in tuple("-–—") and right.value <= left.value
    return joined and left.unit is right.unit is None


def _quantity(text: str, number: Quantity) -> Quantity | None:
    before, after = text[max(0, number.start - 8) : number.start], text[number.end : number.end + 12]
    part = re.search(r"比$|\d[:：/]$", before) or re.match(r"\s?(?:比\d|[:：]\d|/\d)", after)
    if part or _is_article(text, number):
        return None
    if negative := _MINUS_RE.search(before):
        number = replace(number, start=number.start - len(negative[0]), value=-number.value)
    start, end, unit = number.start, number.end, number.unit
    many = after.startswith(("多", "余", "餘"))
    half = None if number.scaled or number.value % 1 else _HALF_RE.match(text, end)
    at = half.end() if half else end + 1 if many else end
    if sign := _SIGN_RE.search(before):
        start, unit = number.start - len(sign[0]), SIGNS[sign[0].strip()]
    elif read := unit_at(text, at):
        unit, end = read
    if unit and end > number.end and not number.value % 1:
        half = half or _HALF_MORE_RE.match(text, end)
    number = replace(number, start=start, end=end, unit=unit)
    if half:
        number = replace(number, value=number.value + 0.5, step=0.5, end=max(end, half.end()))
    hedge = _BEFORE_RE.search(text[max(0, number.start - 24) : number.start])
    marks = [match.lastgroup for match in (hedge, _AFTER_RE.match(text, number.end)) if match]
    if many or "least" in marks:
        number = replace(number, bound="at_least")
    elif "most" in marks:
        number = replace(number, bound="at_most")
    return replace(number, approximate="about" in marks)


def _is_article(text: str, number: Quantity) -> bool:
    """一 in 一种, 一些, 一直, 一方, 十 in 十分; and other single Han digits that nothing countable follows."""
    written, behind, end = text[number.start : number.end], text[number.end : number.end + 1], number.end
    if written in ("一", "十") and (behind in ("方", "度") or not (unit_at(text, end) or _HALF_RE.match(text, end))):
        return written == "一" or behind == "分"
    if len(written) == 1 and not written.isdecimal() and text[number.start - 1 : number.start] in tuple("第之唯统初周"):
        return True
    return written in ("千万", "万一", "百万") and not unit_at(text, number.end)
