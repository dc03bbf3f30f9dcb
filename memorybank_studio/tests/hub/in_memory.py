"""The two graph layers without a database: the same contract, the same rules, nothing on disk.

For tests that have their facts at hand and no hub to ask. Not thread-safe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from memorybank_studio.hub import labels, records
from memorybank_studio.hub.fact_queries import keys_by_name
from memorybank_studio.hub.facts import STEPS_BACK, Facts
from memorybank_studio.hub.plan_rules import planned
from memorybank_studio.hub.plans import Plans
from memorybank_studio.types import (
    CAUSES,
    HAS_STATUS,
    RESOLVED,
    UNRESOLVED,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    FactKey,
    Link,
    Plan,
    PlanKey,
    TaskId,
    normal,
)
from memorybank_studio.writes import Placement, StatusChange


class FactsInMemory(Facts):
    def __init__(self) -> None:
        self._entities: dict[EntityKey, Entity] = {}
        self._facts: dict[FactKey, Fact] = {}
        self._about: dict[EntityKey, set[FactKey]] = {}

    def apply(
        self,
        entities: Sequence[Entity],
        facts: Sequence[Fact],
        ends: Sequence[tuple[FactKey, int]] = (),
        replaces: Sequence[FactKey] = (),
        gone: Sequence[EntityKey] = (),
    ) -> None:
        merged = dict(self._entities)
        for entity in entities:
            records.labels_of(entity)
            records.entity_properties(entity)
            merged[entity.key] = records.merged_entity(merged[entity.key], entity) if entity.key in merged else entity
        for fact in facts:
            records.fact_properties(fact)
            records.check_ends(fact, merged)
        for _, chapter in ends:
            labels.number(chapter, "the chapter in which a fact ends")
        self._entities = merged
        for key in replaces:
            self._drop(key)
        for entity_gone in gone:
            self._entities.pop(entity_gone, None)
            for key in tuple(self._about.get(entity_gone, ())):
                self._drop(key)
        for fact in facts:
            stored = self._facts.get(fact.key)
            self._keep(records.merged_fact(stored, fact) if stored else fact)
        for key, chapter in ends:
            if key in self._facts:
                self._facts[key] = replace(self._facts[key], until=chapter)

    def _keep(self, fact: Fact) -> None:
        self._facts[fact.key] = fact
        for end in (fact.subject, fact.object):
            self._about.setdefault(end, set()).add(fact.key)

    def _drop(self, key: FactKey) -> None:
        fact = self._facts.pop(key, None)
        if fact is not None:
            for end in (fact.subject, fact.object):
                self._about[end].discard(key)

    # -- entities -----------------------------------------------------------------------------------------------------

    def entity(self, key: EntityKey) -> Entity | None:
        return self._entities.get(key)

    def entities(self, keys: Iterable[EntityKey]) -> Mapping[EntityKey, Entity]:
        return {key: self._entities[key] for key in keys if key in self._entities}

    def named(self, name: str) -> tuple[Entity, ...]:
        wanted = normal(name)
        matches = (
            entity for entity in self._entities.values() if wanted in map(normal, (entity.name, *entity.aliases))
        )
        return tuple(sorted(matches, key=lambda entity: (entity.kind, entity.key)))

    def names(self, kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
        return keys_by_name((self._entities[key] for key in sorted(self._entities)), kinds)

    # -- facts --------------------------------------------------------------------------------------------------------

    def about(self, key: EntityKey, *, chapter: int | None = None) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.history(key) if fact.holds(chapter))

    def history(self, key: EntityKey) -> tuple[Fact, ...]:
        return tuple(sorted((self._facts[fact_key] for fact_key in self._about.get(key, ())), key=records.age))

    def matching(self, subject: EntityKey, predicate: str, *, chapter: int | None = None) -> tuple[Fact, ...]:
        about = self.about(subject, chapter=chapter)
        return tuple(fact for fact in about if fact.subject == subject and fact.predicate == predicate)

    def of_task(self, task: TaskId) -> tuple[Fact, ...]:
        return tuple(sorted((fact for fact in self._facts.values() if fact.origin.task == task), key=records.age))

    def hooks(self, *, resolved: bool = False, chapter: int | None = None) -> tuple[tuple[Entity, Fact], ...]:
        wanted = normal(RESOLVED if resolved else UNRESOLVED)
        pairs = [
            (self._entities[fact.subject], fact)
            for fact in self._facts.values()
            if fact.predicate == HAS_STATUS
            and self._entities[fact.subject].kind is EntityKind.HOOK
            and normal(self._entities[fact.object].name) == wanted
            and fact.holds(chapter)
        ]
        return tuple(sorted(pairs, key=lambda pair: records.age(pair[1])))

    def causes(self, event: EntityKey) -> tuple[Fact, ...]:
        causes: dict[FactKey, Fact] = {}
        visited: set[EntityKey] = set()
        frontier = {event}
        for _ in range(STEPS_BACK):
            held = [(key, fact) for key in sorted(frontier) for fact in self.about(key)]
            nearest = [fact for key, fact in held if fact.predicate == CAUSES and fact.object == key]
            visited |= frontier
            frontier = {fact.subject for fact in nearest} - visited
            causes |= {fact.key: fact for fact in nearest if fact.key not in causes}
        return tuple(causes.values())

    def links(self) -> tuple[Link, ...]:
        return tuple(map(link_of, sorted(self._facts.values(), key=records.age)))

    def latest(self) -> int:
        return max((fact.since for fact in self._facts.values()), default=0)

    def count(self) -> tuple[int, int]:
        return len(self._entities), len(self._facts)


def link_of(fact: Fact) -> Link:
    return Link(subject=fact.subject, predicate=fact.predicate, object=fact.object, since=fact.since, until=fact.until)


class PlansInMemory(Plans):
    def __init__(self) -> None:
        self._plans: dict[PlanKey, Plan] = {}

    def apply(
        self, plans: Sequence[Plan], statuses: Sequence[StatusChange] = (), places: Sequence[Placement] = ()
    ) -> None:
        records.check_plans(plans)
        self._plans = planned(self._plans, plans, statuses, places)

    def _all(self) -> Mapping[PlanKey, Plan]:
        return self._plans
