"""The rules of the planning layer, on any batches: what holds after each of them."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank_studio.hub.plan_rules import children, in_order, planned, pointers
from memorybank_studio.tests.hub.graph.story import BOOK, HERO, OUTLINES, RIVAL, WHOLE, origin, plan, step
from memorybank_studio.types import PARENT_OF, Plan, PlanKey, PlanKind, PlanStatus
from memorybank_studio.writes import StatusChange

SECOND_BOOK = plan(PlanKind.LONG, "Book two", WHOLE)
SHORTS = (HERO, RIVAL, plan(PlanKind.SHORT, "Mei again", SECOND_BOOK, storyline="Mei"))
STEPS = tuple(step(f"step {number}", short) for short in SHORTS for number in range(4))
ALL = (*OUTLINES, SECOND_BOOK, SHORTS[2], *STEPS)

RUNS = PlanStatus.IN_PROGRESS
BESIDE: dict[PlanKey, list[PlanKey | None]] = {
    one.key: [None, *(other.key for other in ALL if other.parent == one.parent and other.key != one.key)] for one in ALL
}
"""What each plan may come after."""


@st.composite
def _told(draw: st.DrawFn) -> Plan:
    """One of the plans with a place among its siblings, now and then one that it cannot have."""
    one = draw(st.sampled_from(ALL))
    place = st.sampled_from(BESIDE[one.key]) | st.sampled_from(BESIDE[one.key]) | st.sampled_from(list(BESIDE))
    return replace(one, after=draw(place), status=draw(st.sampled_from(PlanStatus)), storyline=draw(_storylines))


_storylines = st.sampled_from(("", "", "Mei", "Wei"))
_changes = st.builds(
    lambda one, status: StatusChange(plan=one.key, status=status), st.sampled_from(ALL), st.sampled_from(PlanStatus)
)
_batches = st.lists(st.tuples(st.lists(_told(), max_size=4), st.lists(_changes, max_size=3)), max_size=8)


def test_whatever_is_applied_the_rules_hold() -> None:
    taken: list[int] = []
    refused: list[int] = []

    @settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
    @given(_batches)
    def hold(batches: list[tuple[list[Plan], list[StatusChange]]]) -> None:
        stored = planned({}, ALL, [])
        reopened: set[PlanKey] = set()
        for plans, statuses in batches:
            try:
                after = planned(stored, plans, statuses)
            except InputError:
                refused.append(len(plans))
                continue
            taken.append(len(plans) + len(statuses))
            assert stored.keys() == after.keys(), "nothing is ever deleted"
            assert planned(after, [], []) == after
            reopened |= {change.plan for change in statuses if change.status is PlanStatus.IN_PROGRESS}
            assert_sound(after, reopened)
            stored = after

    hold()
    assert sum(taken) > 300, "most is taken: rules that are never applied hold"
    assert refused, "and what cannot be is refused"


def assert_sound(plans: dict[PlanKey, Plan], reopened: set[PlanKey]) -> None:
    """`reopened`: what was ever said to be in progress itself; such an outline waits for more to come."""
    assert all(key == one.key for key, one in plans.items())
    assert sorted(one.key for one in in_order(plans.values())) == sorted(plans), "each stands in the order, once"
    running = [one.storyline for one in plans.values() if one.kind is PlanKind.STEP and one.status == "InProgress"]
    assert len(running) == len(set(running)), "one step a storyline"
    for key, one in plans.items():
        held = {child.status for child in children(plans.values(), key)}
        if len(held) > 1:  # what is dropped counts for nothing
            held.discard(PlanStatus.DROPPED)
        if one.status is PlanStatus.DROPPED:  # its author's word: what was completed in it stays so
            assert PlanStatus.IN_PROGRESS not in held
        elif len(held) > 1 or PlanStatus.IN_PROGRESS in held:
            assert one.status is PlanStatus.IN_PROGRESS
        elif held == {PlanStatus.COMPLETED} and key not in reopened:
            assert one.status is PlanStatus.COMPLETED, "completed when all it contains is"
        elif held == {PlanStatus.PENDING} and key not in reopened:
            assert one.status is PlanStatus.PENDING, "not begun before what it contains is"
        if one.parent is not None:
            assert plans[one.parent].kind is PARENT_OF[one.kind]
        if one.after is not None:
            assert plans[one.after].parent == one.parent
        assert sum(other.after == key for other in plans.values()) <= 1, "one follows, at most"
        beside = [other for other in plans.values() if (other.parent, other.storyline) == (one.parent, one.storyline)]
        firsts = [other.title for other in beside if other.after is None and other.kind is not PlanKind.GENERAL]
        assert len(firsts) <= 1, "one is the first of a storyline"
        assert _ends(plans, key), "what comes after what has a beginning"


def _ends(plans: dict[PlanKey, Plan], key: PlanKey) -> bool:
    """Whether going back from a plan comes to the first of its row."""
    seen: set[PlanKey] = set()
    after: PlanKey | None = key
    while after is not None and after not in seen:
        seen.add(after)
        after = plans[after].after
    return after is None


def test_the_order_is_told_of_what_another_program_tied_into_a_ring() -> None:
    one, other = step("one", HERO), step("other", HERO)
    ring = [replace(one, after=other.key), replace(other, after=one.key)]
    assert {found.key for found in children(ring, HERO.key)} == {one.key, other.key}
    assert BOOK.key not in {found.key for found in in_order(ring)}


# -- a storyline that is given another name ---------------------------------------------------------------------------


def test_steps_go_with_their_outline_to_another_storyline() -> None:
    own = [step(name, HERO, storyline="Mei") for name in ("one", "two")]
    own[1] = replace(own[1], after=own[0].key)
    other = step("aside", HERO, storyline="the court")
    foreign = step("march", RIVAL)
    before = planned(
        {}, [*OUTLINES, *own, other, foreign], [StatusChange(plan=own[0].key, status=PlanStatus.COMPLETED)]
    )
    after = planned(before, [replace(HERO, storyline="The fox")], [])
    assert [after[one.key].storyline for one in (HERO, *own)] == ["The fox"] * 3
    assert (after[other.key], after[foreign.key]) == (before[other.key], before[foreign.key]), "and no other step"
    assert [after[one.key].status for one in own] == [PlanStatus.COMPLETED, PlanStatus.PENDING], "the clock goes on"
    assert [after[one.key].after for one in own] == [None, own[0].key]


def test_short_outlines_without_a_storyline_run_beside_each_other() -> None:
    """Each is a storyline of its title; one that is on record without any keeps its place."""
    shorts = [replace(HERO, storyline=""), replace(RIVAL, storyline="")]
    steps = [replace(step(f"step of {short.title}", short), storyline="") for short in shorts]
    after = planned({}, [WHOLE, BOOK, *shorts, *steps], [StatusChange(plan=one.key, status=RUNS) for one in steps])
    assert [after[one.key].storyline for one in (*shorts, *steps)] == [one.title for one in shorts] * 2
    assert [after[one.key].status for one in steps] == [RUNS, RUNS]
    assert planned(after, shorts, []) == after
    old = {HERO.key: replace(HERO, storyline=""), WHOLE.key: WHOLE, BOOK.key: BOOK}
    assert planned(old, [replace(HERO, storyline="")], []) == old


def test_outlines_of_one_title_are_two_storylines() -> None:
    first, second = (plan(PlanKind.SHORT, "Opening", book, storyline="") for book in (OUTLINES[1], SECOND_BOOK))
    stored = planned({}, [WHOLE, OUTLINES[1], SECOND_BOOK, first, second], [])
    assert [stored[one.key].storyline for one in (first, second)] == ["Opening", "Opening · Book two"]
    steps = [step("begins", one) for one in (first, second)]
    begun = planned(stored, [replace(one, storyline="") for one in steps], [])
    for one in steps:
        begun = planned(begun, [], [StatusChange(plan=one.key, status=RUNS)])
    assert [begun[one.key].status for one in steps] == [RUNS, RUNS], "each is in progress in its own"


def test_a_short_outline_without_steps_is_a_step_of_its_own() -> None:
    general = Plan(kind=PlanKind.GENERAL, title="All", origin=origin())
    long = Plan(kind=PlanKind.LONG, title="Book", parent=general.key, origin=origin())
    road = Plan(kind=PlanKind.SHORT, title="Road", parent=long.key, storyline="Lin", origin=origin())
    (alone,) = pointers((general, long, road), 1)
    assert (alone.next, alone.steps, alone.completed) == (road, 1, 0)
    step = Plan(kind=PlanKind.STEP, title="Lin leaves", parent=road.key, storyline="Lin", origin=origin())
    (divided,) = pointers((general, long, road, step), 1)
    assert (divided.next, divided.steps) == (step, 1)
