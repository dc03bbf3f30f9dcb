"""A draft as the rules of the continuity check see it: what it states, and what is on record as of its chapter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

import yaml

from memorybank.narrative.continuity.deeds import deeds
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.extraction.lists import any_of
from memorybank.narrative.extraction.mentions import Names
from memorybank.narrative.extraction.narration import Story, Telling, read, without
from memorybank.narrative.extraction.statements import Encoded, Statement, encode, stated
from memorybank.narrative.hub.contracts import FactLayer, PlanLayer
from memorybank.narrative.telling import tell_fact, tell_plan
from memorybank.narrative.types import HAS_STATUS, Entity, EntityKey, Fact, Plan
from memorybank.text import Piece
from memorybank.types import Lang

QUOTED: Final = 120
"""Characters of a sentence that a reason quotes."""


@cache
def _yaml(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((files(__package__) / f"{name}.yaml").read_text("utf-8"))
    return loaded


@cache
def word_re(name: str, lang: Lang) -> re.Pattern[str]:
    """One of the words of a list in `words.*.yaml`."""
    return re.compile(any_of(_yaml(f"words.{lang}")[name], lang), re.IGNORECASE)


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
        return tuple(one for one in self.about(subject) if one.subject == subject and one.predicate in predicates)

    def to(self, object_: EntityKey, *predicates: str) -> tuple[Fact, ...]:
        return tuple(one for one in self.about(object_) if one.object == object_ and one.predicate in predicates)

    def name(self, key: EntityKey) -> str:
        if key not in self._entities:
            self._entities[key] = self.facts.entity(key)
        entity = self._entities[key]
        return entity.name if entity else str(key)

    def status(self, key: EntityKey, words: re.Pattern[str]) -> Fact | None:
        """The fact that gives it a status with one of these words."""
        return next((one for one in self.of(key, HAS_STATUS) if words.search(self.name(one.object))), None)


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
    plans: PlanLayer

    @cached_property
    def plain(self) -> str:
        """The text with a placeholder for each character of a name: no word of a name is a mark (念 in 苏念卿)."""
        return without(self.text, [Piece(one.start, one.end) for one in self.names.find(self.text)])

    @cached_property
    def encoded(self) -> tuple[Encoded, ...]:
        return tuple(encode(self.story, self.names))

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """What the narrator tells as happened, in the order of the text."""
        said = (*stated(self.story, self.encoded), *deeds(self.story, self.encoded))
        found = (one for one in said if one.telling is Telling.HAPPENED)
        return tuple(sorted(found, key=lambda one: (one.start, one.end)))

    def all(self, *events: str) -> Iterator[Statement]:
        return (one for one in self.statements if one.event in events)

    def sentence(self, piece: Piece) -> str:
        return self.text[piece.start : piece.end].strip()

    def has(self, words: str, piece: Piece) -> bool:
        """Whether a sentence has one of the words of a list."""
        return word_re(words, self.lang).search(self.plain, piece.start, piece.end) is not None

    def up_to(self, words: str, one: Statement) -> bool:
        """Whether a sentence has one of the words of a list up to the end of the clause that states something."""
        ends = [place for mark in "，；。,;.！？!?" if (place := self.text.find(mark, one.end, one.sentence.end)) >= 0]
        end = min(ends, default=one.sentence.end)
        return word_re(words, self.lang).search(self.plain, one.sentence.start, end) is not None

    def before(self, words: str, one: Statement) -> bool:
        """Whether a sentence has one of the words of a list before what a statement tells."""
        return word_re(words, self.lang).search(self.plain, one.sentence.start, one.start) is not None

    def after(self, words: str, one: Statement) -> bool:
        return word_re(words, self.lang).search(self.plain, one.end, one.sentence.end) is not None

    def clause_has(self, words: str, one: Statement) -> bool:
        return word_re(words, self.lang).search(self.clause(one)) is not None

    def clause(self, one: Statement) -> str:
        """From the mark before a statement to the mark after it."""
        start = max((self.text.rfind(mark, one.sentence.start, one.start) for mark in "，；。,;.：:"), default=-1) + 1
        ends = [place for mark in "，；。,;.！？!?" if (place := self.text.find(mark, one.end, one.sentence.end)) >= 0]
        return self.plain[max(start, one.sentence.start) : min(ends, default=one.sentence.end)]

    # -- findings -----------------------------------------------------------------------------------------------------

    def finding(self, kind: FindingKind, piece: Piece, fact: Fact, reason: str, **words: str) -> Finding:
        told = tell_fact(fact, self.record.facts, self.told_in)
        return self._finding(kind, piece, fact, fact.since, reason, fact=told, **words)

    def plan_finding(self, piece: Piece, plan: Plan) -> Finding:
        told = tell_plan(plan, self.told_in)
        return self._finding(FindingKind.PLAN_AS_DONE, piece, plan, plan.due, "plan", plan=told)

    def _finding(
        self, kind: FindingKind, piece: Piece, against: Fact | Plan, chapter: int | None, reason: str, **words: str
    ) -> Finding:
        sentence = self.sentence(piece)
        quote = sentence if len(sentence) <= QUOTED else sentence[: QUOTED - 1] + "…"
        template = str(_yaml(f"reasons.{self.told_in}")[reason])
        start = self.text.index(sentence, piece.start)
        return Finding(
            kind=kind,
            start=start,
            end=start + len(sentence),
            against=against,
            chapter=chapter,
            reason=template.format_map({"quote": quote, **words}),
        )


def scene(text: str, chapter: int, draft: Lang, told_in: Lang, facts: FactLayer, plans: PlanLayer) -> Scene:
    names = Names.of(facts)
    story = read(text, draft, [Piece(one.start, one.end) for one in names.find(text)])
    return Scene(text, draft, told_in, story, names, Record(facts, chapter), plans)


def kept(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each sentence's findings once a fact, in the order of the draft."""
    seen: dict[tuple[int, str], Finding] = {}
    for one in findings:
        seen.setdefault((one.start, str(one.against.key)), one)
    return tuple(sorted(seen.values(), key=lambda one: (one.start, one.kind)))
