"""Figures of a text, its numbers and dates, compared as values: does another text state them, however it writes them?

3, three, 三 and 第三 are one value; so are 14 March 2023 and 2023-03-14, 18 MW and 18,000 kW, 120万 and 1.2 million.
A coarser statement is stated by a finer one (2023 by 14 March 2023, about 400 by 412), never the other way round. The
numbers of a list, "first", "one" and "two" are how a text speaks, not what it says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

from memorybank.language import dates, values
from memorybank.language.dates import MONTH, Date
from memorybank.language.numbers import FULL_WIDTH
from memorybank.language.numerals import HAN_NUMBER, TENS, number, read_han
from memorybank.language.quotation import names
from memorybank.language.text import covered, fold_space, one_form
from memorybank.language.values import Quantity

_LIST_NUMBER_RE = re.compile(r"^\s*(?:[-*•]\s*)?\(?\d{1,2}(?:[.)）](?!\d)|、)|\[\[\d+\]\]", re.MULTILINE)
_ORDINAL_RE = re.compile(
    rf"\b(?:(?:{'|'.join(TENS)})-)?(?:first|second|third|fifth|eighth|ninth|twelfth|\w+teenth|\w+ieth|\w{{2,5}}th)\b"
    rf"|第(?P<han>[{HAN_NUMBER}]+)",
    re.IGNORECASE,
)
_DIGITS_RE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_MONTH_RE = re.compile(rf"\b(?P<name>{MONTH})|(?P<number>\d{{1,2}}|[一二三四五六七八九十]{{1,2}})\s?月")
_LEAST_WORDED = 3
"""A smaller number in words, without a unit, is not taken for a statement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`text[start:end]`: a date, else a number: a quantity, an ordinal, or digits within a time, a score or a code."""

    start: int
    end: int
    written: str
    date: Date | None = None
    quantity: Quantity | None = None

    @property
    def measured(self) -> bool:
        """Whether it is a date or has a unit: what is of use without the words around it."""
        return self.date is not None or (self.quantity is not None and self.quantity.unit is not None)


def figures(text: str) -> tuple[Figure, ...]:
    """All figures of a text, in order."""
    plain = _blanked(text.translate(FULL_WIDTH), (match.span() for match in _LIST_NUMBER_RE.finditer(text)))
    moments = [date for date in dates.scan(plain) if not date.bare]
    taken = covered(len(plain), ((date.start, date.end) for date in moments))
    ordinals = [item for item in _ordinals(plain) if not any(taken[item.start : item.end])]
    rest = _blanked(plain, ((item.start, item.end) for item in ordinals))
    quantities = [*ordinals, *values.scan(rest, dates=moments)]
    read = [(date.start, date.end) for date in moments] + [(item.start, item.end) for item in quantities]
    taken = covered(len(plain), read)
    quantities += [
        _plain(match.start(), match.end(), float(match[0].replace(",", "")[:300]))
        for match in _DIGITS_RE.finditer(plain)
        if not any(taken[match.start() : match.end()])
    ]
    listed = chain(
        (Figure(start=item.start, end=item.end, written=text[item.start : item.end], date=item) for item in moments),
        (
            Figure(start=item.start, end=item.end, written=text[item.start : item.end], quantity=item)
            for item in quantities
        ),
    )
    return tuple(sorted(listed, key=lambda figure: figure.start))


def unstated(text: str, source: str) -> tuple[Figure, ...]:
    """The figures of a text that another text does not state, in order."""
    return still_unstated(figures(text), source)


def states(text: str, value: str) -> bool:
    """Whether a text states a value: its figures in whatever form, a value without any by its words."""
    return not unstated(value, text) if unstated(value, "") else names(fold_space(text), fold_space(value))


def still_unstated(listed: Iterable[Figure], source: str) -> tuple[Figure, ...]:
    """The same of figures that were read before, for one text after another."""
    known = _Known(source)
    return tuple(figure for figure in listed if not (_is_speech(figure) or known.states(figure)))


def _is_speech(figure: Figure) -> bool:
    quantity = figure.quantity
    return (
        quantity is not None
        and quantity.unit is None
        and quantity.high < _LEAST_WORDED
        and not any(char.isdigit() for char in figure.written)
        and quantity.low.is_integer()
    )


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL_RE.finditer(text):
        value = read_han(match["han"]) if match["han"] else number(match[0])
        if value is not None:
            yield _plain(match.start(), match.end(), value)


def _plain(start: int, end: int, value: float) -> Quantity:
    return Quantity(start=start, end=end, low=float(value), high=float(value), step=1.0)


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with spans replaced by commas, so that nothing is read across them and offsets stay."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = ["\n" if char == "\n" else "," for char in characters[start:end]]
    return "".join(characters)


class _Values:
    """Numbers of one dimension: looked up by value, and one by one where the wording of another is loose."""

    def __init__(self, numbers: Iterable[Quantity]) -> None:
        self._numbers = {_base(number): number for number in numbers}

    def state(self, number: Quantity) -> bool:
        """Whether one of them is the number, or what it comes to as it is rounded, hedged or converted.

        A plain count is not rounded: 2,000 does not state 2,020.
        """
        if _base(number) in self._numbers:
            return True
        hedged = number.approximate or number.bound != "exact"
        if not (hedged or number.unit or number.scaled):
            return False
        loose = replace(number, bound="exact", approximate=hedged)
        return any(values.allows(loose, known) for known in self._numbers.values())


def _base(number: Quantity) -> float:
    return float(f"{number.in_base(number.low):.9g}")


_NONE = _Values(())
_NEAR = {"mass": "money:GBP", "money:GBP": "mass"}
"""£ and "pounds", which are read as the weight."""


class _Known:
    """The values that a text states."""

    def __init__(self, text: str) -> None:
        text = one_form(text)
        listed = figures(text)
        self._dates = [moment for figure in listed if figure.date for moment in (figure.date, *_ends(figure.date))]
        self._dates += [day for day in dates.scan(text) if day.bare]
        numbers = [
            replace(figure.quantity, bound="exact", approximate=False, low=end, high=end)
            for figure in listed
            if figure.quantity
            for end in {figure.quantity.low, figure.quantity.high}
        ]
        counted = [item for item in numbers if not item.unit]
        shares = [_as_share(item) for item in numbers if item.dimension == "share"]
        self._years: set[float] = {day[0] for date in self._dates for day in (date.first, date.last) if day[0]}
        self._years |= {item.low for item in counted}
        self._days: set[float] = {date.first[2] for date in self._dates if date.first == date.last}
        self._months = {date.first[1] for date in self._dates if date.first[1] == date.last[1]} | set(_months(text))
        self._counted = _Values(counted)
        self._measured: dict[str, _Values] = {}
        self._bare: dict[str, _Values] = {"": _Values([*counted, *shares])}
        for dimension in {item.dimension for item in numbers if item.unit}:
            alike = [item for item in numbers if item.dimension == dimension]
            self._measured[dimension] = _Values(alike)
            self._bare[dimension] = _Values(replace(item, unit=None) for item in alike)

    def states(self, figure: Figure) -> bool:
        if figure.date:
            return self._states_date(figure.date)
        quantity = figure.quantity
        return quantity is None or all(
            self._states_number(replace(quantity, low=end, high=end)) for end in {quantity.low, quantity.high}
        )

    def _states_number(self, number: Quantity) -> bool:
        """A unit that one side leaves out is not held against it: the head of a table, "38, 40 and 45 km", a month."""
        if number.unit is None:
            return number.low in self._years | self._days or any(known.state(number) for known in self._bare.values())
        bare = replace(number, unit=None)
        return (
            self._measured.get(number.dimension, _NONE).state(number)
            or self._counted.state(bare)
            or self._bare.get(_NEAR.get(number.dimension, "none"), _NONE).state(bare)
            or (number.dimension == "share" and self._counted.state(_as_share(number)))
        )

    def _states_date(self, date: Date) -> bool:
        (year, month, day), (last_year, last_month, last_day) = date.first, date.last
        if ends := _ends(date):
            return all(map(self._states_date, ends))
        years_known = not year or {year, last_year} <= self._years
        if any(_within(known, date) and (known.year or years_known) for known in self._dates):
            return True
        if not years_known or month != last_month:  # a season, a quarter, a span of years: the years are what it says
            return years_known
        return month in self._months and (
            (day, last_day) == (1, 31) or day in self._years  # "9 and 10 May"
        )


def _as_share(quantity: Quantity) -> Quantity:
    """25 % as .25."""
    return replace(quantity, unit=None, low=quantity.low / 100, high=quantity.high / 100, step=quantity.step / 100)


def _ends(date: Date) -> tuple[Date, ...]:
    """The two days of 4–6 December; none for another date."""
    if not date.range or date.first[:2] != date.last[:2]:
        return ()
    return tuple(replace(date, first=day, last=day, range=False) for day in (date.first, date.last))


def _within(inner: Date, outer: Date) -> bool:
    """Whether a date lies in another; without a year on either side by month and day."""
    part = slice(0 if inner.year and outer.year else 1, 3)
    return outer.first[part] <= inner.first[part] and inner.last[part] <= outer.last[part]


def _months(text: str) -> Iterator[int]:
    """Months named without a day."""
    for match in _MONTH_RE.finditer(text):
        month = dates.MONTHS.get(match["name"].lower().rstrip(".")) if match["name"] else read_han(match["number"])
        if month is not None:
            yield int(month)
