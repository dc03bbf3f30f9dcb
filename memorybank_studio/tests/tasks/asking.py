"""A small story in both languages, and a gateway on it whose language model is a scripted endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from memorybank.embedding.hashed import HashedNgrams
from memorybank.llm.build import build_chat
from memorybank.memory.types import Lang
from memorybank_lab.scripted import Answer, Script, ScriptedServer, SeenRequest, asks, on
from memorybank_lab.scripted.script import text_of
from memorybank_studio.creativity.model import Workshop
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.settlement.by_rules import RuleExtract
from memorybank_studio.tasks.answering import Answers
from memorybank_studio.tasks.gateway import Gateway
from memorybank_studio.tasks.settings import TaskSettings
from memorybank_studio.tasks.turn_kind import TakenByModel
from memorybank_studio.tests.tasks.studio import FixedClock, chunk, outline, stores_in
from memorybank_studio.types import Entity, EntityKind, Fact, Origin, PlanStatus, Setting, TaskId
from memorybank_studio.writes import StatusChange
from tests.llm.asking import settings as llm_settings
from tests.tables import tables

ORIGIN = Origin(task=TaskId("t1"))


STORIES: dict[Lang, Any] = {lang: SimpleNamespace(**story) for lang, story in tables(__file__).items()}
"""The words of the story."""


def filled(folder: Path, lang: Lang) -> Stores:
    """The story in a hub."""
    stores, story = stores_in(folder), STORIES[lang]
    hero = Entity(kind=EntityKind.CHARACTER, name=story.hero, note=story.note, origin=ORIGIN)
    rival = Entity(kind=EntityKind.CHARACTER, name=story.rival, origin=ORIGIN)
    letter = Entity(kind=EntityKind.ITEM, name=story.letter, origin=ORIGIN)
    knows = Origin(task=TaskId("t1"), chapter=2, source=story.words)
    stores.facts.apply(
        [hero, rival, letter],
        [
            Fact(subject=hero.key, predicate="OWNS", object=letter.key, since=1, origin=ORIGIN),
            Fact(subject=rival.key, predicate="KNOWS_OF", object=letter.key, since=2, origin=knows),
        ],
    )
    plans = outline(story.outlines, story.steps, story.hero)
    done = StatusChange(plan=plans[3].key, status=PlanStatus.COMPLETED)
    begun = StatusChange(plan=plans[4].key, status=PlanStatus.IN_PROGRESS)
    stores.plans.apply(plans, [done, begun])
    stores.settings.put([Setting(key=story.art[0], text=story.art[1], category="", origin=ORIGIN)])
    passage = replace(chunk(2, 0, story.passage, story.hero, story.rival), chapter_title=story.title)
    stores.archive.put([passage])
    return stores


@contextmanager
def asking(
    folder: Path, lang: Lang, stores: Stores | None = None, **answers: Answer | list[Answer]
) -> Iterator[tuple[Gateway, ScriptedServer]]:
    """A gateway on the story (or other stores) whose model answers so, by the name of the answer's schema."""
    rules = [
        on(asks(schema=schema), *(given if isinstance(given, list) else [given])) for schema, given in answers.items()
    ]
    tasks = TaskSettings(lang=lang)
    stores = stores or filled(folder / "hub", lang)
    with ScriptedServer(Script(rules=rules)) as server:
        chat = build_chat(llm_settings(server, attempts=1, cache=False), None)
        with Gateway(
            folder / "studio",
            SharedHub(stores),
            decide=TakenByModel(chat, stores),
            creative=Answers(Workshop(chat, stores, HashedNgrams()), stores, tasks, chat=chat),
            extract=RuleExtract(stores.facts, stores.plans, lang),
            settings=tasks,
            clock=FixedClock(),
        ) as gateway:
            yield gateway, server


def taken(kind: str, **more: Any) -> dict[str, Any]:
    """The model's answer to what a turn is."""
    usual = {"sought": [], "reply": "", "options": [], "count": 0}
    return {"reason": "its words", "kind": kind, **usual, **more}


def shown(request: SeenRequest) -> str:
    return "\n\n".join(f"[{message['role']}]\n{text_of(message)}" for message in request.messages)


def schemas(server: ScriptedServer) -> list[str]:
    """Return the names of the schemas that were asked for, in order."""
    return [str(request.schema_name) for request in server.chats]
