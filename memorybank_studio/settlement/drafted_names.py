"""A long history is read piece by piece; what the pieces before brought is on record for those that follow.

Names and plans that an earlier piece drafted stand beside those of the hub, for the reader alone: a sword of the first
piece is no character in the last one, and a step goes on under the outline that was drafted long before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, cast

from memorybank_studio.drafts import DraftItem
from memorybank_studio.hub.contracts import FactLayer, PlanLayer
from memorybank_studio.hub.stores import Stores
from memorybank_studio.types import (
    Entity,
    EntityKey,
    EntityKind,
    Plan,
    PlanKey,
    PlanKind,
    PlanStatus,
    normal,
)


def with_drafts(stores: Stores, drafts: Iterable[DraftItem]) -> Stores:
    """The stores with the drafted names and plans, for reading."""
    items = [draft.item for draft in drafts]
    entities = {item.key: item for item in items if isinstance(item, Entity)}
    plans = {item.key: item for item in items if isinstance(item, Plan)}
    return Stores(
        facts=cast(FactLayer, _FactsWithDrafts(stores.facts, entities)),
        plans=cast(PlanLayer, _PlansWithDrafts(stores.plans, plans)),
        settings=stores.settings,
        archive=stores.archive,
    )


class _FactsWithDrafts:
    """A fact layer with more names."""

    def __init__(self, own: FactLayer, drafted: Mapping[EntityKey, Entity]) -> None:
        self._own = own
        self._drafted = drafted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def entity(self, key: EntityKey) -> Entity | None:
        return self._own.entity(key) or self._drafted.get(key)

    def entities(self, keys: Iterable[EntityKey]) -> Mapping[EntityKey, Entity]:
        wanted = tuple(keys)
        return {key: self._drafted[key] for key in wanted if key in self._drafted} | dict(self._own.entities(wanted))

    def named(self, name: str) -> tuple[Entity, ...]:
        known = self._own.named(name)
        wanted, keys = normal(name), {entity.key for entity in known}
        return (
            *known,
            *(entity for entity in self._more(()) if entity.key not in keys and wanted in map(normal, _forms(entity))),
        )

    def names(self, kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
        wanted = tuple(kinds)
        more = {form: entity.key for entity in self._more(wanted) for form in _forms(entity)}
        return more | dict(self._own.names(wanted))

    def _more(self, kinds: Sequence[EntityKind]) -> list[Entity]:
        return [entity for entity in self._drafted.values() if not kinds or entity.kind in kinds]


class _PlansWithDrafts:
    """A planning layer with more plans, behind those of the board."""

    def __init__(self, own: PlanLayer, drafted: Mapping[PlanKey, Plan]) -> None:
        self._own = own
        self._drafted = drafted

    def __getattr__(self, name: str) -> Any:
        return getattr(self._own, name)

    def plan(self, key: PlanKey) -> Plan | None:
        return self._own.plan(key) or self._drafted.get(key)

    def children(self, key: PlanKey | None) -> tuple[Plan, ...]:
        return self._with_more(self._own.children(key), lambda plan: plan.parent == key)

    def all(self, *, kind: PlanKind | None = None, status: PlanStatus | None = None) -> tuple[Plan, ...]:
        known = self._own.all(kind=kind, status=status)
        return self._with_more(known, lambda plan: kind in (None, plan.kind) and status in (None, plan.status))

    def _with_more(self, known: Sequence[Plan], wanted: Callable[[Plan], bool]) -> tuple[Plan, ...]:
        keys = {plan.key for plan in known}
        return (*known, *(plan for plan in self._drafted.values() if plan.key not in keys and wanted(plan)))


def _forms(entity: Entity) -> tuple[str, ...]:
    return entity.name, *entity.aliases
