"""What a check marks in a piece: against the facts, against its plan. It decides nothing."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.chapters.manuscript import Manuscript, Piece, PieceMark, stands_in
from memorybank_studio.continuity.findings import Finding, Intention
from memorybank_studio.hub.stores import FactLayer
from memorybank_studio.hub.verbalisation import tell
from memorybank_studio.types import normal

OUTCOME: Final = "outcome"


def marks_of(
    chapter: Manuscript, piece: Piece, findings: Sequence[Finding], facts: FactLayer, lang: Lang
) -> tuple[PieceMark, ...]:
    """In the order of the piece; what is about it as a whole comes first. `findings`: of the continuity check.

    Raises StoreUnavailableError."""
    marks = [*_against_plan(chapter, piece), *_against_facts(findings, facts, lang)]
    return tuple(sorted(marks, key=lambda mark: mark.start))


def intention(piece: Piece, mark: PieceMark) -> Intention:
    """What the author of the piece means, if the words are to stand."""
    return Intention(normal(piece.text[mark.start : mark.end]), mark.key)


def parted(piece: Piece, intended: Container[Intention]) -> tuple[list[PieceMark], list[PieceMark]]:
    """The marks of a piece that count, and those that its author lets stand."""
    marks = piece.marks or ()
    let = [mark for mark in marks if mark.key and intention(piece, mark) in intended]
    return [mark for mark in marks if mark not in let], let


def _against_plan(chapter: Manuscript, piece: Piece) -> Iterator[PieceMark]:
    """A model says by which words the outcome comes about; of the author's own text nobody says it."""
    beat = chapter.beat(piece.number)
    if beat is not None and beat.outcome and piece.made_by and not stands_in(piece.outcome_quote, piece.text):
        yield PieceMark(kind=OUTCOME, start=0, end=0, against=beat.outcome)


def _against_facts(findings: Sequence[Finding], facts: FactLayer, lang: Lang) -> Iterator[PieceMark]:
    for finding in findings:
        yield PieceMark(
            kind=finding.kind,
            start=finding.start,
            end=finding.end,
            reason=finding.reason,
            against=tell(finding.against, facts.entity, lang),
            key=str(finding.against.key),
        )
