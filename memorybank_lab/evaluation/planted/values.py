"""Values that are planted: drawn from a seeded source, written in the forms that real texts use."""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from random import Random
from typing import Any

from memorybank_lab.evaluation.planted.truth import Lang

_SMALL: dict[Lang, tuple[str, ...]] = {
    "en": ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
    "zh": ("", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二"),
}
_HAN_DIGITS = "〇一二三四五六七八九"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedValue:
    key: str
    """Canonical: two values are the same when their keys are."""
    forms: tuple[str, ...] = ()
    """Ways to write it; empty for a polarity, whose forms are whole sentences."""


def integer(number: int, lang: Lang) -> PlantedValue:
    if number <= 12:
        return PlantedValue(key=str(number), forms=(_SMALL[lang][number], str(number)))
    if number < 1000:
        return PlantedValue(key=str(number), forms=(str(number),))
    forms: tuple[str, ...] = (f"{number:,}", str(number))
    if lang == "zh" and number >= 10_000 and number % 1000 == 0:
        forms += (f"{number / 10_000:g}万",)
    return PlantedValue(key=str(number), forms=forms)


def month(year: int, number: int, lang: Lang) -> PlantedValue:
    key, name, short = f"{year}-{number:02}", calendar.month_name[number], calendar.month_abbr[number]
    english = (f"{name} {year}", f"{short} {year}", f"{name} of {year}")
    chinese = (f"{year}年{number}月", key, f"{_han(year)}年{_han_month(number)}月", f"{year} 年 {number} 月")
    return PlantedValue(key=key, forms=english if lang == "en" else chinese)


def day(year: int, number: int, date: int, lang: Lang) -> PlantedValue:
    key, name = f"{year}-{number:02}-{date:02}", calendar.month_name[number]
    english = (f"{date} {name} {year}", f"{name} {date}, {year}", key)
    chinese = (f"{year}年{number}月{date}日", key, f"{year} 年 {number} 月 {date} 日")
    return PlantedValue(key=key, forms=english if lang == "en" else chinese)


def year(number: int, lang: Lang) -> PlantedValue:
    chinese = (f"{number}年", f"{_han(number)}年", f"{number} 年")
    return PlantedValue(key=str(number), forms=(str(number),) if lang == "en" else chinese)


def person(name: str, lang: Lang) -> PlantedValue:
    return PlantedValue(key=name, forms=(name, name, f"Dr {name}") if lang == "en" else (name, f"{name}博士"))


def place(city: str, country: str, lang: Lang) -> PlantedValue:
    return PlantedValue(
        key=city, forms=(city, f"{city}, {country}") if lang == "en" else (city, f"{country}{city}", f"{city}市")
    )


def polarity(holds: bool) -> PlantedValue:
    return PlantedValue(key="yes" if holds else "no")


def _han(number: int) -> str:
    return "".join(_HAN_DIGITS[int(digit)] for digit in str(number))


def _han_month(number: int) -> str:
    return {10: "十", 11: "十一", 12: "十二"}.get(number) or _HAN_DIGITS[number]


class Decks:
    """Draws people and places without repeating one before all were used, so that things rarely share them."""

    def __init__(self, people: list[str], places: list[list[str]], rng: Random) -> None:
        self._full: dict[str, list[Any]] = {"person": people, "place": places}
        self._left: dict[str, list[Any]] = {"person": [], "place": []}
        self._rng = rng

    def draw(self, kind: str) -> Any:
        if not self._left[kind]:
            self._left[kind] = self._rng.sample(self._full[kind], len(self._full[kind]))
        return self._left[kind].pop()


def draw_value(spec: dict[str, Any], decks: Decks, rng: Random, lang: Lang) -> PlantedValue:
    """A value of the kind that `spec` asks for: its `type`, and `low`, `high`, `step` where it counts."""
    match spec["type"]:
        case "integer":
            return integer(draw_number(spec, rng), lang)
        case "month":
            return month(rng.randint(spec["low"], spec["high"]), rng.randint(1, 12), lang)
        case "day":
            return day(rng.randint(spec["low"], spec["high"]), rng.randint(1, 12), rng.randint(1, 28), lang)
        case "year":
            return year(rng.randint(spec["low"], spec["high"]), lang)
        case "person":
            return person(decks.draw("person"), lang)
        case "place":
            city, country = decks.draw("place")
            return place(city, country, lang)
        case "polarity":
            return polarity(rng.random() < 0.5)
        case other:
            raise ValueError(f"unknown type of value: {other}")


def draw_number(spec: dict[str, Any], rng: Random) -> int:
    return rng.randrange(spec["low"], spec["high"] + 1, spec.get("step", 1))


def draw_other(spec: dict[str, Any], taken: list[PlantedValue], decks: Decks, rng: Random, lang: Lang) -> PlantedValue:
    """A value that differs from all of `taken`: half of the numbers and dates are near ones, like slips."""
    if spec["type"] == "polarity":
        return polarity(taken[0].key == "no")
    keys = {value.key for value in taken}
    while True:
        other = _slip(spec, taken[0], rng, lang) if rng.random() < 0.5 else None
        other = other or draw_value(spec, decks, rng, lang)
        if other.key not in keys:
            return other


def _slip(spec: dict[str, Any], value: PlantedValue, rng: Random, lang: Lang) -> PlantedValue | None:
    match spec["type"]:
        case "integer":
            number = int(value.key)
            return integer(max(3, number + rng.choice((-1, 1)) * max(2, number // rng.choice((5, 9, 14)))), lang)
        case "month":
            at, number = map(int, value.key.split("-"))
            return month(*rng.choice([(at + rng.choice((-1, 1)), number), (at, number % 12 + 1)]), lang)
        case "day":
            at, number, date = map(int, value.key.split("-"))
            return day(
                *rng.choice([(at - 1, number, date), (at, number % 12 + 1, date), (at, number, date % 28 + 1)]), lang
            )
        case "year":
            return year(int(value.key) + rng.choice((-10, -3, 1, 4, 10)), lang)
    return None
