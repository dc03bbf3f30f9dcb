"""Where a text states a value, or says what a sentence says: word for word, else in the sentence that is nearest to it.

Numbers and dates are compared as values (language/figures.py), names by their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memorybank.engines.offline.salience import mentions
from memorybank.language import quotation
from memorybank.language.figures import figures, states, still_unstated, unstated
from memorybank.language.text import sentences
from memorybank.language.tokens import query_tokens
from memorybank.views.text.diff import Mark

MOST_READ = 60
"""Sentences of a text that are read for a value, those nearest in words first."""
LEAST_SHARED = 0.5
"""Of the words of a sentence, where no value is asked for."""
AROUND = 90
"""Characters shown before and after a sentence."""
_OPENING, _CLOSING = "\"'“‘「『《(（", "\"'”’」』》)）.。,，;；!！?？"
LONGEST = 700
"""Characters of a sentence that are shown."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of a summary, and the value in it that is followed; empty: all that it says."""

    sentence: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Stated:
    """`text[start:end]` is the sentence that states it; `marks` are the places of the value."""

    start: int
    end: int
    marks: tuple[tuple[int, int], ...]
    shared: float = 0.0
    """How many of the words it has, as a share; 1 where the sentence stands there word for word."""

    @property
    def exact(self) -> bool:
        return self.shared >= 1


def statements_of(text: str) -> Iterator[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """The sentences of a text, each with the places of its numbers, dates and names."""
    for start, end in sentences(text):
        sentence = text[start:end].rstrip()
        if sentence.strip():
            yield (
                start,
                start + len(sentence),
                tuple((start + first, start + last) for first, last in _values(sentence)),
            )


def _values(sentence: str) -> Iterator[tuple[int, int]]:
    """A number within a name is no value of its own."""
    taken = 0
    names = ((name.start, name.end) for name in mentions(sentence) if name.kind == "name" and name.certain)
    counted = ((figure.start, figure.end) for figure in unstated(sentence, ""))
    for start, end in sorted((*names, *counted), key=lambda place: (place[0], -place[1])):
        if start >= taken:
            yield start, end
            taken = end


def statement_at(text: str, start: int, end: int) -> Statement | None:
    """The sentence around a place of a text, and the words there; None for a place that is in none."""
    for first, last, _ in statements_of(text):
        if first <= start < end <= last:
            return Statement(text[first:last], "" if (start, end) == (first, last) else text[start:end])
    return None


def where_stated(statement: Statement, text: str) -> Stated | None:
    """Where a text says what a statement says; None where it does not."""
    at = quotation.place(text, statement.sentence)
    if at is not None:
        start, end = _with_marks(text, *at)
        return Stated(start, end, _places(statement.value, text, start, end), shared=1.0)
    for shared, start, end in _nearest(statement, text):
        if not statement.value or states(text[start:end], statement.value):
            return Stated(start, end, _places(statement.value, text, start, end), shared=min(0.99, shared))
    return None


def _with_marks(text: str, start: int, end: int) -> tuple[int, int]:
    """A quotation is found without the marks around it; here they belong to it."""
    while start and text[start - 1] in _OPENING:
        start -= 1
    while end < len(text) and text[end] in _CLOSING:
        end += 1
    return start, end


def _nearest(statement: Statement, text: str) -> Iterator[tuple[float, int, int]]:
    """The sentences of a text that share words with a statement, those that share most first."""
    wanted = frozenset(query_tokens(statement.sentence))
    ranked: list[tuple[float, int, int]] = []
    for start, end, words in _worded(text):
        shared = len(wanted & words) / max(1, len(wanted))
        if statement.value or shared >= LEAST_SHARED:
            ranked.append((-shared, start, end))
    for distance, start, end in sorted(ranked)[:MOST_READ]:
        yield -distance, start, end


@lru_cache(maxsize=64)
def _worded(text: str) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """The sentences of a text with their words: a walk looks into the same long prompts again and again."""
    return tuple(
        (start, start + len(text[start:end].rstrip()), frozenset(query_tokens(text[start:end])))
        for start, end in sentences(text)
    )


def _places(value: str, text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Where `text[start:end]` states the value; as a whole, where no word of it does alone."""
    if not value:
        return ()
    piece, wanted = text[start:end], unstated(value, "")
    if wanted:
        stating = (figure for figure in figures(piece) if not still_unstated(wanted, figure.written))
        places = [(start + figure.start, start + figure.end) for figure in stating]
    else:
        pattern = r"\s+".join(map(re.escape, value.split()))
        places = [(start + match.start(), start + match.end()) for match in re.finditer(pattern, piece, re.IGNORECASE)]
    return tuple(places) or ((start, end),)


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A sentence in its surroundings, as pieces of text of which the value is marked."""

    before: str
    pieces: tuple[Mark, ...]
    after: str


def excerpt(text: str, place: Stated) -> Excerpt:
    end = min(place.end, place.start + LONGEST)
    first, last = max(0, place.start - AROUND), min(len(text), end + AROUND)
    return Excerpt(
        before=("…" if first else "") + _on_one_line(text[first : place.start]),
        pieces=tuple(_pieces(text, place, end)),
        after=_on_one_line(text[end:last]) + ("…" if last < len(text) else ""),
    )


def _on_one_line(text: str) -> str:
    """White space stays where words are set apart by it."""
    return re.sub(r"\s+", " ", text)


def _pieces(text: str, place: Stated, end: int) -> Iterator[Mark]:
    at = place.start
    for start, stop in place.marks:
        if at <= start and stop <= end:
            yield Mark(_on_one_line(text[at:start]), False)
            yield Mark(_on_one_line(text[start:stop]), True)
            at = stop
    yield Mark(_on_one_line(text[at:end]), False)
