"""A small story behind the creativity engine: real settings and archive, graph layers in memory."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from memorybank_studio.creativity.options import Request
from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import IMPORT, character, chunk, outline, stores_in
from memorybank_studio.tests.tasks.studio import fact as told
from memorybank_studio.types import HAS_STATUS, UNRESOLVED, EntityKind, PlanStatus, Setting
from memorybank_studio.writes import StatusChange

CHAPTER = 4
fact = partial(told, since=1)
LIN, RAO, WEN = map(character, ("Lin", "Rao", "Wen"))
SWORD = character("Frost Sword", kind=EntityKind.ITEM)
GATE = character("North Gate", kind=EntityKind.LOCATION)
FLOOD, FAMINE = (character(f"the {what} of the valley", kind=EntityKind.EVENT) for what in ("flood", "famine"))
QUIET = character("taciturn", kind=EntityKind.TRAIT)
HOOK = character("the sealed letter", kind=EntityKind.HOOK)
DEAD, OPEN = (character(name, kind=EntityKind.STATUS) for name in ("dead", UNRESOLVED))
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
    made.plans.apply(PLANS, [StatusChange(plan=STEP.key, status=PlanStatus.IN_PROGRESS)])
    made.settings.put([Setting(key="Frost Sword", text="It burns whoever lies.", origin=IMPORT)])
    text = "Lin stood at the North Gate. “Open it,” said Rao. Snow fell on the Frost Sword."
    made.archive.put([replace(chunk(3, 0, text, "Lin"), chapter_title="Snow")])
    return made


@pytest.fixture
def request_() -> Request:
    return Request(
        asked="What could go wrong for Lin at the North Gate?", prompt="(context)", chapter=CHAPTER, lang="en"
    )
