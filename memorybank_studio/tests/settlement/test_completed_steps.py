"""A completed step becomes facts: shown in a table of its own, written only as confirmed, never doubled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.settlement.completed_steps import event_of
from memorybank_studio.tests.hub.in_memory import FactsInMemory
from memorybank_studio.tests.settlement.settling import row, ticked
from memorybank_studio.tests.tasks.studio import IMPORT, Studio, character, chunk, open_studio
from memorybank_studio.types import (
    IN_CHAPTER,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Plan,
    PlanKind,
    PlanStatus,
    TaskState,
    entity_key,
)
from memorybank_studio.writes import Mark, Removal, StatusChange

GENERAL = Plan(kind=PlanKind.GENERAL, title="All", origin=IMPORT)
LONG = Plan(kind=PlanKind.LONG, title="Book", parent=GENERAL.key, origin=IMPORT)
SHORT = Plan(kind=PlanKind.SHORT, title="Road", parent=LONG.key, storyline="Lin", origin=IMPORT)
FIRST = Plan(kind=PlanKind.STEP, title="Lin leaves home", parent=SHORT.key, origin=IMPORT)
ENTERS = Plan(
    kind=PlanKind.STEP,
    title="Lin enters the Tide Tower",
    text="Lin is in the Tide Tower.",
    parent=SHORT.key,
    after=FIRST.key,
    due=4,
    origin=IMPORT,
)
LIN, TOWER = (entity_key(EntityKind.CHARACTER, "Lin"), entity_key(EntityKind.LOCATION, "Tide Tower"))


def rules(stores: Stores) -> Any:
    return RuleExtract(stores.facts, stores.plans, "en")


@pytest.fixture
def story(tmp_path: Path, stores: Stores) -> Iterator[Studio]:
    stores.facts.apply([character("Lin"), character("Tide Tower", kind=EntityKind.LOCATION)], [])
    stores.plans.apply([GENERAL, LONG, SHORT, FIRST, ENTERS], [], "settlement")
    complete(stores, FIRST, ENTERS)
    opened = open_studio(tmp_path / "studio", stores, extract=rules(stores))
    yield opened
    opened.gateway.close()


def complete(stores: Stores, *steps: Plan) -> None:
    changes = [StatusChange(plan=step.key, status=PlanStatus.COMPLETED) for step in steps]
    stores.plans.apply([], changes, "board")


def settle(studio: Studio, step: Plan, chapter: int | None = None) -> SettlementTable:
    return studio.gateway.settle_step(step.key, chapter=chapter).table


def marks(table: SettlementTable) -> dict[str, Mark]:
    return {row.shown: row.mark for row in table.proposals}


def facts_in(table: SettlementTable) -> list[Fact]:
    return [row.item for row in table.proposals if isinstance(row.item, Fact)]


def event(studio: Studio, step: Plan) -> EntityKey:
    return event_of(step, studio.stores.facts).key


def test_without_a_chapter_there_is_no_chapter_row(story: Studio) -> None:
    table = settle(story, FIRST)
    assert marks(table) == {"Lin leaves home (event)": Mark.NEW, "Lin took part in Lin leaves home": Mark.NEW}
    assert {row.item.origin.chapter for row in table.proposals} == {None}
    assert any("is in chapter 4" in shown for shown in marks(settle(story, ENTERS))), "where it was due"


def test_a_chapter_0_that_the_archive_has_is_a_chapter(story: Studio) -> None:
    story.stores.archive.put([chunk(0, 0, "Rain")])
    assert {fact.predicate for fact in facts_in(settle(story, FIRST, 0))} == {IN_CHAPTER, "TOOK_PART_IN"}


def test_a_completed_step_shows_what_it_would_write_and_writes_nothing(story: Studio) -> None:
    table = settle(story, ENTERS, 4)
    shown = (
        "Lin enters the Tide Tower (event): Lin is in the Tide Tower.",
        "4 (chapter)",
        "Lin enters the Tide Tower is in chapter 4 (since chapter 4)",
        "Lin took part in Lin enters the Tide Tower (since chapter 4)",
        "Lin is in Tide Tower (since chapter 4)",
    )
    assert marks(table) == dict.fromkeys(shown, Mark.NEW)
    assert all(row.reason for row in table.proposals)
    assert story.stores.facts.count() == (2, 0), "no plan is a fact before it is confirmed"
    stays = replace(ENTERS, status=PlanStatus.COMPLETED, storyline="Lin")
    assert story.stores.plans.plan(ENTERS.key) == stays, "and the plan stays a plan"


def test_only_what_was_confirmed_is_written_and_as_it_was_edited(story: Studio) -> None:
    table = settle(story, ENTERS, 4)
    *others, place = ticked(table.proposals, lambda row: "took part" not in row.shown)
    place = replace(place, item=replace(place.item, properties={"how": "by night"}))
    assert story.gateway.confirm(table.task, [*others, place]).applied
    (where,) = story.stores.facts.matching(LIN, "LOCATED_IN", chapter=4)
    assert (where.object, where.properties, where.since) == (TOWER, {"how": "by night"}, 4)
    assert [fact.predicate for fact in story.stores.facts.about(event(story, ENTERS))] == [IN_CHAPTER]
    assert (story.gateway.task_of(ENTERS.key),) == story.gateway.tasks()
    assert story.states() == [TaskState.CLOSED]


def test_steps_that_another_program_tied_into_a_ring_are_settled_all_the_same(
    story: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (replace(step, status=PlanStatus.COMPLETED) for step in (FIRST, ENTERS))
    ring = {FIRST.key: replace(first, after=ENTERS.key), ENTERS.key: second}
    plan = story.stores.plans.plan
    monkeypatch.setattr(story.stores.plans, "plan", lambda key: ring.get(key) or plan(key))
    assert IN_CHAPTER in {fact.predicate for fact in facts_in(settle(story, ENTERS))}


def test_a_second_time_it_is_the_same_task_and_nothing_is_doubled(story: Studio) -> None:
    first = settle(story, ENTERS, 4)
    assert settle(story, ENTERS, 4).task == first.task, "open: the same table again"
    story.gateway.confirm(first.task, first.proposals)
    before = story.stores.facts.count()
    again = settle(story, ENTERS, 4)
    assert (again.task, len(story.gateway.tasks())) == (first.task, 1)
    assert set(marks(again).values()) == {Mark.KNOWN}
    story.gateway.confirm(first.task, ticked(again.proposals))
    assert story.stores.facts.count() == before
    moved = settle(story, ENTERS, 6)
    assert marks(moved)["Lin is in Tide Tower (since chapter 6)"] is Mark.UPDATE, "its own word, moved"
    old = row(moved, Removal)
    assert (old.shown, old.ticked) == ("take back: Lin enters the Tide Tower is in chapter 4 (since chapter 4)", False)
    story.gateway.confirm(first.task, ticked(moved.proposals, lambda one: one.ticked or one is old))
    for subject, predicate in ((event(story, ENTERS), IN_CHAPTER), (LIN, "LOCATED_IN")):
        assert [fact.since for fact in story.stores.facts.matching(subject, predicate)] == [6], "it has happened once"


def test_steps_that_follow_each_other_are_events_in_their_order(story: Studio) -> None:
    for step, chapter in ((FIRST, 2), (ENTERS, 4)):
        table = settle(story, step, chapter)
        story.gateway.confirm(table.task, table.proposals)
    (order,) = story.stores.facts.matching(event(story, FIRST), "BEFORE")
    assert order.object == event(story, ENTERS)


def test_what_was_only_planned_when_the_step_was_settled_comes_back_unticked(tmp_path: Path, stores: Stores) -> None:
    studio = open_studio(tmp_path / "studio", stores)
    task = studio.open_task("Road")
    studio.gateway.handle("fact: Lin HATES Rao @2\nfact: Lin OWNS Frost Sword", task=task)
    table = studio.gateway.handle("/settle", task=task).table
    studio.gateway.confirm(task, [replace(row, ticked="Sword" not in row.shown) for row in table.proposals])
    origin = replace(IMPORT, task=task, turns=(1,))
    step = replace(FIRST, title="Lin gets the sword", origin=origin)
    stores.plans.apply([GENERAL, LONG, SHORT, step], [], "settlement")
    complete(stores, step)
    found = settle(studio, step, 5)
    left = {row.shown: row.ticked for row in found.proposals if "Sword" in row.shown}
    assert left == {"Frost Sword (item)": False, "Lin owns Frost Sword (since chapter 5)": False}
    assert "HATES" not in {fact.predicate for fact in facts_in(found)}, "written already"
    studio.gateway.close()


def test_only_a_completed_step_can_become_facts(story: Studio) -> None:
    story.stores.plans.apply([], [StatusChange(plan=ENTERS.key, status=PlanStatus.IN_PROGRESS)], "board")
    with pytest.raises(InputError, match="is InProgress: only what is completed"):
        story.gateway.settle_step(ENTERS.key)
    for key in (SHORT.key, "p-none"):
        with pytest.raises(InputError, match="no step of the planning layer"):
            story.gateway.settle_step(key)  # type: ignore[arg-type]
    assert story.gateway.tasks() == (), "and no task is opened for it"


def test_every_command_that_it_takes_is_logged_with_the_tab_s_context(story: Studio) -> None:
    task = story.open_task("The road", "hello")
    for _ in range(2):
        reply = story.gateway.settle_step(ENTERS.key, chapter=4, current=task)
        story.gateway.confirm(reply.task.id, reply.table.proposals)
    examples = story.examples()[1:]
    assert [one["command"] for one in examples] == ["new", "settle", "restart", "settle"]
    for one in examples:
        assert one["by"] == "button"
        assert one["target"]["id"] == "t2"
        assert one["context"]["task"] == {"id": task, "title": "The road"}
        assert [turn["text"] for turn in one["context"]["turns"]] == ["hello", "echo: hello"]
    assert examples[1]["told"]["command"] == "settle"


def test_the_table_outlives_the_program(story: Studio) -> None:
    reply = story.gateway.settle_step(ENTERS.key)
    again = story.reopened()
    assert again.gateway.table(reply.task.id) == reply.table
    assert again.gateway.confirm(reply.task.id, reply.table.proposals).applied
    again.gateway.close()


PEOPLE = [*map(character, ("Kael", "Mira", "卡尔", "米拉", "狱长")), character("Copper Ring", kind=EntityKind.ITEM)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("Kael killed Mira", {("Kael", "KILLED", "Mira")}),
        ("Kael owns the Copper Ring", {("Kael", "OWNS", "Copper Ring")}),
        ("卡尔杀死狱长", {("卡尔", "KILLED", "狱长")}),
        ("Kael will kill Mira", set()),
        ("Mira gives the Copper Ring to Kael", set()),
        ("卡尔打算杀死狱长", set()),
    ],
)
def test_the_words_of_a_completed_step_are_a_fact_where_they_are_written_as_one(
    tmp_path: Path, stores: Stores, words: str, told: set[tuple[str, str, str]]
) -> None:
    step = replace(FIRST, title=words)
    stores.facts.apply([character("Lin"), *PEOPLE], [])
    stores.archive.put([chunk(7, 0, "Rain")])
    stores.plans.apply([GENERAL, LONG, SHORT, step], [], "settlement")
    complete(stores, step)
    opened = open_studio(tmp_path / "studio", stores, extract=rules(stores))
    proposed = settle(opened, step).proposals
    opened.gateway.close()
    names = {row.item.key: row.item.name for row in proposed if isinstance(row.item, Entity)}
    names |= {one.key: one.name for one in PEOPLE}
    facts = [row.item for row in proposed if isinstance(row.item, Fact) and row.ticked]
    read = [one for one in facts if one.predicate not in (IN_CHAPTER, "TOOK_PART_IN")]
    assert {(names[one.subject], one.predicate, names[one.object]) for one in read} == told
    assert {one.since for one in read} <= {7}, "in the chapter of the step, whatever it was due by"


def test_an_event_that_is_on_record_under_the_step_s_title_stays_it() -> None:
    facts = FactsInMemory()
    step = replace(ENTERS, title="Lin will steal the seal")
    before = Entity(kind=EntityKind.EVENT, name=step.title, origin=ENTERS.origin)
    facts.apply([before], [])
    assert event_of(step, facts).key == before.key
