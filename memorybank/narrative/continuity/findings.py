"""What a continuity check hands back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memorybank.narrative.types import Fact, Plan
from memorybank.types import Value


class FindingKind(StrEnum):
    CONTRADICTS = "contradicts"
    """A value differs from a fact: a name, kin, an owner, a place, a time, an ability."""
    PLAN_AS_DONE = "plan_as_done"
    """The draft tells as happened what is still planned."""
    DEAD_RETURNS = "dead_returns"
    """A character acts who is dead by then."""
    LOST_RETURNS = "lost_returns"
    """An item is used that is lost or destroyed by then."""
    WITHOUT_CAUSE = "without_cause"
    """Something is used or known that the story has not given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Value):
    """One sentence that does not fit, and what it does not fit to."""

    kind: FindingKind
    start: int
    end: int
    """Character offsets of the sentence in the draft."""
    against: Fact | Plan
    chapter: int | None
    """Of the fact; of a plan the chapter it is due in."""
    reason: str
    """One sentence that quotes both sides."""
