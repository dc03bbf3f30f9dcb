"""Without a model: a question is answered from the record, and a plain statement is a remark."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.hub.stores import Stores, last_chapter, next_chapter
from memorybank_studio.journal.context import BuiltContext
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.replies import Creation
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import taken_plainly
from memorybank_studio.tests.tasks.studio import IMPORT, Studio, character, chunk, give, open_studio, stores_in
from memorybank_studio.types import (
    HAS_STATUS,
    Command,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    Task,
    TaskId,
    TaskState,
    Turn,
)

ORIGIN = Origin(task=TaskId("t1"))
TASK = Task(id=TaskId("t2"), title="One", state=TaskState.OPEN, opened_at=0.0)
CAST: dict[Lang, tuple[str, str, str, str]] = {
    "en": ("Mara", "Tomas", "dead", "Iron Key"),
    "zh": ("林霜", "文澜", "死", "铁钥匙"),
}


CARDS = {"Mara": "a smith", "林霜": "铁匠"}


def answer(folder: Path, asked: str, lang: Lang) -> Creation:
    hero, gone, status, item = CAST[lang]
    entities = [
        Entity(kind=kind, name=name, origin=ORIGIN, note=CARDS.get(name, ""))
        for kind, name in (
            (EntityKind.CHARACTER, hero),
            (EntityKind.CHARACTER, gone),
            (EntityKind.STATUS, status),
            (EntityKind.ITEM, item),
        )
    ]
    stores = stores_in(folder)
    dead = Fact(subject=entities[1].key, predicate=HAS_STATUS, object=entities[2].key, since=3, origin=ORIGIN)
    stores.facts.apply(entities, [dead])
    answers = Answers(None, stores, TaskSettings(lang=lang), chat=None)
    context = BuiltContext(
        command=Command.CONTINUE, task=TASK, lang=lang, asked=asked, shown=asked, chapter=4, why="", budget=None
    )
    return answers(context, asked, taken_plainly(context, asked))


@pytest.mark.parametrize(
    ("asked", "lang", "told"),
    [
        ("Is Tomas dead?", "en", "Tomas is dead"),
        ("Now tell me: has Tomas died?", "en", "Tomas is dead"),
        ("文澜死了吗？", "zh", "文澜的状态是死"),
        ("文澜死了没有？", "zh", "文澜的状态是死"),
    ],
)
def test_a_question_of_yes_or_no_is_answered_with_the_fact(tmp_path: Path, asked: str, lang: Lang, told: str) -> None:
    created = answer(tmp_path, asked, lang)
    assert told in created.text
    assert not created.options


@pytest.mark.parametrize(("asked", "lang"), [("Who is Mara?", "en"), ("林霜是谁？", "zh")])
def test_who_somebody_is_is_what_the_card_says(tmp_path: Path, asked: str, lang: Lang) -> None:
    assert answer(tmp_path, asked, lang).text.endswith({"en": "Mara: a smith", "zh": "林霜：铁匠"}[lang])


@pytest.mark.parametrize(
    ("asked", "lang", "said"),
    [
        ("On with Mara and the Iron Key.", "en", "Noted as part of this task"),
        ("Write a scene with Mara. Then give me five options.", "en", "Noted as part of this task"),
        ("林霜丢了铁钥匙。", "zh", "已记入这个任务"),
        ("给我五个方案", "zh", "已记入这个任务"),
    ],
)
def test_a_plain_statement_is_a_remark_and_gets_no_options(tmp_path: Path, asked: str, lang: Lang, said: str) -> None:
    created = answer(tmp_path, asked, lang)
    assert created.text.startswith(said)
    assert not created.options


@pytest.mark.parametrize(
    ("asked", "lang", "said"), [("Where are we now?", "en", "page Settings"), ("写到哪里了？", "zh", "“设置”页")]
)
def test_a_question_that_names_nothing_is_told_how_questions_are_answered(
    tmp_path: Path, asked: str, lang: Lang, said: str
) -> None:
    assert said in answer(tmp_path, asked, lang).text


@pytest.mark.parametrize(
    ("lang", "words", "asked", "of_hero", "open_"),
    [
        (
            "en",
            "Item: Bone Lute\nMara hides it.",
            "Who has the Bone Lute?",
            "Where is Mara?",
            "not settled yet: Lute (t1).",
        ),
        ("zh", "物品：骨琴\n林霜把它藏了起来。", "骨琴在谁手里？", "林霜在哪里？", "尚未结算：Lute (t1)。"),
    ],
)
def test_what_is_open_in_another_task_is_told_with_the_answer(
    tmp_path: Path, stores: Stores, lang: Lang, words: str, asked: str, of_hero: str, open_: str
) -> None:
    stores.facts.apply([character(CAST[lang][0], note="a smith"), SHU], [])
    answers = Answers(None, stores, TaskSettings(lang=lang), chat=None)
    settings = TaskSettings(lang=lang)
    studio = open_studio(tmp_path / "s", stores, settings=settings, decide=taken_plainly, creative=answers)
    lute, other = studio.open_task("Lute", words), studio.open_task("Other")
    told = lambda question, task: studio.gateway.handle(question, task=task).text  # noqa: E731
    assert told(asked, other).endswith(open_)
    assert open_[:6] not in told(of_hero, other), "the record answers"
    assert open_[:6] not in told("Shu?", other), "nobody speaks of Shu"
    assert open_[:6] not in told(asked, lute), "this task's own words"
    studio.gateway.close()


LIN, SHU = character("Lin"), character("Shu")


def owns(stores: Stores, since: int) -> None:
    stores.facts.apply(
        [LIN, SHU], [Fact(subject=LIN.key, predicate="KNOWS", object=SHU.key, since=since, origin=IMPORT)]
    )


def test_it_is_the_one_after_the_archive_s_last(stores: Stores) -> None:
    owns(stores, 5)
    assert (next_chapter(stores), last_chapter(stores)) == (1, 0), "a fact of chapter 5 is not written yet"
    stores.archive.put([chunk(8, 0, "Lin waits.", "Lin")])
    owns(stores, 12)
    assert (next_chapter(stores), last_chapter(stores)) == (9, 8)


def test_what_a_fact_says_of_a_later_chapter_makes_no_step_overdue(studio: Studio) -> None:
    for line in ("fact: Shu OWNS Frost Sword", "fact: Lin OWNS Frost Sword @5"):
        task = studio.open_task(line[:12])
        studio.gateway.handle(line, task=task)
        studio.settle(task)
    plans: list[Plan] = []
    for kind in PlanKind:
        above = plans[-1].key if plans else None
        plans.append(Plan(kind=kind, title=kind.value, parent=above, due=1, origin=IMPORT))
    studio.stores.plans.apply(plans, [], "settlement")
    asking = give(studio.gateway, "/new Who\nWho owns the Frost Sword? What is overdue?", task=None)
    assert asking.context.chapter == 1
    assert "Lin owns Frost Sword (since chapter 5)" in asking.context.prompt(), "what is settled is told all the same"
    assert [pointer.overdue for pointer in studio.stores.plans.pointer(chapter=asking.context.chapter)] == [()]


def test_an_imported_book_is_a_clock_too(stores: Stores) -> None:
    stores.facts.apply([LIN, SHU], [])
    stores.archive.put([chunk(8, 0, "Lin waits.", "Lin")])
    rules = RuleExtract(stores.facts, stores.plans, "en", lambda: last_chapter(stores))

    def ticks(text: str) -> dict[bool, str]:
        found = rules([Turn(number=1, role="author", text=text, at=0.0)], TaskId("t1")).drafts
        return {one.ticked: one.reason for one in found if isinstance(one.item, Fact)}

    assert "chapter 8" in ticks("Settled: In chapter 12 Lin knows Shu.")[False]
    assert set(ticks("Settled: In chapter 9 Lin knows Shu.")) == {True}
