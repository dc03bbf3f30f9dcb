"""What the model that reads a settlement answers with: a border, so each part is checked."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class Read(BaseModel):
    """What every item of the answer says of itself."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    turns: tuple[int, ...]
    words: str
    """Of these turns, that it stands on, word for word."""


class ReadName(Read):
    name: str
    kind: Literal["Character", "Location", "Item", "Faction", "Ability", "Event"]
    aliases: tuple[str, ...]
    note: str


class ReadProperty(BaseModel):
    """One thing more that is said of a relation, as {"name": "reason", "value": "he burned her village"}."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    value: str


class ReadFact(Read):
    subject: str
    relation: str
    object: str
    properties: tuple[ReadProperty, ...] = ()
    chapter: int | None
    happened: bool


class ReadHook(Read):
    name: str
    resolved: bool
    chapter: int | None


class ReadPlan(Read):
    level: Literal["general", "long", "short", "step"]
    title: str
    text: str
    parent: str
    storyline: str
    due: int | None


class ReadStatus(Read):
    title: str
    status: Literal["Pending", "InProgress", "Completed"]


class ReadSetting(Read):
    key: str
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
