"""Numbers, units and dates: how they are written, and whether two of them agree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language import dates, numbers, units, values
from memorybank.language.numbers import number, read_han
from memorybank_studio.books.headings import headings
from tests.tables import tables

TABLES = tables(__file__)


def first(text: str) -> values.Quantity:
    """The first quantity of a text; bare digits are a count here, not a year."""
    return values.scan(text, dates=[date for date in dates.scan(text) if not date.bare])[0]


@pytest.mark.parametrize(("text", "value"), TABLES["numbers_are_read_in_many_forms"])
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


@pytest.mark.parametrize(("left", "right", "verdict"), TABLES["quantities_agree_or_not_either_way_round"])
def test_quantities_agree_or_not_either_way_round(left: str, right: str, verdict: str) -> None:
    assert values.relate(first(left), first(right)) == verdict
    assert values.relate(first(right), first(left)) == verdict


def test_symbols_keep_their_case() -> None:
    millikelvin, megawatt = units.unit_at("15 mK", 2), units.unit_at("5 MW", 1)
    assert (millikelvin[0].dimension, megawatt[0].dimension) == ("temperature", "power")
    assert units.unit_at("3周年", 1) is None
    assert units.unit_at("2开发", 1) is None


@pytest.mark.parametrize(("text", "first_day", "last_day"), TABLES["dates_are_read_in_many_forms"])
def test_dates_are_read_in_many_forms(text: str, first_day: dates.Day, last_day: dates.Day) -> None:
    (found,) = dates.scan(text)
    assert (found.first, found.last) == (tuple(first_day), tuple(last_day))


@pytest.mark.parametrize(("left", "right", "verdict"), TABLES["a_coarser_date_contains_the_finer"])
def test_a_coarser_date_contains_the_finer(left: str, right: str, verdict: str) -> None:
    (one,), (other,) = dates.scan(left), dates.scan(right)
    assert dates.relate(one, other) == verdict
    assert dates.relate(other, one) == verdict


@given(st.text(max_size=80))
def test_any_text_is_scanned(text: str) -> None:
    for quantity in values.scan(text, dates=dates.scan(text)):
        assert 0 <= quantity.start < quantity.end <= len(text)
    assert all(found.end > found.start for found in numbers.scan(text))


def test_a_count_behind_a_month_is_no_year() -> None:
    assert not any(day.first[1] == 11 for day in dates.scan("By the end of November, 1100 boats were ready."))
    assert dates.scan("It opened in November, 1944, in Orla.")[0].first == (1944, 11, 1)


# -- what one written number is worth, in every form that a reader may meet; whatever room asks ------------------------


_ONES = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
_TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
_HAN_DIGITS = "零一二三四五六七八九"


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


@given(st.integers(min_value=0, max_value=99_999_999))
def test_a_chinese_number_is_read_back_as_it_was_written(value: int) -> None:
    assert read_han(in_han(value)) == value
    assert read_han(in_han(value).replace("零", "〇").replace("万", "萬")) == value


@given(st.integers(min_value=0, max_value=999_999))
def test_a_number_in_words_digits_and_chinese_numerals_is_one_value_for_every_reader(value: int) -> None:
    assert number(in_words(value)) == value
    forms = f"about {in_words(value)} bolts", f"{value} bolts", f"{value:,} bolts", f"共有{in_han(value)}个"
    assert [read.value for form in forms for read in numbers.scan(form)] == [value] * 4


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("12", 12), ("1百", 100), ("二〇二三", 2023), ("三点五万", 35_000), ("两万五", 25_000), ("兩百", 200),
        ("廿一", 21), ("贰拾", 20), ("十", 10), ("一百〇五", 105),
    ],
)  # fmt: skip
def test_chinese_numerals_of_every_style(written: str, value: float) -> None:
    assert read_han(written) == value


@pytest.mark.parametrize(
    ("written", "value"), [("nineteen", 19), ("twenty-first", 21), ("fortieth", 40), ("3rd", 3), ("十九", 19)]
)
def test_one_word_is_a_number_or_an_ordinal_below_a_thousand(written: str, value: int) -> None:
    assert number(written) == value


@pytest.mark.parametrize(
    ("written", "value"),
    TABLES["a_number_is_read_as_people_write_it_or_not_at_all"],
)  # fmt: skip
def test_a_number_is_read_as_people_write_it_or_not_at_all(written: str, value: float | None) -> None:
    assert [read.value for read in numbers.scan(f"它 {written}")] == ([value] if value else [])


@pytest.mark.parametrize("word", ["a", "and", "half", "k", "m", "Anna", "第", "", "one thing"])
def test_other_words_are_no_number(word: str) -> None:
    assert number(word) is None


def test_a_heading_counts_as_the_text_does() -> None:
    text = "第廿一回 风雪\n第一百零八章 归来\nChapter Twenty-One\nChapter One Hundred and Two\nChapter Sixteen\n"
    assert [heading.number for heading in headings(text)] == [21, 108, 21, 102, 16]
