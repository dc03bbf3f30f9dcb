"""What a sentence puts into the slot of a relation: "directed by X" fills `direct` with X."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.engines.offline.claims.slots.relations import Kind
from memorybank.language.dates import Date


@dataclass(frozen=True, slots=True, kw_only=True)
class Filling:
    """`sentence[start:end]` is the value of a relation; `subjects` are the names it may be said of."""

    relation: str
    kind: Kind
    sentence: str
    start: int
    end: int
    key: tuple[str, ...] = ()
    """The value as it is compared: folded words, or a Han name."""
    date: Date | None = None
    subjects: tuple[frozenset[str], ...] = ()
    years: frozenset[int] = frozenset()
    marks: frozenset[str] = frozenset()
    """Numbers of an edition, a season, a part."""
    gap: int = 0
    """Characters between the words of the relation and the value."""

    @property
    def value(self) -> str:
        return self.sentence[self.start : self.end]
