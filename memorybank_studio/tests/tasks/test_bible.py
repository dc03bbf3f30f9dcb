"""The bible edited by hand: at once in the hub, in the journal first, and undone exactly."""

from __future__ import annotations

import pytest

from memorybank.errors import InputError
from memorybank_studio.creativity.evidence import settings_about
from memorybank_studio.settlement.edits import blank
from memorybank_studio.tests.tasks.studio import Studio
from memorybank_studio.types import EntityKind, PlanStatus
from memorybank_studio.writes import ProposalKind

LIN = {"name": "Lin", "kind": "Character", "aliases": "the Fox", "note": "a thief"}
SWORD = {"name": "Frost Sword", "kind": "Item", "aliases": "", "note": ""}
OWNS = {"subject": "Lin", "predicate": "OWNS", "object": "Frost Sword", "chapter": "2", "properties": ""}


def add(studio: Studio, kind: ProposalKind, values: dict[str, str]) -> None:
    assert studio.gateway.bible.add((kind, {**blank(kind), **values}))


def test_a_character_is_added_changed_deleted_and_each_undone_also_by_the_next_program(studio: Studio) -> None:
    add(studio, "entity", LIN)
    add(studio, "entity", SWORD)
    add(studio, "fact", OWNS)
    facts, bible = studio.stores.facts, studio.gateway.bible
    (lin,) = facts.named("the Fox")
    bible.change(lin, {"aliases": "Lin the Grey", "note": ""})
    (changed,) = facts.named("Lin the Grey")
    assert (changed.key, changed.note, facts.named("the Fox")) == (lin.key, "", ()), "an alias can go"
    assert bible.delete(changed)
    assert (facts.named("Lin"), facts.count()) == ((), (1, 0)), "and with her what was on record of her"
    assert studio.gateway.tasks() == (), "nothing of it is a task"
    studio = studio.reopened()
    bible = studio.gateway.bible
    bible.undo()
    assert [fact.since for fact in facts.history(lin.key)] == [2]
    bible.undo()
    assert [entity.note for entity in facts.named("the Fox")] == ["a thief"]
    for _ in range(3):
        bible.undo()
    assert facts.count() == (0, 0)
    with pytest.raises(InputError, match="no change"):
        bible.undo()
    studio.gateway.close()


def test_a_fact_ends_what_it_cannot_stand_beside_and_gives_it_back(studio: Studio) -> None:
    for kind, values in (("entity", LIN), ("entity", {**LIN, "name": "Rao", "aliases": ""}), ("fact", OWNS)):
        add(studio, kind, values)  # type: ignore[arg-type]
    (lin,) = studio.stores.facts.named("Lin")
    add(studio, "fact", {**OWNS, "subject": "Rao", "chapter": "5"})
    (owned,) = studio.stores.facts.history(lin.key)
    assert owned.until == 5
    studio.gateway.bible.undo()
    (owned,) = studio.stores.facts.history(lin.key)
    assert owned.until is None
    studio.gateway.bible.change(owned, {"chapter": "3", "properties": "reason: a gift"})
    (later,) = studio.stores.facts.history(lin.key)
    assert (later.since, later.properties) == (3, {"reason": "a gift"})
    with pytest.raises(InputError, match="changed since"):
        studio.gateway.bible.delete(owned)
    studio.gateway.bible.undo()
    assert studio.stores.facts.history(lin.key) == (owned,)


def test_settings_and_plans_are_changed_in_place(studio: Studio) -> None:
    add(studio, "setting", {"key": "Frost", "text": "It burns."})
    entries, plans, bible = studio.stores.settings, studio.stores.plans, studio.gateway.bible
    (entry,) = entries.all()
    bible.change(entry, {"key": "Cold", "text": "It kills."})
    assert [(kept.key, kept.text) for kept in entries.all()] == [("Cold", "It kills.")]
    bible.undo()
    assert entries.all() == (entry,)
    add(studio, "plan", {"title": "The war", "level": "GeneralOutline"})
    (plan,) = plans.all()
    bible.change(plan, {"title": "The long war", "text": "Ten years."})
    (changed,) = plans.all()
    assert (changed.key, changed.title, changed.text) == (plan.key, "The long war", "Ten years.")
    bible.undo()
    assert [kept.title for kept in plans.all()] == ["The war"]
    bible.undo()
    assert [kept.status for kept in plans.all()] == [PlanStatus.DROPPED], "what was planned is never gone for good"


def test_what_is_there_is_not_added_and_what_was_built_upon_not_undone(studio: Studio) -> None:
    add(studio, "entity", LIN)
    with pytest.raises(InputError, match="on record already"):
        add(studio, "entity", {**LIN, "note": "a king"})
    task = studio.open_task("Sword", "fact: Lin OWNS Frost Sword @3")
    studio.settle(task)
    with pytest.raises(InputError, match="changed since"):
        studio.gateway.bible.undo()
    assert studio.stores.facts.named("Lin")[0].kind is EntityKind.CHARACTER


def test_a_setting_of_an_art_bears_on_whoever_has_it(studio: Studio) -> None:
    add(studio, "entity", LIN)
    add(studio, "fact", {**OWNS, "predicate": "HAS_ABILITY", "object": "Frost Art", "chapter": "2"})
    for key in ("Rules of the Frost Art", "Lin", "Tea", "Line of kings"):
        add(studio, "setting", {"key": key, "text": "One breath a day."})
    (lin,) = studio.stores.facts.named("Lin")
    told = lambda chapter: [entry.key for entry in settings_about(studio.stores, [lin], chapter)]  # noqa: E731
    assert told(2) == ["Lin", "Rules of the Frost Art"]
    assert told(1) == ["Lin"], "she does not have it yet"
