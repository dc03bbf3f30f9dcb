"""A small story in both languages, and a gateway on it whose language model is a scripted endpoint."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
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

ORIGIN = Origin(task=TaskId("t1"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    hero: str
    note: str
    rival: str
    letter: str
    words: str
    art: tuple[str, str]
    outlines: tuple[str, str, str]
    steps: tuple[str, str, str]
    title: str
    passage: str


STORIES: dict[Lang, Story] = {
    "en": Story(
        hero="Lin",
        note="the hero, a smith's daughter",
        rival="Rao",
        letter="Sealed Letter",
        words="Rao read the letter by the stove and said nothing.",
        art=("Night Blade Art", "Drawn only in the dark; each use costs an hour of sleep."),
        outlines=("The war of the two gates", "The winter", "Lin's road"),
        steps=("Lin leaves the forge", "Lin meets Rao", "The duel at the mill"),
        title="The stove",
        passage="Snow lay on the mill. Rao read the letter by the stove and said nothing, and Lin watched his hands.",
    ),
    "zh": Story(
        hero="林霜",
        note="主角，铁匠的女儿",
        rival="饶青",
        letter="密信",
        words="饶青在炉边读了信，一句话也没说。",
        art=("夜刃诀", "只能在黑暗中施展；每用一次，折去一个时辰的睡眠。"),
        outlines=("两门之战", "寒冬", "林霜的路"),
        steps=("林霜离开铁匠铺", "林霜遇见饶青", "磨坊决斗"),
        title="炉边",
        passage="雪落在磨坊上。饶青在炉边读了信，一句话也没说，林霜看着他的手。",
    ),
}


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
    stores.plans.apply(plans, [done, begun], "board")
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
    """Of all that was asked, in order."""
    return [str(request.schema_name) for request in server.chats]
