"""The part of a long text that bears on a question, where all of it would take the place of other texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import log, sqrt
from typing import NamedTuple

from memorybank.language.text import sentences
from memorybank.language.tokens import tokenize

GAP = "…"


class Excerpt(NamedTuple):
    text: str
    left_out: int
    """Sentences that are not there; a mark stands where they were."""


def excerpt(text: str, question: str, limit: int, count_tokens: Callable[[str], int]) -> Excerpt:
    """Selects sentences of about `limit` tokens, word for word and in their order.

    The first one says what the text is about and always stays. Of the others those stay that share the rarest words
    with the question (idf over the text's own sentences, by the root of their length); of equals the earlier ones.
    """
    if len(text.encode("utf-8", "replace")) <= limit or count_tokens(text) <= limit:  # no more tokens than bytes
        return Excerpt(text, 0)
    if limit <= 0:
        return Excerpt("", len(sentences(text)))
    pieces = [text[start:end] for start, end in sentences(text)]
    words = [frozenset(tokenize(piece)) for piece in pieces]
    frequency, question_words = Counter(word for own in words for word in own), frozenset(tokenize(question))

    def bearing(place: int) -> float:
        shared = sum(log(1 + len(pieces) / frequency[word]) for word in sorted(words[place] & question_words))
        return shared / sqrt(len(words[place]) or 1)

    kept, used = {0}, count_tokens(pieces[0])
    if used > limit:
        return Excerpt(f"{pieces[0][: len(pieces[0]) * limit // used].rstrip()} {GAP}", len(pieces))
    for place in sorted(range(1, len(pieces)), key=lambda place: (-bearing(place), place)):
        size = count_tokens(pieces[place])
        if used + size <= limit:
            kept.add(place)
            used += size
    return Excerpt(_with_gaps(pieces, kept), len(pieces) - len(kept))


def _with_gaps(pieces: list[str], kept: set[int]) -> str:
    parts: list[str] = []
    for place in range(len(pieces)):
        if place in kept:
            parts.append(pieces[place])
        elif place - 1 in kept:
            parts[-1] = f"{parts[-1].rstrip()} {GAP} "
    return "".join(parts).rstrip()
