"""The frame: one thing that a sentence says, in the form in which all readers give it and any two are compared.

After Fillmore's frame semantics and the slots of relation extraction: of an entity, in an attribute or relation, a
value of some kind, under a scope and at a time, said with a polarity and a modality.
"""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.contradiction.entity import Entity
from memorybank.contradiction.phrases import Measure, Name, Units
from memorybank.language.dates import Date
from memorybank.memory.types import ClaimKind, Reader

_CONDITIONAL = frozenset({"would", "could", "estimated", "估计"})
"""Two statements with the same one of these are compared: both are estimates of one thing."""

DONE = "<"
"""In `attribute`, before what was done to, or by, those that are counted: 11 people killed, 17 people injured."""

ON_DAY = "on:"
"""In `relation`, before the verb of what holds or happened on a day, where the verb does not tell which of the two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """`sentence[start:end]` is the value; `measure`, `date` or `names` hold it as it is compared."""

    found_by: Reader = "claims"
    kind: ClaimKind
    sentence: str
    start: int
    end: int
    entity: Entity
    subjects: tuple[frozenset[str], ...] = ()
    """Of a known relation: names it may be said of, each as its words, where no grammar tells which."""
    relation: str
    """What is compared: the event, `by:` verb, `role:` office, `in:` verb, `measure`, `state`, or a known relation."""
    attribute: frozenset[str] = frozenset()
    """Keys of what is said of the entity, besides the value."""
    about: Entity | None = None
    """A second party that must agree: who founded it, what was announced."""
    verb: str = ""
    measure: Measure | None = None
    date: Date | None = None
    names: tuple[Name, ...] = ()
    times: tuple[Date, ...] = ()
    periods: frozenset[str] = frozenset()
    """Names and numbers of the month, season, edition or round it is said of."""
    polarity: bool = True
    hedges: frozenset[str] = frozenset()
    """Words of modality: may, planned, 预计."""
    context: frozenset[str] = frozenset()
    """All keys of the sentence, names included."""

    @property
    def value(self) -> str:
        return self.sentence[self.start : self.end]

    @property
    def key(self) -> Units:
        """The names of the value as they are compared."""
        return tuple(unit for name in self.names for unit in name.units)

    @property
    def years(self) -> frozenset[int]:
        """The years that the sentence states beside the value."""
        return frozenset(date.year for date in self.times if date.year and date is not self.date)

    @property
    def hedged(self) -> bool:
        """Whether it leaves open that the opposite holds: "may have", but not "would need" in an estimate."""
        return bool(self.hedges - _CONDITIONAL)

    @property
    def slot(self) -> tuple[str, str, str]:
        """Frames are compared only within a slot: one reader's, of one kind, attribute or relation."""
        if self.measure is not None:
            return self.found_by, "measure", self.measure.quantity.dimension
        return self.found_by, "state" if self.kind in ("text", "negation") else self.kind, self.relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text as its frames. `topic` is the name it is mostly about; empty when it names none."""

    text: str
    frames: tuple[Frame, ...]
    keys: frozenset[str] = frozenset()
    topic: Units = ()
    sentences: int = 0


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared keys as a share of the smaller set; 0 when one is empty."""
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
