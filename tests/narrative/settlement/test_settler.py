"""The settlement: proposed with both sides, confirmed by the author, written whole or not at all."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError, MemoryBankError, ModelUnavailableError, StoreUnavailableError
from memorybank.narrative.drafts import DraftItem, Extracted
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.settlement.applying import check
from memorybank.narrative.settlement.settler import SettlementTable
from memorybank.narrative.types import (
    HAS_STATUS,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    SettlementId,
    TaskId,
    TaskState,
    Turn,
    entity_key,
)
from memorybank.narrative.writes import Mark, Proposal, Removal, WriteSet
from tests.hostile import PAYLOADS
from tests.narrative.tasks.studio import IMPORT, FixedClock, LineExtract, Studio, open_studio, read_line
from tests.waiting import wait_until

LIN, SHU = (entity_key(EntityKind.CHARACTER, name) for name in ("Lin", "Shu"))
SWORD = entity_key(EntityKind.ITEM, "Frost Sword")


def propose(studio: Studio, *lines: str, title: str = "One") -> tuple[TaskId, SettlementTable]:
    task = studio.open_task(title)
    studio.gateway.handle("\n".join(lines), task=task)
    return task, again(studio, task)


def again(studio: Studio, task: TaskId) -> SettlementTable:
    table = studio.gateway.handle("/settle", task=task).table
    assert table is not None
    return table


def settled(studio: Studio, *lines: str, title: str = "One") -> TaskId:
    task, table = propose(studio, *lines, title=title)
    assert studio.gateway.confirm(task, table.proposals).applied
    return task


def row(table: SettlementTable, kind: type, place: int = 0) -> Proposal:
    return [proposal for proposal in table.proposals if isinstance(proposal.item, kind)][place]


def owners(studio: Studio, chapter: int | None = None) -> list[str]:
    facts = studio.stores.facts.about(SWORD, chapter=chapter)
    found = (studio.stores.facts.entity(fact.subject) for fact in facts if fact.predicate == "OWNS")
    return [entity.name for entity in found if entity]


# -- nothing without it, everything with it ---------------------------------------------------------------------------


def test_nothing_reaches_the_hub_before_the_author_confirms(studio: Studio) -> None:
    task, table = propose(
        studio,
        "fact: Lin OWNS Frost Sword @3",
        "plan: The siege",
        "status: The siege = InProgress",
        "setting: Frost Sword = It never rusts.",
    )
    assert [(type(one.item).__name__, one.mark) for one in table.proposals] == [
        ("Entity", Mark.NEW),
        ("Entity", Mark.NEW),
        ("Fact", Mark.NEW),
        ("Plan", Mark.NEW),
        ("StatusChange", Mark.NEW),
        ("Setting", Mark.NEW),
    ]
    assert all(one.turns == (1,) and one.shown and one.ticked for one in table.proposals)
    assert studio.stores.facts.count() == (0, 0)
    assert studio.stores.plans.all() == ()
    assert studio.stores.settings.all() == ()

    confirmed = studio.gateway.confirm(task, table.proposals)
    assert confirmed.applied
    assert owners(studio) == ["Lin"]
    (plan,) = studio.stores.plans.all()
    assert (plan.title, plan.status) == ("The siege", PlanStatus.IN_PROGRESS)
    setting = studio.stores.settings.exact("frost sword")
    assert setting is not None
    assert (setting.text, setting.origin.task, setting.origin.turns) == ("It never rusts.", task, (1,))
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED


def test_only_what_is_ticked_is_written_and_as_it_was_edited(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @3", "setting: Jade = warm", "setting: River = deep")
    edited = []
    for proposal in table.proposals:
        if isinstance(proposal.item, Setting) and proposal.item.key == "Jade":
            proposal = replace(proposal, item=replace(proposal.item, text="cold"))
        if isinstance(proposal.item, Setting) and proposal.item.key == "River":
            proposal = replace(proposal, ticked=False)
        edited.append(proposal)
    studio.gateway.confirm(task, edited)
    assert [(one.key, one.text) for one in studio.stores.settings.all()] == [("Jade", "cold")]


def test_a_table_of_nothing_closes_the_task(studio: Studio) -> None:
    task, table = propose(studio, "only chatter")
    assert table.proposals == ()
    assert studio.gateway.confirm(task, ()).applied
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED


# -- found elsewhere, reviewed part by part ---------------------------------------------------------------------------


def found(*lines: str) -> list[DraftItem]:
    """What a search in chapters hands over: of no turn, of no task."""
    drafts = [draft for line in lines for draft in read_line(line, 0, TaskId(""))]
    return [replace(draft, turns=()) for draft in drafts]


def test_what_was_found_waits_in_a_table_and_is_confirmed_part_by_part(studio: Studio) -> None:
    lines = (
        "fact: Lin OWNS Frost Sword @1",
        "fact: Shu HATES Lin @2",
        "fact: Lin KNOWS Shu @2",
        "setting: Jade = cold",
    )
    reply = studio.gateway.propose("Import: facts", found(*lines))
    task, table = studio.gateway.tasks()[0].id, reply.table
    assert table is not None
    assert studio.stores.facts.count() == (0, 0)
    studio.gateway.close()

    studio = open_studio(studio.folder, studio.stores)
    waiting = studio.gateway.table(task)
    assert waiting == table, "it waits through a restart"
    rows = waiting.proposals
    facts = [one for one in rows if isinstance(one.item, Fact)]
    assert {one.item.origin.task for one in facts if isinstance(one.item, Fact)} == {task}
    second = [one for one in facts if one.item.origin.chapter == 2]  # type: ignore[union-attr]
    chosen = [second[0], replace(second[1], ticked=False)]
    left = [one for one in rows if one not in second]
    assert studio.gateway.confirm(task, chosen, left).applied
    assert studio.stores.facts.count() == (2, 1), "with the names that it needs, and no more"
    assert studio.gateway.tasks()[0].state is TaskState.OPEN
    studio.gateway.close()

    studio = open_studio(studio.folder, studio.stores)
    rest = studio.gateway.table(task)
    assert rest is not None
    assert {one.shown for one in rest.proposals} == {
        "Frost Sword (item)",
        "Lin owns Frost Sword (since chapter 1)",
        "Jade: cold",
    }, "what was shown unticked is dropped, what was not shown waits"
    again_found = again(studio, task)
    assert len(again_found.proposals) == 3, "and /settle keeps what came from no turn"
    assert studio.gateway.confirm(task, again_found.proposals).applied
    assert owners(studio) == ["Lin"]
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED
    studio.gateway.close()


def test_a_part_that_was_refused_leaves_the_whole_table(studio: Studio) -> None:
    reply = studio.gateway.propose("Import", found("fact: Lin OWNS Frost Sword @1", "setting: Jade = cold"))
    assert reply.table is not None
    task, rows = reply.table.task, reply.table.proposals
    fact = row(reply.table, Fact)
    left = [replace(one, ticked=False) for one in rows if one is not fact]
    with pytest.raises(InputError, match="neither in the hub nor ticked"):
        studio.gateway.confirm(task, [fact], left)
    kept = studio.gateway.table(task)
    assert kept is not None
    assert kept.proposals == rows
    assert studio.stores.facts.count() == (0, 0)


def test_thousands_of_rows_are_marked_in_seconds(studio: Studio) -> None:
    lines = [f"fact: P{number % 300} OWNS Q{number} Sword @{number % 100}" for number in range(3_000)]
    drafts = found(*lines)
    began = time.perf_counter()
    reply = studio.gateway.propose("Import", drafts)
    assert reply.table is not None
    assert len(reply.table.proposals) == 3_300 + 3_000
    assert studio.gateway.confirm(reply.table.task, reply.table.proposals).applied
    assert time.perf_counter() - began < 20
    assert studio.stores.facts.count() == (3_300, 3_000)


# -- marks ------------------------------------------------------------------------------------------------------------


def test_a_later_fact_supersedes_and_the_older_state_can_still_be_asked(studio: Studio) -> None:
    settled(studio, "fact: Lin OWNS Frost Sword @3")
    _, table = propose(studio, "fact: Shu OWNS Frost Sword @7", title="Two")
    fact = row(table, Fact)
    assert (fact.mark, fact.ticked, len(fact.ends)) == (Mark.SUPERSEDES, True, 1)
    assert "Lin owns Frost Sword (since chapter 3)" in fact.against[0]
    assert "t1" in fact.against[0]
    studio.gateway.confirm(table.task, table.proposals)
    assert (owners(studio, 5), owners(studio, 7), owners(studio)) == (["Lin"], ["Shu"], ["Shu"])


def test_what_is_told_of_an_earlier_chapter_holds_until_the_later_one(studio: Studio) -> None:
    settled(studio, "fact: Lin OWNS Frost Sword @7")
    _, table = propose(studio, "fact: Shu OWNS Frost Sword @2", title="Two")
    fact = row(table, Fact)
    assert fact.mark is Mark.NEW
    assert "since chapter 7" in fact.against[0]
    studio.gateway.confirm(table.task, table.proposals)
    assert (owners(studio, 3), owners(studio, 7), owners(studio)) == (["Shu"], ["Lin"], ["Lin"])


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
    cut.gateway.confirm(task, [replace(one, ticked=one.number != hill) for one in table.proposals])
    cut.stores.facts.down = False  # type: ignore[attr-defined]
    cut.clock.now += 10
    with cut.hub.reading():
        assert stretches(replace(cut, stores=stores)) == {(2, None): "Town"}


def test_a_fact_that_is_moved_behind_what_ended_it_holds_from_there(studio: Studio) -> None:
    task, table = propose(studio, *PLACES)
    town = row(table, Fact)
    assert isinstance(town.item, Fact)
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
    studio.gateway.confirm(task, [replace(one, ticked=True) for one in table.proposals])
    assert owners(studio) == ["Shu"]
    assert "Lin" not in owners(studio, 3), "the author said so"


def test_the_same_again_is_known_and_changes_nothing(studio: Studio) -> None:
    lines = ("fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")
    settled(studio, *lines)
    before = (studio.stores.facts.history(SWORD), studio.stores.plans.all(), studio.stores.settings.all())
    _, table = propose(studio, *lines, title="Two")
    assert {one.mark for one in table.proposals} == {Mark.KNOWN}
    assert not any(one.ticked for one in table.proposals)
    studio.gateway.confirm(table.task, [replace(one, ticked=True) for one in table.proposals])
    assert (studio.stores.facts.history(SWORD), studio.stores.plans.all(), studio.stores.settings.all()) == before


def test_a_later_turn_of_the_same_task_takes_back_the_earlier_one(studio: Studio) -> None:
    task = studio.open_task("One")
    studio.gateway.handle("fact: Lin OWNS Frost Sword @3", task=task)
    studio.gateway.handle("fact: Shu OWNS Frost Sword @3", task=task)
    table = again(studio, task)
    first, second = row(table, Fact), row(table, Fact, 1)
    assert (first.ticked, second.ticked) == (False, True)
    assert "a later turn says otherwise: Shu owns Frost Sword" in first.reason
    studio.gateway.confirm(task, table.proposals)
    assert owners(studio) == ["Shu"]


def test_within_one_table_the_earlier_chapter_ends_where_the_later_begins(studio: Studio) -> None:
    settled(studio, "fact: Lin OWNS Frost Sword @3", "fact: Shu OWNS Frost Sword @7")
    assert (owners(studio, 5), owners(studio, 8), owners(studio)) == (["Lin"], ["Shu"], ["Shu"])


def test_status_and_settings_of_another_task_are_superseded_with_both_sides(studio: Studio) -> None:
    settled(studio, "fact: Lin HAS_STATUS wounded @3", "setting: Jade = warm", "plan: The siege")
    _, table = propose(
        studio,
        "fact: Lin HAS_STATUS healed @9",
        "setting: Jade = cold",
        "status: The siege = Completed",
        title="Two",
    )
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


@pytest.mark.parametrize(("earlier", "later"), [("AGE 19", "AGE 21"), ("BORN_IN Northgate", "BORN_IN Southport")])
def test_an_age_and_a_birthplace_are_one_at_a_time(studio: Studio, earlier: str, later: str) -> None:
    task = settled(studio, f"fact: Lin {earlier}")
    studio.gateway.handle(f"/restart {task}", task=task)
    studio.gateway.handle(f"fact: Lin {later}", task=task)
    studio.gateway.confirm(task, again(studio, task).proposals)
    (held,) = studio.stores.facts.about(LIN)
    end = studio.stores.facts.entity(held.object)
    assert end is not None
    assert end.name == later.split()[1]


def test_an_ability_that_is_lost_is_not_had_any_more(studio: Studio) -> None:
    settled(studio, "fact: Lin HAS_ABILITY Firecall @1", "fact: Lin HAS_ABILITY Icecall @1")
    settled(studio, "fact: Lin LOST_ABILITY Firecall @4", title="Two")
    (had,) = studio.stores.facts.matching(LIN, "HAS_ABILITY", chapter=4)
    assert had.object == entity_key(EntityKind.CHARACTER, "Icecall")
    assert len(studio.stores.facts.matching(LIN, "HAS_ABILITY", chapter=3)) == 2


def test_a_status_of_a_plan_that_is_not_there_is_not_ticked_and_cannot_be_written(studio: Studio) -> None:
    task, table = propose(studio, "status: Nowhere = Completed")
    (only,) = table.proposals
    assert not only.ticked
    assert only.against == ("there is no such plan",)
    with pytest.raises(InputError, match="names no plan"):
        studio.gateway.confirm(task, [replace(only, ticked=True)])
    assert studio.gateway.tasks()[0].state is TaskState.OPEN


def test_a_short_outline_s_new_storyline_reaches_its_steps_in_one_settlement(studio: Studio) -> None:
    plans: list[Plan] = []
    for kind, title in zip(PlanKind, ("All", "Book", "Road", "Lin leaves"), strict=True):
        storyline = "Lin" if kind in (PlanKind.SHORT, PlanKind.STEP) else ""
        above = plans[-1].key if plans else None
        plans.append(Plan(kind=kind, title=title, parent=above, storyline=storyline, origin=IMPORT))
    studio.stores.plans.apply(plans, [], "settlement")
    told = [replace(plans[2], storyline="The road"), replace(plans[3], storyline="", text="by night")]
    reply = studio.gateway.propose("Outlines", [DraftItem(item=one, turns=()) for one in told])
    assert reply.table is not None
    assert [one.mark for one in reply.table.proposals] == [Mark.SUPERSEDES, Mark.SUPERSEDES]
    assert studio.gateway.confirm(reply.table.task, reply.table.proposals).applied
    step = studio.stores.plans.plan(plans[3].key)
    assert step is not None
    assert (step.storyline, step.text) == ("The road", "by night")
    assert [one.storyline for one in studio.stores.plans.pointer(chapter=1)] == ["The road"]


# -- restarted --------------------------------------------------------------------------------------------------------


def test_settling_a_restarted_task_updates_its_own_facts_and_doubles_none(studio: Studio) -> None:
    task = settled(studio, "fact: Lin OWNS Frost Sword @3", "fact: Lin HATES Shu @2", "setting: Jade = warm")
    before = studio.stores.facts.count()
    studio.gateway.handle(f"/restart {task}\nfact: Shu OWNS Frost Sword @3\nsetting: Jade = cold", task=None)
    table = again(studio, task)
    marks = [(one.shown.split(" (")[0], one.mark, one.ticked) for one in table.proposals if isinstance(one.item, Fact)]
    assert marks == [
        ("Lin owns Frost Sword", Mark.KNOWN, False),
        ("Lin hates Shu", Mark.KNOWN, False),
        ("Shu owns Frost Sword", Mark.UPDATE, True),
    ]
    update = row(table, Setting)
    assert (update.mark, update.against) == (Mark.UPDATE, ("Jade: warm (settled by task t1)",))
    studio.gateway.confirm(task, table.proposals)
    assert owners(studio) == ["Shu"]
    assert owners(studio, 3) == ["Shu"]
    assert studio.stores.facts.count() == before, "replaced, not added"
    assert len(studio.stores.facts.of_task(task)) == 2


def test_a_restarted_task_may_move_its_fact_to_another_chapter(studio: Studio) -> None:
    settled(studio, "fact: Shu OWNS Frost Sword @1", title="Zero")
    task = settled(studio, "fact: Lin OWNS Frost Sword @3")
    studio.gateway.handle(f"/restart {task}\nfact: Lin OWNS Frost Sword @5", task=None)
    table = again(studio, task)
    moved = next(one for one in table.proposals if isinstance(one.item, Fact) and one.item.since == 5)
    assert moved.mark is Mark.UPDATE
    kept = [one for one in table.proposals if one.number == moved.number]
    studio.gateway.confirm(task, kept)
    assert [owners(studio, chapter) for chapter in (2, 3, 4, 5)] == [["Shu"], ["Shu"], ["Shu"], ["Lin"]]
    assert len([one for one in studio.stores.facts.history(SWORD) if one.subject == LIN]) == 1


# -- what is confirmed is what was seen -------------------------------------------------------------------------------


def test_a_hub_that_changed_under_the_table_is_shown_before_it_is_written(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @5")
    settled(studio, "fact: Shu OWNS Frost Sword @5", title="Two")  # the sword is known by now: that changes nothing
    with pytest.raises(InputError, match=r"row 3 \('Lin owns Frost Sword.*is contradicts by now, not new"):
        studio.gateway.confirm(task, table.proposals)
    assert owners(studio) == ["Shu"]
    fresh = studio.gateway.remark(task, table.proposals)
    assert fresh[2].mark is Mark.CONTRADICTS
    assert fresh[2].ticked, "the author's ticks stay"
    studio.gateway.confirm(task, fresh)
    assert owners(studio) == ["Lin"]


def test_a_table_is_of_the_whole_history_or_of_none(studio: Studio) -> None:
    task, table = propose(studio, "setting: Jade = cold")
    studio.gateway.handle("setting: Jade = warm", task=task)
    with pytest.raises(InputError, match="2 turns more than its table"):
        studio.gateway.confirm(task, table.proposals)
    other = studio.open_task("Other")
    with pytest.raises(InputError, match="no table to confirm"):
        studio.gateway.confirm(other, table.proposals)
    studio.gateway.confirm(task, again(studio, task).proposals)
    with pytest.raises(InputError, match="is closed"):
        studio.gateway.confirm(task, table.proposals)


def test_the_table_outlives_a_restart_of_the_program(studio: Studio) -> None:
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @5", "plan: The siege", "status: The siege = Completed")
    studio.gateway.close()
    reopened = open_studio(studio.folder, studio.stores)
    assert reopened.gateway.table(task) == table
    assert reopened.gateway.confirm(task, table.proposals).applied
    assert reopened.gateway.table(task) is None
    reopened.gateway.close()


CYPHER = "OWNS]->(x) DETACH DELETE x //"
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "predicate": ({"predicate": CYPHER}, "no predicate"),
    "empty name": ({"name": "  "}, "no name"),
    "surrogate": ({"text": "\ud83d"}, "surrogate"),
    "surrogate key": ({"key": "Jade\ud83d"}, "surrogate"),
    "surrogate category": ({"category": "\ud83d"}, "surrogate"),
    "surrogate source": ({"origin": Origin(task=IMPORT.task, source="\ud83d")}, "surrogate"),
    "empty setting": ({"text": " "}, "needs a key and a text"),
    "subject": ({"subject": entity_key(EntityKind.ITEM, "?")}, "neither in the hub nor ticked"),
    "chapter": ({"since": -1}, "whole number"),
    "parent": ({"kind": PlanKind.LONG}, "is not in the planning layer"),
    "status object": ({"predicate": HAS_STATUS}, "leads to a Status"),
}
"""What an author may edit into a row, and what the message says."""


@pytest.mark.parametrize(
    ("kind", "changes"),
    [
        (Entity, "empty name"),
        (Fact, "predicate"),
        (Fact, "subject"),
        (Fact, "chapter"),
        (Fact, "status object"),
        (Setting, "surrogate"),
        (Setting, "surrogate key"),
        (Setting, "surrogate category"),
        (Setting, "surrogate source"),
        (Entity, "surrogate source"),
        (Plan, "surrogate source"),
        (Setting, "empty setting"),
        (Plan, "parent"),
    ],
)
def test_a_row_no_store_would_take_is_refused_before_anything_is_written(
    studio: Studio, kind: type, changes: str
) -> None:
    change, says = BAD[changes]
    task, table = propose(studio, "fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")
    edited = [
        replace(one, item=replace(one.item, **change)) if isinstance(one.item, kind) else one for one in table.proposals
    ]
    with pytest.raises(InputError, match=says):
        studio.gateway.confirm(task, edited)
    assert studio.stores.facts.count() == (0, 0)
    assert studio.stores.plans.all() == ()
    assert studio.stores.settings.all() == ()
    assert studio.gateway.tasks()[0].state is TaskState.OPEN
    assert studio.gateway.waiting() == ()
    assert studio.gateway.confirm(task, table.proposals).applied


@pytest.mark.parametrize("name", sorted(set(PAYLOADS) - {"long word"}))
def test_hostile_names_and_texts_are_settled_as_they_are(studio: Studio, name: str) -> None:
    text = PAYLOADS[name]
    task, table = propose(studio, "setting: Jade = cold", "fact: Lin OWNS Frost Sword @3")
    edited = []
    for one in table.proposals:
        if isinstance(one.item, Setting):
            one = replace(one, item=replace(one.item, text=text, key=f"k {text[:80]}"))
        edited.append(one)
    studio.gateway.confirm(task, studio.gateway.remark(task, edited))
    (setting,) = studio.stores.settings.all()
    assert setting.text == text
    studio.gateway.close()
    reopened = open_studio(studio.folder, studio.stores)
    assert reopened.gateway.tasks()[0].state is TaskState.CLOSED
    reopened.gateway.close()


# -- what a restarted task drops --------------------------------------------------------------------------------------


class Choosing(LineExtract):
    """Reads of each turn only what no later line takes back: `not: LINE`."""

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        gone = {line.removeprefix("not: ") for turn in turns for line in turn.text.splitlines() if line[:5] == "not: "}
        kept = ["\n".join(line for line in turn.text.splitlines() if line not in gone) for turn in turns]
        return super().__call__([replace(turn, text=text) for turn, text in zip(turns, kept, strict=True)], task)


def restarted(studio: Studio, task: TaskId, words: str) -> SettlementTable:
    studio.gateway.handle(f"/restart {task}\n{words}", task=task)
    return again(studio, task)


@pytest.fixture
def choosing(tmp_path: Path, stores: Stores) -> Iterator[Studio]:
    opened = open_studio(tmp_path / "studio", stores, extract=Choosing())
    yield opened
    opened.gateway.close()


def test_what_a_restarted_task_drops_is_proposed_to_be_taken_back_never_silently(choosing: Studio) -> None:
    lin, shu = "fact: Lin OWNS Frost Sword @3", "fact: Shu HATES Lin @2"
    task = settled(choosing, lin, shu)
    table = restarted(choosing, task, f"not: {shu}")
    (gone,) = [one for one in table.proposals if isinstance(one.item, Removal)]
    assert (gone.mark, gone.ticked, gone.turns) == (Mark.DROPS, False, (1,))
    assert gone.shown == "take back: Shu hates Lin (since chapter 2)"
    assert "does not say so any more" in gone.reason
    choosing.gateway.confirm(task, table.proposals)
    assert len(choosing.stores.facts.of_task(task)) == 2, "unticked: nothing is taken back"
    table = restarted(choosing, task, "and so it is")
    chosen = [replace(one, ticked=one.ticked or isinstance(one.item, Removal)) for one in table.proposals]
    assert choosing.gateway.confirm(task, chosen).applied
    assert [one.predicate for one in choosing.stores.facts.of_task(task)] == ["OWNS"]
    assert not any(isinstance(one.item, Removal) for one in restarted(choosing, task, "still so").proposals)


def test_what_it_had_ended_holds_again_until_the_next(choosing: Studio) -> None:
    settled(choosing, "fact: Lin OWNS Frost Sword @3")
    shu = "fact: Shu OWNS Frost Sword @7"
    second = settled(choosing, shu, title="Two")
    assert (owners(choosing, 5), owners(choosing, 8)) == (["Lin"], ["Shu"])
    table = restarted(choosing, second, f"not: {shu}")
    (gone,) = [one for one in table.proposals if isinstance(one.item, Removal)]
    assert "holds again then: Lin owns Frost Sword (since chapter 3)" in gone.against
    choosing.gateway.confirm(second, [replace(one, ticked=one is gone) for one in table.proposals])
    assert (owners(choosing, 5), owners(choosing, 8), owners(choosing)) == (["Lin"], ["Lin"], ["Lin"])
    third = settled(choosing, shu, title="Three")
    settled(choosing, "fact: Wen OWNS Frost Sword @9", title="Four")
    table = restarted(choosing, third, f"not: {shu}")
    choosing.gateway.confirm(third, [replace(one, ticked=True) for one in table.proposals])
    assert (owners(choosing, 8), owners(choosing, 9), owners(choosing)) == (["Lin"], ["Wen"], ["Wen"])


def test_what_came_from_no_turn_is_not_missed_in_the_turns(studio: Studio) -> None:
    reply = studio.gateway.propose("Import", found("fact: Lin OWNS Frost Sword @1"))
    assert reply.table is not None
    studio.gateway.confirm(reply.table.task, reply.table.proposals)
    table = restarted(studio, reply.table.task, "What else?")
    assert table.proposals == (), "a turn is not where it was read"


# -- stores that are down ---------------------------------------------------------------------------------------------


class Failing:
    """A real store that can be cut off, before a call or in the middle of it."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self.down = False
        self.dies_in: str = ""
        self.error: type[MemoryBankError] = StoreUnavailableError

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if self.down:
                raise self.error("the store cannot be reached: start it")
            if name == self.dies_in:
                self.down = True
                raise self.error("the store was lost: start it")
            return method(*arguments, **named)

        return call


