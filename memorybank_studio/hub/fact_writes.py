"""What one call of `Facts.apply` writes: checked first, then done in one transaction. Again, it changes nothing.

In this order: entities, what is taken back, facts, ends. So a fact that is taken back and told anew stands, and a fact
of the same call can be ended by it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from memorybank_studio.hub import fact_queries as queries
from memorybank_studio.hub import storable
from memorybank_studio.hub.connection import Ask
from memorybank_studio.hub.fact_records import (
    check_ends,
    entity_of,
    entity_properties,
    fact_of,
    fact_properties,
    labels_of,
    merged_entity,
    merged_fact,
)
from memorybank_studio.hub.labels import is_predicate, predicate
from memorybank_studio.types import Entity, EntityKey, EntityKind, Fact, FactKey

T = TypeVar("T")
BATCH = 1_000
"""Rows or keys in one query."""


class FactWrites:
    """Raises InputError, before anything is sent, for what the layer does not take."""

    def __init__(
        self,
        entities: Sequence[Entity],
        facts: Sequence[Fact],
        ends: Sequence[tuple[FactKey, int]],
        replaces: Sequence[FactKey],
    ) -> None:
        self._entities: dict[EntityKey, Entity] = {}
        for entity in entities:
            labels_of(entity)
            entity_properties(entity)
            stored = self._entities.get(entity.key)
            self._entities[entity.key] = merged_entity(stored, entity) if stored else entity
        for fact in facts:
            fact_properties(fact)
        self._facts = {fact.key: fact for fact in facts}
        self._ends = {
            storable.text(key, "a fact's key"): storable.number(chapter, "the chapter in which a fact ends")
            for key, chapter in ends
        }
        self._replaces = sorted({storable.text(key, "a fact's key") for key in replaces})

    @property
    def predicates(self) -> frozenset[str]:
        return frozenset(fact.predicate for fact in self._facts.values())

    def into(self, ask: Ask) -> None:
        """Write it all. Raises InputError for an unknown subject or object; then nothing is written."""
        stored = self._stored_entities(ask)
        known = {**stored, **self._entities}
        for fact in self._facts.values():
            check_ends(fact, known)
        self._write_entities(ask, stored)
        types = [predicate(row["predicate"]) for row in ask(queries.PREDICATES) if is_predicate(row["predicate"])]
        for keys in _batches(self._replaces):
            for name in types:
                ask(queries.delete(name), keys=keys)
        for name in sorted(self.predicates):
            self._write_facts(ask, name)
        self._write_ends(ask, types)

    def _stored_entities(self, ask: Ask) -> dict[EntityKey, Entity]:
        wanted = set(self._entities)
        for fact in self._facts.values():
            wanted |= {fact.subject, fact.object}
        answers = (ask(queries.ENTITIES, keys=keys) for keys in _batches(sorted(wanted)))
        entities = (entity_of(row) for answer in answers for row in queries.ENTITY_ROWS.read(answer))
        return {entity.key: entity for entity in entities}

    def _write_entities(self, ask: Ask, stored: Mapping[EntityKey, Entity]) -> None:
        new = [entity for key, entity in self._entities.items() if key not in stored]
        for kind in EntityKind:
            for rows in _batches([entity_properties(entity) for entity in new if entity.kind is kind]):
                ask(queries.create_entities(kind), rows=rows)
        merged = {key: merged_entity(stored[key], entity) for key, entity in self._entities.items() if key in stored}
        changed = [entity_properties(entity) for key, entity in merged.items() if entity != stored[key]]
        for rows in _batches(changed):
            ask(queries.UPDATE_ENTITIES, rows=rows)

    def _write_facts(self, ask: Ask, name: str) -> None:
        facts = {fact.key: fact for fact in self._facts.values() if fact.predicate == name}
        kind = predicate(name)
        answers = (ask(queries.with_keys(kind), keys=keys) for keys in _batches(sorted(facts)))
        stored_facts = (fact_of(row) for answer in answers for row in queries.FACT_ROWS.read(answer))
        stored = {fact.key: fact for fact in stored_facts}
        merged = {key: merged_fact(stored[key], fact) for key, fact in facts.items() if key in stored}
        changed = [fact for key, fact in merged.items() if fact != stored[key]]
        new = [fact for key, fact in facts.items() if key not in stored]
        for keys in _batches([fact.key for fact in changed]):
            ask(queries.delete(kind), keys=keys)
        for written in _batches([_row(fact) for fact in (*changed, *new)]):
            ask(queries.create_facts(kind), rows=written)

    def _write_ends(self, ask: Ask, types: Iterable[str]) -> None:
        for until in sorted(set(self._ends.values())):
            for keys in _batches([key for key, chapter in self._ends.items() if chapter == until]):
                for name in types:
                    ask(queries.end(name), keys=keys, until=until)


def _row(fact: Fact) -> dict[str, Any]:
    return {"subject": fact.subject, "object": fact.object, "properties": fact_properties(fact)}


def _batches(items: Sequence[T]) -> Iterator[list[T]]:
    return (list(items[start : start + BATCH]) for start in range(0, len(items), BATCH))
