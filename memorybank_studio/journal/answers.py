"""What a turn of the author's was taken for, and what its answer stands on."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from memorybank.memory.types import Value
from memorybank_studio.journal.context import PartKind
from memorybank_studio.types import Command


class TurnKind(StrEnum):
    """What an author wants of a turn."""

    FACT = "fact"
    """Asks what has happened or holds."""
    PLAN = "plan"
    """Asks what is to happen, or where the story stands."""
    SETTING = "setting"
    """Asks what something is, by the setting base."""
    REMARK = "remark"
    """Tells, decides, comments: a turn of discussion."""
    OPTIONS = "options"
    """Wants several ways to go on."""
    TEXT = "text"
    """Wants one text."""
    COMMAND = "command"
    """Asks in words for what only a command does."""


ON_RECORD = frozenset({TurnKind.FACT, TurnKind.PLAN, TurnKind.SETTING})
"""Kinds that the hub answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(Value):
    """The kind of one turn, with why."""

    kind: TurnKind
    reason: str
    """A sentence, in the story's language."""
    by: Literal["model", "rules", "author"]
    sought: tuple[str, ...] = ()
    """Of a question: names and words under which the hub may have what is asked, besides those in the question."""
    command: Command | None = None
    """Of a command in words: which one is offered to be confirmed."""
    argument: str = ""
    """A title for NEW, an id of a task for the others; empty: the current one."""
    options: tuple[int, ...] = ()
    """Where it asks for options: the numbers of the latest proposals to be mixed, or of the one to be changed."""
    count: int = 0
    """Where it asks for options: how many are wanted, where a number is said."""
    reply: str = ""
    """Of a remark, when whoever decided has answered it as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation(Value):
    """A line of the record that an answer stands on."""

    number: int
    """As the answer cites it, from 1."""
    kind: PartKind
    title: str
    """What it is about, or where it stands."""
    text: str
    origin: str
    chapter: int | None = None
    """From which a fact holds, or of which a passage is."""
    words: str = ""
    """The author's or the book's own, that a fact was read from."""
