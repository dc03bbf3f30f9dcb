"""The values of the writing studio. Facts and plans are different types on purpose: no call takes one for the other.

All are frozen. Chapters count from 1; chapter 0 is what holds before the story begins. A fact holds in the chapters
[since, until): a changed fact does not replace the old one, it ends it, so "as of chapter N" is a query
(fact-planning specification, section 3.1).
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Literal, NewType, Self

from pydantic import BaseModel, ConfigDict

from memorybank.memory.bounds import Seconds
from memorybank.memory.types import Value

TaskId = NewType("TaskId", str)
SettlementId = NewType("SettlementId", str)
EntityKey = NewType("EntityKey", str)
FactKey = NewType("FactKey", str)
PlanKey = NewType("PlanKey", str)


class FromOutside(BaseModel):
    """The base of what a language model answers or a file holds: a field that it should not have is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Closing:
    """Something open that is closed at the end of its block."""

    def close(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


BEFORE_THE_STORY = 0
BY_HAND = TaskId("hand")
"""The id in the place of a task for what the author wrote into the bible directly. No task has this id."""


class EntityKind(StrEnum):
    """Labels of the fact layer. Disjoint from `PlanKind`."""

    CHARACTER = "Character"
    LOCATION = "Location"
    ITEM = "Item"
    FACTION = "Faction"
    ABILITY = "Ability"
    HOOK = "Hook"
    """Something the story owes its reader; its status is `Unresolved` or `Resolved`."""
    CHAPTER = "Chapter"
    """Its name is the archive's `chapter_id` in digits."""
    EVENT = "Event"
    STATUS = "Status"
    """A value that a `HAS_STATUS` fact leads to: dead, lost, Unresolved …"""
    TRAIT = "Trait"
    """A value that a `HAS_TRAIT` fact leads to."""


BEARERS = (EntityKind.CHARACTER, EntityKind.LOCATION, EntityKind.ITEM, EntityKind.FACTION, EntityKind.ABILITY)
"""Kinds whose names are names; those of hooks and events are sentences that may name somebody."""
NAMED_KINDS = (*BEARERS, EntityKind.HOOK, EntityKind.EVENT)
"""Kinds of what the story is about. States and traits are told with their bearers."""

HAS_STATUS = "HAS_STATUS"
HAS_TRAIT = "HAS_TRAIT"
CAUSES = "CAUSES"
BEFORE = "BEFORE"
IN_CHAPTER = "IN_CHAPTER"
TOOK_PART_IN = "TOOK_PART_IN"
KNOWS_OF = "KNOWS_OF"
UNAWARE_OF = "UNAWARE_OF"

UNRESOLVED = "Unresolved"
RESOLVED = "Resolved"


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin(Value):
    """The place where a fact, plan or setting comes from."""

    task: TaskId
    chapter: int | None = None
    """The chapter it was read in or settled for; None when it belongs to no chapter."""
    source: str = ""
    """The author's or the book's own words."""
    turns: tuple[int, ...] = ()
    """Numbers of the task's turns it was taken from, from 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity(Value):
    """Something of the story's world."""

    kind: EntityKind
    name: str
    aliases: tuple[str, ...] = ()
    note: str = ""
    ranks: tuple[str, ...] = ()
    """An ability goes through these ranks, the lowest first; who has reached which of them is a fact."""
    keyed_as: str = ""
    """The name of which its key is made, where it was renamed since; its facts are then still about it."""
    origin: Origin

    @property
    def key(self) -> EntityKey:
        return entity_key(self.kind, self.keyed_as or self.name)

    @property
    def keyed(self) -> Entity:
        """It says of what its key is made, so that it keeps it and the layer takes it as it is (`merged_entity`)."""
        return replace(self, keyed_as=self.keyed_as or self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting(Value):
    """Something that holds from one chapter to another."""

    since: int = BEFORE_THE_STORY
    until: int | None = None
    """The first chapter in which it no longer holds."""

    def holds(self, chapter: int | None) -> bool:
        """Say whether it holds in the chapter; None: in the newest state."""
        if chapter is None:
            return self.until is None
        return self.since <= chapter and (self.until is None or self.until > chapter)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link(Lasting):
    """One fact without its words: for what looks at all of them at once."""

    subject: EntityKey
    predicate: str
    """Capitals or Han characters, checked where it is written: it becomes a relationship type."""
    object: EntityKey

    @property
    def ends(self) -> tuple[EntityKey, EntityKey]:
        return self.subject, self.object


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Link):
    """One settled statement: subject, predicate, object. Only what has happened or is so in the story."""

    properties: Mapping[str, str] = field(default_factory=dict)
    """Texts that say more of the fact, by name: `{"reason": "灭门"}` of HATES."""
    origin: Origin

    @property
    def key(self) -> FactKey:
        """The same statement from the same chapter on is the same fact, however often it is settled."""
        return FactKey("f-" + digest(self.subject, self.predicate, self.object, str(self.since)))


class PlanKind(StrEnum):
    """Labels of the planning layer. Disjoint from `EntityKind`."""

    GENERAL = "GeneralOutline"
    LONG = "LongOutline"
    SHORT = "ShortOutline"
    STEP = "Step"


PARENT_OF: Mapping[PlanKind, PlanKind | None] = {
    PlanKind.GENERAL: None,
    PlanKind.LONG: PlanKind.GENERAL,
    PlanKind.SHORT: PlanKind.LONG,
    PlanKind.STEP: PlanKind.SHORT,
}


class PlanStatus(StrEnum):
    PENDING = "Pending"
    IN_PROGRESS = "InProgress"
    COMPLETED = "Completed"
    DROPPED = "Dropped"
    """It will not happen; its author can bring it back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan(Value):
    """An outline or a step: what is to happen. Never deleted; its status is the story's clock."""

    kind: PlanKind
    title: str
    text: str = ""
    parent: PlanKey | None = None
    """The key of the outline that contains it; None for a general outline alone."""
    after: PlanKey | None = None
    """The step (or outline) of the same parent that comes just before; None: it is the first (`FIRST_STEP`)."""
    storyline: str = ""
    """The storyline of a short outline and its steps; parallel ones have different names."""
    due: int | None = None
    """The chapter by whose end it is to be completed."""
    status: PlanStatus = PlanStatus.PENDING
    keyed_as: str = ""
    """The title of which its key is made, where a rename has changed it since."""
    origin: Origin

    @property
    def is_open(self) -> bool:
        """Whether it is still to happen."""
        return self.status in (PlanStatus.PENDING, PlanStatus.IN_PROGRESS)

    @property
    def keyed(self) -> Plan:
        """It says of what its key is made, so that it keeps it under another title."""
        return replace(self, keyed_as=self.keyed_as or self.title)

    @property
    def key(self) -> PlanKey:
        return PlanKey("p-" + digest(self.kind, self.parent or "", normal(self.keyed_as or self.title)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointer(Value):
    """The point at which one storyline stands."""

    storyline: str
    current: Plan | None
    """The step in progress, or the short outline that has no steps; at most one a storyline."""
    next: Plan | None
    """The first pending step."""
    completed: int
    steps: int
    overdue: tuple[Plan, ...]
    """The plans that are not completed, though due in a chapter before the one asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting(Lasting):
    """An authoritative entry of the setting base: what a thing is, in a few sentences, and what it was before. A state
    of it without an end holds until the next one begins."""

    key: str
    """The name that the author calls it by: exact lookups go by `normal(key)`."""
    text: str
    category: str = ""
    origin: Origin
    earlier: tuple[Setting, ...] = ()
    """The states before this one, the first one first (in a table all the others); none has earlier ones itself."""

    @property
    def states(self) -> tuple[Setting, ...]:
        return (*self.earlier, replace(self, earlier=()))

    def with_states(self, states: Iterable[Setting]) -> Setting:
        """Return the entry with these states, each in the place of one from the same chapter on; all have its key."""
        by_start = {state.since: replace(state, key=self.key) for state in (*self.states, *states)}
        *earlier, last = (by_start[since] for since in sorted(by_start))
        return replace(last, earlier=tuple(earlier))

    def as_of(self, chapter: int | None) -> Setting | None:
        """Return the state that holds in the chapter (None: the newest one), with its end; None where none does."""
        begun = [state for state in self.states if chapter is None or state.since <= chapter]
        if not begun:
            return None
        ends = [state.since for state in self.states if state.since > begun[-1].since]
        state = replace(begun[-1], until=min(filter(None, (begun[-1].until, *ends)), default=None))
        return state if state.holds(chapter) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk(Value):
    """A passage of a chapter in the episodic archive."""

    chapter_id: int
    chapter_title: str
    place: int
    """The passage's number within the chapter, from 0."""
    start: int
    end: int
    """Character offsets in the chapter's text."""
    text: str
    entity_list: tuple[str, ...] = ()
    """Names of the entities it speaks of, as the fact layer or the recogniser knows them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchHit(Value):
    """A chunk or a setting with how near it is to what was asked, in [0, 1]; 1 for an exact match."""

    item: Chunk | Setting
    score: float


Role = Literal["author", "assistant"]


class Command(StrEnum):
    """An order that the author gives a task; nothing is guessed (specification, section 3.3 B)."""

    NEW = "new"
    CONTINUE = "continue"
    SWITCH = "switch"
    RESTART = "restart"
    SETTLE = "settle"
    DISCARD = "discard"


class TaskState(StrEnum):
    OPEN = "open"
    CLOSED = "closed"
    """The task is settled; its history is kept for a while, so that it can be restarted."""
    DISCARDED = "discarded"
    EXPIRED = "expired"
    """The task was settled so long ago that its history is gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn(Value):
    number: int
    """The turn's number within its task, from 1."""
    role: Role
    text: str
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Value):
    id: TaskId
    title: str
    state: TaskState
    opened_at: float
    closed_at: float | None = None
    turns: int = 0


def normal(name: str) -> str:
    """Return a name as keys compare it: NFKC, no case, white space folded."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def entity_key(kind: EntityKind, name: str) -> EntityKey:
    return EntityKey("e-" + digest(kind, normal(name)))


def digest(*parts: str) -> str:
    """Return 20 hex digits that no other parts give: each is preceded by its length."""
    joined = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:20]
