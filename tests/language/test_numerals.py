"""What one written number is worth, in every form that a reader may meet; whatever room asks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language import numbers
from memorybank.language.numbers import number, read_han
from memorybank_studio.books.headings import headings

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
    [
        ("1'250 people", 1_250), ("1 250 people", 1_250), ("1\u00a0250\u00a0000", 1_250_000), ("12,34,567", 1_234_567),
        ("1.234,5", 1_234.5), ("1 234,5", 1_234.5), ("3,5 km", 3.5), ("1_000_000", 1e6), ("1.2e6", 1.2e6),
        ("1.2E-3", .0012), ("3·10^6", 3e6), ("2½ km", 2.5), ("½", .5), ("壹万贰仟伍佰元", None), ("3佰元", None),
        ("玖万捌仟柒佰陆拾伍", None), ("1万2千3百", 12_300), ("3千2百", 3_200), ("3百米", 300),
        ("3亿5000", 300_005_000), ("３．５万", 35_000), ("-5,5 °C", -5.5), ("贰拾万元整", None),
        ("3.5 millions", 3.5e6), ("5,3 Millionen", 5.3e6), ("1,5 Mrd. Euro", 1.5e9), ("12 lakh", 1.2e6),
        ("1,2345", None), ("1,234,56", None), ("1.2.3", None), ("12,5", None), ("0x1F", None), ("10^6", None),
        ("1٬250", None), ("伍佰的歌", None), ("陆军", None),
    ],
)  # fmt: skip
def test_a_number_is_read_as_people_write_it_or_not_at_all(written: str, value: float | None) -> None:
    assert [read.value for read in numbers.scan(f"它 {written}")] == ([value] if value else [])


@pytest.mark.parametrize("word", ["a", "and", "half", "k", "m", "Anna", "第", "", "one thing"])
def test_other_words_are_no_number(word: str) -> None:
    assert number(word) is None
    assert number(word) is None


def test_a_heading_counts_as_the_text_does() -> None:
    text = "第廿一回 风雪\n第一百零八章 归来\nChapter Twenty-One\nChapter One Hundred and Two\nChapter Sixteen\n"
    assert [heading.number for heading in headings(text)] == [21, 108, 21, 102, 16]