@pytest.fixture
def cut(tmp_path: Path, stores: Stores) -> Studio:
    failing = Stores(
        facts=Failing(stores.facts),  # type: ignore[arg-type]
        plans=Failing(stores.plans),  # type: ignore[arg-type]
        settings=Failing(stores.settings),  # type: ignore[arg-type]
        archive=stores.archive,
    )
    return open_studio(tmp_path / "s", failing)


LINES = ("fact: Lin OWNS Frost Sword @3", "plan: The siege", "setting: Jade = cold")


def written(stores: Stores) -> tuple[bool, bool, bool]:
    return bool(stores.facts.count()[1]), bool(stores.plans.all()), bool(stores.settings.all())


def test_an_embedding_model_that_dies_in_the_middle_leaves_the_set_to_be_finished(
    cut: Studio, stores: Stores, tmp_path: Path
) -> None:
    """The settings are written last, with vectors: facts and plans are in by then, and nobody reads half of a set."""
    task, table = propose(cut, *LINES)
    failing: Any = cut.stores.settings
    failing.error, failing.dies_in = ModelUnavailableError, "put"
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "start it" in confirmed.reason
    with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), cut.hub.reading():
        pass
    cut.gateway.close()
    again = open_studio(tmp_path / "s", cut.stores)  # while it is down still: the studio opens all the same
    assert again.gateway.waiting() == (task,)
    failing.down, failing.dies_in = False, ""
    again.clock.now += 10
    with again.hub.reading() as read:
        assert written(read) == (True, True, True)
    assert again.gateway.waiting() == ()


