"""Which chapter is written next: after the archive's last one, or a later one that facts tell of."""

from __future__ import annotations

from memorybank_studio.hub.stores import Stores, last_chapter, next_chapter
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.settlement.completed_steps import happened_in
from memorybank_studio.tests.tasks.studio import IMPORT, Studio, character, chunk
from memorybank_studio.types import Fact, Plan, PlanKind, TaskId, Turn

LIN, SHU = character("Lin"), character("Shu")


def owns(stores: Stores, since: int) -> None:
    stores.facts.apply(
        [LIN, SHU], [Fact(subject=LIN.key, predicate="KNOWS", object=SHU.key, since=since, origin=IMPORT)]
    )


def test_it_is_the_latest_of_facts_and_archive(stores: Stores) -> None:
    assert (next_chapter(stores), last_chapter(stores)) == (1, 0)
    owns(stores, 5)
    assert (next_chapter(stores), last_chapter(stores)) == (6, 5)
    stores.archive.put([chunk(8, 0, "Lin waits.", "Lin")])
    assert (next_chapter(stores), last_chapter(stores)) == (9, 8)
    owns(stores, 12)
    assert (next_chapter(stores), last_chapter(stores)) == (12, 12)


def test_without_an_archive_a_question_is_answered_as_of_the_latest_chapter(studio: Studio) -> None:
    for line in ("fact: Shu OWNS Frost Sword", "fact: Lin OWNS Frost Sword @5"):
        task = studio.open_task(line[:12])
        studio.gateway.handle(line, task=task)
        studio.settle(task)
    asking = studio.gateway.handle("/new Who\nWho owns the Frost Sword?", task=None)
    assert asking.context.chapter == 6
    assert "Lin owns Frost Sword (since chapter 5)" in asking.context.prompt()
    assert "Shu owns" not in asking.context.prompt()


def test_a_completed_step_happened_by_then(stores: Stores) -> None:
    owns(stores, 5)
    step = Plan(kind=PlanKind.GENERAL, title="The siege", origin=IMPORT)
    assert happened_in(step, last_chapter(stores)) == 5
    assert happened_in(Plan(kind=PlanKind.GENERAL, title="The siege", due=3, origin=IMPORT), 5) == 3


def test_an_imported_book_is_a_clock_too(stores: Stores) -> None:
    stores.facts.apply([LIN, SHU], [])
    stores.archive.put([chunk(8, 0, "Lin waits.", "Lin")])
    rules = RuleExtract(stores.facts, stores.plans, "en", lambda: last_chapter(stores))

    def ticks(text: str) -> dict[bool, str]:
        found = rules([Turn(number=1, role="author", text=text, at=0.0)], TaskId("t1")).drafts
        return {one.ticked: one.reason for one in found if isinstance(one.item, Fact)}

    assert "chapter 8" in ticks("Settled: In chapter 12 Lin knows Shu.")[False]
    assert set(ticks("Settled: In chapter 9 Lin knows Shu.")) == {True}
