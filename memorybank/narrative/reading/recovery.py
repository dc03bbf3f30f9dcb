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
    lost = {entity_key(EntityKind.STATUS, str(lists(f"reading.{language}")["lost"])) for language in get_args(Lang)}
    name = str(lists(f"reading.{lang}")["found"])
    recovered: set[tuple[EntityKey, int]] = set()
    own = [draft.item for draft in drafts if draft.ticked and isinstance(draft.item, Fact)]
    for draft in drafts:
        item = draft.item
        if not isinstance(item, Fact) or item.predicate != "OWNS" or (item.object, item.since) in recovered:
            continue
        before = [
            fact
            for fact in (*facts.history(item.object), *own)
            if (fact.subject, fact.predicate) == (item.object, HAS_STATUS)
            and fact.since < item.since
            and fact.until in (None, item.since)
        ]
        if before and max(before, key=lambda fact: fact.since).object in lost:
            recovered.add((item.object, item.since))
            status = Entity(kind=EntityKind.STATUS, name=name, origin=item.origin)
            fact = replace(item, subject=item.object, predicate=HAS_STATUS, object=status.key, properties={})
            yield replace(draft, item=status)
            yield replace(draft, item=fact)