@pytest.mark.parametrize("which", ["facts", "plans", "settings"])
def test_a_store_that_is_down_at_confirm_gets_it_when_it_is_back(cut: Studio, stores: Stores, which: str) -> None:
    task, table = propose(cut, *LINES)
    store = getattr(cut.stores, which)
    store.down = True
    confirmed = cut.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "start it" in confirmed.reason
    assert written(stores) == (False, False, False), "nothing was begun that could not be ended"
    assert cut.gateway.waiting() == (task,)
    with pytest.raises(InputError, match="settled and waits for a store"):
        cut.gateway.handle("more", task=task)
    store.down = False
    cut.clock.now += 10
    with cut.hub.reading() as read:
        assert written(read) == (True, True, True)
    assert cut.gateway.waiting() == ()
    assert cut.gateway.tasks()[0].state is TaskState.CLOSED


@pytest.mark.parametrize(("which", "call"), [("facts", "apply"), ("plans", "apply"), ("settings", "put")])
@pytest.mark.parametrize("restarted", [False, True], ids=["same program", "program restarted"])
def test_a_store_lost_in_the_middle_keeps_readers_out_until_all_is_written(
    cut: Studio, stores: Stores, which: str, call: str, restarted: bool
) -> None:
    task, table = propose(cut, *LINES)
    store = getattr(cut.stores, which)
    store.dies_in = call
    assert not cut.gateway.confirm(task, table.proposals).applied
    if restarted:
        cut.gateway.close()
        cut = open_studio(cut.folder, cut.stores)
    for _ in range(2):
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), cut.hub.reading():
            pytest.fail("a reader got in")
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"):
            cut.hub.stores.settings.all()
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"):
            cut.hub.step_by_step().plans.apply([], [], "board")
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), cut.hub.changing():
            pytest.fail("a change by hand got in")
    store.dies_in, store.down = "", False
    cut.clock.now += 10
    assert written(cut.hub.stores) == (True, True, True)
    assert cut.gateway.tasks()[0].state is TaskState.CLOSED
    cut.gateway.close()


