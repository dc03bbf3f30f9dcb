"""Stories and drafts that the rules of the continuity check were not made from, as hubs in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from memorybank.narrative.continuity.check import check
from memorybank.narrative.hub.in_memory import PlansInMemory
from memorybank.narrative.types import (
    Entity,
    EntityKind,
    Plan,
    PlanKind,
)
from memorybank.types import Lang
from tests.narrative.continuity.hubs import ORIGIN, Hub, facts_of


@dataclass(frozen=True)
class Draft:
    """A sentence or two of a draft with what the check says of it."""

    lang: Lang
    kind: str
    contradicts: bool
    text: str
    reasons: tuple[str, ...]

    @property
    def marked(self) -> bool:
        return bool(self.reasons)


def checked(name: str, lang: Lang) -> list[Draft]:
    """Every draft of `fresh/name.lang.yaml`, checked."""
    told = yaml.safe_load((Path(__file__).parent / "fresh" / f"{name}.{lang}.yaml").read_text("utf-8"))
    return [draft for story in told for draft in _drafts(story, lang)]


def precision(drafts: Sequence[Draft]) -> float:
    marked = [one.contradicts for one in drafts if one.marked]
    return sum(marked) / len(marked)


def recall(drafts: Sequence[Draft]) -> float:
    found = [one.marked for one in drafts if one.contradicts]
    return sum(found) / len(found)


def _drafts(story: Mapping[str, Any], lang: Lang) -> Iterator[Draft]:
    stores = _hub(story)
    for kind, items in story["items"].items():
        for side, texts in items.items():
            for text in texts:
                reasons = tuple(one.reason for one in check(text, story["chapter"], lang, stores))
                yield Draft(lang, kind, side == "contradicts", text, reasons)


def _hub(story: Mapping[str, Any]) -> Hub:
    known = {
        name: Entity(kind=EntityKind(kind), name=name, aliases=tuple(aliases), origin=ORIGIN)
        for kind, names in story["entities"].items()
        for name, aliases in names.items()
    }
    return Hub(facts_of(known, story["facts"]), _plans(story["steps"]))


def _plans(steps: Sequence[str]) -> PlansInMemory:
    outlines: list[Plan] = []
    for kind in (PlanKind.GENERAL, PlanKind.LONG, PlanKind.SHORT):
        outlines.append(Plan(kind=kind, title=f"{kind}", parent=outlines[-1].key if outlines else None, origin=ORIGIN))
    short = outlines[-1].key
    for title in steps:
        after = outlines[-1].key if outlines[-1].kind is PlanKind.STEP else None
        outlines.append(Plan(kind=PlanKind.STEP, title=title, parent=short, after=after, due=30, origin=ORIGIN))
    plans = PlansInMemory()
    plans.apply(outlines, (), "board")
    return plans
