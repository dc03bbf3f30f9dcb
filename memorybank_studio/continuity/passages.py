"""A draft in passages: paragraphs bounded by tokens, their sentences numbered through the whole draft."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memorybank.language.text import Piece
from memorybank.llm.tokens import estimate

SHORT: Final = 80
"""Estimated tokens below which a paragraph goes on into the next one: a line of speech is no passage."""
LONG: Final = 320
"""Estimated tokens of a passage; a longer paragraph is cut between sentences."""
LONGEST_SENTENCE: Final = 600
"""Characters; what has no full stop for longer is cut."""


@dataclass(frozen=True, slots=True)
class Sentence:
    number: int
    """Within the draft, from 1."""
    start: int
    end: int
    """Character offsets in the draft, without the space around it."""
    text: str


@dataclass(frozen=True, slots=True)
class Passage:
    sentences: tuple[Sentence, ...]
    tokens: int
    """Estimated."""

    @property
    def start(self) -> int:
        return self.sentences[0].start

    @property
    def end(self) -> int:
        return self.sentences[-1].end


def passages(text: str, pieces: Sequence[Piece]) -> tuple[Passage, ...]:
    """The draft's sentences (`pieces`, in order) in passages; every character but white space is in one."""
    made: list[Passage] = []
    current: list[Sentence] = []
    tokens = after = 0
    for sentence in _sentences(text, pieces):
        cost = estimate(sentence.text)
        new_paragraph = "\n" in text[after : sentence.start]
        if current and (tokens + cost > LONG or (new_paragraph and tokens >= SHORT)):
            made.append(Passage(tuple(current), tokens))
            current, tokens = [], 0
        current.append(sentence)
        tokens, after = tokens + cost, sentence.end
    return (*made, Passage(tuple(current), tokens)) if current else tuple(made)


def _sentences(text: str, pieces: Sequence[Piece]) -> Iterator[Sentence]:
    number = 0
    for piece in pieces:
        for begin in range(piece.start, piece.end, LONGEST_SENTENCE):
            words = text[begin : min(piece.end, begin + LONGEST_SENTENCE)]
            if words.strip():
                number += 1
                start = begin + len(words) - len(words.lstrip())
                yield Sentence(number, start, start + len(words.strip()), words.strip())


def pieces_of(all_passages: Sequence[Passage], tokens: int) -> Iterator[tuple[Passage, ...]]:
    """Consecutive passages that fit into as many tokens; one that is longer stands alone."""
    piece: list[Passage] = []
    room = tokens
    for passage in all_passages:
        if piece and passage.tokens > room:
            yield tuple(piece)
            piece, room = [], tokens
        piece.append(passage)
        room -= passage.tokens
    if piece:
        yield tuple(piece)
