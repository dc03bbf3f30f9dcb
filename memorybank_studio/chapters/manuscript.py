"""A chapter that is being written, as the studio's journal knows it."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, Final, Literal, NewType

from memorybank.calls import Spent
from memorybank.errors import Notice
from memorybank.memory.bounds import Seconds
from memorybank.memory.types import Lang, Value
from memorybank_studio.continuity.findings import Finding, Intention
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.verbalisation import tell
from memorybank_studio.names import stands_in
from memorybank_studio.types import PlanKey, normal

ChapterId = NewType("ChapterId", str)
"""`c1`, `c2` … in the order in which chapters were begun; the chapter's number in the book is another matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat(Value):
    """The plan of one piece: what it is to tell."""

    title: str
    happens: str
    outcome: str = ""
    """The change that has come about when the piece ends."""
    cast: tuple[str, ...] = ()
    """Names of who and what takes part."""
    step: PlanKey | None = None
    """The step of the plan that it serves."""


class StateKind(StrEnum):
    PLACE = "place"
    """The line says who is where."""
    POSSESSION = "possession"
    """The line says who has what."""
    KNOWLEDGE = "knowledge"
    """The line says who has learnt what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLine(Value):
    """One line of the running state; it counts as long as its quote stands in its piece."""

    id: str
    """The numbers of the piece and of the line in it: `2.1`."""
    kind: StateKind
    who: str
    what: str
    """The place, the thing, or what is known."""
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceMark(Value):
    """A stretch of a piece that the author should look at. Nothing follows from it by itself."""

    kind: str
    """A `FindingKind`, or `outcome`."""
    start: int
    end: int
    """Character offsets in the piece; both 0: it is about the piece as a whole."""
    reason: str = ""
    """The reason of a finding: a sentence in the story's language."""
    against: str = ""
    """The fact or the outcome that it stands against."""
    key: str = ""
    """The key of the fact, plan, setting or entity against which it stands: by it the author lets the words stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceWords(Value):
    """The words of a piece: its text, and what is said of it."""

    text: str
    summary: str = ""
    """The events of the piece in short; empty for a text that no model has read as it stands."""
    outcome_quote: str = ""
    """Words by which its outcome has come about, as the model says."""
    state: tuple[StateLine, ...] = ()
    """The changes that the piece brings about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece(PieceWords):
    number: int
    """The piece's place in the chapter, from 1."""
    ended: tuple[str, ...] = ()
    """Ids of earlier lines that hold no longer."""
    made_by: str = ""
    """The model's name; empty: the author."""
    marks: tuple[PieceMark, ...] | None = None
    """None: it was not checked as it stands."""
    check_failure: Notice | None = None
    """The reason why the model that there is has not checked all of it."""
    older_than: int | None = None
    """The number of the earlier piece that was changed after this one was written; None: there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageOrder(Value):
    """A stretch of a piece that is to be rewritten, and what to change."""

    piece: int
    start: int
    end: int
    text: str
    order: str
    """The author's, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision(Value):
    """A rewritten passage that waits for the author's word."""

    passage: PassageOrder
    text: str
    summary: str
    """The summary of the piece as it would be."""
    state: tuple[StateLine, ...] = ()
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manuscript(Value):
    """A chapter with its plan and the pieces that are written."""

    id: ChapterId
    number: int
    """The chapter's number in the book."""
    title: str
    plans: tuple[PlanKey, ...] = ()
    """The step, or the steps of the short outline, that it is to bring about."""
    outline: str = ""
    """The author's own words on what happens."""
    length: int
    """Words (of Chinese: characters) that the author wants."""
    beats: tuple[Beat, ...] = ()
    pieces: tuple[Piece, ...] = ()
    revision: Revision | None = None
    """The revision that waits for the author's word."""
    revisions: int = 0
    """The number of revisions that were ever offered."""
    problem: Notice | None = None
    """The reason why the writing stopped last; None: it was not stopped, or by the author."""
    archived: bool = False
    """The archive has it as it stands."""

    @property
    def text(self) -> str:
        return whole_text(piece.text for piece in self.pieces)

    @property
    def is_written(self) -> bool:
        """Whether every planned piece is there."""
        return bool(self.beats) and len(self.pieces) >= len(self.beats)

    def beat(self, piece: int) -> Beat | None:
        """Return the beat of the piece with this number; None: it was not planned."""
        return self.beats[piece - 1] if 0 < piece <= len(self.beats) else None