def test_a_store_that_is_down_is_not_asked_at_every_reading(cut: Studio) -> None:
    task, table = propose(cut, *LINES)
    cut.stores.settings.down = True  # type: ignore[attr-defined]
    cut.gateway.confirm(task, table.proposals)
    asked = []
    cut.stores.settings._store = type("Counting", (), {"exact": lambda *_: asked.append(1)})()  # type: ignore[attr-defined]
    calls = []
    original = cut.stores.plans.plan
    cut.stores.plans.plan = lambda key: calls.append(key) or original(key)  # type: ignore[method-assign,func-returns-value]
    cut.clock.now += 10
    for _ in range(20):
        with cut.hub.reading():
            pass
    assert len(calls) == 1, "one try in three seconds"
    cut.clock.now += 10
    with cut.hub.reading():
        pass
    assert len(calls) == 2


def test_two_confirmed_sets_are_written_in_their_order(cut: Studio, stores: Stores) -> None:
    first, table = propose(cut, "setting: Jade = first")
    second, other = propose(cut, "setting: Jade = second", title="Two")
    cut.stores.settings.down = True  # type: ignore[attr-defined]
    assert not cut.gateway.confirm(first, table.proposals).applied
    assert not cut.gateway.confirm(second, other.proposals).applied
    assert cut.gateway.waiting() == (first, second)
    cut.gateway.close()
    cut.stores.settings.down = False  # type: ignore[attr-defined]
    reopened = open_studio(cut.folder, cut.stores)
    setting = stores.settings.exact("Jade")
    assert setting is not None
    assert setting.text == "second"
    assert reopened.gateway.waiting() == ()
    reopened.gateway.close()


