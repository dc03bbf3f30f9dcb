"""The answer of the model that reads a settlement. It comes from outside, so that each part of it is checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal

from pydantic import AfterValidator

from memorybank.memory.types import Lang
from memorybank.prompts.lexicon import load
from memorybank.prompts.tags import block
from memorybank_studio.hub.labels import is_predicate
from memorybank_studio.hub.stores import Stores, foremost, last_chapter
from memorybank_studio.hub.verbalisation import tell_fact
from memorybank_studio.names import names_in
from memorybank_studio.relations import OFFERED
from memorybank_studio.settlement.numbered import NumberedSentence, as_lines, ranges
from memorybank_studio.types import NAMED_KINDS, Entity, FromOutside

LONGEST_NAME: Final = 200


def _name(written: str) -> str:
    name = written.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise ValueError(f"a name or title is empty or longer than {LONGEST_NAME} characters")
    return name


def _relation(written: str) -> str:
    relation = "_".join(written.upper().replace("-", " ").split())
    if not (is_predicate(relation) and relation.isascii()):  # Chinese ones are the author's to make
        raise ValueError(f"{written[:40]!r} is no relation: write capitals A-Z and underscores, as OWNS or LOCATED_IN")
    return relation


def _chapter(number: int | None) -> int | None:
    if number is not None and not 0 <= number < 10**6:
        raise ValueError("a chapter is no number of a chapter: give one from 0 on, or null")
    return number


def _numbers(given: tuple[int, ...]) -> tuple[int, ...]:
    if not given:
        raise ValueError("it names no sentence: give the numbers of those it stands on")
    return tuple(sorted(set(given)))


Name = Annotated[str, AfterValidator(_name)]
ChapterNumber = Annotated[int | None, AfterValidator(_chapter)]
Numbers = Annotated[tuple[int, ...], AfterValidator(_numbers)]
NotTakenBecause = Literal["question", "supposition", "taken_back", "about_the_work", "nothing"]


class Read(FromOutside):
    """What every item of the answer says of itself."""

    sentences: Numbers
    """Numbers of the sentences that it stands on."""


class ReadName(Read):
    name: Name
    kind: Literal["Character", "Location", "Item", "Faction", "Ability", "Event"]
    aliases: tuple[str, ...]
    note: str
    ranks: tuple[Name, ...] = ()


class ReadProperty(FromOutside):
    """One thing more that is said of a relation, as {"name": "reason", "value": "he burned her village"}."""

    name: Name
    value: str


class ReadFact(Read):
    subject: Name
    relation: Annotated[str, AfterValidator(_relation)]
    object: Name
    properties: tuple[ReadProperty, ...] = ()
    chapter: ChapterNumber
    happened: bool


class ReadHook(Read):
    name: Name
    resolved: bool
    chapter: ChapterNumber


class ReadPlan(Read):
    level: Literal["general", "long", "short", "step"]
    title: Name
    text: str
    parent: str
    storyline: str
    due: ChapterNumber


class ReadStatus(Read):
    title: Name
    status: Literal["Pending", "InProgress", "Completed"]


class ReadSetting(Read):
    key: Name
    category: str
    text: str


class NotTaken(Read):
    """Sentences that settle nothing."""

    why: NotTakenBecause
    note: str
    """A few words to the author, or none."""


class TakenBack(Read):
    """Rows of earlier pieces that these sentences take back."""

    rows: Numbers


class Settlement(FromOutside):
    """All that a stretch of turns settles."""

    names: tuple[ReadName, ...]
    facts: tuple[ReadFact, ...]
    hooks: tuple[ReadHook, ...]
    plans: tuple[ReadPlan, ...]
    statuses: tuple[ReadStatus, ...]
    settings: tuple[ReadSetting, ...]
    not_taken: tuple[NotTaken, ...]
    taken_back: tuple[TakenBack, ...]

    @property
    def rows(self) -> tuple[Read, ...]:
        return (*self.names, *self.facts, *self.hooks, *self.plans, *self.statuses, *self.settings)

    @property
    def all(self) -> tuple[Read, ...]:
        return (*self.rows, *self.not_taken, *self.taken_back)

    @property
    def accounted(self) -> frozenset[int]:
        """Return numbers of all sentences that it speaks of."""
        return frozenset(number for read in self.all for number in read.sentences)

    def with_more(self, more: Settlement, numbers: frozenset[int]) -> Settlement:
        """Return this with what another answer says of these sentences."""
        return Settlement(
            **{
                name: (*getattr(self, name), *(read for read in getattr(more, name) if numbers & {*read.sentences}))
                for name in type(self).model_fields
            }
        )


_MANY: Final = 6
"""Kinds that are as good as all."""
SHOWN_NAMES: Final = 200
"""Names on record that the model is told, and outlines: those that the sentences name first."""
FACTS_EACH, SHOWN_FACTS = 8, 40
"""Facts that it is told: of a name, and in all."""


def words_of(lang: Lang) -> dict[str, Any]:
    """Return the model's instructions, and the reasons of its rows."""
    return load(__package__, f"by_model.{lang}")


