"""Facts: what the predicates of a text say, each as one value that another text may state differently.

Five kinds, a module each, which both finds its facts in a predicate and says when two of them clash: `measures`
(105 qubits, 55 km), `moments` (the date of an event), `names` (who did it, who holds the office), `places`, and
`states` (the statement itself, with its polarity).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from memorybank.engines.offline.claims import words_en
from memorybank.engines.offline.claims.entity import Entity, from_phrase, stems
from memorybank.engines.offline.claims.phrases import Measure, Name, Phrase, Predicate, Units
from memorybank.language import dates
from memorybank.language.dates import Date
from memorybank.memory.types import ClaimKind

_CONDITIONAL = frozenset({"would", "could", "estimated", "估计"})
"""Two statements with the same one of these are compared: both are estimates of one thing."""

_PERIOD_ROLES = frozenset({"in", "on", "at", "during", "after", "by"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One value said of an entity. `start` and `end` locate the value in the sentence."""

    kind: ClaimKind
    sentence: str
    entity: Entity
    relation: str
    """What is compared: the event, `by:` verb, `role:` office, `in:` verb, `measure`, `state`."""
    start: int
    end: int
    attribute: frozenset[str] = frozenset()
    """Keys of what is said of the entity, besides the value."""
    about: Entity | None = None
    """A second party that must agree: who founded it, what was announced."""
    verb: str = ""
    times: tuple[Date, ...] = ()
    periods: frozenset[str] = frozenset()
    """Names and numbers of the month, season or round it is said of."""
    measure: Measure | None = None
    date: Date | None = None
    names: tuple[Name, ...] = ()
    polarity: bool = True
    hedges: frozenset[str] = frozenset()
    context: frozenset[str] = field(default_factory=frozenset)
    """All keys of the sentence, names included."""

    @property
    def hedged(self) -> bool:
        """Whether it leaves open that the opposite holds: "may have", but not "would need" in an estimate."""
        return bool(self.hedges - _CONDITIONAL)

    @property
    def value(self) -> str:
        return self.sentence[self.start : self.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A predicate with what it stands for: its sentence, and the names that "it" carries."""

    sentence: str
    predicate: Predicate
    siblings: tuple[Predicate, ...] = ()
    """All predicates of the sentence."""
    carried: Units = ()
    topic: Units = ()
    """What the text is about."""
    times: tuple[Date, ...] = ()
    context: frozenset[str] = frozenset()

    @property
    def subject(self) -> Phrase:
        return self.predicate.subject

    def entity(self, phrase: Phrase) -> Entity:
        return from_phrase(phrase, self.carried)

    def party(self, phrase: Phrase) -> Entity:
        """The entity of any phrase of the predicate; an object stands for the carried name only if it refers back."""
        if phrase is self.subject or phrase.back or phrase.possessive:
            return self.entity(phrase)
        return from_phrase(phrase)

    def fact(self, kind: ClaimKind, relation: str, entity: Entity, span: tuple[int, int]) -> Fact:
        predicate = self.predicate
        return Fact(
            kind=kind, sentence=self.sentence, entity=entity, relation=relation, start=span[0], end=span[1],
            verb=predicate.verb, times=self.times, hedges=predicate.hedges, polarity=not predicate.negated,
            context=self.context, periods=self._periods(),
        )  # fmt: skip

    def _periods(self) -> frozenset[str]:
        phrases = [phrase for phrase in self.predicate.phrases if phrase.role in _PERIOD_ROLES]
        named = frozenset(word for phrase in phrases for word in phrase.text.lower().split()) & words_en.PERIODS
        return named.union(*(phrase.marks for phrase in phrases))

    def said(self, but: Phrase) -> frozenset[str]:
        """Keys of the whole predicate outside one phrase; its other names as `=name`."""
        keys = self.predicate.extra | self.subject.attributes
        for phrase in self.predicate.phrases:
            if phrase is not but:
                keys |= phrase.keys | frozenset("=" + name.units[-1] for name in phrase.names)
        return keys


_NOW_RE = re.compile(r"\b(?:today|now|nowadays|currently|at present|these days)\b|如今|现在|目前|现今|当前|而今", re.I)
"""What holds today need not have held in a year that is named."""


def times_differ(left: Fact, right: Fact, *, varying: bool) -> bool:
    """Whether two facts speak of different times; a value that varies needs a time on both sides or on none."""
    if left.periods and right.periods and not left.periods & right.periods:
        return True
    if bool(left.times) != bool(right.times):
        timed, untimed = (left, right) if left.times else (right, left)
        return varying or bool(_NOW_RE.search(untimed.sentence) and not _NOW_RE.search(timed.sentence))
    if not left.times:
        return False
    return all(dates.relate(one, other) == "different" for one in left.times for other in right.times)


_WAS_RE = re.compile(r"\b(?:was|were|had|measured|stood)\b", re.IGNORECASE)
_IS_RE = re.compile(r"\b(?:is|are|has|have|measures|stands)\b", re.IGNORECASE)


def was_then(left: tuple[str, bool], right: tuple[str, bool]) -> bool:
    """ "In 1929 the dam was 20 metres high", "it is 64 metres high": it may have grown since.

    Of each side what is said before the value, and whether a time is stated.
    """
    (past, dated), (present, also_dated) = sorted((left, right), key=lambda side: not side[1])
    return (
        dated
        and not also_dated
        and bool(_WAS_RE.search(past))
        and bool(_IS_RE.search(present))
        and not _WAS_RE.search(present)
    )


def parts_differ(left: Fact, right: Fact) -> bool:
    """Whether one speaks of a part ("its new wing") and the other of the whole, or of another part."""
    one = left.entity.nouns - {left.verb} - stems(right.entity)
    other = right.entity.nouns - {right.verb} - stems(left.entity)
    if one and other:
        return not one & other
    lone = one or other
    known = (right.context if one else left.context) | {"headquarters"}
    named = bool(left.entity.units and right.entity.units) and not (left.entity.possessive or right.entity.possessive)
    return bool(lone - known) and not named


def overlap(left: frozenset[str], right: frozenset[str]) -> float:
    """Shared keys as a share of the smaller set; 0 when one is empty."""
    smaller = min(len(left), len(right))
    return len(left & right) / smaller if smaller else 0.0
