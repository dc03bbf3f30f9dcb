"""The planning layer keeps to its contract on every server and in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError
from memorybank_studio.hub.plan_rules import children, planned
from memorybank_studio.hub.plans import Plans
from memorybank_studio.tests.hub.graph.conftest import Hub, Layers
from memorybank_studio.tests.hub.graph.story import (
    BOOK,
    CLIMAX,
    COMPLETED,
    EVERYTHING,
    HERO,
    IN_PROGRESS,
    OUTLINES,
    PENDING,
    RIVAL,
    SIEGE,
    START,
    TURN,
    WHOLE,
    plan,
    step,
)
from memorybank_studio.tests.hub.graph.test_plan_rules import assert_sound
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus
from memorybank_studio.writes import Placement, StatusChange


def _turn(layers: Layers, *changes: tuple[Plan, PlanStatus]) -> None:
    layers.plans.apply([], [StatusChange(plan=one.key, status=status) for one, status in changes])


def _status(layers: Layers, one: Plan) -> PlanStatus:
    stored = layers.plans.plan(one.key)
    assert stored is not None
    return stored.status


def _titles(plans: tuple[Plan, ...]) -> list[str]:
    return [one.title for one in plans]


def test_what_is_written_is_read_back_in_its_order(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING[::-1], [])
    assert layers.plans.children(None) == (WHOLE,)
    assert layers.plans.children(BOOK.key) == (HERO, RIVAL)
    told = [replace(one, storyline="Mei") for one in (START, TURN, CLIMAX)]
    assert layers.plans.children(HERO.key) == tuple(told), "steps have the storyline of their short outline"
    assert layers.plans.parents(CLIMAX.key) == (WHOLE, BOOK, HERO)
    assert _titles(layers.plans.all()) == [
        *("The whole story", "Book one", "Mei comes home", "start", "turn", "climax", "Wei marches", "march", "siege")
    ]
    assert layers.plans.all(kind=PlanKind.SHORT) == (HERO, RIVAL)
    assert layers.plans.plan(PlanKey("p-unknown")) is None
    assert layers.plans.parents(PlanKey("p-unknown")) == layers.plans.children(PlanKey("p-unknown")) == ()


def test_what_another_writer_changed_is_seen(hub: Hub) -> None:
    hub.plans.apply(EVERYTHING, [])
    assert _status(hub, START) is PENDING
    other = Plans(hub.connection.plans)
    other.apply([], [StatusChange(plan=START.key, status=COMPLETED)])
    assert _status(hub, START) is COMPLETED
    with pytest.raises(InputError):
        hub.plans.apply([], [StatusChange(plan=PlanKey("p-unknown"), status=COMPLETED)])
    assert _status(hub, START) is COMPLETED


def test_the_order_stands_in_the_graph_as_relationships(hub: Hub) -> None:
    hub.plans.apply(EVERYTHING, [])
    rows = hub.connection.plans.rows("MATCH (a:Plan)-[r]->(b:Plan) RETURN a.title AS a, type(r) AS r, b.title AS b")
    ties = {(row["a"], row["r"], row["b"]) for row in rows}
    assert {("Mei comes home", "FIRST_STEP", "start"), ("start", "NEXT", "turn"), ("turn", "NEXT", "climax")} <= ties
    assert {("Book one", "CONTAINS", "Mei comes home"), ("Book one", "CONTAINS", "Wei marches")} <= ties
    assert ("Mei comes home", "NEXT", "Wei marches") not in ties, "parallel storylines stand beside each other"
    assert len(rows) == len(ties) == 8 + 3 + 1 + 2 + 2


def test_a_step_is_put_between_two_and_the_first_is_pushed_back(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [])
    between, before = step("doubt", HERO, START), step("prologue", HERO)
    for _ in range(2):
        layers.plans.apply([between, before], [])
        assert _titles(layers.plans.children(HERO.key)) == ["prologue", "start", "doubt", "turn", "climax"]
    layers.plans.apply([replace(START, after=CLIMAX.key)], [])
    assert _titles(layers.plans.children(HERO.key)) == ["prologue", "doubt", "turn", "climax", "start"]
    layers.plans.apply([replace(before, text="new words")], [])
    assert _titles(layers.plans.children(HERO.key))[0] == "prologue", "with no `after` it keeps its place"


def test_the_pointer_says_where_each_storyline_stands(layers: Layers) -> None:
    layers.plans.apply([*EVERYTHING, replace(plan(PlanKind.LONG, "Book two", WHOLE), due=2)], [])
    _turn(layers, (START, COMPLETED), (TURN, IN_PROGRESS))
    layers.plans.apply([replace(START, text="more of it", due=2)], [])  # told again it keeps its status
    unnamed, mei, wei = layers.plans.pointer(chapter=5)
    assert (mei.storyline, mei.completed, mei.steps) == ("Mei", 1, 3)
    assert mei.current is not None
    assert mei.next is not None
    assert (mei.current.title, mei.next.title, mei.overdue) == ("turn", "climax", ())
    assert wei.next is not None
    assert (wei.current, wei.next.title, _titles(wei.overdue)) == (None, "march", ["siege"])
    assert (unnamed.storyline, unnamed.steps, _titles(unnamed.overdue)) == ("", 0, ["Book two"])
    assert [one.overdue for one in layers.plans.pointer(chapter=2)] == [(), ()], (
        "due in chapter 2 is not late before it"
    )
    _turn(layers, (SIEGE, COMPLETED))
    assert _titles(layers.plans.pointer(chapter=99)[2].overdue) == []
    assert _titles(layers.plans.pointer(chapter=99)[1].overdue) == ["climax"]


def test_a_wrong_place_is_refused_and_writes_nothing(layers: Layers) -> None:
    layers.plans.apply(OUTLINES, [])
    stranger = plan(PlanKind.SHORT, "of nobody", plan(PlanKind.LONG, "unwritten", WHOLE))
    one, other = step("one", HERO), step("other", HERO)
    ring = [replace(one, after=other.key), replace(other, after=one.key)]
    wrong: list[tuple[list[Plan], str]] = [
        ([stranger], "is not in the planning layer"),
        ([plan(PlanKind.STEP, "too high", BOOK)], "is a LongOutline: give the key of a ShortOutline"),
        ([plan(PlanKind.LONG, "rootless")], "is not in the planning layer"),
        ([plan(PlanKind.GENERAL, "not so general", WHOLE)], "has a parent: leave it out"),
        ([START, step("elsewhere", RIVAL, START)], "which is no other plan of the same parent"),
        ([replace(one, after=PlanKey("p-unknown"))], "which is no other plan of the same parent"),
        (ring, "each come after the other"),
        ([replace(one, after=one.key)], "each come after the other"),
    ]
    for plans, reason in wrong:
        with pytest.raises(InputError, match=reason):
            layers.plans.apply([START, *plans], [])
    with pytest.raises(InputError, match="names no plan"):
        layers.plans.apply([START], [StatusChange(plan=PlanKey("p-unknown"), status=COMPLETED)])
    assert layers.plans.all() == OUTLINES


HOSTILE = ["'; MATCH (n) DETACH DELETE n //", '"}) DETACH DELETE n //', "a\0b", "👩‍👩‍👧 \u202eabc", "x" * 100_000]


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: repr(words)[:24])
def test_hostile_words_are_data_in_every_place(layers: Layers, words: str) -> None:
    short = replace(HERO, title=words, storyline=words)
    told = replace(step(words, short), text=words, storyline=words)
    for _ in range(2):
        layers.plans.apply([WHOLE, BOOK, short, told], [StatusChange(plan=told.key, status=IN_PROGRESS)])
    assert layers.plans.children(short.key) == (replace(told, status=IN_PROGRESS),)
    assert [(one.storyline, one.steps) for one in layers.plans.pointer(chapter=1)] == [(words, 1)]
    assert layers.plans.plan(PlanKey(words)) is None
    assert len(layers.plans.all()) == 4
    with pytest.raises(InputError, match="lone surrogate"):
        layers.plans.apply([replace(BOOK, text="half \ud83d")], [])


def test_what_gets_another_title_keeps_its_key_and_is_told_again_by_either(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [])
    retitled = replace(BOOK, title="Book of Lan", keyed_as=BOOK.title)
    layers.plans.apply([retitled], [])
    stored = layers.plans.plan(BOOK.key)
    assert stored is not None
    assert (stored.title, stored.key) == ("Book of Lan", BOOK.key)
    layers.plans.apply([replace(BOOK, text="anew")], [])
    again = layers.plans.plan(BOOK.key)
    assert again is not None
    assert (again.title, again.text) == ("Book of Lan", "anew")


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


@settings(max_examples=100, deadline=None)
@given(
    st.lists(_told, max_size=5), st.lists(st.tuples(st.sampled_from(STEPS), st.sampled_from(LANES), st.integers(0, 6)))
)
def test_a_step_stands_where_it_was_put_and_the_others_keep_their_order(
    told: list[Plan], moves: list[tuple[Plan, str, int]]
) -> None:
    plans = begun()
    for one in told:  # rows that run through several storylines
        try:
            plans = planned(plans, [one], [])
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
        assert_sound(plans, set())
    assert plans[FOREIGN.key].after is None


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


def test_a_new_place_is_written_and_read_back(layers: Layers) -> None:
    plans = [
        replace(one, after=after.key if after else None) for one, after in zip(STEPS, [None, *STEPS], strict=False)
    ]
    layers.plans.apply([*OUTLINES, *plans], [])
    places = [
        Placement(plan=STEPS[4].key, storyline="Mei", before=STEPS[0].key),
        Placement(plan=STEPS[1].key, storyline="Wei"),
        Placement(plan=STEPS[0].key, storyline="Mei"),
    ]
    layers.plans.apply([], [], places)
    stored = {one.key: one for one in layers.plans.all()}
    assert lane(stored, "Mei") == ["step 4", "step 2", "step 3", "step 5", "step 0"]
    assert lane(stored, "Wei") == ["step 1"]
