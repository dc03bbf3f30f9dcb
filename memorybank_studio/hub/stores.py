"""The four stores of a studio as one value, and how far the story in them has come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.collection import Settings
from memorybank_studio.types import (
    BEFORE_THE_STORY,
    HAS_STATUS,
    ChangedBy,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    FactKey,
    Link,
    Plan,
    PlanKey,
    PlanKind,
    PlanStatus,
    Pointer,
    TaskId,
)
from memorybank_studio.writes import Placement, StatusChange

# -- what each layer promises ------------------------------------------------------------------------------------------


class FactLayer(Protocol):
    """The facts: what has happened. Nothing in it is planned; only `apply` writes."""

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

    def entity(self, key: EntityKey) -> Entity | None: ...

    def entities(self, keys: Iterable[EntityKey]) -> Mapping[EntityKey, Entity]:
        """Return those of these entities that there are, in one question."""

    def named(self, name: str) -> tuple[Entity, ...]:
        """Return entities of this name or alias (`normal`), of any kind."""

    def names(self, kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
        """Return every name and alias; all kinds unless some are given."""

    def about(self, key: EntityKey, *, chapter: int | None = None) -> tuple[Fact, ...]:
        """Return facts with this subject or object that hold in the chapter (None: the newest state), oldest first."""

    def history(self, key: EntityKey) -> tuple[Fact, ...]:
        """Return all facts about it, ended ones too."""

    def matching(self, subject: EntityKey, predicate: str, *, chapter: int | None = None) -> tuple[Fact, ...]: ...

    def of_task(self, task: TaskId) -> tuple[Fact, ...]: ...

    def hooks(self, *, resolved: bool = False, chapter: int | None = None) -> tuple[tuple[Entity, Fact], ...]:
        """Return hooks with the status fact that holds, oldest first."""

    def causes(self, event: EntityKey) -> tuple[Fact, ...]:
        """Return CAUSES facts that lead to the event, nearest first."""

    def links(self) -> tuple[Link, ...]:
        """Return all facts without their words, ended ones too, oldest first."""

    def latest(self) -> int:
        """Return the last chapter from which on a fact holds; 0 without any."""

    def count(self) -> tuple[int, int]:
        """Return how many entities and how many facts there are."""


class PlanLayer(Protocol):
    """The plans: what is to happen. Nothing in it is a fact."""

    def apply(
        self, plans: Sequence[Plan], statuses: Sequence[StatusChange], by: ChangedBy, places: Sequence[Placement] = ()
    ) -> None:
        """Write in one transaction, idempotent. A step that goes into progress sets back the one that was (to Pending),
        and its parents follow: in progress as soon as a child is, completed when all children are. Raises InputError
        for an unknown parent, a wrong parent's kind, a cycle of `after`, a plan that would be deleted, or a place that
        a step cannot have. `places`: steps that go elsewhere, after all else."""

    def plan(self, key: PlanKey) -> Plan | None: ...

    def children(self, key: PlanKey | None) -> tuple[Plan, ...]:
        """Return the children in their order (`FIRST_STEP`, `NEXT`); None: the general outlines."""

    def parents(self, key: PlanKey) -> tuple[Plan, ...]:
        """Return the plans above this one, from the general outline down."""

    def all(self, *, kind: PlanKind | None = None, status: PlanStatus | None = None) -> tuple[Plan, ...]: ...

    def pointer(self, *, chapter: int) -> tuple[Pointer, ...]:
        """Return where each storyline stands before this chapter is written, sorted by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The four stores of the hub, for reading."""

    facts: FactLayer
    plans: PlanLayer
    settings: Settings
    archive: Archive


def foremost(facts: Sequence[Fact], most: int) -> tuple[Fact, ...]:
    """Return at most `most` of facts that stand oldest first: statuses (who is dead, what is lost), then the others,
    each kind the newest first."""
    newest = facts[::-1]
    return tuple(sorted(newest, key=lambda fact: fact.predicate != HAS_STATUS)[:most])


def next_chapter(stores: Stores) -> int:
    """Return the chapter after the last in the archive: what a fact says of a later one is not written yet."""
    return last_chapter(stores) + 1


def last_chapter(stores: Stores) -> int:
    """Return the last chapter in the archive; 0 without any."""
    known = stores.archive.chapters()
    return known[-1][0] if known else BEFORE_THE_STORY
