"""A chapter that is being written, as the studio's journal knows it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from memorybank.errors import Notice
from memorybank.language.text import fold_space
from memorybank.memory.types import Value
from memorybank_studio.types import PlanKey

ChapterId = NewType("ChapterId", str)
"""`c1`, `c2` … in the order in which chapters were begun; the chapter's number in the book is another matter."""

_STRAIGHT = str.maketrans("“”„「」『』‘’", '"""""""\'\'')


@dataclass(frozen=True, slots=True, kw_only=True)
class Beat(Value):
    """What one piece is to tell."""

    title: str
    happens: str
    outcome: str = ""
    """What has changed when the piece ends."""
    cast: tuple[str, ...] = ()
    """Names of who and what takes part."""
    step: PlanKey | None = None
    """The step of the plan that it serves."""


class StateKind(StrEnum):
    PLACE = "place"
    """Who is where."""
    POSSESSION = "possession"
    """Who has what."""
    KNOWLEDGE = "knowledge"
    """Who has learnt what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StateLine(Value):
    """One line of the running state; it counts as long as its quote stands in its piece."""

    id: str
    """Of the piece and its line: `2.1`."""
    kind: StateKind
    who: str
    what: str
    """The place, the thing, or what is known."""
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PieceMark(Value):
    """A stretch of a piece that the author should look at. Nothing follows from it by itself."""

    kind: str
    """A `FindingKind`, `repeats` or `outcome`."""
    start: int
    end: int
    """Character offsets in the piece; both 0: it is about the piece as a whole."""
    reason: str = ""
    """Of a finding: a sentence in the story's language."""
    against: str = ""
    """The fact, the repeated words or the outcome that it stands against."""
    piece: int | None = None
    """The earlier piece whose words it repeats."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece(Value):
    number: int
    """From 1."""
    text: str
    summary: str = ""
    """What happens in it; empty of a text that no model has read as it stands."""
    outcome_quote: str = ""
    """Words by which its outcome has come about, as the model says."""
    state: tuple[StateLine, ...] = ()
    """What it changes."""
    ended: tuple[str, ...] = ()
    """Ids of earlier lines that hold no longer."""
    made_by: str = ""
    """The model's name; empty: the author."""
    marks: tuple[PieceMark, ...] | None = None
    """None: it was not checked as it stands."""
    check_failure: Notice | None = None
    """Why the model that there is has not checked all of it."""
    older_than: int | None = None
    """Of a piece that was written before an earlier one was changed: the number of that one."""


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
    """Of the piece as it would be."""
    state: tuple[StateLine, ...] = ()
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Manuscript(Value):
    """A chapter with its plan and the pieces that are written."""

    id: ChapterId
    number: int
    """Of the chapter in the book."""
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
    """What waits for the author's word."""
    revisions: int = 0
    """That were ever offered."""
    problem: Notice | None = None
    """Why the writing stopped last; None: it was not stopped, or by the author."""
    finished: bool = False
    archived: bool = False
    """The archive has it as it stands."""

    @property
    def text(self) -> str:
        return "\n\n".join(piece.text.strip() for piece in self.pieces)

    @property
    def is_written(self) -> bool:
        """Whether every planned piece is there."""
        return bool(self.beats) and len(self.pieces) >= len(self.beats)

    def beat(self, piece: int) -> Beat | None:
        """Of the piece with this number; None: it was not planned."""
        return self.beats[piece - 1] if 0 < piece <= len(self.beats) else None


def stands_in(quote: str, text: str) -> bool:
    """Whether the text has these words, whatever its white space and the form of its quotation marks."""
    words = _plain(quote)
    return bool(words) and words in _plain(text)


def places_of(words: str, text: str) -> list[tuple[int, int]]:
    """Where the words stand in the text, whatever its white space: offsets of each place."""
    parts = [re.escape(part) for part in words.split()]
    return [match.span() for match in re.finditer(r"\s+".join(parts), text)] if parts else []


def _plain(text: str) -> str:
    return fold_space(text).translate(_STRAIGHT)