def whole_text(pieces: Iterable[str]) -> str:
    return "\n\n".join(piece.strip() for piece in pieces)


@dataclass(frozen=True, slots=True)
class Version:
    """A chapter's text as it stood from a time on."""

    at: float
    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        return whole_text(self.pieces)


def places_of(words: str, text: str) -> list[tuple[int, int]]:
    """Return the offsets, start and end, of each place where the words stand in the text, whatever its white space."""
    parts = [re.escape(part) for part in words.split()]
    return [match.span() for match in re.finditer(r"\s+".join(parts), text)] if parts else []


LEAST_LENGTH: Final = 100
MOST_LENGTH: Final = 60_000
"""Words (of Chinese: characters) of a chapter."""
PIECE_SIZE: Final[dict[Lang, int]] = {"en": 500, "zh": 800}
"""Words, characters: what a model writes well in one answer."""
_TOKENS: Final = 2.0
"""The tokens of the answer for each word or character: half as long again as asked is let pass."""
_BESIDE_THE_TEXT: Final = 1_200
"""Tokens of an answer for the summary and the state."""


def pieces_for(length: int, steps: int, lang: Lang) -> int:
    """A step has one piece at least."""
    return max(1, steps, round(length / PIECE_SIZE[lang]))


def tokens_for(length: int) -> int:
    """Return the tokens that an answer with a text of this length may take."""
    return int(length * _TOKENS) + _BESIDE_THE_TEXT


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterChange(Value):
    """The fields that every event of a chapter has."""

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


def words_of(piece: PieceWords | PieceWritten) -> dict[str, Any]:
    """Return the words of a piece, be it one that is just written, by the names of `PieceWords`."""
    return {each.name: getattr(piece, each.name) for each in fields(PieceWords)}


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
    """The author has changed a piece by hand."""

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
class ChapterArchived(ChapterChange):
    """The archive has its text as a chapter of the book."""

    type: Literal["ChapterArchived"] = "ChapterArchived"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterReworded(ChapterChange):
    """A rename: its texts in other words, whole. What a model said of them holds on, marks do not."""

    type: Literal["ChapterReworded"] = "ChapterReworded"
    title: str
    outline: str
    beats: tuple[Beat, ...]
    pieces: tuple[PieceWords, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChapterPutBack(ChapterChange):
    """An earlier version stands again: these texts, a piece each."""

    type: Literal["ChapterPutBack"] = "ChapterPutBack"
    pieces: tuple[str, ...]


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
    | ChapterArchived
    | ChapterReworded
    | ChapterPutBack
    | ChapterDropped
)

OUTCOME: Final = "outcome"


def marks_of(
    chapter: Manuscript, piece: Piece, findings: Sequence[Finding], facts: Facts, lang: Lang
) -> tuple[PieceMark, ...]:
    """Return the marks in the order of the piece, those about all of it first. Raises StoreUnavailableError."""
    marks = [
        PieceMark(
            kind=finding.kind,
            start=finding.start,
            end=finding.end,
            reason=finding.reason,
            against=tell(finding.against, facts.entity, lang),
            key=str(finding.against.key),
        )
        for finding in findings
    ]
    beat = chapter.beat(piece.number)
    # A model says by which words the outcome comes about; of the author's own text nobody says it.
    if beat is not None and beat.outcome and piece.made_by and not stands_in(piece.outcome_quote, piece.text):
        marks.insert(0, PieceMark(kind=OUTCOME, start=0, end=0, against=beat.outcome))
    return tuple(sorted(marks, key=lambda mark: mark.start))


def intention(piece: Piece, mark: PieceMark) -> Intention:
    """Return what the author of the piece means if the marked words are to stand."""
    return Intention(normal(piece.text[mark.start : mark.end]), mark.key)


def parted(piece: Piece, intended: Container[Intention]) -> tuple[list[PieceMark], list[PieceMark]]:
    """Return the marks of a piece that count, and those that its author lets stand."""
    marks = piece.marks or ()
    let = [mark for mark in marks if mark.key and intention(piece, mark) in intended]
    return [mark for mark in marks if mark not in let], let
