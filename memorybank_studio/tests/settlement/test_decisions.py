"""What the author changed in a table or took out of it stays so when the task is restarted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank_studio.drafts import Extracted
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.tests.settlement.settling import LIN, SHU, SWORD, drafted, owners, propose, row, settled, ticked
from memorybank_studio.tests.tasks.studio import LineExtract, Studio, give, offered, open_studio
from memorybank_studio.types import EntityKind, Fact, Origin, Setting, TaskId, Turn, entity_key
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
    give(studio.gateway, f"/restart {task}", task=task)
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
    give(studio.gateway, f"/restart {task}", task=task)
    assert not any(row.ticked for row in studio.propose(task).proposals)
    studio.gateway.handle("fact: Lin FEARS Rao", task=task)
    ticked = [row for row in studio.propose(task).proposals if row.ticked]
    assert [row.item.predicate for row in ticked if isinstance(row.item, Fact)] == ["FEARS"]
    assert held(studio) == before
    assert studio.gateway.confirm(task, ticked).applied
    give(studio.gateway, f"/restart {task}", task=task)
    fears = next(row for row in studio.propose(task).proposals if "FEARS" in getattr(row.item, "predicate", ""))
    assert fears.mark is Mark.KNOWN, "what the author ticks after all counts"


# -- restarted --------------------------------------------------------------------------------------------------------


def test_settling_a_restarted_task_updates_its_own_facts_and_doubles_none(studio: Studio) -> None:
    task = settled(studio, "fact: Lin OWNS Frost Sword @3", "fact: Lin HATES Shu @2", "setting: Jade = warm")
    before = studio.stores.facts.count()
    give(studio.gateway, f"/restart {task}\nfact: Shu OWNS Frost Sword @3\nsetting: Jade = cold", task=None)
    table = studio.propose(task)
    marks = [(one.shown.split(" (")[0], one.mark, one.ticked) for one in table.proposals if isinstance(one.item, Fact)]
    assert marks == [
        ("Lin owns Frost Sword", Mark.KNOWN, False),
        ("Lin hates Shu", Mark.KNOWN, False),
        ("Shu owns Frost Sword", Mark.UPDATE, True),
    ]
    update = row(table, Setting)
    assert (update.mark, update.against) == (Mark.UPDATE, ("Jade: warm (settled by task t1: “setting: Jade = warm”)",))
    studio.gateway.confirm(task, table.proposals)
    assert owners(studio) == ["Shu"]
    assert owners(studio, 3) == ["Shu"]
    assert studio.stores.facts.count() == before, "replaced, not added"
    assert len(studio.stores.facts.of_task(task)) == 2


def test_a_restarted_task_may_move_its_fact_to_another_chapter(studio: Studio) -> None:
    settled(studio, "fact: Shu OWNS Frost Sword @1", title="Zero")
    task = settled(studio, "fact: Lin OWNS Frost Sword @3")
    give(studio.gateway, f"/restart {task}\nfact: Lin OWNS Frost Sword @5", task=None)
    table = studio.propose(task)
    moved = next(one for one in table.proposals if isinstance(one.item, Fact) and one.item.since == 5)
    assert moved.mark is Mark.UPDATE
    kept = [one for one in table.proposals if one.number == moved.number]
    studio.gateway.confirm(task, kept)
    assert [owners(studio, chapter) for chapter in (2, 3, 4, 5)] == [["Shu"], ["Shu"], ["Shu"], ["Lin"]]
    assert len([one for one in studio.stores.facts.history(SWORD) if one.subject == LIN]) == 1


def test_what_a_task_says_again_of_a_later_stretch_takes_nothing_back(studio: Studio) -> None:
    task = settled(studio, "fact: Lin OWNS Frost Sword @1", "fact: Shu OWNS Frost Sword @3")
    give(studio.gateway, f"/restart {task}\nfact: Lin OWNS Frost Sword @5", task=None)
    studio.gateway.confirm(task, studio.propose(task).proposals)
    assert [owners(studio, chapter) for chapter in (1, 2, 3, 5)] == [["Lin"], ["Lin"], ["Shu"], ["Lin"]]


# -- what a restarted task drops --------------------------------------------------------------------------------------


class Choosing(LineExtract):
    """Reads of each turn only what no later line takes back: `not: LINE`."""

    def __call__(self, turns: Sequence[Turn], task: TaskId) -> Extracted:
        gone = {line.removeprefix("not: ") for turn in turns for line in turn.text.splitlines() if line[:5] == "not: "}
        kept = ["\n".join(line for line in turn.text.splitlines() if line not in gone) for turn in turns]
        return super().__call__([replace(turn, text=text) for turn, text in zip(turns, kept, strict=True)], task)


def restarted(studio: Studio, task: TaskId, words: str) -> SettlementTable:
    give(studio.gateway, f"/restart {task}\n{words}", task=task)
    return studio.propose(task)


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
    chosen = ticked(table.proposals, lambda one: one.ticked or isinstance(one.item, Removal))
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
    choosing.gateway.confirm(second, ticked(table.proposals, lambda one: one is gone))
    assert (owners(choosing, 5), owners(choosing, 8), owners(choosing)) == (["Lin"], ["Lin"], ["Lin"])
    third = settled(choosing, shu, title="Three")
    settled(choosing, "fact: Wen OWNS Frost Sword @9", title="Four")
    table = restarted(choosing, third, f"not: {shu}")
    choosing.gateway.confirm(third, ticked(table.proposals))
    assert (owners(choosing, 8), owners(choosing, 9), owners(choosing)) == (["Lin"], ["Wen"], ["Wen"])


def test_what_came_from_no_turn_is_not_missed_in_the_turns(studio: Studio) -> None:
    table = offered(studio.gateway, "Import", drafted("fact: Lin OWNS Frost Sword @1"))
    studio.gateway.confirm(table.task, table.proposals)
    assert restarted(studio, table.task, "What else?").proposals == (), "a turn is not where it was read"
