"""What a continuity check hands back."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from memorybank.errors import Notice
from memorybank.memory.types import Value
from memorybank_studio.types import Entity, Fact, Plan, Setting, normal

Against = Fact | Plan | Setting | Entity
"""What a draft may be at odds with; a setting, or what is noted of an entity, as much as a fact."""


class FindingKind(StrEnum):
    CONTRADICTS = "contradicts"
    """The draft says otherwise than the fact does."""
    DEAD_RETURNS = "dead_returns"
    """A character acts who is dead by then."""
    LOST_RETURNS = "lost_returns"
    """An item is used that is lost or destroyed by then."""
    WITHOUT_CAUSE = "without_cause"
    """Something is used that the story has not given, or an event is told before its cause."""
    AGAINST_TRAIT = "against_trait"
    """Somebody is or acts otherwise than they are known to be."""
    CANNOT_KNOW = "cannot_know"
    """Somebody knows what the story has not let them learn."""
    CANNOT_BE_THERE = "cannot_be_there"
    """Somebody or something is where it cannot be by then."""
    WRONG_TIME = "wrong_time"
    """Ages, dates or the order of events do not fit."""
    PLAN_AS_DONE = "plan_as_done"
    """What is still planned is told as having happened."""


class Intention(NamedTuple):
    """Words of a draft that an author has let stand against a fact."""

    words: str
    """Of the sentence, as `normal` has them."""
    against: str
    """The key of what it stands against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Value):
    """One sentence that does not fit, and what it does not fit to."""

    kind: FindingKind
    start: int
    end: int
    """Character offsets of the sentence in the draft."""
    against: Against
    chapter: int | None
    """Of the fact; None: of no chapter."""
    reason: str
    """One sentence that quotes both sides."""

    def intention(self, text: str) -> Intention:
        """What the author of this draft means, if the sentence is to stand."""
        return Intention(normal(text[self.start : self.end]), str(self.against.key))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Value):
    """A draft that was checked."""

    findings: tuple[Finding, ...]
    """In the order of the draft."""
    intended: tuple[Finding, ...] = ()
    """What the author has let stand."""
    passages: int = 0
    """The number of passages that the draft gave the language model to read; 0 without one."""
    read: int = 0
    """How many of them were read, from the beginning."""
    failure: Notice | None = None
    """Why not all of it was read."""

    def parted(self, text: str, intended: Container[Intention]) -> Report:
        """With what the author of `text` lets stand set apart from the rest."""
        every = sorted((*self.findings, *self.intended), key=lambda finding: (finding.start, finding.kind))
        stands = [finding.intention(text) in intended for finding in every]
        return replace(
            self,
            findings=tuple(finding for finding, let in zip(every, stands, strict=True) if not let),
            intended=tuple(finding for finding, let in zip(every, stands, strict=True) if let),
        )


def distinct(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each sentence's findings once a fact, in the order of the draft."""
    seen: dict[tuple[int, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.start, str(finding.against.key)), finding)
    return tuple(sorted(seen.values(), key=lambda finding: (finding.start, finding.kind)))
