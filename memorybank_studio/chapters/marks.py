"""What a check marks in a piece: against the facts, against the pieces before, against its plan. It decides nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from memorybank.memory.types import Lang
from memorybank_studio.chapters.manuscript import Manuscript, Piece, PieceMark, stands_in
from memorybank_studio.chapters.repetition import repeated
from memorybank_studio.continuity.findings import Finding
from memorybank_studio.hub.contracts import FactLayer
from memorybank_studio.hub.verbalisation import tell

REPEATS: Final = "repeats"
OUTCOME: Final = "outcome"


def marks_of(
    chapter: Manuscript, piece: Piece, findings: Sequence[Finding], facts: FactLayer, lang: Lang
) -> tuple[PieceMark, ...]:
    """In the order of the piece; what is about it as a whole comes first. `findings`: of the continuity check.

    Raises StoreUnavailableError."""
    marks = [*_against_plan(chapter, piece), *_against_facts(findings, facts, lang), *_against_pieces(chapter, piece)]
    return tuple(sorted(marks, key=lambda mark: mark.start))


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
        )


def _against_pieces(chapter: Manuscript, piece: Piece) -> Iterator[PieceMark]:
    for run in repeated(piece.text, chapter.pieces[: piece.number - 1]):
        yield PieceMark(kind=REPEATS, start=run.start, end=run.end, against=run.words, piece=run.of)
