"""The chapters of a studio: the fold of their events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from memorybank.errors import Notice
from memorybank_studio.chapters.manuscript import (
    ChapterArchived,
    ChapterBegun,
    ChapterChange,
    ChapterDropped,
    ChapterId,
    ChapterPlanned,
    ChapterPutBack,
    ChapterReworded,
    ChapterStopped,
    Manuscript,
    Piece,
    PieceChecked,
    PieceEdited,
    PieceWithdrawn,
    PieceWritten,
    RevisionDecided,
    RevisionOffered,
    Version,
    words_of,
)

_NOT_CHECKED: dict[str, Any] = {"marks": None, "check_failure": None}


@dataclass(slots=True)
class Manuscripts:
    """Changed by `apply` alone, which refuses (ValueError, KeyError) what contradicts the events before."""

    begun: int = 0
    held: dict[ChapterId, Manuscript] = field(default_factory=dict)
    versions: dict[ChapterId, list[Version]] = field(default_factory=dict)
    """The texts that each of these had, the one that it has now last."""

    def apply(self, event: ChapterChange) -> None:
        match event:
            case ChapterBegun():
                self.begun += 1
                self.held[event.chapter] = Manuscript(
                    id=event.chapter,
                    number=event.number,
                    title=event.title,
                    plans=event.plans,
                    outline=event.outline,
                    length=event.length,
                )
            case ChapterDropped():
                del self.held[event.chapter]
                self.versions.pop(event.chapter, None)
            case _:
                after = self.held[event.chapter] = _after(self.held[event.chapter], event)
                version = Version(event.at, tuple(piece.text for piece in after.pieces))
                known = self.versions.setdefault(event.chapter, [])
                if version.pieces and (not known or known[-1].pieces != version.pieces):
                    known.append(version)


def _after(chapter: Manuscript, event: ChapterChange) -> Manuscript:
    match event:
        case ChapterPlanned():
            return replace(chapter, beats=event.beats, problem=None)
        case PieceWritten():
            return _open(replace(chapter, pieces=(*chapter.pieces, _written(chapter, event)), problem=None))
        case PieceWithdrawn():
            if event.piece != len(chapter.pieces):
                raise ValueError(f"piece {event.piece} of {chapter.id} is not the last")
            return _open(replace(chapter, pieces=chapter.pieces[:-1], revision=None))
        case PieceChecked():
            failure = Notice.restored(event.failure) if event.failure else None
            checked: dict[str, Any] = {"marks": event.marks, "check_failure": failure}
            return _changed(chapter, event.piece, lambda piece: replace(piece, **checked))
        case PieceEdited():
            # What a model said of the old text goes; state lines with their quotes stay.
            edited = partial(replace, text=event.text, summary="", outcome_quote="", made_by="", older_than=None)
            changed = _changed(chapter, event.piece, lambda piece: edited(piece, **_NOT_CHECKED))
            return _open(_later_than(replace(changed, revision=None), event.piece))
        case RevisionOffered():
            return replace(chapter, revision=event.revision, revisions=chapter.revisions + 1, problem=None)
        case RevisionDecided():
            return _decided(chapter, accepted=event.accepted)
        case ChapterStopped():
            return replace(chapter, problem=Notice.restored(event.problem) if event.problem else None)
        case ChapterReworded():
            return _reworded(chapter, event)
        case ChapterPutBack():
            texts = dict(enumerate(event.pieces, start=1))
            kept = {piece.number: piece for piece in chapter.pieces if piece.text == texts.get(piece.number)}
            pieces = tuple(
                replace(kept.get(number, Piece(number=number, text=text)), **_NOT_CHECKED)
                for number, text in texts.items()
            )
            return _open(replace(chapter, pieces=pieces, revision=None))
        case ChapterArchived():
            return replace(chapter, archived=True)
    raise ValueError(f"{type(event).__name__} changes no chapter")


def _reworded(chapter: Manuscript, event: ChapterReworded) -> Manuscript:
    """It stays in the archive: the same rename is there."""
    pieces = tuple(
        replace(piece, **words_of(words), **_NOT_CHECKED)
        for piece, words in zip(chapter.pieces, event.pieces, strict=True)
    )
    return replace(chapter, title=event.title, outline=event.outline, beats=event.beats, pieces=pieces, revision=None)


def _written(chapter: Manuscript, event: PieceWritten) -> Piece:
    if event.piece != len(chapter.pieces) + 1:
        raise ValueError(f"piece {event.piece} of {chapter.id} follows piece {len(chapter.pieces)}")
    return Piece(number=event.piece, ended=event.ended, made_by=event.made_by, **words_of(event))


def _changed(chapter: Manuscript, number: int, change: Callable[[Piece], Piece]) -> Manuscript:
    if not 0 < number <= len(chapter.pieces):
        raise ValueError(f"{chapter.id} has no piece {number}")
    pieces = tuple(change(piece) if piece.number == number else piece for piece in chapter.pieces)
    return replace(chapter, pieces=pieces)


def _later_than(chapter: Manuscript, number: int) -> Manuscript:
    """The pieces after this one are older than its change, and were checked against other words."""
    pieces = tuple(
        replace(piece, older_than=number, **_NOT_CHECKED) if piece.number > number else piece
        for piece in chapter.pieces
    )
    return replace(chapter, pieces=pieces)


def _decided(chapter: Manuscript, *, accepted: bool) -> Manuscript:
    offered = chapter.revision
    if offered is None:
        raise ValueError(f"{chapter.id} has no revision to decide on")
    chapter = replace(chapter, revision=None)
    if not accepted:
        return chapter
    passage, number = offered.passage, offered.passage.piece

    def revised(piece: Piece) -> Piece:
        text = piece.text[: passage.start] + offered.text + piece.text[passage.end :]
        return replace(piece, text=text, summary=offered.summary, state=(*piece.state, *offered.state), **_NOT_CHECKED)

    return _open(_later_than(_changed(chapter, number, revised), number))


def _open(chapter: Manuscript) -> Manuscript:
    """Its text has changed: the archive does not have it so."""
    return replace(chapter, archived=False)
