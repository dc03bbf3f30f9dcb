"""An entity and a plan as a node's properties, a fact as a relationship's, and back.

Of a plan the parent and the place are relationships, and the kind is a label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from memorybank.errors import InputError
from memorybank_studio.hub.labels import Layer, predicate
from memorybank_studio.relations import LEADS_TO
from memorybank_studio.types import (
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Origin,
    Plan,
    PlanKey,
    PlanKind,
    PlanStatus,
    TaskId,
    normal,
)

Record = Mapping[str, Any]


def check_entity(entity: Entity) -> None:
    """Raises InputError for what is no entity, and for a chapter whose name is no chapter number."""
    if not isinstance(entity, Entity):
        raise InputError("hub.not_facts", layer=Layer.FACTS.notice, kind=type(entity).__name__)
    name = entity.name
    if entity.kind is EntityKind.CHAPTER and not (name.isascii() and name.isdigit() and str(int(name[:20])) == name):
        raise InputError("hub.chapter_not_number", name=name[:40])


def _held(origin: Origin, **values: Any) -> dict[str, Any]:
    """Return the values that there are as properties, with those in which anything of either layer keeps its origin."""
    told = {"task": origin.task, "chapter": origin.chapter, "source": origin.source, "turns": list(origin.turns)}
    return {name: value for name, value in {**values, **told}.items() if value is not None}


def entity_properties(entity: Entity) -> dict[str, Any]:
    """Return the properties of an entity's node."""
    return _held(
        entity.origin,
        key=entity.key,
        name=entity.name,
        aliases=list(entity.aliases),
        names=sorted({normal(form) for form in (entity.name, *entity.aliases)}),
        note=entity.note,
        ranks=list(entity.ranks) or None,
        keyed_as=entity.keyed_as or None,
    )


def entity_of(row: Record) -> Entity:
    """Return the entity of a row of `fact_queries.ENTITY_ROWS`."""
    return Entity(
        kind=kind_of(row["labels"]),
        name=row["name"],
        aliases=tuple(row["aliases"] or ()),
        note=row["note"],
        ranks=tuple(row["ranks"] or ()),
        keyed_as=row["keyed_as"] or "",
        origin=origin_of(row),
    )


def kind_of(labels: list[str]) -> EntityKind:
    return next(kind for kind in EntityKind if kind in labels)


def merged_entity(stored: Entity, entity: Entity) -> Entity:
    """Merge one entity told twice: all aliases, the newer note and ranks, the first name and origin. One that names
    what its key is made of is renamed: its word is taken whole."""
    if entity.keyed_as:
        return replace(entity, origin=stored.origin)
    aliases = (*stored.aliases, *(alias for alias in entity.aliases if alias not in stored.aliases))
    return replace(stored, aliases=aliases, note=entity.note or stored.note, ranks=entity.ranks or stored.ranks)


def check_fact(fact: Fact) -> None:
    """Raises InputError for what is no fact, and for a predicate that is no relationship type."""
    if not isinstance(fact, Fact):
        raise InputError("hub.not_facts", layer=Layer.FACTS.notice, kind=type(fact).__name__)
    predicate(fact.predicate)


def check_ends(fact: Fact, known: Mapping[EntityKey, Entity]) -> None:
    """Check that the fact leads from a known entity to a known one of the predicate's kind. Raises InputError."""
    if not known.keys() >= set(fact.ends):
        raise InputError("settlement.unknown_entity")
    object_, wanted = known[fact.object], LEADS_TO.get(fact.predicate)
    if wanted is not None and object_.kind is not wanted:
        raise InputError("settlement.wrong_object", name=object_.name[:40])


def fact_properties(fact: Fact) -> dict[str, Any]:
    """Return the properties of a fact's relationship. A property's name may be the author's text: all are one value."""
    told = json.dumps(dict(fact.properties), ensure_ascii=False)
    return _held(fact.origin, key=fact.key, since=fact.since, until=fact.until, properties=told)


def fact_of(row: Record) -> Fact:
    """Return the fact of a row of `fact_queries.FACT_ROWS`."""
    return Fact(
        subject=EntityKey(row["subject"]),
        predicate=row["predicate"],
        object=EntityKey(row["object"]),
        properties=json.loads(row["properties"]),
        since=row["since"],
        until=row["until"],
        origin=origin_of(row),
    )


def age(fact: Fact) -> tuple[int, int, str]:
    """Return the key that sorts facts, oldest first; facts of one chapter stand in the order of their turns."""
    return fact.since, min(fact.origin.turns, default=0), fact.key


def merged_fact(stored: Fact, fact: Fact) -> Fact:
    """Merge a fact told twice. Its own task's word, or another property, is taken whole; equal words change nothing.

    An end that came later stays, unless the new word has an end of its own.
    """
    until = stored.until if fact.until is None else fact.until
    same = dict(stored.properties) == dict(fact.properties) and stored.origin.task != fact.origin.task
    return replace(stored if same else fact, until=until)


def check_plans(plans: Iterable[Plan]) -> None:
    """Raises InputError for what is no plan."""
    for plan in plans:
        if not isinstance(plan, Plan):
            raise InputError("hub.not_plans", layer=Layer.PLANS.notice, kind=type(plan).__name__)


def plan_properties(plan: Plan) -> dict[str, Any]:
    """Return the properties of a plan's node."""
    return _held(
        plan.origin,
        key=plan.key,
        title=plan.title,
        text=plan.text,
        storyline=plan.storyline,
        due=plan.due,
        status=str(plan.status),
        keyed_as=plan.keyed_as or None,
    )


def plan_of(row: Record) -> Plan:
    """Return the plan of a row of `plans.PLANS`."""
    return Plan(
        kind=next(kind for kind in PlanKind if kind in row["labels"]),
        title=row["title"],
        text=row["text"],
        parent=None if row["parent"] is None else PlanKey(row["parent"]),
        after=None if row["after"] is None else PlanKey(row["after"]),
        storyline=row["storyline"],
        due=row["due"],
        status=PlanStatus(row["status"]),
        keyed_as=row["keyed_as"] or "",
        origin=origin_of(row),
    )


def origin_of(row: Record) -> Origin:
    return Origin(
        task=TaskId(row["task"]), chapter=row["chapter"], source=row["source"], turns=tuple(row["turns"] or ())
    )
