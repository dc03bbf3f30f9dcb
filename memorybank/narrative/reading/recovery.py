"""Lost items that come back: a status for each item that somebody has after it was lost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import get_args

from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.reading.lists import lists
from memorybank.narrative.types import HAS_STATUS, Entity, EntityKey, EntityKind, Fact, entity_key


def recovered_items(drafts: Sequence[DraftItem], facts: FactLayer, lang: Lang) -> Iterator[DraftItem]:
    """A status that ends "lost". `lang`: of the new status."""
    lost = {entity_key(EntityKind.STATUS, str(lists(f"reading.{one}")["lost"])) for one in get_args(Lang)}
    name = str(lists(f"reading.{lang}")["found"])
    told: set[tuple[EntityKey, int]] = set()
    own = [one.item for one in drafts if one.ticked and isinstance(one.item, Fact)]
    for draft in drafts:
        item = draft.item
        if not isinstance(item, Fact) or item.predicate != "OWNS" or (item.object, item.since) in told:
            continue
        before = [
            one
            for one in (*facts.history(item.object), *own)
            if (one.subject, one.predicate) == (item.object, HAS_STATUS)
            and one.since < item.since
            and one.until in (None, item.since)
        ]
        if before and max(before, key=lambda one: one.since).object in lost:
            told.add((item.object, item.since))
            status = Entity(kind=EntityKind.STATUS, name=name, origin=item.origin)
            fact = replace(item, subject=item.object, predicate=HAS_STATUS, object=status.key, properties={})
            yield replace(draft, item=status)
            yield replace(draft, item=fact)
