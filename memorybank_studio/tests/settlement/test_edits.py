"""The settlement table as the author changes it: nothing is lost, what is named follows, what cannot be is said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest

from memorybank.errors import InputError
from memorybank_studio.drafts import Item, Unread
from memorybank_studio.hub.plan_rules import planned
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.edits import FIELDS, added, blank, edited, helper_rows, prefilled, ticked, values_of
from memorybank_studio.tests.tasks.studio import outline
from memorybank_studio.types import (
    HAS_STATUS,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    TaskId,
)
from memorybank_studio.writes import Mark, Proposal, ProposalKind, Removal, StatusChange
from tests.tables import tables

TABLES = tables(__file__)

TASK = TaskId("t1")
ORIGIN, HAND = Origin(task=TASK, turns=(3,)), Origin(task=TASK)
LIN = Entity(kind=EntityKind.CHARACTER, name="Lin", origin=ORIGIN)
SWORD = Entity(kind=EntityKind.ITEM, name="Frost Sword", aliases=("Frost",), origin=ORIGIN)
OWNS = Fact(subject=LIN.key, predicate="OWNS", object=SWORD.key, since=2, origin=ORIGIN)
SIEGE = Plan(kind=PlanKind.GENERAL, title="The siege", origin=ORIGIN)
GATE = Plan(kind=PlanKind.LONG, title="The gate", parent=SIEGE.key, origin=ORIGIN)
ON_BOARD = Plan(kind=PlanKind.GENERAL, title="The march", origin=ORIGIN)
ON_BOARD_GATE = Plan(kind=PlanKind.LONG, title="The ford", parent=ON_BOARD.key, origin=ORIGIN)
BEGINS = StatusChange(plan=SIEGE.key, status=PlanStatus.IN_PROGRESS)
JADE = Setting(key="Jade", text="cold", origin=ORIGIN)


def rows_of(*items: Item) -> tuple[Proposal, ...]:
    numbered = enumerate(items, start=1)
    return tuple(Proposal(number=number, item=item, mark=Mark.NEW, shown="", turns=(3,)) for number, item in numbered)


ROWS = rows_of(LIN, SWORD, OWNS, SIEGE, GATE, BEGINS, JADE)


@pytest.fixture
def stores(stores: Stores) -> Stores:
    """A hub that knows a Mei already, and two plans."""
    stores.facts.apply([Entity(kind=EntityKind.CHARACTER, name="Mei", aliases=("Little Mei",), origin=ORIGIN)], [])
    stores.plans.apply([ON_BOARD, ON_BOARD_GATE], [])
    return stores


def changed(rows: Sequence[Proposal], number: int, stores: Stores, **values: str) -> tuple[Proposal, ...]:
    """The rows with other values in one of them."""
    return edited(rows, number, values_of(rows[number - 1].item, rows, stores) | values, stores)


def fact_with(stores: Stores, **values: str) -> tuple[Proposal, ...]:
    return changed(ROWS, 3, stores, **values)


@pytest.mark.parametrize(("written", "predicate"), TABLES["a_relation_is_named_in_capitals_or_by_its_chinese_words"])
def test_a_relation_is_named_in_capitals_or_by_its_chinese_words(stores: Stores, written: str, predicate: str) -> None:
    assert fact_with(stores, predicate=written)[2].item.predicate == predicate


def test_a_row_that_is_not_changed_stays_what_it_is(stores: Stores) -> None:
    def told(rows: Sequence[Proposal]) -> list[object]:
        return [one.item.key if isinstance(one.item, Fact) else one.item for one in rows]

    sect = replace(LIN, kind=EntityKind.FACTION)  # of one name with somebody else
    for rows in (ROWS, rows_of(LIN, sect, replace(OWNS, subject=sect.key), SWORD)):
        for row in rows:
            assert told(changed(rows, row.number, stores)) == told(rows)


def test_names_are_looked_for_in_the_table_then_in_the_hub_then_they_are_new(stores: Stores) -> None:
    assert len(fact_with(stores, object="frost")) == len(ROWS), "an alias names the same"
    mei = fact_with(stores, subject="Little Mei")
    assert (mei[2].item.subject, len(mei)) == (stores.facts.named("Mei")[0].key, len(ROWS))
    ice = fact_with(stores, object="Ice Sword")
    assert ice[2].item.object == ice[-1].item.key
    assert (ice[-1].item.kind, ice[-1].number, ice[-1].ticked) == (EntityKind.ITEM, len(ROWS) + 1, True)
    dead = fact_with(stores, predicate="has status", object="dead")
    assert (dead[2].item.predicate, dead[-1].item.kind) == (HAS_STATUS, EntityKind.STATUS)


def test_what_speaks_of_a_renamed_row_follows(stores: Stores) -> None:
    rows = changed(ROWS, 1, stores, name="Lin Shuang", aliases="Lin， Shuang")
    assert rows[0].item.aliases == ("Lin", "Shuang")
    assert rows[2].item.subject == rows[0].item.key
    rows = changed(ROWS, 4, stores, title="The long siege", due="7")
    assert (rows[4].item.parent, rows[5].item.plan, rows[3].item.due) == (rows[3].item.key, rows[3].item.key, 7)


def test_all_that_is_below_a_renamed_outline_follows_so_that_the_table_can_be_confirmed(stores: Stores) -> None:
    """A plan's key tells its parent: three levels, two steps one after the other, and a status of the last."""
    general, long, short, one, two = outline(("Untitled",) * 3, ("They meet", "They part"))
    ends = StatusChange(plan=two.key, status=PlanStatus.COMPLETED)
    rows = changed(rows_of(general, long, short, one, two, ends), 1, stores, title="The war")
    plans = [row.item for row in rows if isinstance(row.item, Plan)]
    assert [plan.parent for plan in plans[1:4]] == [plan.key for plan in plans[:3]]
    assert (plans[4].parent, plans[4].after) == (plans[2].key, plans[3].key)
    assert rows[-1].item.plan == plans[4].key
    planned({}, plans, [])
    again = changed(rows, 3, stores, title="The first year")
    planned({}, [row.item for row in again if isinstance(row.item, Plan)], [])


