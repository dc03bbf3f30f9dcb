"""A small story behind the creativity engine: real settings and archive, graph layers in memory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank_studio.creativity.options import Request
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank_studio.types import (
    HAS_STATUS,
    UNRESOLVED,
    Chunk,
    Entity,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    TaskId,
)
from memorybank_studio.writes import StatusChange

ORIGIN = Origin(task=TaskId("t1"), chapter=1, source="as settled")
CHAPTER = 4


def entity(kind: EntityKind, name: str) -> Entity:
    return Entity(kind=kind, name=name, origin=ORIGIN)


LIN = entity(EntityKind.CHARACTER, "Lin")
RAO = entity(EntityKind.CHARACTER, "Rao")
WEN = entity(EntityKind.CHARACTER, "Wen")
SWORD = entity(EntityKind.ITEM, "Frost Sword")
GATE = entity(EntityKind.LOCATION, "North Gate")
FLOOD = entity(EntityKind.EVENT, "the flood of the valley")
FAMINE = entity(EntityKind.EVENT, "the famine of the valley")
QUIET = entity(EntityKind.TRAIT, "taciturn")
HOOK = entity(EntityKind.HOOK, "the sealed letter")
DEAD = entity(EntityKind.STATUS, "dead")
OPEN = entity(EntityKind.STATUS, UNRESOLVED)


def fact(subject: Entity, predicate: str, object_: Entity, since: int = 1) -> Fact:
    return Fact(subject=subject.key, predicate=predicate, object=object_.key, since=since, origin=ORIGIN)


GENERAL = Plan(kind=PlanKind.GENERAL, title="The siege", origin=ORIGIN)
LONG = Plan(kind=PlanKind.LONG, title="Winter", parent=GENERAL.key, origin=ORIGIN)
SHORT = Plan(kind=PlanKind.SHORT, title="The gate", parent=LONG.key, storyline="Lin", origin=ORIGIN)
STEP = Plan(
    kind=PlanKind.STEP,
    title="Lin opens the gate",
    text="at night, alone",
    parent=SHORT.key,
    storyline="Lin",
    origin=ORIGIN,
)


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[Stores]:
    facts, plans = FactsInMemory(), PlansInMemory()
    facts.apply(
        [LIN, RAO, WEN, SWORD, GATE, HOOK, DEAD, OPEN],
        [
            fact(LIN, "OWNS", SWORD),
            fact(LIN, "HATES", RAO),
            fact(WEN, HAS_STATUS, DEAD, since=3),
            fact(HOOK, HAS_STATUS, OPEN),
            fact(RAO, "LOCATED_IN", GATE),
        ],
    )
    plans.apply([GENERAL, LONG, SHORT, STEP], [StatusChange(plan=STEP.key, status=PlanStatus.IN_PROGRESS)], "board")
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as chroma:
        settings, archive = Settings(chroma), Archive(chroma)
        settings.put([Setting(key="Frost Sword", text="It burns whoever lies.", origin=ORIGIN)])
        text = "Lin stood at the North Gate. “Open it,” said Rao. Snow fell on the Frost Sword."
        archive.put(
            [
                Chunk(
                    chapter_id=3, chapter_title="Snow", place=0, start=0, end=len(text), text=text, entity_list=("Lin",)
                )
            ]
        )
        yield Stores(facts=facts, plans=plans, settings=settings, archive=archive)


@pytest.fixture
def request_() -> Request:
    return Request(
        asked="What could go wrong for Lin at the North Gate?", prompt="(context)", chapter=CHAPTER, lang="en"
    )
