"""A draft as the rules of the continuity check see it: what it states, and what is on record as of its chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Final

from memorybank.language.lexicon import load
from memorybank.language.text import Piece, detect_lang
from memorybank.memory.types import Lang
from memorybank.narrative.continuity.deeds import deeds
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.hub.verbalisation import tell_fact
from memorybank.narrative.reading.lists import any_of
from memorybank.narrative.reading.mentions import Names
from memorybank.narrative.reading.modality import Modality
from memorybank.narrative.reading.narration import Story, read
from memorybank.narrative.reading.statements import Encoded, Statement, encode, stated
from memorybank.narrative.types import HAS_STATUS, Entity, EntityKey, Fact

_QUOTED: Final = 120
"""Characters of a sentence that a reason quotes."""


def words_of(lang: Lang) -> dict[str, Any]:
    """The lists of `words.*.yaml`."""
    return load(__package__, f"words.{lang}")


@cache
def word_re(name: str, lang: Lang) -> re.Pattern[str]:
    """One of the words of a list in `words.*.yaml`."""
    return re.compile(any_of(words_of(lang)[name], lang), re.IGNORECASE)


@dataclass
class Record:
    """Facts as of the chapter, each entity's asked for once.

    What became so in the chapter itself may come after the sentence in question: only earlier facts are held against
    a draft.
    """

    facts: FactLayer
    chapter: int
    _about: dict[EntityKey, tuple[Fact, ...]] = field(default_factory=dict)
    _entities: dict[EntityKey, Entity | None] = field(default_factory=dict)

    def about(self, key: EntityKey) -> tuple[Fact, ...]:
        if key not in self._about:
            known = self.facts.about(key, chapter=self.chapter)
            self._about[key] = tuple(fact for fact in known if fact.since < self.chapter)
        return self._about[key]

    def of(self, subject: EntityKey, *predicates: str) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.about(subject) if fact.subject == subject and fact.predicate in predicates)

    def to(self, object_: EntityKey, *predicates: str) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.about(object_) if fact.object == object_ and fact.predicate in predicates)

    def name(self, key: EntityKey) -> str:
        if key not in self._entities:
            self._entities[key] = self.facts.entity(key)
        entity = self._entities[key]
        return entity.name if entity else str(key)

    def status(self, key: EntityKey, words: re.Pattern[str]) -> Fact | None:
        """The fact that gives it a status with one of these words."""
        return next((fact for fact in self.of(key, HAS_STATUS) if words.search(self.name(fact.object))), None)


@dataclass
class Scene:
    text: str
    lang: Lang
    """Of the draft."""
    told_in: Lang
    """Of the reasons."""
    story: Story
    names: Names
    record: Record

    @cached_property
    def encoded(self) -> tuple[Encoded, ...]:
        return tuple(encode(self.story, self.names))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What the narrator tells as happened, here and now, in the order of the text."""
        here = [encoded for encoded in self.encoded if not self._is_elsewhere(encoded.piece)]
        candidates = (*stated(self.story, here), *deeds(self.story, here))
        narrated = (
            statement for statement in candidates if statement.modality is Modality.HAPPENED and not statement.denied
        )
        return tuple(sorted(narrated, key=lambda statement: (statement.start, statement.end)))

    def _is_elsewhere(self, piece: Piece) -> bool:
        return word_re("elsewhere", self.lang).search(self.story.plain, piece.start, piece.end) is not None

    def all(self, *events: str) -> Iterator[Statement]:
        return (statement for statement in self.statements if statement.event in events)

    def sentence(self, piece: Piece) -> str:
        return self.text[piece.start : piece.end].strip()

    def quoted(self, piece: Piece) -> tuple[int, int, str]:
        """Where a sentence begins and ends without the space around it, and its words as a reason quotes them."""
        sentence = self.sentence(piece)
        start = self.text.index(sentence, piece.start)
        quote = sentence if len(sentence) <= _QUOTED else sentence[: _QUOTED - 1] + "…"
        return start, start + len(sentence), quote

    # -- findings -----------------------------------------------------------------------------------------------------

    def finding(self, kind: FindingKind, piece: Piece, fact: Fact, reason: str, **words: str) -> Finding:
        start, end, quote = self.quoted(piece)
        template = str(load(__package__, f"reasons.{self.told_in}")[reason])
        fact_text = tell_fact(fact, self.record.facts.entity, self.told_in)
        return Finding(
            kind=kind,
            start=start,
            end=end,
            against=fact,
            chapter=fact.since,
            reason=template.format_map({"quote": quote, "fact": fact_text, **words}),
        )


def scene(text: str, chapter: int, told_in: Lang, facts: FactLayer) -> Scene:
    """A draft of `chapter`, in either language; reasons in `told_in`."""
    names, lang = Names.of(facts), detect_lang(text)
    story = read(text, lang, [Piece(mention.start, mention.end) for mention in names.find(text)])
    return Scene(text, lang, told_in, story, names, Record(facts, chapter))


def distinct(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each sentence's findings once a fact, in the order of the draft."""
    seen: dict[tuple[int, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.start, str(finding.against.key)), finding)
    return tuple(sorted(seen.values(), key=lambda finding: (finding.start, finding.kind)))
