"""A predicate with what it stands for, from which the builders of one kind of value each make their frames."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.contradiction import words_en
from memorybank.contradiction.entity import Entity, from_phrase
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.phrases import Phrase, Predicate, Units
from memorybank.language.dates import Date
from memorybank.memory.types import ClaimKind

_PERIOD_ROLES = frozenset({"in", "on", "at", "during", "after", "by"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A predicate with its sentence, and the names that "it" carries."""

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

    def frame(self, kind: ClaimKind, relation: str, entity: Entity, span: tuple[int, int]) -> Frame:
        predicate = self.predicate
        return Frame(
            kind=kind, sentence=self.sentence, entity=entity, relation=relation, start=span[0], end=span[1],
            verb=predicate.verb, times=self.times, hedges=predicate.hedges, polarity=not predicate.negated,
            context=self.context, periods=self._periods(),
        )  # fmt: skip

    def _periods(self) -> frozenset[str]:
        phrases = [phrase for phrase in self.predicate.phrases if phrase.role in _PERIOD_ROLES]
        named = frozenset(word for phrase in phrases for word in phrase.text.lower().split()) & words_en.PERIODS
        return named.union(*(phrase.marks for phrase in phrases))

    def predicate_keys(self, but: Phrase) -> frozenset[str]:
        """Keys of the whole predicate outside one phrase; its other names as `=name`."""
        keys = self.predicate.extra | self.subject.attributes
        for phrase in self.predicate.phrases:
            if phrase is not but:
                keys |= phrase.keys | frozenset("=" + name.units[-1] for name in phrase.names)
        return keys