def test_a_set_that_was_confirmed_unchecked_and_cannot_be_written_opens_its_task_again(
    cut: Studio, stores: Stores
) -> None:
    task, table = propose(cut, "status: Nowhere = Completed")
    cut.stores.plans.down = True  # type: ignore[attr-defined]
    assert not cut.gateway.confirm(task, [replace(one, ticked=True) for one in table.proposals]).applied
    cut.stores.plans.down = False  # type: ignore[attr-defined]
    cut.clock.now += 10
    with cut.hub.reading() as read:
        assert written(read) == (False, False, False)
    assert cut.gateway.waiting() == ()
    assert cut.gateway.tasks()[0].state is TaskState.OPEN
    assert "names no plan" in cut.gateway.failure(task), "and the author can be told"
    cut.gateway.handle("let us see", task=task)
    again(cut, task)
    assert cut.gateway.failure(task) == ""


def test_a_set_that_is_refused_does_not_hold_up_the_next(cut: Studio, stores: Stores) -> None:
    wrong, table = propose(cut, "status: Nowhere = Completed")
    right, other = propose(cut, "plan: The siege", title="Two")
    cut.stores.plans.down = True  # type: ignore[attr-defined]
    cut.gateway.confirm(wrong, [replace(one, ticked=True) for one in table.proposals])
    assert not cut.gateway.confirm(right, other.proposals).applied
    cut.stores.plans.down = False  # type: ignore[attr-defined]
    third, last = propose(cut, "plan: The march", title="Three")
    assert cut.gateway.confirm(third, last.proposals).applied, "another task's fault is not this one's"
    assert {plan.title for plan in stores.plans.all()} == {"The siege", "The march"}
    assert [one.state for one in cut.gateway.tasks()] == [TaskState.OPEN, TaskState.CLOSED, TaskState.CLOSED]
    assert "names no plan" in cut.gateway.failure(wrong)


