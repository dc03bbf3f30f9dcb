"""The check on stories that no rule was made from: plain drafts of their next chapter, by kind, in both languages."""

from __future__ import annotations

import pytest

from memorybank.memory.types import Lang
from tests.narrative.continuity.fresh_stories import checked, precision, recall

GOAL = 0.85
"""Precision of the marks."""
READ = frozenset({"death", "item", "possession"})
"""Kinds of error that a rule finds."""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_contradictions_are_found_and_near_misses_pass(lang: Lang) -> None:
    drafts = checked("last", lang)
    wrong = [one.text for one in drafts if one.marked != one.contradicts]
    assert precision(drafts) >= GOAL, wrong
    assert recall([one for one in drafts if one.kind in READ]) >= 1 / 3, wrong


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_what_no_rule_reads_is_not_marked(lang: Lang) -> None:
    assert [one.text for one in checked("last", lang) if one.kind not in READ and one.marked] == []


def test_the_measures_by_hand() -> None:
    drafts = checked("last", "en")
    found = [one for one in drafts if one.contradicts and one.marked][:2]
    missed = [one for one in drafts if not one.contradicts and not one.marked][:1]
    assert (precision([*found, *missed]), recall([*found, *missed])) == (1.0, 1.0)
