"""What the model that reads a settlement answers with. It comes from outside, so that each part of it is checked."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict

from memorybank.narrative.hub.labels import is_predicate

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


def _numbers(turns: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(set(turns)))


Name = Annotated[str, AfterValidator(_name)]
ChapterNumber = Annotated[int | None, AfterValidator(_chapter)]

_NAMING: Final = ("name", "title", "subject", "object")
"""Fields that name what an item is about."""


class Read(BaseModel):
    """What every item of the answer says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: Annotated[tuple[int, ...], AfterValidator(_numbers)]
    words: str
    """Of these turns, that it stands on, word for word."""

    @property
    def about(self) -> tuple[str, ...]:
        """Names of what it is about; a setting has none."""
        return tuple(getattr(self, field) for field in _NAMING if field in type(self).model_fields)


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


class Settlement(BaseModel):
    """All that a stretch of turns settles."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    names: tuple[ReadName, ...]
    facts: tuple[ReadFact, ...]
    hooks: tuple[ReadHook, ...]
    plans: tuple[ReadPlan, ...]
    statuses: tuple[ReadStatus, ...]
    settings: tuple[ReadSetting, ...]

    @property
    def items(self) -> tuple[Read, ...]:
        return (*self.names, *self.facts, *self.hooks, *self.plans, *self.statuses, *self.settings)
