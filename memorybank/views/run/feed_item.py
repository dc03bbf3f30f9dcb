"""A line of the feed: an event, with the names that its words need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from memorybank.contradiction.disputes import Dispute
from memorybank.memory.types import NodeId
from memorybank.runs.journal import Record
from memorybank.views.run.feed_targets import FeedKind, Target

Tone = Literal["quiet", "plain", "task", "new", "conflict", "verdict", "merge", "failure", "answer"]
"""How much a line matters and what it is about; the page colours it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class FeedItem:
    """An event worth a line, with the names it needs. Compared by identity: `Feed` makes each once."""

    record: Record[Any]
    tone: Tone
    stage: str
    round: int
    names: tuple[str, ...] = ()
    node: NodeId | None = None
    """The node it is about."""
    kind: FeedKind = "session"
    targets: tuple[Target, ...] = ()
    """Where the line leads, what it is mostly about first."""
    dispute: Dispute | None = None
    """What the conflicts of the line are on, once the stage has ended; one line stands for all of them."""
    is_more: bool = False
    """The dispute was known before that stage."""

    @property
    def seq(self) -> int:
        return self.record.seq
