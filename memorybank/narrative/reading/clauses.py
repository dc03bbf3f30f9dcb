"""A story cut into sentences and clauses, each known to be told by the narrator or said by someone."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Final

from memorybank.language.text import Piece, sentences
from memorybank.narrative.reading.speech import speech

_CUT_RE: Final = re.compile(r"[，,；;：:。．！？!?…—]+|(?<=[a-z])\.(?=\s|$)|\n+")
_QUESTION_RE: Final = re.compile(r"[？?][”’」』\"'）)\s]*\Z")


@dataclass(frozen=True, slots=True)
class Clause:
    """`text[start:end]` between two marks or quotation borders."""

    start: int
    end: int
    text: str
    sentence: int
    """Number of its sentence, from 0."""
    spoken: bool
    asks: bool
    """The sentence, or what is said of it, ends in a question mark."""


def cut(text: str) -> tuple[tuple[Piece, ...], tuple[Clause, ...]]:
    """Sentences and clauses of a text, in order. Clauses with nothing but marks and space are left out."""
    pieces = tuple(sentences(text))
    borders = [place for piece in speech(text) for place in (piece.start, piece.end)]
    clauses: list[Clause] = []
    for number, piece in enumerate(pieces):
        inner = borders[bisect_right(borders, piece.start) : bisect_left(borders, piece.end)]
        for start, end in zip((piece.start, *inner), (*inner, piece.end), strict=True):
            spoken = bisect_right(borders, start) % 2 == 1
            clauses += _clauses(text, start, end, number, spoken=spoken)
    return pieces, tuple(clauses)


def _clauses(text: str, start: int, end: int, sentence: int, *, spoken: bool) -> list[Clause]:
    asks = _QUESTION_RE.search(text, max(start, end - 12), end) is not None
    clauses = []
    at = start
    for match in [*_CUT_RE.finditer(text, start, end), None]:
        upto = match.start() if match else end
        body = text[at:upto].strip(' \t\n\u3000“”"‘’「」『』.')
        if body:
            begin = text.index(body, at)
            clauses.append(Clause(begin, begin + len(body), body, sentence, spoken, asks))
        at = match.end() if match else end
    return clauses
