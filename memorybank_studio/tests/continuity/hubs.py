"""Fact layers in memory for the tests of the continuity check, from facts told as rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from memorybank_studio.tests.hub.in_memory import FactsInMemory
from memorybank_studio.types import HAS_STATUS, HAS_TRAIT, IN_CHAPTER, Entity, EntityKind, Fact, Origin, TaskId

ORIGIN = Origin(task=TaskId("t"))
VALUES = {
    HAS_STATUS: EntityKind.STATUS, HAS_TRAIT: EntityKind.TRAIT, "AGE": EntityKind.STATUS,
    IN_CHAPTER: EntityKind.CHAPTER,
}  # fmt: skip
"""Predicates whose object is a value of its own and none of the known entities."""


def facts_of(known: Mapping[str, Entity], rows: Iterable[Sequence[Any]]) -> FactsInMemory:
    """A row: subject, predicate, object, since, and if there are any, properties, until."""
    facts = FactsInMemory()
    for subject, predicate, name, since, *rest in rows:
        kind = VALUES.get(predicate)
        object_ = Entity(kind=kind, name=name, origin=ORIGIN) if kind else known[name]
        fact = Fact(
            subject=known[subject].key,
            predicate=predicate,
            object=object_.key,
            since=since,
            until=rest[1] if len(rest) > 1 else None,
            properties=rest[0] if rest else {},
            origin=ORIGIN,
        )
        facts.apply([*known.values(), object_], [fact])
    return facts
