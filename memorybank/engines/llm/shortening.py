"""Fitting what an agent is told beside its content: newest first whole, older in one line, the rest counted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import NamedTuple

from memorybank.engines.pieces import pieces
from memorybank.language.text import sentences


def shortened(text: str, limit: int, count_tokens: Callable[[str], int]) -> tuple[str, int]:
    """Return the first sentences that fit, and how many were left out."""
    if count_tokens(text) <= limit:
        return text, 0
    spans = sentences(text)
    used = kept = 0
    for start, end in spans:
        used += count_tokens(text[start:end])
        if used > limit:
            break
        kept += 1
    if kept:
        return text[: spans[kept - 1].end].rstrip(), len(spans) - kept
    return text[: pieces(text, max(1, limit), count_tokens)[0].end], len(spans)


class Condensed(NamedTuple):
    lines: list[str]
    """The lines, in the order of the items."""
    shortened: int
    """Lines that are the short form."""
    omitted: int
    """Items that are not there at all: the first ones."""


def condensed(
    items: Sequence[tuple[str, str]], limit: int, count_tokens: Callable[[str], int], *, grow: bool = False
) -> Condensed:
    """Items as (whole, in one line), oldest first, in at most `limit` tokens.

    Those that `grow` come one by one and are cut to half of the room whenever they fill it: between two cuts what is
    shown only grows, so that a prompt begins as the one before it.
    """
    sizes = [(count_tokens(whole), count_tokens(line)) for whole, line in items]
    first, whole_from = (0, 0) if grow else _fitting(sizes, limit)
    for end in range(1, len(sizes) + 1) if grow else ():
        lines, whole = sizes[first:whole_from], sizes[whole_from:end]
        if sum(line for _, line in lines) + sum(size for size, _ in whole) > limit:
            first, whole_from = _fitting(sizes[:end], limit // 2)
    lines_shown = [items[place][place < whole_from] for place in range(first, len(items))]
    changed = sum(items[place][0] != items[place][1] for place in range(first, whole_from))
    return Condensed(lines=lines_shown, shortened=changed, omitted=first)


def _fitting(sizes: Sequence[tuple[int, int]], limit: int) -> tuple[int, int]:
    """Return the first item that is shown, and the first that is whole.

    The newest stay whole while a line of each older one fits beside them, and in any case in half of the room; then
    come lines, and the oldest are left out.
    """
    before = [0, *accumulate(line for _, line in sizes)]
    used = 0
    whole_from = len(sizes)
    while whole_from and used + sizes[whole_from - 1][0] <= max(limit // 2, limit - before[whole_from - 1]):
        whole_from -= 1
        used += sizes[whole_from][0]
    first = whole_from
    while first and used + sizes[first - 1][1] <= limit:
        first -= 1
        used += sizes[first][1]
    return first, whole_from