@dataclass(frozen=True, slots=True)
class SettlementPrompt:
    piece: Sequence[NumberedSentence]
    """The sentences that are to be accounted for, as far as they count."""
    context: Sequence[NumberedSentence]
    """The sentences just before the piece: read already, or nobody's to settle."""
    stores: Stores
    """The stores, with what was drafted of the pieces before."""
    rows: Sequence[tuple[int, str]]
    """The rows of the pieces before, by their numbers."""
    lang: Lang

    @property
    def numbers(self) -> frozenset[int]:
        return frozenset(sentence.number for sentence in (*self.context, *self.piece))

    @property
    def counted(self) -> frozenset[int]:
        return frozenset(sentence.number for sentence in self.piece if sentence.counts)

    def user(self) -> str:
        """Return what the model is told beside its rules; what is the same for every settlement comes first."""
        words = words_of(self.lang)
        known = "\n".join(filter(None, (self._names(), self._holding(), self._plans(), self._stands())))
        rows = "\n".join(words["row"].format(number=number, told=told) for number, told in self.rows)
        parts = [
            block("memory", f"{words['known']}\n{known}") if known else "",
            block("memory", f"{words['so_far']}\n{rows}") if rows else "",
            block("memory", f"{words['before']}\n{self._lines(self.context)}") if self.context else "",
            block("task", self._lines(self.piece)),
            words["account"].format(numbers=ranges(self.counted)),
        ]
        return "\n\n".join(filter(None, parts))

    def asks_for(self, missing: Iterable[int]) -> str:
        return str(words_of(self.lang)["missing"].format(numbers=ranges(missing)))

    def _lines(self, sentences: Iterable[NumberedSentence]) -> str:
        words = words_of(self.lang)
        return as_lines(sentences, {"author": words["by_author"], "assistant": words["by_assistant"]})

    def _names(self) -> str:
        facts = self.stores.facts
        names = facts.names(NAMED_KINDS)
        first = (*self._named(names), *names)
        keys = list(dict.fromkeys(names[name] for name in first))[:SHOWN_NAMES]
        entities = facts.entities(keys)
        named = (
            f"{' / '.join((entity.name, *entity.aliases))} ({entity.kind}{_ranks(entity)})"
            for key in keys
            if (entity := entities.get(key)) is not None
        )
        return self._listed("names", named)

    def _named(self, names: Iterable[str]) -> Sequence[str]:
        return names_in(" ".join(sentence.text for sentence in (*self.context, *self.piece)), tuple(names))

    def _holding(self) -> str:
        """Return what holds now of whom the sentences name: what is told again is then known to be so already."""
        facts = self.stores.facts
        names = facts.names(NAMED_KINDS)
        about = (foremost(facts.about(names[name]), FACTS_EACH) for name in self._named(names))
        held = {fact.key: fact for each in about for fact in each}
        shown = list(held.values())[:SHOWN_FACTS]
        ends = facts.entities({end for fact in shown for end in fact.ends})
        return self._listed("holds", (tell_fact(fact, ends.get, self.lang) for fact in shown))

    def _plans(self) -> str:
        open_ = sorted(self.stores.plans.all(), key=lambda plan: not plan.is_open)
        return self._listed(
            "plans", (f"{plan.title} ({plan.kind.name.lower()}, {plan.status.value})" for plan in open_[:SHOWN_NAMES])
        )

    def _listed(self, key: str, entries: Iterable[str]) -> str:
        listed = "; ".join(entries)
        return f"{words_of(self.lang)[key]}{listed}" if listed else ""

    def _stands(self) -> str:
        last = last_chapter(self.stores)
        return str(words_of(self.lang)["stands"].format(last=last)) if last else ""


def _ranks(entity: Entity) -> str:
    return f": {' → '.join(entity.ranks)}" if entity.ranks else ""


@cache
def system_prompt(lang: Lang) -> str:
    """Return the rules, with every relation that is asked for, what it leads from and to."""
    words = words_of(lang)
    ends = {each.name: f"{_kinds(each.subjects, lang)} → {_kinds(each.objects, lang)}" for each in OFFERED}
    lines = "\n".join(f"- {name} ({kinds}): {words['relations'][name]}" for name, kinds in ends.items())
    return f"{words['settler'].rstrip()}\n{lines}\n{words['own_relation']}"


def _kinds(kinds: Sequence[str], lang: Lang) -> str:
    return "/".join(kinds) if len(kinds) < _MANY else str(words_of(lang)["anything"])
