"""What each row of a settlement is to the hub: new, known, an update, a supersession, a contradiction."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.errors import InputError
from memorybank_studio.drafts import DraftItem
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.applying import check
from memorybank_studio.tests.settlement.settling import LIN, SWORD, owners, propose, row, settled, ticked
from memorybank_studio.tests.tasks.studio import Studio, offered, outline
from memorybank_studio.types import (
    HAS_STATUS,
    Entity,
    EntityKind,
    Fact,
    PlanStatus,
    SettlementId,
    TaskState,
    entity_key,
)
from memorybank_studio.writes import Mark, WriteSet

# -- marks ------------------------------------------------------------------------------------------------------------


SETTLED = "chapter 3) (settled by task t1: “fact: Lin OWNS Frost Sword @3”)"


@pytest.mark.parametrize(
    ("first", "second", "mark", "against", "held"),
    [(3, 7, Mark.SUPERSEDES, SETTLED, "Lin Shu Shu"), (7, 2, Mark.NEW, "since chapter 7", "Shu Lin Lin")],
    ids=["a later fact supersedes", "an earlier one holds until the later"],
)
def test_the_older_state_can_still_be_asked(
    studio: Studio, first: int, second: int, mark: Mark, against: str, held: str
) -> None:
    settled(studio, f"fact: Lin OWNS Frost Sword @{first}")
    _, table = propose(studio, f"fact: Shu OWNS Frost Sword @{second}", title="Two")
    fact = row(table, Fact)
    assert (fact.mark, fact.ticked, len(fact.ends)) == (mark, True, int(mark is Mark.SUPERSEDES))
    assert against in fact.against[0]
    studio.gateway.confirm(table.task, table.proposals)
    assert [owners(studio, chapter) for chapter in (5, 7, None)] == [[name] for name in held.split()]


PLACES = ("fact: Lin LOCATED_IN Town @2", "fact: Lin LOCATED_IN Hill @5")


def stretches(studio: Studio) -> dict[tuple[int, int | None], str]:
    """Where Lin is, by the chapters in which."""
    found = ((fact, studio.stores.facts.entity(fact.object)) for fact in studio.stores.facts.history(LIN))
    return {(fact.since, fact.until): entity.name for fact, entity in found if entity}


@pytest.mark.parametrize("which", ["", "facts"], ids=["looked up anew", "the hub away"])
def test_a_row_that_is_not_ticked_ends_no_other(cut: Studio, stores: Stores, which: str) -> None:
    task, table = propose(cut, *PLACES)
    assert [row(table, Fact, at).item.until for at in range(2)] == [5, None]  # type: ignore[union-attr]
    cut.stores.facts.down = bool(which)  # type: ignore[attr-defined]
    hill = row(table, Fact, 1).number
    cut.gateway.confirm(task, ticked(table.proposals, lambda one: one.number != hill))
    cut.stores.facts.down = False  # type: ignore[attr-defined]
    cut.clock.now += 10
    with cut.hub.reading():
        assert stretches(replace(cut, stores=stores)) == {(2, None): "Town"}


def test_a_fact_that_is_moved_behind_what_ended_it_holds_from_there(studio: Studio) -> None:
    task, table = propose(studio, *PLACES)
    town = row(table, Fact)
    moved = replace(town, item=replace(town.item, since=7, origin=replace(town.item.origin, chapter=7)))
    rows = studio.gateway.remark(task, [moved if one.number == town.number else one for one in table.proposals])
    studio.gateway.confirm(task, rows)
    assert stretches(studio) == {(7, None): "Town", (5, 7): "Hill"}


def test_a_fact_that_never_holds_is_refused(studio: Studio) -> None:
    _, table = propose(studio, PLACES[0])
    facts = tuple(one.item for one in table.proposals if isinstance(one.item, Fact))
    entities = tuple(one.item for one in table.proposals if isinstance(one.item, Entity))
    never = replace(facts[0], until=facts[0].since)
    writes = WriteSet(id=SettlementId("s1"), task=table.task, entities=entities, facts=(never,))
    with pytest.raises(InputError, match="never holds: change its chapter"):
        check(writes, studio.stores)


@pytest.mark.parametrize("second", ["fact: Shu OWNS Frost Sword @3", "fact: Shu OWNS Frost Sword"])
def test_two_that_cannot_both_hold_contradict_and_the_author_decides(studio: Studio, second: str) -> None:
    settled(studio, "fact: Lin OWNS Frost Sword @3")
    task, table = propose(studio, second, title="Two")
    fact = row(table, Fact)
    assert fact.mark is Mark.CONTRADICTS
    assert not fact.ticked, "never ticked beforehand"
    assert "Lin owns Frost Sword" in fact.against[0]
    assert fact.shown.startswith("Shu owns Frost Sword")
    studio.gateway.confirm(task, ticked(table.proposals))
    assert owners(studio) == ["Shu"]
    assert "Lin" not in owners(studio, 3), "the author said so"


def test_the_same_again_is_known_and_changes_nothing(studio: Studio) -> None:
    lines = ("fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")
    settled(studio, *lines)
    before = (studio.stores.facts.history(SWORD), studio.stores.plans.all(), studio.stores.settings.all())
    _, table = propose(studio, *lines, title="Two")
    assert {one.mark for one in table.proposals} == {Mark.KNOWN}
    assert not any(one.ticked for one in table.proposals)
    studio.gateway.confirm(table.task, ticked(table.proposals))
    assert (studio.stores.facts.history(SWORD), studio.stores.plans.all(), studio.stores.settings.all()) == before


def test_a_later_turn_of_the_same_task_takes_back_the_earlier_one(studio: Studio) -> None:
    task = studio.open_task("One", "fact: Lin OWNS Frost Sword @3")
    studio.gateway.handle("fact: Shu OWNS Frost Sword @3", task=task)
    table = studio.propose(task)
    first, second = row(table, Fact), row(table, Fact, 1)
    assert (first.ticked, second.ticked) == (False, True)
    assert "a later turn says otherwise: Shu owns Frost Sword" in first.reason
    studio.gateway.confirm(task, table.proposals)
    assert owners(studio) == ["Shu"]


def test_status_and_settings_of_another_task_are_superseded_with_both_sides(studio: Studio) -> None:
    settled(studio, "fact: Lin HAS_STATUS wounded @3", "setting: Jade = warm", "plan: The siege")
    lines = ("fact: Lin HAS_STATUS healed @9", "setting: Jade = cold", "status: The siege = Completed")
    _, table = propose(studio, *lines, title="Two")
    marks = {type(one.item).__name__: one for one in table.proposals if one.mark is Mark.SUPERSEDES}
    assert set(marks) == {"Fact", "Setting", "StatusChange"}
    assert "Lin is wounded" in marks["Fact"].against[0]
    assert "Jade: warm" in marks["Setting"].against[0]
    assert "The siege [pending]" in marks["StatusChange"].against[0]
    studio.gateway.confirm(table.task, table.proposals)
    held = studio.stores.facts.matching(LIN, HAS_STATUS)
    assert [fact.object for fact in held] == [entity_key(EntityKind.STATUS, "healed")]
    assert studio.stores.plans.all()[0].status is PlanStatus.COMPLETED


@pytest.mark.parametrize(("dead", "later"), [("dead", "wounded"), ("deceased", "buried"), ("阵亡", "重伤")])
def test_a_later_status_does_not_end_a_death(studio: Studio, dead: str, later: str) -> None:
    settled(studio, f"fact: Lin HAS_STATUS {dead} @3")
    settled(studio, f"fact: Lin HAS_STATUS {later} @5", title="Two")
    held = {fact.object for fact in studio.stores.facts.matching(LIN, HAS_STATUS)}
    assert held == {entity_key(EntityKind.STATUS, name) for name in (dead, later)}
    settled(studio, "fact: Lin HAS_STATUS revived @7", title="Three")
    held = {fact.object for fact in studio.stores.facts.matching(LIN, HAS_STATUS)}
    assert held == {entity_key(EntityKind.STATUS, name) for name in ("revived", later)}


def test_a_status_of_a_plan_that_is_not_there_is_not_ticked_and_cannot_be_written(studio: Studio) -> None:
    task, table = propose(studio, "status: Nowhere = Completed")
    (only,) = table.proposals
    assert not only.ticked
    assert only.against == ("there is no such plan",)
    with pytest.raises(InputError, match="names no plan"):
        studio.gateway.confirm(task, [replace(only, ticked=True)])
    assert studio.states() == [TaskState.OPEN]


def test_a_short_outline_s_new_storyline_reaches_its_steps_in_one_settlement(studio: Studio) -> None:
    plans = outline(steps=["Lin leaves"], storyline="Lin")
    studio.stores.plans.apply(plans, [])
    told = [replace(plans[2], storyline="The road"), replace(plans[3], storyline="", text="by night")]
    table = offered(studio.gateway, "Outlines", [DraftItem(item=one, turns=()) for one in told])
    assert [one.mark for one in table.proposals] == [Mark.SUPERSEDES, Mark.SUPERSEDES]
    assert studio.gateway.confirm(table.task, table.proposals).applied
    step = studio.stores.plans.plan(plans[3].key)
    assert (step.storyline, step.text) == ("The road", "by night")
    assert [one.storyline for one in studio.stores.plans.pointer(chapter=1)] == ["The road"]
