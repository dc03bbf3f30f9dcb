"""Figures as values: whether a text states what another one says, however the two write it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memorybank.language.figures import unstated


def missing(text: str, source: str) -> list[str]:
    return [figure.written for figure in unstated(text, source)]


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("first exported on 2023-03-14", "exported electricity on 14 March 2023"),
        ("in 03/2023", "in March 2023"),
        ("on 14.03.2023, 14/03/2023 and 03/14/2023", "on March 14th, 2023"),
        ("二〇二三年三月十四日", "2023年3月14日"),
        ("on 14 March 2023", "2023年3月14日"),
        ("in March 2023, in spring 2023, in early 2023, in 2023", "on 14 March 2023"),
        ("on 28 February 2024", "19 Feb 2024. By 28 Feb all were ashore."),
        ("on 9 May 2021 and 10 May 2021", "on 9 and 10 May 2021"),
        ("from 20 to 28 Feb, 9 and 10 May", "from 20 Feb to 28 Feb, 9 May and 10 May 2021"),
        ("2月20日至28日", "2月20日到2月28日"),
        ("1986年5月", "1986年3月至5月"),
        ("on 4 May 2021 and 6 May", "4–6 May 2021"),
        ("from 2022 to 2024; 2022–2024", "July 2022 to June 2024"),
        ("in the 1990s", "in 1994"),
        ("12 turbines", "Twelve turbines"),
        ("all 12 nacelles", "T1 to T12"),
        ("3号墓出土8只奔鹿，每年展出6周", "三号墓 八只 六周"),
        ("3rd, third, 第三, 3", "第三代"),
        ("the 21st", "the twenty-first"),
        ("1.2 million; 120万; 1,200,000; 一百二十万", "1,200,000 people"),
        ("1,200,000", "120万人"),
        ("18,000 kW and 0.018 GW", "18 MW"),
        ("24 hours, 6周", "one day, 42 days"),
        ("£1.2 million", "1.2 million pounds"),
        ("25% and 百分之二十五", "a quarter: one quarter of it"),
        ("about 400, over 400, nearly 420", "412 seals"),
        ("51 GWh, 1.2 million people", "51.2 GWh, 1,213,456 people"),
        ("38 km and 45 km", "38, 40 and 45 km"),
        ("10 m, 15 m, 10–15 m", "between 10 and 15 m"),
        ("1. It runs.\n2) It stops.\n3、停。", "It runs and stops."),
        ("Both studies: two of them, one first. 两种说法。", "It runs."),
        ("at 14:50, 3:2, ML-0419", "14:50, 3:2, ML-0419"),
    ],
)
def test_the_same_values_in_another_form(text: str, source: str) -> None:
    assert missing(text, source) == []


@pytest.mark.parametrize(
    ("text", "source", "unknown"),
    [
        ("on 14 June 2023", "14 March 2023 and 2 June 2023", ["14 June 2023"]),
        ("on 14 March 2023", "in March 2023", ["14 March 2023"]),
        ("in March 2024", "14 March 2023", ["March 2024"]),
        ("from 4–7 May 2023", "4–6 May 2023", ["4–7 May 2023"]),
        ("2000 to start with", "in 2020", ["2000"]),
        ("18 GW", "18 MW", ["18 GW"]),
        ("15 kg", "15 m", ["15 kg"]),
        ("51.2 GWh", "51 GWh", ["51.2 GWh"]),
        ("14,000 households", "about 13,000 households", ["14,000"]),
        ("400 seals", "412 seals", ["400"]),
        ("10–20 km", "10–15 km", ["20 km"]),
        ("thirteen turbines; the fourth", "Twelve turbines; the third", ["thirteen", "fourth"]),
        ("第四代，9只", "第三代，八只", ["第四", "9"]),
        ("T13 at 14:55, code ML-0420", "T12 at 14:50, code ML-0419", ["13", "55", "0420"]),
        ("3.5 km of cable", "5 km of cable", ["3.5 km"]),
        ("1200万元", "1200元", ["1200万元"]),
    ],
)
def test_another_value_is_not_stated(text: str, source: str, unknown: list[str]) -> None:
    assert missing(text, source) == unknown


@given(st.text(alphabet="0123456789.,-–:/ \nth第三年月日万百%TmkgMay£¥[)-×^", max_size=60))
def test_every_text_states_its_own_figures(text: str) -> None:
    assert unstated(text, text) == ()


def test_endless_digits_are_read_as_well() -> None:
    assert missing("9" * 400 + " billion km", "3 km") != []
