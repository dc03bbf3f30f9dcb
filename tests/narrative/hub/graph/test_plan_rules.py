"""The rules of the planning layer, on any batches: what holds after each of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank.narrative.hub.plan_order import children, in_order
from memorybank.narrative.hub.plan_rules import planned
from memorybank.narrative.types import PARENT_OF, Plan, PlanKey, PlanKind, PlanStatus
from memorybank.narrative.writes import StatusChange
from tests.narrative.hub.graph.story import BOOK, HERO, OUTLINES, RIVAL, WHOLE, plan, step

SECOND_BOOK = plan(PlanKind.LONG, "Book two", WHOLE)
SHORTS = (HERO, RIVAL, plan(PlanKind.SHORT, "Mei again", SECOND_BOOK, storyline="Mei"))
STEPS = tuple(step(f"step {number}", short) for short in SHORTS for number in range(4))
ALL = (*OUTLINES, SECOND_BOOK, SHORTS[2], *STEPS)

_told = st.builds(
    lambda one, after, status: replace(one, after=after, status=status),
    st.sampled_from(ALL),
    st.one_of(st.none(), st.sampled_from([one.key for one in ALL])),
    st.sampled_from(PlanStatus),
)
_changes = st.builds(
    lambda one, status: StatusChange(plan=one.key, status=status), st.sampled_from(ALL), st.sampled_from(PlanStatus)
)
_batches = st.lists(st.tuples(st.lists(_told, max_size=6), st.lists(_changes, max_size=3)), max_size=8)


@settings(max_examples=300, deadline=None)
@given(_batches)
def test_whatever_is_applied_the_rules_hold(batches: list[tuple[list[Plan], list[StatusChange]]]) -> None:
    stored: dict[PlanKey, Plan] = {}
    for plans, statuses in batches:
        try:
            after = planned(stored, plans, statuses)
        except InputError:
            continue
        assert stored.keys() <= after.keys(), "nothing is ever deleted"
        assert planned(after, plans, statuses).keys() == after.keys()
        _assert_sound(after)
        stored = after


def _assert_sound(plans: dict[PlanKey, Plan]) -> None:
    assert all(key == one.key for key, one in plans.items())
    assert sorted(one.key for one in in_order(plans.values())) == sorted(plans), "each stands in the order, once"
    running = [one.storyline for one in plans.values() if one.kind is PlanKind.STEP and one.status == "InProgress"]
    assert len(running) == len(set(running)), "one step a storyline"
    for key, one in plans.items():
        own = children(plans.values(), key)
        if own and all(child.status is PlanStatus.COMPLETED for child in own):
            assert one.status in (PlanStatus.COMPLETED, PlanStatus.IN_PROGRESS)
        if any(child.status is PlanStatus.IN_PROGRESS for child in own):
            assert one.status is PlanStatus.IN_PROGRESS
        if one.parent is not None:
            assert plans[one.parent].kind is PARENT_OF[one.kind]
        if one.after is not None:
            assert plans[one.after].parent == one.parent
        assert sum(other.after == key for other in plans.values()) <= 1, "one follows, at most"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(ALL), max_size=12), st.lists(_changes, max_size=4))
def test_the_same_call_again_changes_nothing(told: list[Plan], statuses: list[StatusChange]) -> None:
    batch = [*ALL, *told]
    once = planned({}, batch, statuses)
    assert planned(once, batch, statuses) == once


def test_the_order_is_told_of_what_another_program_tied_into_a_ring() -> None:
    one, other = step("one", HERO), step("other", HERO)
    ring = [replace(one, after=other.key), replace(other, after=one.key)]
    assert {found.key for found in children(ring, HERO.key)} == {one.key, other.key}
    assert BOOK.key not in {found.key for found in in_order(ring)}
