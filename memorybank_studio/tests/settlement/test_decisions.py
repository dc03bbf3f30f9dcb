"""What the author changed in a table or took out of it stays so when the task is restarted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.settlement.settling import LIN, SHU, propose
from memorybank_studio.tests.tasks.studio import Studio, open_studio
from memorybank_studio.types import EntityKind, Fact, Origin, Setting, TaskId, entity_key
from memorybank_studio.writes import Mark, Proposal, Removal

RAO = entity_key(EntityKind.CHARACTER, "Rao")


def _as_author_has_it(row: Proposal, task: TaskId) -> Proposal:
    """Owned from chapter 5 on, hated by another, not stubborn, colder."""
    origin = Origin(task=task, chapter=5, turns=(1,))
    match row.item:
        case Fact(predicate="OWNS"):
            return replace(row, item=replace(row.item, since=5, origin=origin))
        case Fact(predicate="HATES"):
            return replace(row, item=replace(row.item, object=RAO))
        case Fact(predicate="FEARS"):
            return replace(row, ticked=False)
        case Setting():
            return replace(row, item=replace(row.item, text="colder"))
        case _:
            return row


def edited_and_restarted(studio: Studio) -> TaskId:
    facts = [f"fact: Lin {said}" for said in ("OWNS Frost Sword", "HATES Shu", "FEARS Rao")]
    task, table = propose(studio, *facts, "setting: Jade = cold")
    rows = tuple(_as_author_has_it(row, task) for row in table.proposals)
    assert studio.gateway.confirm(task, studio.gateway.remark(task, rows)).applied
    studio.gateway.handle(f"/restart {task}", task=task)
    return task


def held(studio: Studio) -> set[tuple[str, str, int]]:
    facts = studio.stores.facts.about(LIN)
    return {(fact.predicate, fact.object, fact.since) for fact in facts}


def test_a_restart_does_not_undo_what_the_author_edited(studio: Studio) -> None:
    task = edited_and_restarted(studio)
    before = held(studio)
    assert before == {("OWNS", entity_key(EntityKind.ITEM, "Frost Sword"), 5), ("HATES", RAO, 0)}
    studio.gateway.handle("fact: Shu KNOWS Rao", task=task)
    table = studio.propose(task)
    assert not any(isinstance(row.item, Removal) for row in table.proposals), "nor is what replaced it taken back"
    left = [row for row in table.proposals if row.reason.startswith("unticked or changed")]
    assert {row.item.predicate for row in left if isinstance(row.item, Fact)} == {"OWNS", "HATES", "FEARS"}
    assert not any(row.ticked for row in left)
    assert studio.gateway.confirm(task, table.proposals).applied
    assert held(studio) == before
    assert studio.stores.settings.exact("Jade").text == "colder"
    assert studio.stores.facts.matching(SHU, "KNOWS")


def test_a_third_settlement_does_not_either_and_what_is_said_again_is_ticked(studio: Studio) -> None:
    task = edited_and_restarted(studio)
    before = held(studio)
    studio.gateway.confirm(task, studio.propose(task).proposals)
    studio.gateway.handle(f"/restart {task}", task=task)
    assert not any(row.ticked for row in studio.propose(task).proposals)
    studio.gateway.handle("fact: Lin FEARS Rao", task=task)
    ticked = [row for row in studio.propose(task).proposals if row.ticked]
    assert [row.item.predicate for row in ticked if isinstance(row.item, Fact)] == ["FEARS"]
    assert held(studio) == before


def test_what_the_author_ticks_after_all_counts(studio: Studio) -> None:
    task = edited_and_restarted(studio)
    fears = next(row for row in studio.propose(task).proposals if "FEARS" in getattr(row.item, "predicate", ""))
    assert studio.gateway.confirm(task, [replace(fears, ticked=True)]).applied
    studio.gateway.handle(f"/restart {task}", task=task)
    fears = next(row for row in studio.propose(task).proposals if "FEARS" in getattr(row.item, "predicate", ""))
    assert fears.mark is Mark.KNOWN


def test_it_is_known_after_the_studio_was_closed(tmp_path: Path, stores: Stores) -> None:
    first = open_studio(tmp_path / "s", stores)
    task = edited_and_restarted(first)
    again = first.reopened()
    assert not any(row.ticked for row in again.propose(task).proposals)
    again.gateway.close()
