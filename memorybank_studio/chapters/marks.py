"""What a check marks in a piece: against the facts, against the pieces before, against its plan. It decides nothing."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from memorybank.language.han import is_han
from memorybank.memory.types import Lang
from memorybank_studio.chapters.manuscript import Manuscript, Piece, PieceMark, stands_in
from memorybank_studio.continuity.findings import Finding, Intention
from memorybank_studio.counting import units
from memorybank_studio.hub.stores import FactLayer
from memorybank_studio.hub.verbalisation import tell
from memorybank_studio.types import normal

REPEATS: Final = "repeats"
OUTCOME: Final = "outcome"


def marks_of(
    chapter: Manuscript, piece: Piece, findings: Sequence[Finding], facts: FactLayer, lang: Lang
) -> tuple[PieceMark, ...]:
    """In the order of the piece; what is about it as a whole comes first. `findings`: of the continuity check.

    Raises StoreUnavailableError."""
    marks = [*_against_plan(chapter, piece), *_against_facts(findings, facts, lang), *_against_pieces(chapter, piece)]
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


def _against_pieces(chapter: Manuscript, piece: Piece) -> Iterator[PieceMark]:
    for run in repeated(piece.text, chapter.pieces[: piece.number - 1]):
        yield PieceMark(kind=REPEATS, start=run.start, end=run.end, against=run.words, piece=run.of)


RUN_OF_WORDS: Final = 8
RUN_OF_HAN: Final = 12
"""Words or Han characters in a row that are no chance, nor a turn of speech."""


class Repeated(NamedTuple):
    """`text[start:end]` of the piece stands in the earlier piece `of` too, as `words`."""

    start: int
    end: int
    of: int
    words: str


def repeated(text: str, earlier: Sequence[Piece]) -> Iterator[Repeated]:
    """From the left, each run as long as it goes in any earlier piece; none overlaps another."""
    own = units(text)
    words = [unit[0].casefold() for unit in own]
    others = {piece.number: [unit[0].casefold() for unit in units(piece.text)] for piece in earlier}
    size = RUN_OF_HAN if sum(map(is_han, words)) * 2 > len(words) else RUN_OF_WORDS
    places = _places(others, size)
    at = 0
    while at + size <= len(words):
        begun = [
            (_run(words, at, others[number], place), number)
            for number, place in places.get(tuple(words[at : at + size]), ())
        ]
        if not begun:
            at += 1
            continue
        length, number = max(begun)
        start, end = own[at].start(), own[at + length - 1].end()
        yield Repeated(start, end, number, text[start:end])
        at += length


def _places(others: Mapping[int, Sequence[str]], size: int) -> dict[tuple[str, ...], list[tuple[int, int]]]:
    """Of each n-gram of the earlier pieces: piece and place."""
    places: dict[tuple[str, ...], list[tuple[int, int]]] = {}
    for number, words in others.items():
        for place in range(len(words) - size + 1):
            places.setdefault(tuple(words[place : place + size]), []).append((number, place))
    return places


def _run(words: Sequence[str], at: int, others: Sequence[str], place: int) -> int:
    length = 0
    while at + length < len(words) and place + length < len(others) and words[at + length] == others[place + length]:
        length += 1
    return length
