"""The fact layer as a graph: entities are nodes, facts are relationships. Nothing in it is planned.

(:Entity:Character)-[:OWNS {key, since, until, task, chapter, source, turns, properties}]->(:Entity:Item). A fact holds
in the chapters [since, until), so the state of chapter N is a condition on relationships, not another graph.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from memorybank.errors import InputError
from memorybank_studio.hub import fact_queries as queries
from memorybank_studio.hub import labels
from memorybank_studio.hub.connection import Ask, LayerDatabase
from memorybank_studio.hub.fact_queries import Overview, keys_by_name
from memorybank_studio.hub.labels import Layer, define, increment, is_predicate
from memorybank_studio.hub.labels import predicate as checked
from memorybank_studio.hub.records import (
    age,
    check_ends,
    entity_of,
    entity_properties,
    fact_of,
    fact_properties,
    labels_of,
    merged_entity,
    merged_fact,
)
from memorybank_studio.types import (
    HAS_STATUS,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    FactKey,
    Origin,
    TaskId,
    entity_key,
    normal,
)

STEPS_BACK = 3
"""A chain of causes is followed so far at most."""


class Facts(Overview):
    """The facts: what has happened. Thread-safe; only `apply` writes."""

    def __init__(self, database: LayerDatabase) -> None:
        if database.layer is not Layer.FACTS:
            raise InputError("hub.no_facts_here", layer=database.layer.notice)
        super().__init__(database)
        self._writing = threading.Lock()
        self._defined: set[str] = set()
        database.define((*queries.DEFINE, define(Layer.FACTS)))

    def apply(
        self,
        entities: Sequence[Entity],
        facts: Sequence[Fact],
        ends: Sequence[tuple[FactKey, int]] = (),
        replaces: Sequence[FactKey] = (),
        gone: Sequence[EntityKey] = (),
    ) -> None:
        """Write in one transaction; the same call again changes nothing. `gone`: entities that go, with all facts that
        are still about them. Raises InputError for an unknown subject or object, or a predicate that is no relationship
        type."""
        writes = FactWrites(entities, facts, ends, replaces, gone)

        def work(ask: Ask) -> None:
            writes.into(ask)
            increment(Layer.FACTS, ask)

        with self._writing:  # two writers that both read first would each write over the other
            for name in sorted(writes.predicates - self._defined):  # before the transaction, as servers ask for it
                self._database.define(queries.define(checked(name)))
                self._defined.add(name)
            self._database.write(work)

    def entity(self, key: EntityKey) -> Entity | None:
        matches = self._entities(queries.ENTITIES, keys=[labels.text(key, "the key")])
        return matches[0] if matches else None

    def entities(self, keys: Iterable[EntityKey]) -> Mapping[EntityKey, Entity]:
        """Return those of these entities that there are, in one question."""
        wanted = sorted({labels.text(key, "the key") for key in keys})
        return {entity.key: entity for entity in self._entities(queries.ENTITIES, keys=wanted)} if wanted else {}

    def named(self, name: str) -> tuple[Entity, ...]:
        """Return entities of this name or alias (`normal`), of any kind."""
        matches = self._entities(queries.NAMED, name=labels.text(normal(name), "the name"))
        return tuple(sorted(matches, key=lambda entity: (entity.kind, entity.key)))

    def names(self, kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
        """Return every name and alias; all kinds unless some are given."""
        return keys_by_name(self.entity_names(), kinds)

    def about(self, key: EntityKey, *, chapter: int | None = None) -> tuple[Fact, ...]:
        """Return facts with this subject or object that hold in the chapter (None: the newest state), oldest first."""
        return self._facts(queries.about(queries.held(chapter)), key=key, chapter=chapter)

    def history(self, key: EntityKey) -> tuple[Fact, ...]:
        """Return all facts about it, ended ones too."""
        return self._facts(queries.about(queries.EVER), key=key)

    def matching(self, subject: EntityKey, predicate: str, *, chapter: int | None = None) -> tuple[Fact, ...]:
        query = queries.matching(checked(predicate), queries.held(chapter))
        return self._facts(query, key=subject, chapter=chapter)

    def of_task(self, task: TaskId) -> tuple[Fact, ...]:
        labels.text(task, "the task")

        def work(ask: Ask) -> list[Fact]:
            names = [row["predicate"] for row in ask(queries.PREDICATES)]
            answers = (ask(queries.of_task(checked(name)), task=task) for name in names if is_predicate(name))
            return [fact_of(row) for answer in answers for row in queries.FACT_ROWS.read(answer)]

        return tuple(sorted(self._database.read(work), key=age))

    def hooks(self, *, resolved: bool = False, chapter: int | None = None) -> tuple[tuple[Entity, Fact], ...]:
        """Return hooks with the status fact that holds, oldest first."""
        keys = [entity_key(EntityKind.STATUS, RESOLVED if resolved else UNRESOLVED)]
        answer = self._database.rows(queries.hooks(queries.held(chapter)), keys=keys, chapter=chapter)
        rows = queries.HOOK_ROWS.read(answer)
        hooks = ({name: row[queries.HOOK + name] for name in queries.ENTITY_ROWS.columns} for row in rows)
        pairs = [(entity_of(hook), fact_of(row)) for hook, row in zip(hooks, rows, strict=True)]
        return tuple(sorted(pairs, key=lambda pair: age(pair[1])))

    def causes(self, event: EntityKey) -> tuple[Fact, ...]:
        """Return CAUSES facts that lead to the event, nearest first."""
        causes: dict[FactKey, Fact] = {}
        visited: set[EntityKey] = set()
        frontier = {event}
        for _ in range(STEPS_BACK):
            if not frontier:
                break
            nearest = self._facts(queries.CAUSES, keys=sorted(frontier))
            visited |= frontier
            frontier = {fact.subject for fact in nearest} - visited
            for fact in nearest:
                causes.setdefault(fact.key, fact)
        return tuple(causes.values())

    def count(self) -> tuple[int, int]:
        """Return how many entities and how many facts there are."""
        entities, facts = self._database.rows(queries.COUNT), self._database.rows(queries.COUNT_FACTS)
        return entities[0]["count"], facts[0]["count"]

    def _entities(self, query: str, **parameters: Any) -> tuple[Entity, ...]:
        return tuple(map(entity_of, queries.ENTITY_ROWS.read(self._database.rows(query, **parameters))))

    def _facts(self, query: str, **parameters: Any) -> tuple[Fact, ...]:
        """Return the facts that the query finds, each once, oldest first."""
        rows = queries.FACT_ROWS.read(self._database.rows(query, **parameters))
        facts = {fact.key: fact for fact in map(fact_of, rows)}
        return tuple(sorted(facts.values(), key=age))


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
        gone: Sequence[EntityKey] = (),
    ) -> None:
        self._gone = sorted({labels.text(key, "the key") for key in gone})
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
            labels.text(key, "a fact's key"): labels.number(chapter, "the chapter in which a fact ends")
            for key, chapter in ends
        }
        self._replaces = sorted({labels.text(key, "a fact's key") for key in replaces})

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
        types = [checked(row["predicate"]) for row in ask(queries.PREDICATES) if is_predicate(row["predicate"])]
        for keys in _batches(self._replaces):
            for name in types:
                ask(queries.delete(name), keys=keys)
        for keys in _batches(self._gone):
            ask(queries.DELETE_ENTITIES, keys=keys)
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
        kind = checked(name)
        answers = (ask(queries.with_keys(kind), keys=keys) for keys in _batches(sorted(facts)))
        stored_facts = (fact_of(row) for answer in answers for row in queries.FACT_ROWS.read(answer))
        stored = {fact.key: fact for fact in stored_facts}
        merged = {key: merged_fact(stored[key], fact) for key, fact in facts.items() if key in stored}
        changed = [fact for key, fact in merged.items() if fact != stored[key]]
        new = [fact for key, fact in facts.items() if key not in stored]
        for keys in _batches([fact.key for fact in changed]):
            ask(queries.delete(kind), keys=keys)
        for batch in _batches([*changed, *new]):
            rows = [{"subject": one.subject, "object": one.object, "properties": fact_properties(one)} for one in batch]
            ask(queries.create_facts(kind), rows=rows)

    def _write_ends(self, ask: Ask, types: Iterable[str]) -> None:
        for until in sorted(set(self._ends.values())):
            for keys in _batches([key for key, chapter in self._ends.items() if chapter == until]):
                for name in types:
                    ask(queries.end(name), keys=keys, until=until)


def hook_status(
    hook: Entity, facts: Facts, since: Callable[[], int], origin: Origin, *, resolved: bool
) -> tuple[Entity, Fact]:
    """Return a hook's status and its fact: of its own chapter, else as it is on record, else from `since` on."""
    state = Entity(kind=EntityKind.STATUS, name=RESOLVED if resolved else UNRESOLVED, origin=origin)
    begins = origin.chapter
    if begins is None:
        held = facts.matching(hook.key, HAS_STATUS)
        begins = held[-1].since if held and held[-1].object == state.key else since()
    return state, Fact(subject=hook.key, predicate=HAS_STATUS, object=state.key, since=begins, origin=origin)


def _batches(items: Sequence[T]) -> Iterator[list[T]]:
    return (list(items[start : start + BATCH]) for start in range(0, len(items), BATCH))
