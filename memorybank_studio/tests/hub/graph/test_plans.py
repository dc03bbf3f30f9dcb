"""The planning layer keeps to its contract on every server and in memory."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.errors import InputError
from memorybank_studio.hub.plans import Plans
from memorybank_studio.tests.hub.graph.conftest import Hub, Layers
from memorybank_studio.tests.hub.graph.story import (
    BOOK,
    CLIMAX,
    COMPLETED,
    EVERYTHING,
    HERO,
    IN_PROGRESS,
    MARCH,
    OUTLINES,
    PENDING,
    RIVAL,
    SIEGE,
    START,
    TURN,
    WHOLE,
    keys,
    plan,
    step,
)
from memorybank_studio.types import Plan, PlanKey, PlanKind, PlanStatus
from memorybank_studio.writes import StatusChange


def _turn(layers: Layers, *changes: tuple[Plan, PlanStatus]) -> None:
    layers.plans.apply([], [StatusChange(plan=one.key, status=status) for one, status in changes], "settlement")


def _status(layers: Layers, one: Plan) -> PlanStatus:
    stored = layers.plans.plan(one.key)
    assert stored is not None
    return stored.status


def _titles(plans: tuple[Plan, ...]) -> list[str]:
    return [one.title for one in plans]


def test_what_is_written_is_read_back_in_its_order(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING[::-1], [], "settlement")
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
    hub.plans.apply(EVERYTHING, [], "settlement")
    assert _status(hub, START) is PENDING
    other = Plans(hub.connection.plans)
    other.apply([], [StatusChange(plan=START.key, status=COMPLETED)], "board")
    assert _status(hub, START) is COMPLETED
    with pytest.raises(InputError):
        hub.plans.apply([], [StatusChange(plan=PlanKey("p-unknown"), status=COMPLETED)], "board")
    assert _status(hub, START) is COMPLETED


def test_the_order_stands_in_the_graph_as_relationships(hub: Hub) -> None:
    hub.plans.apply(EVERYTHING, [], "board")
    rows = hub.connection.plans.rows("MATCH (a:Plan)-[r]->(b:Plan) RETURN a.title AS a, type(r) AS r, b.title AS b")
    ties = {(row["a"], row["r"], row["b"]) for row in rows}
    assert {("Mei comes home", "FIRST_STEP", "start"), ("start", "NEXT", "turn"), ("turn", "NEXT", "climax")} <= ties
    assert {("Book one", "CONTAINS", "Mei comes home"), ("Book one", "CONTAINS", "Wei marches")} <= ties
    assert ("Mei comes home", "NEXT", "Wei marches") not in ties, "parallel storylines stand beside each other"
    assert len(rows) == len(ties) == 8 + 3 + 1 + 2 + 2


def test_a_step_is_put_between_two_and_the_first_is_pushed_back(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "settlement")
    between, before = step("doubt", HERO, START), step("prologue", HERO)
    for _ in range(2):
        layers.plans.apply([between, before], [], "settlement")
        assert _titles(layers.plans.children(HERO.key)) == ["prologue", "start", "doubt", "turn", "climax"]
    layers.plans.apply([replace(START, after=CLIMAX.key)], [], "board")
    assert _titles(layers.plans.children(HERO.key)) == ["prologue", "doubt", "turn", "climax", "start"]
    layers.plans.apply([replace(before, text="new words")], [], "board")
    assert _titles(layers.plans.children(HERO.key))[0] == "prologue", "with no `after` it keeps its place"


def test_applying_again_or_the_rest_after_a_crash_changes_nothing(layers: Layers) -> None:
    changes = [StatusChange(plan=key, status=IN_PROGRESS) for key in keys(START, TURN, MARCH)]
    layers.plans.apply(EVERYTHING[:6], changes[:1], "settlement")
    layers.plans.apply(EVERYTHING, changes, "settlement")
    once = layers.plans.all()
    for _ in range(2):
        layers.plans.apply(EVERYTHING, changes, "settlement")
    assert layers.plans.all() == once
    assert len(once) == len(EVERYTHING)


def test_a_plan_told_again_keeps_its_status(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "settlement")
    _turn(layers, (START, COMPLETED))
    layers.plans.apply([replace(START, text="more of it", due=7)], [], "settlement")
    stored = layers.plans.plan(START.key)
    assert stored is not None
    assert (stored.text, stored.due, stored.status) == ("more of it", 7, COMPLETED)


def test_one_step_a_storyline_is_in_progress(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "settlement")
    _turn(layers, (START, IN_PROGRESS), (MARCH, IN_PROGRESS))
    assert [_status(layers, one) for one in (START, MARCH, HERO, RIVAL, BOOK, WHOLE)] == [IN_PROGRESS] * 6
    _turn(layers, (TURN, IN_PROGRESS))
    assert [_status(layers, one) for one in (START, TURN, MARCH)] == [PENDING, IN_PROGRESS, IN_PROGRESS]
    assert _titles(layers.plans.all(kind=PlanKind.STEP, status=IN_PROGRESS)) == ["turn", "march"]


def test_parents_follow_their_children(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "settlement")
    _turn(layers, (START, COMPLETED))
    assert [_status(layers, one) for one in OUTLINES] == [IN_PROGRESS, IN_PROGRESS, IN_PROGRESS, PENDING]
    _turn(layers, *((one, COMPLETED) for one in (TURN, CLIMAX, MARCH, SIEGE)))
    assert [_status(layers, one) for one in OUTLINES] == [COMPLETED] * 4
    layers.plans.apply([step("afterwards", HERO, CLIMAX)], [], "settlement")
    assert [_status(layers, one) for one in OUTLINES] == [IN_PROGRESS, IN_PROGRESS, IN_PROGRESS, COMPLETED]
    _turn(layers, (CLIMAX, PENDING), (TURN, PENDING), (START, PENDING), (RIVAL, PENDING))
    assert [_status(layers, one) for one in OUTLINES] == [IN_PROGRESS, IN_PROGRESS, PENDING, COMPLETED]


def test_an_outline_that_is_completed_completes_all_it_contains(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "settlement")
    _turn(layers, (MARCH, IN_PROGRESS), (HERO, COMPLETED))
    assert [_status(layers, one) for one in (START, TURN, CLIMAX, MARCH)] == [
        COMPLETED,
        COMPLETED,
        COMPLETED,
        IN_PROGRESS,
    ]
    _turn(layers, (RIVAL, PENDING))
    assert [_status(layers, one) for one in (MARCH, RIVAL, BOOK)] == [PENDING, PENDING, IN_PROGRESS]


def test_the_pointer_says_where_each_storyline_stands(layers: Layers) -> None:
    layers.plans.apply([*EVERYTHING, replace(plan(PlanKind.LONG, "Book two", WHOLE), due=2)], [], "settlement")
    _turn(layers, (START, COMPLETED), (TURN, IN_PROGRESS))
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
    layers.plans.apply(OUTLINES, [], "settlement")
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
            layers.plans.apply([START, *plans], [], "settlement")
    with pytest.raises(InputError, match="names no plan"):
        layers.plans.apply([START], [StatusChange(plan=PlanKey("p-unknown"), status=COMPLETED)], "board")
    assert layers.plans.all() == OUTLINES


def test_only_settlement_and_the_board_change_a_status(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "board")
    with pytest.raises(InputError, match="only settlement or the plan board"):
        layers.plans.apply([], [StatusChange(plan=START.key, status=COMPLETED)], "model")  # type: ignore[arg-type]
    assert _status(layers, START) is PENDING


HOSTILE = ["'; MATCH (n) DETACH DELETE n //", '"}) DETACH DELETE n //', "a\0b", "👩‍👩‍👧 \u202eabc", "x" * 100_000]


@pytest.mark.parametrize("words", HOSTILE, ids=lambda words: repr(words)[:24])
def test_hostile_words_are_data_in_every_place(layers: Layers, words: str) -> None:
    short = replace(HERO, title=words, storyline=words)
    told = replace(step(words, short), text=words, storyline=words)
    for _ in range(2):
        layers.plans.apply([WHOLE, BOOK, short, told], [StatusChange(plan=told.key, status=IN_PROGRESS)], "settlement")
    assert layers.plans.children(short.key) == (replace(told, status=IN_PROGRESS),)
    assert [(one.storyline, one.steps) for one in layers.plans.pointer(chapter=1)] == [(words, 1)]
    assert layers.plans.plan(PlanKey(words)) is None
    assert len(layers.plans.all()) == 4
    with pytest.raises(InputError, match="lone surrogate"):
        layers.plans.apply([replace(BOOK, text="half \ud83d")], [], "settlement")


def test_what_gets_another_title_keeps_its_key_and_is_told_again_by_either(layers: Layers) -> None:
    layers.plans.apply(EVERYTHING, [], "settlement")
    retitled = replace(BOOK, title="Book of Lan", keyed_as=BOOK.title)
    layers.plans.apply([retitled], [], "settlement")
    stored = layers.plans.plan(BOOK.key)
    assert stored is not None
    assert (stored.title, stored.key) == ("Book of Lan", BOOK.key)
    layers.plans.apply([replace(BOOK, text="anew")], [], "settlement")
    again = layers.plans.plan(BOOK.key)
    assert again is not None
    assert (again.title, again.text) == ("Book of Lan", "anew")
