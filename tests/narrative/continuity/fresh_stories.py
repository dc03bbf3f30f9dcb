"""Stories and drafts that the rules of the continuity check were not made from, with what the check marks in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.check import check
from memorybank.narrative.types import Entity, EntityKind
from tests.narrative.continuity.hubs import ORIGIN, facts_of
from tests.narrative.hub.in_memory import FactsInMemory


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
    facts = _facts(story)
    for kind, items in story["items"].items():
        for side, texts in items.items():
            for text in texts:
                reasons = tuple(one.reason for one in check(text, story["chapter"], lang, facts))
                yield Draft(lang, kind, side == "contradicts", text, reasons)


def _facts(story: Mapping[str, Any]) -> FactsInMemory:
    known = {
        name: Entity(kind=EntityKind(kind), name=name, aliases=tuple(aliases), origin=ORIGIN)
        for kind, names in story["entities"].items()
        for name, aliases in names.items()
    }
    return facts_of(known, story["facts"])
