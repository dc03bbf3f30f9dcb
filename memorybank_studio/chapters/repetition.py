"""What a piece says again in the words of an earlier one: runs of the same words, found by their n-grams."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from memorybank.language.han import is_han
from memorybank_studio.chapters.manuscript import Piece
from memorybank_studio.counting import units

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
    size = RUN_OF_HAN if text and _mostly_han(words) else RUN_OF_WORDS
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


def _mostly_han(words: Sequence[str]) -> bool:
    return sum(map(is_han, words)) * 2 > len(words)


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