def test_a_new_plan_comes_last_in_the_last_outline_above_unless_it_says_otherwise(stores: Stores) -> None:
    def new(rows: Sequence[Proposal], level: str, title: str, **more: str) -> tuple[Proposal, ...]:
        return added(rows, "plan", {**blank("plan"), "level": level, "title": title, **more}, HAND, stores)

    (bridge,) = new((), "LongOutline", "The bridge")
    assert (bridge.item.parent, bridge.item.after) == (ON_BOARD.key, ON_BOARD_GATE.key)
    assert new((), "LongOutline", "The bridge", parent="the march", after="The ford")[0].item == bridge.item
    rows = new(new((bridge,), "ShortOutline", "At night"), "Step", "He swims")
    assert [row.item.parent for row in rows[1:]] == [bridge.item.key, rows[1].item.key]
    with pytest.raises(InputError, match="no outline of the level above yet"):
        new((), "Step", "He swims")


def test_rows_are_added_and_ticked(stores: Stores) -> None:
    rows = added(ROWS, "fact", blank("fact") | {"subject": "Lin", "predicate": "hates", "object": "Bo"}, HAND, stores)
    assert [row.number for row in rows] == list(range(1, len(ROWS) + 3)), "Bo is a row, too"
    assert rows[-1].item.origin == HAND
    assert helper_rows(rows) >= {rows[-2].number}, "which the fact brings along"
    assert [row.ticked for row in ticked(ROWS, {2: False, 99: True})] == [True, False, *[True] * 5]


def test_what_is_taken_back_is_ticked_or_not_and_never_edited(stores: Stores) -> None:
    gone = Proposal(number=8, item=Removal(fact=OWNS), mark=Mark.DROPS, shown="take back", ticked=False)
    assert values_of(gone.item, ROWS, stores) == dict.fromkeys(FIELDS["removal"]) == {}
    assert edited((*ROWS, gone), 8, {}, stores)[-1].item == gone.item


# -- what a relation has beside it ------------------------------------------------------------------------------------


def test_what_is_said_of_a_relation_is_edited_line_by_line(stores: Stores) -> None:
    rows = fact_with(stores, properties="reason: he burned\n\n since when：灭门: 之夜 ")
    fact = rows[2].item
    assert fact.properties == {"reason": "he burned", "since when": "灭门: 之夜"}
    ranked = fact_with(stores, properties="第三重\n共九重\nreason: 传自其父")[2].item
    assert ranked.properties == {"note": "第三重; 共九重", "reason": "传自其父"}, "no words are turned away"
    assert values_of(fact, rows, stores)["properties"] == "reason: he burned\nsince when: 灭门: 之夜"
    assert changed(rows, 3, stores, properties="")[2].item.properties == {}


