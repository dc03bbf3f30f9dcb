"""What happens to a chapter that is written, as the studio's journal holds it: the texts, each whole, and the marks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from memorybank.calls import Spent
from memorybank.memory.bounds import Seconds
from memorybank.memory.types import Value
from memorybank_studio.chapters.manuscript import Beat, ChapterId, PieceMark, Revision, StateLine
from memorybank_studio.types import PlanKey


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterChange(Value):
    """What every event of a chapter says."""

    chapter: ChapterId
    at: Seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterBegun(ChapterChange):
    type: Literal["ChapterBegun"] = "ChapterBegun"
    number: int
    title: str
    plans: tuple[PlanKey, ...] = ()
    outline: str = ""
    length: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterPlanned(ChapterChange):
    """The pieces it is to be written in, be it that a model planned them or that the author changed the plan."""

    type: Literal["ChapterPlanned"] = "ChapterPlanned"
    beats: tuple[Beat, ...]
    made_by: str = ""
    """The model's name; empty: the author, or the steps as they stand."""
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceWritten(ChapterChange):
    type: Literal["PieceWritten"] = "PieceWritten"
    piece: int
    text: str
    summary: str = ""
    outcome_quote: str = ""
    state: tuple[StateLine, ...] = ()
    ended: tuple[str, ...] = ()
    made_by: str = ""
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceChecked(ChapterChange):
    type: Literal["PieceChecked"] = "PieceChecked"
    piece: int
    marks: tuple[PieceMark, ...]
    failure: dict[str, Any] = field(default_factory=dict)
    """A stored notice: why a model has not read all of it; empty: it has, or there is none."""
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceEdited(ChapterChange):
    """By hand."""

    type: Literal["PieceEdited"] = "PieceEdited"
    piece: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceWithdrawn(ChapterChange):
    """The last piece goes, so that it can be written anew; its text stays in the journal."""

    type: Literal["PieceWithdrawn"] = "PieceWithdrawn"
    piece: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionOffered(ChapterChange):
    type: Literal["RevisionOffered"] = "RevisionOffered"
    revision: Revision
    spent: Spent = field(default_factory=Spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class RevisionDecided(ChapterChange):
    type: Literal["RevisionDecided"] = "RevisionDecided"
    accepted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterStopped(ChapterChange):
    """The author stopped the writing, or it could not go on; what is written stands."""

    type: Literal["ChapterStopped"] = "ChapterStopped"
    problem: dict[str, Any] = field(default_factory=dict)
    """A stored notice; empty: the author stopped it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterFinished(ChapterChange):
    type: Literal["ChapterFinished"] = "ChapterFinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterArchived(ChapterChange):
    """The archive has its text as a chapter of the book."""

    type: Literal["ChapterArchived"] = "ChapterArchived"


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceWords(Value):
    """Of a piece: its text, and what is said of it."""

    text: str
    summary: str = ""
    outcome_quote: str = ""
    state: tuple[StateLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterReworded(ChapterChange):
    """A rename: its texts in other words, whole. What a model said of them holds on, marks do not."""

    type: Literal["ChapterReworded"] = "ChapterReworded"
    title: str
    outline: str
    beats: tuple[Beat, ...]
    pieces: tuple[PieceWords, ...]
    """All of them, in order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterDropped(ChapterChange):
    type: Literal["ChapterDropped"] = "ChapterDropped"


ChapterEvent = (
    ChapterBegun
    | ChapterPlanned
    | PieceWritten
    | PieceChecked
    | PieceEdited
    | PieceWithdrawn
    | RevisionOffered
    | RevisionDecided
    | ChapterStopped
    | ChapterFinished
    | ChapterArchived
    | ChapterReworded
    | ChapterDropped
)
