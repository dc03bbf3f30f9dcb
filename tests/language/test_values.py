"""Numbers, units and dates: how they are written, and whether two of them agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language import dates, numbers, units, values


def first(text: str) -> values.Quantity:
    """The first quantity of a text; bare digits are a count here, not a year."""
    return values.scan(text, dates=[date for date in dates.scan(text) if not date.bare])[0]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1.1 thousand", 1100),
        ("3.5 million people", 3.5e6),
        ("half a million", 5e5),
        ("1.5 × 10^3", 1500),
        ("2400×1080 pixels", 2400),
        ("105亿元", 105e8),
        ("百分之五", 5),
        ("$5m", 5e6),
    ],
)
def test_numbers_are_read_in_many_forms(text: str, value: float) -> None:
    assert first(text).value == pytest.approx(value)


def test_a_number_word_in_a_name_is_no_number() -> None:
    assert not numbers.scan("On stage was IBM Quantum System Two, a modular machine.")
    assert [number.value for number in numbers.scan("It has Two wings. Five of them came.")] == [2, 5]


@pytest.mark.parametrize("text", ["一种", "十分重要", "三峡", "Heron r2", "F-35", "6–2, 6–3", "1比0", "统一", "第六届"])
def test_what_only_looks_like_a_number(text: str) -> None:
    found = [item for item in values.scan(text) if item.unit or item.value > 1]
    assert not [item for item in found if text[item.start : item.end].isdigit() and len(text) < 4]
    assert all(item.value != 2 for item in found) or "6–2" not in text


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("15 mK", "0.015 K", "equal"),
        ("5,000 m", "5 km", "equal"),
        ("24 hours", "1 day", "equal"),
        ("100 °C", "212 °F", "equal"),
        ("1000亩", "67公顷", "compatible"),
        ("5 miles", "8 km", "compatible"),
        ("about 100", "105", "compatible"),
        ("约100", "105", "compatible"),
        ("over 100", "4,000", "compatible"),
        ("up to 300", "240", "compatible"),
        ("1.1 thousand", "1,121", "compatible"),
        ("99.9 %", "99.87 %", "compatible"),
        ("3,000", "3,050", "compatible"),
        ("105", "98", "different"),
        ("over 100", "60", "different"),
        ("about 100", "140", "different"),
        ("120 km", "121 km", "different"),
        ("15 kg", "15 m", "unrelated"),
        ("$5", "€5", "unrelated"),
    ],
)
def test_quantities_agree_or_not_either_way_round(left: str, right: str, verdict: str) -> None:
    assert values.relate(first(left), first(right)) == verdict
    assert values.relate(first(right), first(left)) == verdict


def test_symbols_keep_their_case() -> None:
    millikelvin, megawatt = units.unit_at("15 mK", 2), units.unit_at("5 MW", 1)
    assert millikelvin is not None
    assert megawatt is not None
    assert (millikelvin[0].dimension, megawatt[0].dimension) == ("temperature", "power")
    assert units.unit_at("3周年", 1) is None
    assert units.unit_at("2开发", 1) is None


@pytest.mark.parametrize(
    ("text", "first_day", "last_day"),
    [
        ("on 2023-12-04", (2023, 12, 4), (2023, 12, 4)),
        ("December 4, 2023", (2023, 12, 4), (2023, 12, 4)),
        ("4 Dec 2023", (2023, 12, 4), (2023, 12, 4)),
        ("December of 2023", (2023, 12, 1), (2023, 12, 31)),
        ("the first quarter of 2023", (2023, 1, 1), (2023, 12, 31)),
        ("the 1990s", (1990, 1, 1), (1999, 12, 31)),
        ("221 BC", (-221, 1, 1), (-221, 12, 31)),
        ("2017-03", (2017, 3, 1), (2017, 3, 31)),
        ("2023年12月4日", (2023, 12, 4), (2023, 12, 4)),
        ("2023 年 12 月", (2023, 12, 1), (2023, 12, 31)),
        ("二〇二三年十二月", (2023, 12, 1), (2023, 12, 31)),
        ("20世纪90年代", (1990, 1, 1), (1999, 12, 31)),
        ("公元前221年", (-221, 1, 1), (-221, 12, 31)),
        ("12月4日", (0, 12, 4), (0, 12, 4)),
    ],
)
def test_dates_are_read_in_many_forms(text: str, first_day: dates.Day, last_day: dates.Day) -> None:
    (found,) = dates.scan(text)
    assert (found.first, found.last) == (first_day, last_day)


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("December 4, 2023", "2023-12-04", "equal"),
        ("2023年12月4日", "4 Dec 2023", "equal"),
        ("December 2023", "4 December 2023", "compatible"),
        ("around 1500", "1503", "compatible"),
        ("December 4", "2023-12-04", "compatible"),
        ("December 4, 2023", "December 5, 2023", "different"),
        ("December 4", "2023-12-05", "different"),
        ("1937年", "1938年5月", "different"),
    ],
)
def test_a_coarser_date_contains_the_finer(left: str, right: str, verdict: str) -> None:
    (one,), (other,) = dates.scan(left), dates.scan(right)
    assert dates.relate(one, other) == verdict
    assert dates.relate(other, one) == verdict


@given(st.text(max_size=80))
def test_any_text_is_scanned(text: str) -> None:
    for quantity in values.scan(text, dates=dates.scan(text)):
        assert 0 <= quantity.start < quantity.end <= len(text)
    for number in numbers.scan(text):
        assert number.end > number.start


def test_a_count_behind_a_month_is_no_year() -> None:
    assert not any(day.first[1] == 11 for day in dates.scan("By the end of November, 1100 boats were ready."))
    assert dates.scan("It opened in November, 1944, in Orla.")[0].first == (1944, 11, 1)