@pytest.mark.parametrize("predicate", ["CAUSES", "before"])
def test_what_leads_to_what_are_events_when_nobody_knows_them(stores: Stores, predicate: str) -> None:
    rows = fact_with(stores, subject="the flood", predicate=predicate, object="the famine")
    made = {row.item.name: row.item.kind for row in rows[len(ROWS) :] if isinstance(row.item, Entity)}
    assert made == {"the flood": EntityKind.EVENT, "the famine": EntityKind.EVENT}


def test_a_hook_takes_no_status_but_its_two(stores: Stores) -> None:
    rows = rows_of(Entity(kind=EntityKind.HOOK, name="The letter", origin=ORIGIN), *(row.item for row in ROWS))
    values = {"subject": "The letter", "predicate": HAS_STATUS}
    for status in ("resolved", "Unresolved"):
        assert changed(rows, 4, stores, **values, object=status)
    with pytest.raises(InputError, match="a hook is Unresolved or Resolved"):
        changed(rows, 4, stores, **values, object="dead")


# -- a plan's level, parent and place ---------------------------------------------------------------------------------


def test_a_plan_gets_another_parent_level_and_place(stores: Stores) -> None:
    moved = changed(ROWS, 5, stores, parent="the march", after="The ford")[4].item
    assert (moved.kind, moved.parent, moved.after) == (PlanKind.LONG, ON_BOARD.key, ON_BOARD_GATE.key)
    board = planned({one.key: one for one in (ON_BOARD, ON_BOARD_GATE)}, [moved], [])
    assert board[moved.key].after == ON_BOARD_GATE.key
    lower = changed(ROWS, 5, stores, level="ShortOutline", parent="The ford")[4].item
    assert (lower.kind, lower.parent, lower.after) == (PlanKind.SHORT, ON_BOARD_GATE.key, None)


@pytest.mark.parametrize(("number", "values", "says"), TABLES["what_cannot_be_is_said"])
def test_what_cannot_be_is_said(stores: Stores, number: int, values: dict[str, str], says: str) -> None:
    with pytest.raises(InputError, match=re.escape(says)):
        changed(ROWS, number, stores, **values)


@pytest.mark.parametrize(("values", "says"), TABLES["a_plan_of_the_board_is_neither_doubled_nor_emptied_of_its_place"])
def test_a_plan_of_the_board_is_neither_doubled_nor_emptied_of_its_place(
    stores: Stores, values: dict[str, str], says: str
) -> None:
    first = Plan(kind=PlanKind.LONG, title="The hill", parent=ON_BOARD.key, origin=ORIGIN)
    ford = replace(ON_BOARD_GATE, after=first.key)
    stores.plans.apply([first, ford], [])
    rows = rows_of(*(row.item for row in ROWS), ford)
    with pytest.raises(InputError, match=re.escape(says)):
        changed(rows, 8, stores, **values)
    told = changed(rows, 8, stores, title="the  Ford", text="At night.")[-1].item
    assert (told.key, told.text, told.after) == (ford.key, "At night.", first.key), "all else can be changed"


STATED = Unread(turn=3, line="In chapter 7 Lin hid the Frost Sword.", why="", names=("Lin", "Frost Sword"), chapter=7)


@pytest.mark.parametrize(("kind", "filled"), TABLES["the_form_of_a_sentence_is_filled_with_what_it_tells"])
def test_the_form_of_a_sentence_is_filled_with_what_it_tells(kind: ProposalKind, filled: dict[str, str]) -> None:
    given = prefilled(kind, STATED)
    assert given == blank(kind) | filled
    assert set(given) == set(FIELDS[kind])


def test_a_row_of_a_sentence_has_it_as_its_source(stores: Stores) -> None:
    values = prefilled("fact", STATED) | {"predicate": "located in", "object": "the well"}
    *_, well, row = added(ROWS, "fact", values, replace(ORIGIN, source=STATED.line), stores, reason="by hand")
    assert well.item.kind is EntityKind.LOCATION, "what the relation leads to, where it is new"
    assert row.item.origin == Origin(task=TASK, turns=(3,), chapter=7, source=STATED.line)
    assert {(one.turns, one.reason) for one in (well, row)} == {((3,), "by hand")}
