"""The findings that a continuity check hands back."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, NamedTuple

from memorybank.errors import Notice
from memorybank.language.text import Piece, fold_space
from memorybank.llm.tokens import estimate
from memorybank.memory.types import Lang, Value
from memorybank.prompts.lexicon import load
from memorybank_studio.hub.verbalisation import tell, tell_entity, tell_fact, tell_note
from memorybank_studio.types import (
    HAS_STATUS,
    IN_CHAPTER,
    UNAWARE_OF,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Plan,
    Setting,
)
from memorybank_studio.wording import cut, joined, say

SHORT: Final = 80
"""Estimated tokens below which a paragraph goes on into the next one: a line of speech is no passage."""
LONG: Final = 320
"""Estimated tokens of a passage; a longer paragraph is cut between sentences."""
LONGEST_SENTENCE: Final = 600
"""Characters; what has no full stop for longer is cut."""


@dataclass(frozen=True, slots=True)
class Sentence:
    number: int
    """The sentence's number within the draft, from 1."""
    start: int
    end: int
    """Character offsets in the draft, without the space around it."""
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    sentences: tuple[Sentence, ...]
    tokens: int
    """The tokens of all its sentences, estimated."""

    @property
    def start(self) -> int:
        return self.sentences[0].start

    @property
    def end(self) -> int:
        return self.sentences[-1].end


def passages(text: str, pieces: Sequence[Piece]) -> tuple[Passage, ...]:
    """Return the draft's sentences (`pieces`, in order) in passages; every character but white space is in one."""
    made: list[Passage] = []
    current: list[Sentence] = []
    tokens = after = 0
    for sentence in _sentences(text, pieces):
        cost = estimate(sentence.text)
        new_paragraph = "\n" in text[after : sentence.start]
        if current and (tokens + cost > LONG or (new_paragraph and tokens >= SHORT)):
            made.append(Passage(tuple(current), tokens))
            current, tokens = [], 0
        current.append(sentence)
        tokens, after = tokens + cost, sentence.end
    return (*made, Passage(tuple(current), tokens)) if current else tuple(made)


def _sentences(text: str, pieces: Sequence[Piece]) -> Iterator[Sentence]:
    number = 0
    for piece in pieces:
        for begin in range(piece.start, piece.end, LONGEST_SENTENCE):
            words = text[begin : min(piece.end, begin + LONGEST_SENTENCE)]
            if words.strip():
                number += 1
                start = begin + len(words) - len(words.lstrip())
                yield Sentence(number, start, start + len(words.strip()), words.strip())


Against = Fact | Plan | Setting | Entity
"""The items that a draft may be at odds with; a setting, or what is noted of an entity, as much as a fact."""


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
    """Something that is still planned is told as having happened."""


class Intention(NamedTuple):
    """Words of a draft that an author has let stand against a fact."""

    words: str
    """The words of the sentence, as `normal` has them."""
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
    reason: str
    """One sentence that quotes both sides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report(Value):
    """A draft that was checked."""

    findings: tuple[Finding, ...]
    failure: Notice | None = None
    """The reason why not all of it was read."""


def distinct(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Return each sentence's findings once a fact, in the order of the draft."""
    seen: dict[tuple[int, str], Finding] = {}
    for finding in findings:
        seen.setdefault((finding.start, str(finding.against.key)), finding)
    return tuple(sorted(seen.values(), key=lambda finding: (finding.start, finding.kind)))


SOURCE_CHARS: Final[dict[Lang, int]] = {"en": 90, "zh": 40}
TEXT_CHARS: Final = 300
"""The most characters that are shown of a note, a setting or a plan."""
MOST_PEOPLE: Final = 12
"""The most people that are named for one event."""


def prompts(lang: Lang) -> Mapping[str, str]:
    """Return the prompts of the model that reads a draft, in the language of its reasons."""
    return load(__package__, f"by_model.{lang}")


@dataclass(frozen=True, slots=True)
class RecordTeller:
    entity_of: Callable[[EntityKey], Entity | None]
    lang: Lang

    def heading(self, kind: str) -> str:
        return prompts(self.lang)[f"heading_{kind}"]

    def name(self, entity: Entity) -> str:
        """Return the entity's name with its kind and the other names it goes by."""
        words = tell_entity(entity, self.lang)
        if not entity.aliases:
            return words
        return words + prompts(self.lang)["also"].format(names=joined(entity.aliases, self.lang))

    def text(self, item: Setting | Plan | Entity) -> str:
        """Return a setting, a plan, or what is noted of an entity."""
        words = tell_note(item, self.lang) if isinstance(item, Entity) else tell(item, self.entity_of, self.lang)
        return cut(fold_space(words), TEXT_CHARS)

    def fact(self, fact: Fact) -> str:
        words = tell_fact(fact, self.entity_of, self.lang)
        source = cut(fold_space(fact.origin.source), SOURCE_CHARS[self.lang])
        return words + prompts(self.lang)["source"].format(source=source) if source else words

    def topic(
        self, topic: Entity, facts: Sequence[Fact], here: Sequence[EntityKey], chapter: int
    ) -> tuple[str, Against]:
        """Tell an event or a hook: when it is, who has to do with it, who of those `here` has not; and what says so.

        Of one with which nobody has to do it is not said who has not: nobody has put that on record.
        """
        words = prompts(self.lang)
        people = {
            end: entity.name
            for fact in facts
            if fact.since <= chapter and fact.predicate != UNAWARE_OF
            for end in fact.ends
            if (entity := self.entity_of(end)) is not None and entity.kind is EntityKind.CHARACTER
        }
        others = [entity.name for key in here if key not in people and (entity := self.entity_of(key)) is not None]
        named = say("told_note", self.lang, told=topic.name, note=topic.note) if topic.note else topic.name
        parts = [cut(fold_space(named), TEXT_CHARS).rstrip(".。")]
        dated = [fact for fact in facts if fact.predicate in (IN_CHAPTER, HAS_STATUS)][-2:]
        parts += [tell_fact(fact, self.entity_of, self.lang).removeprefix(topic.name).strip() for fact in dated]
        for key, names in (("topic_with", tuple(people.values())), ("topic_without", others)):
            if people and names:
                parts.append(words[key].format(names=joined(names[:MOST_PEOPLE], self.lang)))
        every: list[Against] = [topic, *facts, *dated]
        return ("；" if self.lang == "zh" else "; ").join(parts), every[-1]
