"""A line of the feed: an event, with the names that its words need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.memory import events
from memorybank.memory.types import EntryId, NodeId
from memorybank.runs.journal import Record

Target = tuple[Literal["node", "entry", "conflict", "merge", "call", "prompt"], str]
"""Kind and id of what a line leads to (ui/shell/links.py)."""


def targets_of(
    record: Record[Any], node: NodeId | None, *, last: int | None = None, entry: EntryId | None = None
) -> tuple[Target, ...]:
    """Where a line leads, what it is mostly about first.

    `last`: the last call of the round. `entry`: raw text that the node stands on.
    """
    event = record.event
    targets: list[Target] = [("node", node)] if node else []
    match event:
        case events.AgentCalled() | events.ToolUsed():
            targets.append(("call", str(record.seq)))
        case events.PromptEnhanced():
            targets.append(("prompt", str(record.seq)))
        case events.ConflictFound() | events.ConflictAttempted() | events.ConflictClosed():
            targets.insert(0, ("conflict", event.conflict_id))
        case events.ConflictToldApart() | events.ConflictRestored():
            targets.insert(0, ("conflict", event.conflict_ids[0]))
        case events.NodesMerged() | events.MergeUndone() | events.MergeRestored():
            targets.insert(0, ("merge", event.event_id))
        case events.EntryRecorded():
            targets.append(("entry", event.entry.id))
        case events.AnswerGiven():
            targets.append(("entry", event.entry_id))
        case events.NodeCreated() if event.spans:
            targets.append(("entry", event.spans[0].entry_id))
        case _:
            pass
    if entry is not None and not any(kind == "entry" for kind, _ in targets):
        targets.append(("entry", entry))
    if last is not None and isinstance(event, _OF_LAST):
        targets.append(("call", str(last)))
    return tuple(targets)


_OF_LAST = (
    events.ConflictClosed,
    events.ConflictAttempted,
    events.AnswerGiven,
    events.TaskCompleted,
    events.TaskFailed,
    events.EntryRecorded,
)
"""Facts that come of the round's last call."""


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
    targets: tuple[Target, ...] = ()
    """Where the line leads, what it is mostly about first."""
    dispute: Dispute | None = None
    """What the conflicts of the line are on, once the stage has ended; one line stands for all of them."""
    is_more: bool = False
    """The dispute was known before that stage."""

    @property
    def seq(self) -> int:
        return self.record.seq
