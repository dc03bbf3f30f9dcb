"""Lines of conflicts become lines of disputes: one for all that a stage found, tried or closed on one matter."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from memorybank.contradiction.disputes import Dispute, disputes_of
from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import ConflictAttempted, ConflictClosed, ConflictFound
from memorybank.memory.types import ConflictId, ConflictStatus
from memorybank.views.run.feed_item import FeedItem

MOST_DISPUTES: Final = 3
"""Lines of one conflict; one on more matters has a single line, in its own words."""

_KINDS: Final = (ConflictFound, ConflictAttempted, ConflictClosed)


def has_conflicts(items: Iterable[FeedItem]) -> bool:
    return any(isinstance(item.record.event, _KINDS) for item in items)


def by_dispute(items: Sequence[FeedItem], bank: MemoryBank) -> list[FeedItem]:
    """The lines of a stage, in their order; `bank` is the memory at its end. The first of a dispute stands for all."""
    events = [item.record.event for item in items]
    disputes: dict[ConflictId, list[Dispute]] = {}
    for dispute in disputes_of(bank, {event.conflict_id for event in events if isinstance(event, _KINDS)}):
        for conflict_id in dispute.conflict_ids:
            disputes.setdefault(conflict_id, []).append(dispute)
    found_ids = {event.conflict_id for event in events if isinstance(event, ConflictFound)}
    lines: list[FeedItem] = []
    shown: set[tuple[type, str]] = set()
    for item, event in zip(items, events, strict=True):
        item_disputes = list(_disputes_of(item, disputes)) if isinstance(event, _KINDS) else []
        if not item_disputes:
            lines.append(item)
        for dispute in item_disputes:
            if (type(event), dispute.id) not in shown:
                shown.add((type(event), dispute.id))
                is_more = isinstance(event, ConflictFound) and not found_ids.issuperset(dispute.conflict_ids)
                lines.append(replace(item, dispute=dispute, is_more=is_more))
    return lines


def _disputes_of(item: FeedItem, disputes: dict[ConflictId, list[Dispute]]) -> Iterator[Dispute]:
    """What a conflict's line is on. One that is closed while its dispute is not keeps its own line."""
    known = disputes.get(item.record.event.conflict_id, [])
    if len(known) > MOST_DISPUTES:
        return
    for dispute in known:
        if not isinstance(item.record.event, ConflictClosed) or dispute.status is not ConflictStatus.OPEN:
            yield dispute
