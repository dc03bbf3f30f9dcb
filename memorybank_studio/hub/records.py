"""An entity and a plan as a node's properties, a fact as a relationship's, and back.

Of a plan the parent and the place are relationships, and the kind is a label.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from memorybank.errors import InputError
from memorybank_studio.hub import labels
from memorybank_studio.hub.labels import ENTITY, PLAN, Layer, guard, predicate
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

PLAN_RELATIONS = frozenset({"CONTAINS", "FIRST_STEP", "NEXT"})
"""Relationship types of the planning layer (`plans`): in the one database of a server no fact is of these."""


def labels_of(entity: Entity) -> tuple[str, str]:
    """Raises InputError for what is no entity, and for a chapter whose name is no chapter number."""
    if not isinstance(entity, Entity):
        raise InputError("hub.not_facts", layer=Layer.FACTS.notice, kind=type(entity).__name__)
    labels = (ENTITY, str(entity.kind))
    guard(Layer.FACTS, labels)
    name = entity.name
    if entity.kind is EntityKind.CHAPTER and not (name.isascii() and name.isdigit() and str(int(name[:20])) == name):
        raise InputError("hub.chapter_not_number", name=name[:40])
    return labels


def entity_properties(entity: Entity) -> dict[str, Any]:
    """Return the properties of an entity's node. Raises InputError for text or numbers that no store takes."""
    name = f"{entity.kind} {entity.name[:40]!r}"
    aliases = [labels.text(alias, f"an alias of {name}") for alias in entity.aliases]
    held = {
        "key": entity.key,
        "name": labels.text(entity.name, f"the name of {name}"),
        "aliases": aliases,
        "names": sorted({normal(form) for form in (entity.name, *aliases)}),
        "note": labels.text(entity.note, f"the note of {name}"),
        "ranks": [labels.text(rank, f"a rank of {name}") for rank in entity.ranks] or None,
        "keyed_as": labels.text(entity.keyed_as, f"the first name of {name}") or None,
        **origin_properties(entity.origin, name),
    }
    return {key: value for key, value in held.items() if value is not None}


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


def check_ends(fact: Fact, known: Mapping[EntityKey, Entity]) -> None:
    """Check that the fact leads from a known entity to a known one of the predicate's kind. Raises InputError."""
    for key, side in ((fact.subject, "subject"), (fact.object, "object")):
        if key not in known:
            raise InputError("hub.no_entity", side=side, key=str(key)[:40], predicate=fact.predicate)
    object_, wanted = known[fact.object], LEADS_TO.get(fact.predicate)
    if wanted is not None and object_.kind is not wanted:
        name, kind = object_.name[:40], object_.kind
        raise InputError("hub.wrong_object", predicate=fact.predicate, name=name, kind=kind, wanted=wanted)


def fact_properties(fact: Fact) -> dict[str, Any]:
    """Return the properties of a fact's relationship. Raises InputError."""
    if not isinstance(fact, Fact):
        raise InputError("hub.not_facts", layer=Layer.FACTS.notice, kind=type(fact).__name__)
    if fact.predicate in PLAN_RELATIONS:
        raise InputError("hub.relation_of_plans", name=fact.predicate)
    predicate(fact.predicate)
    name = f"a fact {fact.predicate}"
    held = {
        "key": fact.key,
        "since": labels.number(fact.since, f"the first chapter of {name}"),
        "until": labels.optional_number(fact.until, f"the last chapter of {name}"),
        # Author text may be a name here too: so it is one value, and never a property's name.
        "properties": labels.text(json.dumps(dict(fact.properties), ensure_ascii=False), f"a property of {name}"),
        **origin_properties(fact.origin, name),
    }
    return {key: value for key, value in held.items() if value is not None}


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
    """Raises InputError for plans that no store takes."""
    for plan in plans:
        plan_labels(plan)
        plan_properties(plan)


def plan_labels(plan: Plan) -> tuple[str, str]:
    """Raises InputError for what is no plan."""
    if not isinstance(plan, Plan):
        raise InputError("hub.not_plans", layer=Layer.PLANS.notice, kind=type(plan).__name__)
    labels = (PLAN, str(plan.kind))
    guard(Layer.PLANS, labels)
    return labels


def plan_properties(plan: Plan) -> dict[str, Any]:
    """Return the properties of a plan's node. Raises InputError for text or numbers that no store takes."""
    name = f"plan {plan.title[:40]!r}"
    held = {
        "key": plan.key,
        "title": labels.text(plan.title, f"the title of {name}"),
        "text": labels.text(plan.text, f"the text of {name}"),
        "storyline": labels.text(plan.storyline, f"the storyline of {name}"),
        "due": labels.optional_number(plan.due, f"the due chapter of {name}"),
        "status": str(plan.status),
        "keyed_as": labels.text(plan.keyed_as, f"the first title of {name}") or None,
        **origin_properties(plan.origin, name),
    }
    return {key: value for key, value in held.items() if value is not None}


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


def origin_properties(origin: Origin, name: str) -> dict[str, Any]:
    """Return the properties in which any node or relationship of either layer keeps its origin."""
    task = f"the task of {name}"
    if len(origin.task) > labels.LONGEST_ID:
        raise InputError("hub.id_too_long", name=task, count=len(origin.task), most=labels.LONGEST_ID)
    return {
        "task": labels.text(origin.task, task),
        "chapter": labels.optional_number(origin.chapter, f"the chapter of {name}"),
        "source": labels.text(origin.source, f"the source of {name}"),
        "turns": [labels.number(turn, f"a turn of {name}") for turn in origin.turns],
    }


def origin_of(row: Record) -> Origin:
    return Origin(
        task=TaskId(row["task"]), chapter=row["chapter"], source=row["source"], turns=tuple(row["turns"] or ())
    )
