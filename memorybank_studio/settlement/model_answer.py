"""What the model that reads a settlement answers with. It comes from outside, so that each part of it is checked."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from memorybank_studio.hub.labels import is_predicate

LONGEST_NAME: Final = 200


def _name(written: str) -> str:
    name = written.strip()
    if not 0 < len(name) <= LONGEST_NAME:
        raise ValueError(f"a name or title is empty or longer than {LONGEST_NAME} characters")
    return name


def _relation(written: str) -> str:
    relation = "_".join(written.upper().replace("-", " ").split())
    if not is_predicate(relation):
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


class Read(BaseModel):
    """What every item of the answer says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    sentences: Numbers
    """Numbers of the sentences that it stands on."""


class ReadName(Read):
    name: Name
    kind: Literal["Character", "Location", "Item", "Faction", "Ability", "Event"]
    aliases: tuple[str, ...]
    note: str


class ReadProperty(BaseModel):
    """One thing more that is said of a relation, as {"name": "reason", "value": "he burned her village"}."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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


class Settlement(BaseModel):
    """All that a stretch of turns settles."""

    model_config = ConfigDict(frozen=True, extra="forbid")

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
        """Numbers of all sentences that it speaks of."""
        return frozenset(number for read in self.all for number in read.sentences)

    def with_more(self, more: Settlement, numbers: frozenset[int]) -> Settlement:
        """With what another answer says of these sentences."""
        return Settlement(
            **{
                name: (*getattr(self, name), *(read for read in getattr(more, name) if numbers & {*read.sentences}))
                for name in type(self).model_fields
            }
        )
