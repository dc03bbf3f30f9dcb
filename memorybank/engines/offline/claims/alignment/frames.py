"""What is laid side by side: a clause with one value taken out, and the atoms that are left of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from memorybank.engines.offline.claims.dates import Date
from memorybank.engines.offline.claims.phrases import Units, is_han
from memorybank.engines.offline.claims.values import Quantity

Kind = Literal["number", "date", "name", "place", "negation"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Atom:
    """A name, a content word, or a Han character at `start` of the sentence."""

    start: int
    end: int
    key: str
    name: Units = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A clause with one value taken out. `start` to `end` is the value in the sentence; a negation has none."""

    kind: Kind
    sentence: str
    start: int
    end: int
    atoms: tuple[Atom, ...]
    clause: str = ""
    keys: frozenset[str] = frozenset()
    """Content words, and pairs of neighbouring Han characters; names left out."""
    names: tuple[Atom, ...] = ()
    carried: tuple[Units, ...] = ()
    """Names that a clause without one may speak of, nearest first."""
    years: tuple[Date, ...] = ()
    before: str = ""
    """The content word (or Han character) next to the value."""
    after: str = ""
    """The counted noun, or the event, that follows the value directly."""
    quantity: Quantity | None = None
    date: Date | None = None
    place: tuple[Units, ...] = ()
    person: Units = ()
    definite: bool = False
    negated: bool = False
    mood: str = ""
    points_back: bool = False
    scope: frozenset[str] = frozenset()
    """Words outside the value and the dates that restrict what is said: first, average, in January."""

    @property
    def value(self) -> str:
        return self.sentence[self.start : self.end]


def overlaps(start: int, end: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Whether `text[start:end]` shares a character with one of the spans."""
    return any(low < end and start < high for low, high in spans)


def keys_of(atoms: Sequence[Atom]) -> frozenset[str]:
    words = (atom.key for atom in atoms if not atom.name and not is_han(atom.key))
    pairs = (one.key + other.key for one, other in pairwise(atoms) if one.end == other.start and is_han(one.key))
    return frozenset((*words, *pairs))
