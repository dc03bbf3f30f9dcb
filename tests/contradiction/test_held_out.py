"""Pairs written before the engine was tried on them, judged as the product judges them."""

from __future__ import annotations

import pytest

from memorybank.contradiction import contradictions
from tests.contradiction import pairs
from tests.contradiction.readers import raised

Pairs = list[tuple[str, str]]


@pytest.mark.parametrize(
    ("conflicts", "fine"),
    [
        (pairs.HELD_OUT_CONFLICTS_EN, pairs.HELD_OUT_FINE_EN),
        (pairs.HELD_OUT_CONFLICTS_ZH, pairs.HELD_OUT_FINE_ZH),
        (pairs.SECOND_CONFLICTS_EN, pairs.SECOND_FINE_EN),
        (pairs.SECOND_CONFLICTS_ZH, pairs.SECOND_FINE_ZH),
        (pairs.THIRD_CONFLICTS_EN, pairs.THIRD_FINE_EN),
        (pairs.THIRD_CONFLICTS_ZH, pairs.THIRD_FINE_ZH),
    ],
    ids=["en", "zh", "en-second", "zh-second", "en-third", "zh-third"],
)
def test_two_in_five_conflicts_are_raised_and_no_fine_pair(conflicts: Pairs, fine: Pairs) -> None:
    missed = [pair for pair in conflicts if not raised(*pair)]
    assert len(missed) <= 0.6 * len(conflicts), missed
    assert not [pair for pair in fine if raised(*pair)]


def test_here_in_reported_speech_is_the_place_that_was_visited() -> None:
    brochure = "云雾山茶园位于浙江丽水，占地320亩，由茶农周启明于1996年创办。"
    diary = "我们去了云雾山茶园，主人说这里占地230亩，春天最忙。"
    elsewhere = "我们路过云雾山茶园，去了白岩茶园，主人说这里占地230亩。"
    (found,) = contradictions(brochure, diary)
    assert (found.left.value, found.right.value) == ("320亩", "230亩")
    assert not contradictions(brochure, elsewhere)


def test_the_number_of_a_period_keeps_two_values_apart() -> None:
    assert not raised("In the first round Vela scored 14 points.", "In the third round Vela scored 9 points.")
    assert not raised("In August Lake Orla held 12 million litres.", "Lake Orla holds 38 million litres.")
    assert raised("In the first round Vela scored 14 points.", "Vela scored 9 points in the first round.")
