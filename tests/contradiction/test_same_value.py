"""Values are compared as values, however they are written; a number before a unit is no year."""

from __future__ import annotations

import pytest

from memorybank.contradiction.same_value import same_value
from memorybank.memory.types import Claim, ClaimKind


def stated(value: str, kind: ClaimKind = "number") -> Claim:
    return Claim(text=value, kind=kind, subject="mill", attribute="", value=value)


@pytest.mark.parametrize(
    ("left", "right", "is_one"),
    [
        ("18 metres", "1800 centimetres", True),
        ("1.9 tonnes", "1900 kg", True),
        ("20米", "2000厘米", True),
        ("19 metres", "1800 centimetres", False),
        ("1800 cm", "1800 kg", False),
        ("December 2024", "2024-12", True),
        ("2020年12月", "二〇二〇年十二月", True),
        ("1847", "1874", False),
    ],
)
def test_a_number_with_a_unit_is_a_size_and_one_without_may_be_a_year(left: str, right: str, is_one: bool) -> None:
    for kind in ("number", "name"):  # the second: a value of an answer, of which no kind is known
        assert same_value(stated(left, kind), stated(right, kind)) is is_one


@pytest.mark.parametrize("denied", ["not designed to be serviced by astronauts", "无法由航天员维修"])
def test_what_is_denied_is_another_value_than_what_is_not(denied: str) -> None:
    plain = denied.removeprefix("not ").replace("无法", "")
    assert not same_value(stated(denied, "name"), stated(plain, "name"))
