"""Cutting a text that is longer than a window (final specification, section 6.5), with nothing lost."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from memorybank.language.text import Piece, blocks, sentences

T = TypeVar("T")

_MARK_RE = re.compile(r"[.,;:!?，。；：！？、）)\s]\s*")


def pieces(text: str, limit: int, count_tokens: Callable[[str], int]) -> list[Piece]:
    """Return the consecutive ranges of at most `limit` tokens that joined equal the text.

    Cuts fall between blocks (paragraphs, sections), within an over-long block between sentences, within an over-long
    sentence near its middle, and so on; a single character is never cut, whatever its tokens.
    """
    if len(text.encode("utf-8", "replace")) <= limit or count_tokens(text) <= limit:  # no more tokens than bytes
        return [Piece(0, len(text))]
    units = _units(text, limit, count_tokens)
    groups = packed(units, limit, lambda unit: count_tokens(text[unit.start : unit.end]))
    return [Piece(group[0].start, group[-1].end) for group in groups]


def packed(items: Iterable[T], limit: int, size: Callable[[T], int]) -> Iterator[list[T]]:
    """Yield the items in order, in groups of at most `limit` together; one that is larger stands alone."""
    group: list[T] = []
    used = 0
    for item in items:
        more = size(item)
        if group and used + more > limit:
            yield group
            group, used = [], 0
        group.append(item)
        used += more
    if group:
        yield group


def _units(text: str, limit: int, count_tokens: Callable[[str], int]) -> Iterator[Piece]:
    """Blocks; of one that is too long its sentences; of one of those that is too long its halves."""
    for block in blocks(text):
        if count_tokens(text[block.start : block.end]) <= limit:
            yield Piece(block.start, block.end)
            continue
        for start, end in sentences(text[block.start : block.end]):
            yield from _halves(text, Piece(block.start + start, block.start + end), limit, count_tokens)


def _halves(text: str, piece: Piece, limit: int, count_tokens: Callable[[str], int]) -> Iterator[Piece]:
    start, end = piece
    if end - start <= 1 or count_tokens(text[start:end]) <= limit:
        yield piece
        return
    middle = (start + end) // 2
    mark = _MARK_RE.search(text, middle, min(end, middle + max(1, (end - start) // 4)))
    cut = mark.end() if mark and mark.end() < end else middle
    yield from _halves(text, Piece(start, cut), limit, count_tokens)
    yield from _halves(text, Piece(cut, end), limit, count_tokens)
