"""The check on stories that nobody wrote rules for: plain drafts of their next chapter, by kind, in both languages.

What a set gave when it was first seen stands at its head; here is what must not be lost again.
"""

from __future__ import annotations

import pytest

from memorybank.evaluation.continuity import GOAL
from memorybank.types import Lang
from tests.narrative.continuity.fresh_stories import checked, precision, recall

SETS = ("first", "second", "third", "fourth", "fifth", "sixth")
UNSEEN = "last"
"""No rule was changed for this one."""


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", [*SETS, UNSEEN])
def test_contradictions_are_found_and_near_misses_pass(name: str, lang: Lang) -> None:
    drafts = checked(name, lang)
    sides = [one.contradicts for one in drafts]
    assert min(sum(sides), len(sides) - sum(sides)) >= 19
    wrong = [one.text for one in drafts if one.marked != one.contradicts]
    assert precision(drafts) >= GOAL, wrong
    assert recall(drafts) >= (0.88 if name == UNSEEN else 0.92), wrong


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_sets_measured_together(lang: Lang) -> None:
    drafts = [one for name in SETS for one in checked(name, lang)]
    kinds = {one.kind for one in drafts}
    assert kinds == {"death", "item", "possession", "kinship", "place", "name", "time", "ability", "plan"}
    for kind in kinds:
        assert recall([one for one in drafts if one.kind == kind]) >= 0.85, kind
    assert precision(drafts) >= 0.95


def test_the_measures_by_hand() -> None:
    drafts = checked("first", "en")
    found = [one for one in drafts if one.contradicts and one.marked][:2]
    missed = [one for one in drafts if not one.contradicts and not one.marked][:1]
    assert (precision([*found, *missed]), recall([*found, *missed])) == (1.0, 1.0)
