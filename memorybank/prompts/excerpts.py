"""The part of a long text that bears on a question, where all of it would take the place of other texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
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
    """Selects sentences of about `limit` tokens; the first one says what the text is about and always stays."""
    if len(text.encode("utf-8", "replace")) <= limit or count_tokens(text) <= limit:  # no more tokens than bytes
        return Excerpt(text, 0)
    if limit <= 0:
        return Excerpt("", len(sentences(text)))
    first = text[: sentences(text)[0].end]
    if (used := count_tokens(first)) > limit:
        return Excerpt(f"{first[: len(first) * limit // used].rstrip()} {GAP}", len(sentences(text)))
    return _selected([text], question, limit - used, count_tokens, [{0}])[0]


def excerpts(
    texts: Sequence[str], question: str, limit: int, least: int, count_tokens: Callable[[str], int]
) -> list[Excerpt]:
    """Selects sentences of about `limit` tokens from several texts together, so that a text which bears on nothing
    takes no room; one of up to `least` tokens is whole."""
    kept = [set(range(len(sentences(text)))) if count_tokens(text) <= least else set[int]() for text in texts]
    left = limit - sum(count_tokens(text) for text, places in zip(texts, kept, strict=True) if places)
    return _selected(texts, question, left, count_tokens, kept)


def _selected(
    texts: Sequence[str], question: str, limit: int, count_tokens: Callable[[str], int], kept: Sequence[set[int]]
) -> list[Excerpt]:
    """Adds sentences to those that are kept, word for word and in their order: those that share the rarest words with
    the question (idf over the sentences of all texts, by the root of their length); of equals the earlier ones."""
    pieces = [[text[start:end] for start, end in sentences(text)] for text in texts]
    words = {
        (number, place): frozenset(tokenize(piece))
        for number, of_text in enumerate(pieces)
        for place, piece in enumerate(of_text)
    }
    frequency, question_words = Counter(word for own in words.values() for word in own), frozenset(tokenize(question))

    def bearing(at: tuple[int, int]) -> float:
        shared = sum(log(1 + len(words) / frequency[word]) for word in sorted(words[at] & question_words))
        return shared / sqrt(len(words[at]) or 1)

    for number, place in sorted(words, key=lambda at: (-bearing(at), at)):
        size = count_tokens(pieces[number][place])
        if place not in kept[number] and size <= limit:
            kept[number].add(place)
            limit -= size
    return [
        Excerpt(_with_gaps(of_text, places), len(of_text) - len(places))
        for of_text, places in zip(pieces, kept, strict=True)
    ]


def _with_gaps(pieces: list[str], kept: set[int]) -> str:
    parts = [] if 0 in kept or not kept else [f"{GAP} "]
    for place in range(len(pieces)):
        if place in kept:
            parts.append(pieces[place])
        elif place - 1 in kept:
            parts[-1] = f"{parts[-1].rstrip()} {GAP} "
    return "".join(parts).rstrip()
