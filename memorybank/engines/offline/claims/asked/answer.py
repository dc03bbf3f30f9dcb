"""A value that a sentence gives to what was asked."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.engines.offline.claims.asked.marks import Marks
from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.values import Quantity


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`sentence[start:end]` is the value."""

    sentence: str
    start: int
    end: int
    date: Date | None = None
    quantity: Quantity | None = None
    word: str = ""
    """A place or material, folded; of a property "yes" or "no"."""
    told_from: int = 0
    """Where the words of the attribute begin."""
    marks: Marks = frozenset()

    @property
    def value(self) -> str:
        return self.sentence[self.start : self.end]