class Refusing(Failing):
    """A real store that refuses what it would write: another program has changed it since the set was checked."""

    def __getattr__(self, name: str) -> Any:
        if name == self.dies_in:
            raise InputError("the store has changed: look at it again")
        return super().__getattr__(name)


@pytest.mark.parametrize("restarted", [False, True], ids=["same program", "program restarted"])
@pytest.mark.parametrize(("which", "call"), [("facts", "apply"), ("settings", "put")])
def test_what_is_refused_when_a_part_is_written_lets_no_reader_in(
    tmp_path: Path, stores: Stores, which: str, call: str, restarted: bool
) -> None:
    refusing = Refusing(getattr(stores, which))
    studio = open_studio(tmp_path / "s", replace(stores, **{which: refusing}))
    task, table = propose(studio, *LINES)
    refusing.dies_in = call
    confirmed = studio.gateway.confirm(task, table.proposals)
    assert not confirmed.applied
    assert "a part of the settlement is in the hub" in confirmed.reason
    assert stores.plans.all(), "a part is written"
    if restarted:
        studio.gateway.close()
        studio = open_studio(studio.folder, studio.stores)
    for _ in range(3):
        studio.clock.now += 10
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"), studio.hub.reading():
            pytest.fail("a reader got in")
        with pytest.raises(StoreUnavailableError, match="not yet wholly in the hub"):
            studio.hub.stores.plans.all()
    assert studio.gateway.waiting() == (task,)
    refusing.dies_in = ""
    studio.clock.now += 10
    with studio.hub.reading() as read:
        assert written(read) == (True, True, True)
    assert studio.gateway.waiting() == ()
    assert studio.gateway.tasks()[0].state is TaskState.CLOSED
    studio.gateway.close()


