"""Without a model: what is asked of the record is looked up, what is to be written is offered or said to be missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Lang
from memorybank.narrative.journal.context import BuiltContext
from memorybank.narrative.studio import made_workshop
from memorybank.narrative.tasks.answering import Answers
from memorybank.narrative.tasks.replies import Creation
from memorybank.narrative.tasks.settings import TaskSettings
from memorybank.narrative.tasks.turn_rules import TakenByRules
from memorybank.narrative.types import HAS_STATUS, Command, Entity, EntityKind, Fact, Origin, Task, TaskId, TaskState
from tests.narrative.tasks.studio import stores_in

ORIGIN = Origin(task=TaskId("t1"))
TASK = Task(id=TaskId("t2"), title="One", state=TaskState.OPEN, opened_at=0.0)
CAST: dict[Lang, tuple[str, str, str, str]] = {
    "en": ("Mara", "Tomas", "dead", "Iron Key"),
    "zh": ("林霜", "文澜", "死", "铁钥匙"),
}


CARDS = {"Mara": "a smith", "林霜": "铁匠"}


def answer(folder: Path, asked: str, lang: Lang, *, few: bool = False) -> Creation:
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
    stores.facts.apply(entities[: 1 if few else None], [] if few else [dead])
    answers = Answers(made_workshop(stores, HashedNgrams(), None), stores, TaskSettings(lang=lang), chat=None)
    context = BuiltContext(
        command=Command.CONTINUE, task=TASK, lang=lang, asked=asked, shown=asked, chapter=4, why="", budget=None
    )
    return answers(context, asked, TakenByRules(stores)(context, asked, ()))


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
    ("asked", "lang"),
    [("On with Mara and the Iron Key.", "en"), ("How does Mara find the Iron Key?", "en"), ("林霜丢了铁钥匙。", "zh")],
)
def test_a_sentence_that_names_somebody_still_gets_options(tmp_path: Path, asked: str, lang: Lang) -> None:
    assert len(answer(tmp_path, asked, lang).options) >= 3


@pytest.mark.parametrize(
    ("asked", "lang", "missing"),
    [
        ("On with Mara.", "en", ("a second character", "an item", "a place", "an open hook", "a planned step")),
        ("林霜走了。", "zh", ("另一个人物", "一件物品", "一个地点", "一个未解的伏笔", "一个计划中的步骤")),
    ],
)
def test_fewer_than_wanted_are_offered_and_what_is_missing_is_said(
    tmp_path: Path, asked: str, lang: Lang, missing: tuple[str, ...]
) -> None:
    created = answer(tmp_path, asked, lang, few=True)
    assert len(created.options) == 1
    assert all(one in created.text for one in missing)
