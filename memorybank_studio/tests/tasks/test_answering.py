"""Without a model: a question is answered from the record, and a plain statement is a remark."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.memory.types import Lang
from memorybank_studio.journal.context import BuiltContext
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.replies import Creation
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import taken_plainly
from memorybank_studio.tests.tasks.studio import stores_in
from memorybank_studio.types import HAS_STATUS, Command, Entity, EntityKind, Fact, Origin, Task, TaskId, TaskState

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
    return answers(context, asked, taken_plainly(context, asked, ()))


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
