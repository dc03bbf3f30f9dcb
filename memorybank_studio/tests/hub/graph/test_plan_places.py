"""A step is given another place: what holds of all the others, by any moves, in rows that were tied in any way."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank_studio.hub.plan_rules import children, planned
from memorybank_studio.tests.hub.graph.conftest import Layers
from memorybank_studio.tests.hub.graph.story import HERO, OUTLINES, RIVAL, step
from memorybank_studio.types import Plan, PlanKey, PlanStatus
from memorybank_studio.writes import Placement, StatusChange

LANES = ("Mei", "Wei", "the court")
STEPS = tuple(step(f"step {number}", HERO) for number in range(6))
FOREIGN = step("march", RIVAL)
Board = dict[PlanKey, Plan]


def lane(plans: Board, storyline: str) -> list[str]:
    """The outline's own steps in a storyline, as they follow each other."""
    return [one.title for one in children(plans.values(), HERO.key) if one.storyline == storyline]


def begun(afters: list[Plan | None] | None = None) -> Board:
    rows = zip(STEPS, afters or [None, *STEPS], strict=False)
    return planned(
        {}, [*OUTLINES, FOREIGN, *(replace(one, after=after.key if after else None) for one, after in rows)], []
    )


_told = st.builds(
    lambda one, after, storyline: replace(
        one, after=after.key if after and after != one else None, storyline=storyline
    ),
    st.sampled_from(STEPS),
    st.none() | st.sampled_from(STEPS),
    st.sampled_from(("", *LANES)),
)


@settings(max_examples=300, deadline=None)
@given(
    st.lists(_told, max_size=5), st.lists(st.tuples(st.sampled_from(STEPS), st.sampled_from(LANES), st.integers(0, 6)))
)
def test_a_step_stands_where_it_was_put_and_the_others_keep_their_order(
    told: list[Plan], moves: list[tuple[Plan, str, int]]
) -> None:
    plans = begun()
    for plan in told:  # rows that run through several storylines
        try:
            plans = planned(plans, [plan], [])
        except InputError:
            continue
    for moved, storyline, at in moves:
        wanted = {name: [title for title in lane(plans, name) if title != moved.title] for name in LANES}
        at = min(at, len(wanted[storyline]))
        before = next((one.key for one in STEPS if one.title in wanted[storyline][at : at + 1]), None)
        wanted[storyline].insert(at, moved.title)
        plans = planned(plans, [], [], [Placement(plan=moved.key, storyline=storyline, before=before)])
        assert {name: lane(plans, name) for name in LANES} == wanted
        again = planned(plans, [], [], [Placement(plan=moved.key, storyline=storyline, before=before)])
        assert again == plans, "the same move again changes nothing"
        _assert_tied(plans)
    assert plans[FOREIGN.key].after is None


def _assert_tied(plans: Board) -> None:
    for key, one in plans.items():
        assert sum(other.after == key for other in plans.values()) <= 1, "one follows, at most"
        assert one.after is None or plans[one.after].parent == one.parent
    firsts = [one.storyline for one in plans.values() if one.parent == HERO.key and one.after is None]
    assert len(firsts) == len(set(firsts)), "one is the first of a storyline"


def test_a_place_that_there_is_not_is_refused() -> None:
    plans = begun()
    one, other = STEPS[0].key, STEPS[1].key
    for place in (
        Placement(plan=one, storyline="Mei", before=one),
        Placement(plan=one, storyline="Wei", before=other),
        Placement(plan=one, storyline="Wei", before=FOREIGN.key),
        Placement(plan=one, storyline="Mei", before=PlanKey("p-none")),
    ):
        with pytest.raises(InputError, match="cannot stand there"):
            planned(plans, [], [], [place])
    for key in (HERO.key, PlanKey("p-none")):
        with pytest.raises(InputError, match="is no step"):
            planned(plans, [], [], [Placement(plan=key, storyline="Mei")])


def test_a_step_in_progress_is_the_only_one_of_the_storyline_it_comes_to() -> None:
    running = [StatusChange(plan=one.key, status=PlanStatus.IN_PROGRESS) for one in (STEPS[0], FOREIGN)]
    plans = planned(begun(), [], running, [Placement(plan=STEPS[0].key, storyline="Wei")])
    assert (plans[STEPS[0].key].status, plans[FOREIGN.key].status) == (PlanStatus.IN_PROGRESS, PlanStatus.PENDING)


def test_a_new_place_is_written_and_read_back(layers: Layers) -> None:
    plans = [
        replace(one, after=after.key if after else None) for one, after in zip(STEPS, [None, *STEPS], strict=False)
    ]
    layers.plans.apply([*OUTLINES, *plans], [], "settlement")
    places = [
        Placement(plan=STEPS[4].key, storyline="Mei", before=STEPS[0].key),
        Placement(plan=STEPS[1].key, storyline="Wei"),
        Placement(plan=STEPS[0].key, storyline="Mei"),
    ]
    layers.plans.apply([], [], "board", places)
    stored = {one.key: one for one in layers.plans.all()}
    assert lane(stored, "Mei") == ["step 4", "step 2", "step 3", "step 5", "step 0"]
    assert lane(stored, "Wei") == ["step 1"]
