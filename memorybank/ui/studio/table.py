"""The table of a settlement, as a tab edits it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memorybank.narrative.drafts import Unread
    from memorybank.narrative.types import TaskId
    from memorybank.narrative.writes import Proposal


@dataclass(frozen=True, slots=True)
class Table:
    """A settlement table as this tab has edited it."""

    task: TaskId
    turns: int
    at: float
    """When the table was made: one that was made since takes its place."""
    note: str
    """How it was read, when not as it should have been."""
    rows: tuple[Proposal, ...]
    unread: tuple[Unread, ...] = ()
    """Sentences that gave no row."""
