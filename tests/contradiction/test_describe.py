"""How a contradiction is told: one sentence, with the subject as it stands within one."""

from __future__ import annotations

import pytest

from memorybank.contradiction import contradictions, extract
from memorybank.contradiction.describe import shown


@pytest.mark.parametrize(
    ("left", "right", "reason"),
    [
        (
            "The bell weighs 500 kg.",
            "The bell weighs 800 kg.",
            "The weight of the bell: 500 kg or 800 kg",
        ),
        (
            "The height of the tower is 50 m.",
            "The height of the tower is 60 m.",
            "The height of the tower: 50 m or 60 m",
        ),
        (
            "导游说白鹿书院建于1802年。",
            "白鹿书院建于1755年。",
            "白鹿书院建于：1802年，或1755年",
        ),
        (
            "小说家故居建于1802年。",
            "小说家故居建于1755年。",
            "小说家故居建于：1802年，或1755年",
        ),
        (
            "原型机“九章”于2020年8月发布。",
            "原型机“九章”于2020年12月发布。",
            "原型机“九章”何时发布：2020年8月，或2020年12月",
        ),
    ],
)
def test_the_reason_reads_as_a_sentence(left: str, right: str, reason: str) -> None:
    assert [found.reason for found in contradictions(left, right)] == [reason]


@pytest.mark.parametrize(
    ("text", "attributes"),
    [
        ("Google unveiled Willow on 9 December 2024.", {"unveiled"}),
        ("The launch of Gaia took place on 19 December 2013.", {"launch"}),
        ("The Varna bridge was designed by Ida Bry.", {"designed"}),
        ("The Varna tunnel is 4,120 metres long.", {"long"}),
        ("慧眼卫星于2017年6月15日升空。", {"升空"}),
        ("慧眼卫星的质量为2.5吨。", {"质量"}),
        ("FAST工程的首席科学家是南仁东。", {"首席科学家"}),
    ],
)
def test_an_attribute_is_a_word_of_the_sentence(text: str, attributes: set[str]) -> None:
    assert attributes <= {claim.attribute for claim in extract(text)}
    assert all(claim.attribute in text for claim in extract(text))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Willow has 105 superconducting qubits.", "105 superconducting qubits"),
        ("“九章”探测到76个光子。", "76个光子"),
        ("慧眼卫星的质量为2.5吨。", "2.5吨"),
        ("The bell weighs 500 kg.", "500 kg"),
    ],
)
def test_a_value_is_shown_as_the_text_writes_it_with_its_unit_once(text: str, value: str) -> None:
    assert value in {shown(claim) for claim in extract(text)}
