"""A small story behind the creativity engine: real settings and archive, graph layers in memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from memorybank_studio.creativity.options import Request
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import character, chunk, outline, stores_in
from memorybank_studio.tests.tasks.studio import fact as told
from memorybank_studio.types import (
    HAS_STATUS,
    UNRESOLVED,
    Entity,
    EntityKind,
    Fact,
    Origin,
    PlanStatus,
    Setting,
    TaskId,
)
from memorybank_studio.writes import StatusChange

ORIGIN = Origin(task=TaskId("t1"), chapter=1, source="as settled")
CHAPTER = 4


def entity(kind: EntityKind, name: str) -> Entity:
    return replace(character(name, kind=kind), origin=ORIGIN)


def fact(subject: Entity, predicate: str, object_: Entity, since: int = 1) -> Fact:
    return replace(told(subject, predicate, object_, since), origin=ORIGIN)


LIN, RAO, WEN = (entity(EntityKind.CHARACTER, name) for name in ("Lin", "Rao", "Wen"))
SWORD = entity(EntityKind.ITEM, "Frost Sword")
GATE = entity(EntityKind.LOCATION, "North Gate")
FLOOD, FAMINE = (entity(EntityKind.EVENT, name) for name in ("the flood of the valley", "the famine of the valley"))
QUIET = entity(EntityKind.TRAIT, "taciturn")
HOOK = entity(EntityKind.HOOK, "the sealed letter")
DEAD, OPEN = (entity(EntityKind.STATUS, name) for name in ("dead", UNRESOLVED))
PLANS = outline(("The siege", "Winter", "The gate"), ("Lin opens the gate",), "Lin", text="at night, alone")
STEP = PLANS[-1]


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    made = stores_in(tmp_path)
    made.facts.apply(
        [LIN, RAO, WEN, SWORD, GATE, HOOK, DEAD, OPEN],
        [
            fact(LIN, "OWNS", SWORD),
            fact(LIN, "HATES", RAO),
            fact(WEN, HAS_STATUS, DEAD, since=3),
            fact(HOOK, HAS_STATUS, OPEN),
            fact(RAO, "LOCATED_IN", GATE),
        ],
    )
    made.plans.apply(PLANS, [StatusChange(plan=STEP.key, status=PlanStatus.IN_PROGRESS)], "board")
    made.settings.put([Setting(key="Frost Sword", text="It burns whoever lies.", origin=ORIGIN)])
    text = "Lin stood at the North Gate. “Open it,” said Rao. Snow fell on the Frost Sword."
    made.archive.put([replace(chunk(3, 0, text, "Lin"), chapter_title="Snow")])
    return made


@pytest.fixture
def request_() -> Request:
    return Request(
        asked="What could go wrong for Lin at the North Gate?", prompt="(context)", chapter=CHAPTER, lang="en"
    )
