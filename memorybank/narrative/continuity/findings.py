"""What a continuity check hands back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memorybank.memory.types import Value
from memorybank.narrative.types import Fact


class FindingKind(StrEnum):
    CONTRADICTS = "contradicts"
    """The draft names another owner than the fact does."""
    DEAD_RETURNS = "dead_returns"
    """A character acts who is dead by then."""
    LOST_RETURNS = "lost_returns"
    """An item is used that is lost or destroyed by then."""
    WITHOUT_CAUSE = "without_cause"
    """Something is used that the story has not given, or an event is told before its cause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Value):
    """One sentence that does not fit, and what it does not fit to."""

    kind: FindingKind
    start: int
    end: int
    """Character offsets of the sentence in the draft."""
    against: Fact
    chapter: int | None
    """Of the fact."""
    reason: str
    """One sentence that quotes both sides."""
