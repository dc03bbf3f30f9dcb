"""Without a model: a question is answered from the record or the plan, and a plain statement is a remark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.hub.stores import Stores, last_chapter, next_chapter
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.replies import Creation
from memorybank_studio.tasks.retrieval import told
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import taken_plainly
from memorybank_studio.tests.hub.in_memory import PlansInMemory
from memorybank_studio.tests.tasks.studio import (
    IMPORT,
    Studio,
    character,
    chunk,
    fact,
    give,
    open_studio,
    outline,
    stores_in,
)
from memorybank_studio.tests.tasks.studio import context as context_of
from memorybank_studio.types import HAS_STATUS, EntityKind, Plan, PlanKind, PlanStatus
from memorybank_studio.writes import StatusChange
from tests.tables import tables

TABLES = tables(__file__)

CAST: dict[Lang, tuple[str, str, str, str]] = {
    "en": ("Mara", "Tomas", "dead", "Iron Key"),
    "zh": ("林霜", "文澜", "死", "铁钥匙"),
}
NOTHING_OFFERED: Any = None
CARDS = {"Mara": "a smith", "林霜": "铁匠"}


def answer(folder: Path, asked: str, lang: Lang) -> Creation:
    kinds = (EntityKind.CHARACTER, EntityKind.CHARACTER, EntityKind.STATUS, EntityKind.ITEM)
    entities = [
        character(name, kind=kind, note=CARDS.get(name, "")) for kind, name in zip(kinds, CAST[lang], strict=True)
    ]
    stores = stores_in(folder)
    stores.facts.apply(entities, [fact(entities[1], HAS_STATUS, entities[2], 3)])
    answers = Answers(None, stores, TaskSettings(lang=lang), chat=None)
    context = context_of(asked, lang=lang, chapter=4)
    return answers(context, asked, taken_plainly(context, asked), NOTHING_OFFERED)


@pytest.mark.parametrize(
    ("asked", "lang", "told"), TABLES["a_question_is_answered_from_the_record_and_all_else_is_a_remark"]
)
def test_a_question_is_answered_from_the_record_and_all_else_is_a_remark(
    tmp_path: Path, asked: str, lang: Lang, told: str
) -> None:
    created = answer(tmp_path, asked, lang)
    assert told in created.text
    assert not created.options


@pytest.mark.parametrize(
    ("lang", "words", "asked", "of_hero", "open_"), TABLES["what_is_open_in_another_task_is_told_with_the_answer"]
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
    stores.facts.apply([LIN, SHU], [fact(LIN, "KNOWS", SHU, since)])


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
    studio.stores.plans.apply(plans, [])
    asking = give(studio.gateway, "/new Who\nWho owns the Frost Sword? What is overdue?", task=None)
    assert asking.context.chapter == 1
    assert "Lin owns Frost Sword (since chapter 5)" in asking.context.prompt(), "what is settled is told all the same"
    assert [pointer.overdue for pointer in studio.stores.plans.pointer(chapter=asking.context.chapter)] == [()]


# -- where the plans stand -----------------------------------------------------------------------------------------


@pytest.fixture
def plans() -> PlansInMemory:
    road = outline(("All", "Book one", "Mara's road"), ("Mara leaves home", "Mara meets Tomas"), due=3)
    plot = outline(("All", "Book one", "王爷的阴谋"), ("王爷雇探子",))
    made = PlansInMemory()
    made.apply([*road, *plot[2:]], [StatusChange(plan=road[3].key, status=PlanStatus.IN_PROGRESS)])
    return made


@pytest.mark.parametrize(("asked", "lang", "said"), TABLES["where_the_plans_stand"])
def test_where_the_plans_stand(plans: PlansInMemory, asked: str, lang: Lang, said: list[str]) -> None:
    lines = "\n".join(told(asked, plans, 2, lang))
    assert all(one in lines for one in said)


def test_of_a_plan_that_is_named_its_own_storyline_alone(plans: PlansInMemory) -> None:
    assert "Mara" not in "".join(told("王爷的阴谋进行到哪了？", plans, 2, "zh"))
    assert "王爷" not in "".join(told("How far is Mara's road?", plans, 2, "en"))


def test_what_is_overdue_is_told(plans: PlansInMemory) -> None:
    assert "overdue" not in "".join(told("What is overdue?", plans, 2, "en"))
    assert "overdue: Mara leaves home" in "".join(told("What is overdue?", plans, 9, "en"))


def test_where_nothing_is_planned_there_is_nothing_to_tell() -> None:
    assert told("What comes next?", PlansInMemory(), 2, "en") == ()
