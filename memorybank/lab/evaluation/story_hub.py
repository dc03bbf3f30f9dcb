"""The stories written for this project as a hub: their entities, facts and plans, held in memory.

What a fact leads to and no entity is named for (a status, a trait, an age, a place in passing) becomes an entity of the
kind that its predicate leads to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Final

import yaml

from memorybank.memory.types import Lang
from memorybank.narrative import relations
from memorybank.narrative.hub.in_memory import FactsInMemory, PlansInMemory
from memorybank.narrative.types import Entity, EntityKind, Fact, Origin, Plan, PlanKey, PlanKind, PlanStatus, TaskId
from memorybank.narrative.writes import StatusChange

LEADS_TO: Final = {
    **relations.LEADS_TO,
    "AGE": EntityKind.STATUS,
    "LOCATED_IN": EntityKind.LOCATION,
    "BORN_IN": EntityKind.LOCATION,
}
_TASK: Final = TaskId("story")


@dataclass(frozen=True, slots=True)
class Hub:
    facts: FactsInMemory
    plans: PlansInMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedSentence:
    """A sentence of a draft with what is wrong with it, if anything is."""

    id: str
    lang: Lang
    chapter: int
    text: str
    kind: str
    contradicts: bool
    against: str = ""
    held_out: bool = False


def planted(lang: Lang) -> list[PlantedSentence]:
    return [PlantedSentence(lang=lang, **item) for item in _yaml(f"planted.{lang}.yaml")]


def story(lang: Lang) -> Mapping[str, Any]:
    found: Mapping[str, Any] = _yaml(f"{lang}.yaml")
    return found


def hub(lang: Lang) -> Hub:
    told = story(lang)
    return hub_of(told["entities"], told["facts"], told["plans"])


def hub_of(
    entities: Sequence[Mapping[str, Any]], facts: Sequence[Mapping[str, Any]], plans: Sequence[Mapping[str, Any]]
) -> Hub:
    """A hub of what stands in a story's file."""
    return Hub(_facts(entities, facts), _plans(plans))


def _yaml(name: str) -> Any:
    return yaml.safe_load((resources.files(__package__) / "story" / name).read_text("utf-8"))


def _facts(entities: Sequence[Mapping[str, Any]], facts: Sequence[Mapping[str, Any]]) -> FactsInMemory:
    known = {one["name"]: _entity(EntityKind(one["kind"]), one["name"], one.get("aliases", ())) for one in entities}
    more: list[Entity] = []
    written: list[Fact] = []
    for one in facts:
        predicate, name = one["predicate"], str(one["object"])
        leads_to = LEADS_TO.get(predicate)
        if leads_to in (EntityKind.STATUS, EntityKind.TRAIT, EntityKind.CHAPTER) or name not in known:
            object_ = _entity(leads_to or EntityKind.EVENT, name)
            more.append(object_)
        else:
            object_ = known[name]
        written.append(
            Fact(
                subject=known[one["subject"]].key,
                predicate=predicate,
                object=object_.key,
                properties=one.get("properties", {}),
                since=one["since"],
                until=one.get("until"),
                origin=Origin(task=_TASK, chapter=one["since"], source=one["source"]),
            )
        )
    held = FactsInMemory()
    held.apply([*known.values(), *more], written)
    return held


def _entity(kind: EntityKind, name: str, aliases: Sequence[str] = ()) -> Entity:
    return Entity(kind=kind, name=name, aliases=tuple(aliases), origin=Origin(task=_TASK))


def _plans(plans: Sequence[Mapping[str, Any]]) -> PlansInMemory:
    keys: dict[str, PlanKey] = {}
    written: list[Plan] = []
    for one in plans:
        plan = Plan(
            kind=PlanKind(one["kind"]),
            title=one["title"],
            text=one["text"],
            parent=keys[one["parent"]] if "parent" in one else None,
            after=keys[one["after"]] if "after" in one else None,
            storyline=one.get("storyline", ""),
            due=one.get("due"),
            origin=Origin(task=_TASK),
        )
        keys[plan.title] = plan.key
        written.append(plan)
    statuses = [
        StatusChange(plan=keys[one["title"]], status=PlanStatus(one["status"]))
        for one in plans
        if one["kind"] == PlanKind.STEP
    ]
    held = PlansInMemory()
    held.apply(written, statuses, "board")
    return held
