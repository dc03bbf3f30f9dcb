"""What a dispute is: an entity, an attribute, its values, each with the documents that state it, and how it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from memorybank.memory.types import Claim, ConflictId, ConflictStatus, NodeId, Value

STATES: Final[tuple[ConflictStatus, ...]] = tuple(
    s for s in ConflictStatus if s not in (ConflictStatus.BOTH_WRONG, ConflictStatus.CHECKED)
)
"""How a dispute may stand; that both of a pair are wrong, or stay two nodes, is a matter of that conflict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said(Value):
    """A document that states a value, and the words in which it does."""

    source: str
    quote: str
    independent: bool = False
    """It is a vote on the dispute: a check counted it, it is no party of any conflict of the dispute, and no copy."""
    in_other_words: bool = False
    """Its words are not the value's: it stands beside the value with its words alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedValue(Value):
    """One value of a dispute."""

    text: str
    """As the first source writes it, with what it counts."""
    also: tuple[str, ...] = ()
    """How else it is written, in words that nothing but verdicts makes the same."""
    said: tuple[Said, ...] = ()
    """Who states it, each once: the documents that the claims stand in, and those that a check counted. Empty where no
    document that is known has the value; then it stands in the words of a memory alone."""
    node_ids: tuple[NodeId, ...] = ()
    """Nodes that stated it when the conflict was found, where they are now."""

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.text, *self.also)

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of the documents that state it in its own words."""
        return tuple(said.source for said in self.said if not said.in_other_words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute(Value):
    """What is disputed of an entity, and how that stands."""

    id: str
    """The first of its points."""
    points: tuple[str, ...] = field(default=(), repr=False)
    """The contradictions that it is made of: of each its conflict's id, and from the second point of a conflict on the
    number behind a dot. No other dispute has any of them, and a dispute that grows keeps its own."""
    entity: str
    attribute: str
    values: tuple[StatedValue, ...]
    """What holds first, else the value with most sources; empty where no engine took the claims apart."""
    conflict_ids: tuple[ConflictId, ...]
    status: ConflictStatus
    """Open while one of its conflicts is; resolved when a verdict says what holds and no other verdict disagrees, be it
    a third value, and whether or not the memories became one; else a false alarm or inconclusive."""
    description: str
    """Of its first conflict; shown where there are no values."""
    claims: tuple[Claim, ...] = field(default=(), repr=False)
    """All statements that are disputed, each once."""

    @property
    def holds(self) -> StatedValue | None:
        """The value that a verdict found to hold."""
        return self.values[0] if self.status.decides and self.values else None
