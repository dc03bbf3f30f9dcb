"""Figures of a text, its numbers and dates, compared as values: does another text state them, however it writes them?

3, three, 三 and 第三 are one value; so are 14 March 2023 and 2023-03-14, 18 MW and 18,000 kW, 120万 and 1.2 million.
A coarser statement is stated by a finer one (2023 by 14 March 2023, about 400 by 412), never the other way round. The
numbers of a list, "first", "one" and "two" are how a text speaks, not what it says.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from memorybank.language import dates, values
from memorybank.language.dates import Date
from memorybank.language.numbers import FULL_WIDTH, HAN_NUMBER, TENS, number, read_han
from memorybank.language.quotation import names
from memorybank.language.text import covered, fold_space, one_form, remembered
from memorybank.language.values import Quantity

_LIST_NUMBER_RE = re.compile(r"^\s*(?:[-*•]\s*)?\(?\d{1,2}(?:[.)）](?!\d)|、)|\[\[\d+\]\]", re.MULTILINE)
_ORDINAL_RE = re.compile(
    rf"\b(?:(?:{'|'.join(TENS)})-)?(?:first|second|third|fifth|eighth|ninth|twelfth|\w+teenth|\w+ieth|\w{{2,5}}th)\b"
    rf"|第(?P<han>[{HAN_NUMBER}]+)",
    re.IGNORECASE,
)
_DIGITS_RE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
_HAN_MONTH_RE = re.compile(r"(\d{1,2}|[一二三四五六七八九十]{1,2})\s?月")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """`text[start:end]`: a date, else a number: a quantity, an ordinal, or digits within a time, a score or a code."""

    start: int
    end: int
    written: str
    value: Date | Quantity


@remembered
def figures(text: str) -> tuple[Figure, ...]:
    """Return all figures of a text, in order."""
    plain = _blanked(text.translate(FULL_WIDTH), (match.span() for match in _LIST_NUMBER_RE.finditer(text)))
    moments = [date for date in dates.scan(plain) if not date.bare]
    taken = covered(len(plain), ((date.start, date.end) for date in moments))
    ordinals = [item for item in _ordinals(plain) if not any(taken[item.start : item.end])]
    rest = _blanked(plain, ((item.start, item.end) for item in ordinals))
    read: list[Date | Quantity] = [*moments, *ordinals, *values.scan(rest, dates=moments)]
    taken = covered(len(plain), ((item.start, item.end) for item in read))
    read += [
        Quantity(start=match.start(), end=match.end(), value=float(match[0].replace(",", "")[:300]))
        for match in _DIGITS_RE.finditer(plain)
        if not any(taken[match.start() : match.end()])
    ]
    return tuple(
        Figure(start=item.start, end=item.end, written=text[item.start : item.end], value=item)
        for item in sorted(read, key=lambda item: item.start)
    )


def unstated(text: str, source: str) -> tuple[Figure, ...]:
    """Return the figures of a text that another text does not state, in order."""
    return tuple(itertools.filterfalse(_known(source).states, figures(text)))


def states(text: str, value: str) -> bool:
    """Whether a text states a value: its figures in whatever form, a value without any by its words."""
    return not unstated(value, text) if unstated(value, "") else names(fold_space(text), fold_space(value))


def _ordinals(text: str) -> Iterator[Quantity]:
    for match in _ORDINAL_RE.finditer(text):
        value = read_han(match["han"]) if match["han"] else number(match[0])
        if value is not None:
            yield Quantity(start=match.start(), end=match.end(), value=float(value))


def _blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with spans replaced by commas, so that nothing is read across them and offsets stay."""
    characters = list(text)
    for start, end in spans:
        characters[start:end] = ["\n" if char == "\n" else "," for char in characters[start:end]]
    return "".join(characters)


def _base(number: Quantity) -> float:
    return float(f"{number.in_base(number.value):.9g}")


_NEAR = {"mass": "money:GBP", "money:GBP": "mass"}
"""£ and "pounds", which are read as the weight."""


class _Known:
    """The values that a text states."""

    def __init__(self, text: str) -> None:
        text = one_form(text)
        stated = [figure.value for figure in figures(text)]
        self._dates = [date for date in stated if isinstance(date, Date)]
        self._dates += [day for day in dates.scan(text) if day.bare]
        self._years: set[float] = {day[0] for date in self._dates for day in (date.first, date.last) if day[0]}
        self._dates += [end for date in self._dates for end in _ends(date)]
        self._days: set[float] = {date.first[2] for date in self._dates if date.first == date.last}
        self._months = {date.first[1] for date in self._dates if date.first[1] == date.last[1]}
        self._months |= {int(read_han(match[1])) for match in _HAN_MONTH_RE.finditer(text)}
        self._numbers: dict[tuple[str, bool], dict[float, Quantity]] = {("", True): {}}
        """Numbers of one dimension, by value in its base unit; and the same without a unit, a share as .25 too."""
        for quantity in stated:
            if isinstance(quantity, Quantity):
                exact = replace(quantity, bound="exact", approximate=False)
                self._numbers.setdefault((exact.dimension, True), {})[_base(exact)] = exact
                for bare in _without_unit(exact):
                    self._numbers.setdefault((exact.dimension, False), {})[_base(bare)] = bare
        self._years |= {number.value for number in self._numbers["", True].values()}

    def states(self, figure: Figure) -> bool:
        if isinstance(figure.value, Date):
            return self._states_date(figure.value)
        number = figure.value
        is_small = number.unit is None and number.value < 3 and number.value.is_integer()
        if is_small and not any(map(str.isdigit, figure.written)):
            return True  # so small a number in words is not taken for a statement
        # A unit that one side leaves out is not held against it: the head of a table, "38, 40 and 45 km", a month.
        if number.unit is None:
            return number.value in self._years | self._days or any(
                _is_among(number, known) for (_, whole), known in self._numbers.items() if not whole
            )
        bare = _without_unit(number)
        return (
            _is_among(number, self._numbers.get((number.dimension, True), {}))
            or any(_is_among(item, self._numbers["", True]) for item in bare)
            or _is_among(bare[0], self._numbers.get((_NEAR.get(number.dimension, ""), False), {}))
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


_known = lru_cache(maxsize=256)(_Known)
"""What a text states, remembered: each statement of an answer is held against the same texts."""


def _without_unit(number: Quantity) -> list[Quantity]:
    """Return the number alone; 25 % as .25, too."""
    bare = replace(number, unit=None)
    share = replace(bare, value=bare.value / 100, step=bare.step / 100)
    return [bare, share] if number.dimension == "share" else [bare]


def _is_among(number: Quantity, known: Mapping[float, Quantity]) -> bool:
    """Whether one of these is the number, or what it comes to as it is rounded, hedged or converted.

    A plain count is not rounded: 2,000 does not state 2,020.
    """
    hedged = number.approximate or number.bound != "exact"
    if _base(number) in known or not (hedged or number.unit or number.scaled):
        return _base(number) in known
    loose = replace(number, bound="exact", approximate=hedged)
    return any(values.allows(loose, other) for other in known.values())


def _ends(date: Date) -> tuple[Date, ...]:
    """Return the two days of 4–6 December; none for another date."""
    span = date.range and date.first[:2] == date.last[:2]
    return tuple(replace(date, first=day, last=day, range=False) for day in (date.first, date.last)) if span else ()


def _within(inner: Date, outer: Date) -> bool:
    """Whether a date lies in another; without a year on either side by month and day."""
    part = slice(0 if inner.year and outer.year else 1, 3)
    return outer.first[part] <= inner.first[part] and inner.last[part] <= outer.last[part]