def test_what_the_first_store_refuses_is_given_back_and_readers_go_on(tmp_path: Path, stores: Stores) -> None:
    refusing = Refusing(stores.plans)
    studio = open_studio(tmp_path / "s", replace(stores, plans=refusing))  # type: ignore[arg-type]
    task, table = propose(studio, *LINES)
    refusing.dies_in = "apply"
    with pytest.raises(InputError, match="the store has changed"):
        studio.gateway.confirm(task, table.proposals)
    refusing.dies_in = ""
    assert written(studio.hub.stores) == (False, False, False)
    assert studio.gateway.confirm(task, again(studio, task).proposals).applied
    studio.gateway.close()


# -- all or nothing for every reader ----------------------------------------------------------------------------------


class Slow:
    """A real store that takes its time to write."""

    def __init__(self, store: Any, pause: threading.Event) -> None:
        self._store = store
        self._pause = pause

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._store, name)

        def call(*arguments: Any, **named: Any) -> Any:
            if name in ("apply", "put"):
                self._pause.wait(0.02)
            return method(*arguments, **named)

        return call


def test_readers_in_other_threads_see_all_of_a_settlement_or_nothing(tmp_path: Path, stores: Stores) -> None:
    never = threading.Event()
    slow = Stores(
        facts=Slow(stores.facts, never),  # type: ignore[arg-type]
        plans=Slow(stores.plans, never),  # type: ignore[arg-type]
        settings=Slow(stores.settings, never),  # type: ignore[arg-type]
        archive=stores.archive,
    )
    studio = open_studio(tmp_path / "s", slow, clock=FixedClock())
    seen: set[tuple[int, int, int]] = set()
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            with studio.hub.reading() as hub:
                facts = hub.facts.count()[1]
                never.wait(0.01)
                plans = len(hub.plans.all())
                never.wait(0.01)
                settings = len(hub.settings.all())
            seen.add((facts, plans, settings))

    readers = [threading.Thread(target=read) for _ in range(3)]
    [one.start() for one in readers]
    for number in range(1, 9):
        settled(
            studio,
            f"fact: Person{number} OWNS Frost{number} Sword @3",
            f"plan: Plan {number}",
            f"setting: Key {number} = text",
            title=f"Task {number}",
        )
        wait_until(lambda number=number: (number, number, number) in seen, 10, lambda: seen)
    ended.set()
    [one.join() for one in readers]
    assert seen <= {(number, number, number) for number in range(9)}
    assert len(seen) >= 8
    studio.gateway.close()


def test_a_reader_may_read_within_its_reading_and_the_lock_lets_writers_through(studio: Studio) -> None:
    with studio.hub.reading() as hub:
        assert studio.hub.stores.facts.count() == hub.facts.count()
        with studio.hub.reading(), pytest.raises(RuntimeError, match="would wait for itself"), studio.hub.changing():
            pytest.fail("a reader became a writer")
    with studio.hub.changing(), studio.hub.reading():
        pass
    order: list[str] = []
    reading, release = threading.Event(), threading.Event()

    def first() -> None:
        with studio.hub.reading():
            reading.set()
            release.wait(10)
            order.append("reader")

    def writer() -> None:
        with studio.hub.changing():
            order.append("writer")

    def second() -> None:
        with studio.hub.reading():
            order.append("late reader")

    threads = [threading.Thread(target=first)]
    threads[0].start()
    assert reading.wait(10)
    threads.append(threading.Thread(target=writer))
    threads[1].start()
    wait_until(lambda: studio.hub._lock._waiting == 1, 10)
    threads.append(threading.Thread(target=second))
    threads[2].start()
    release.set()
    [one.join() for one in threads]
    assert order == ["reader", "writer", "late reader"], "a writer that waits goes before readers that come later"
