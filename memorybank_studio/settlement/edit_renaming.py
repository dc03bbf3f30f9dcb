"""When a row gets another name, what speaks of it speaks of it under its new key. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memorybank_studio.drafts import Item
from memorybank_studio.types import Entity, EntityKey, Fact, Plan, PlanKey
from memorybank_studio.writes import Proposal, StatusChange


def renamed(rows: Sequence[Proposal], before: Item, after: Item) -> tuple[Proposal, ...]:
    """What speaks of an entity or a plan of the table speaks of it under its new key."""
    if isinstance(before, Entity) and isinstance(after, Entity) and before.key != after.key:
        return tuple(replace(row, item=_renamed(row.item, before.key, after.key)) for row in rows)
    if isinstance(before, Plan) and isinstance(after, Plan):
        return _moved(rows, before.key, after.key)
    return tuple(rows)


def _moved(rows: Sequence[Proposal], before: PlanKey, after: PlanKey) -> tuple[Proposal, ...]:
    """A plan's key tells its parent: with an outline all that is below it has other keys, and what follows on that."""
    moves = [(before, after)] if before != after else []
    while moves:
        old, new = moves.pop()
        now = [replace(row, item=_retitled(row.item, old, new)) for row in rows]
        moves += [
            (was.item.key, moved.item.key)
            for was, moved in zip(rows, now, strict=True)
            if isinstance(was.item, Plan) and isinstance(moved.item, Plan) and was.item.key != moved.item.key
        ]
        rows = now
    return tuple(rows)


def _renamed(item: Item, before: EntityKey, after: EntityKey) -> Item:
    if not isinstance(item, Fact):
        return item
    subject = after if item.subject == before else item.subject
    return replace(item, subject=subject, object=after if item.object == before else item.object)


def _retitled(item: Item, before: PlanKey, after: PlanKey) -> Item:
    if isinstance(item, StatusChange):
        return replace(item, plan=after) if item.plan == before else item
    if not isinstance(item, Plan):
        return item
    parent = after if item.parent == before else item.parent
    return replace(item, parent=parent, after=after if item.after == before else item.after)
