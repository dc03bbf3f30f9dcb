"""Two texts compared line by line, the changed lines word by word. Pure; the pages only colour it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby
from typing import Literal

from memorybank.views.text.diff import Mark, common_ends, mark_difference

LineChange = Literal["same", "added", "removed", "changed"]

ALIKE = 0.35
"""Share of characters in common (quick ratio) from which on two lines are one line that was changed."""
MOST_LINES = 4_000
"""Matching takes quadratic time: beyond this the texts count as different as a whole, between their common ends."""
MOST_PAIRS = 40
"""Lines of one changed block within which partners are looked for."""


@dataclass(frozen=True, slots=True)
class LinePair:
    """One row: a line of the left, of the right, or of both."""

    change: LineChange
    left: tuple[Mark, ...] = ()
    right: tuple[Mark, ...] = ()

    @property
    def left_text(self) -> str:
        return "".join(mark.text for mark in self.left)

    @property
    def right_text(self) -> str:
        return "".join(mark.text for mark in self.right)


@dataclass(frozen=True, slots=True)
class Skipped:
    """So many lines that are the same stand here."""

    count: int


def line_diff(left: str, right: str) -> tuple[LinePair, ...]:
    """Rows in reading order. The left sides joined are the left text, the right sides the right text."""
    left_lines, right_lines = left.splitlines(), right.splitlines()
    rows: list[LinePair] = []
    for tag, left_start, left_end, right_start, right_end in _blocks(left_lines, right_lines):
        if tag == "equal":
            rows.extend(LinePair("same", _plain(line), _plain(line)) for line in left_lines[left_start:left_end])
        else:
            rows.extend(_changed(left_lines[left_start:left_end], right_lines[right_start:right_end]))
    return tuple(rows)


def changes(rows: Sequence[LinePair]) -> tuple[int, int]:
    """How many lines are new on the right, and how many of the left are gone; a changed line is both."""
    differing = [row for row in rows if row.change != "same"]
    return sum(bool(row.right) for row in differing), sum(bool(row.left) for row in differing)


def folded(rows: Sequence[LinePair], around: int = 2) -> tuple[LinePair | Skipped, ...]:
    """The rows that differ, with `around` unchanged ones on either side; what is left out is counted.

    A single line is never left out: to say so would take its room.
    """
    differing = [place for place, row in enumerate(rows) if row.change != "same"]
    near = {at for place in differing for at in range(place - around, place + around + 1)}
    shown: list[LinePair | Skipped] = []
    for is_shown, run in groupby(enumerate(rows), key=lambda pair: pair[0] in near):
        stretch = [row for _, row in run]
        shown += stretch if is_shown or len(stretch) == 1 else [Skipped(len(stretch))]
    return tuple(shown)


def _blocks(left: list[str], right: list[str]) -> Sequence[tuple[str, int, int, int, int]]:
    if max(len(left), len(right)) <= MOST_LINES:
        return SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    head, tail = common_ends(left, right)
    return [
        ("equal", 0, head, 0, head),
        ("replace", head, len(left) - tail, head, len(right) - tail),
        ("equal", len(left) - tail, len(left), len(right) - tail, len(right)),
    ]


def _changed(left_lines: Sequence[str], right_lines: Sequence[str]) -> Iterator[LinePair]:
    """A block that differs: lines that are much alike stand side by side, the rest alone, in order."""
    at = 0
    for left in left_lines:
        partner = _partner(left, right_lines, at) if max(len(left_lines), len(right_lines)) <= MOST_PAIRS else None
        if partner is None:
            yield LinePair("removed", left=(Mark(left, False),))
            continue
        yield from (LinePair("added", right=_plain(line)) for line in right_lines[at:partner])
        marked_left, marked_right = mark_difference(left, right_lines[partner])
        yield LinePair("changed", tuple(marked_left), tuple(marked_right))
        at = partner + 1
    yield from (LinePair("added", right=_plain(line)) for line in right_lines[at:])


def _partner(line: str, others: Sequence[str], first: int) -> int | None:
    """The place of the line that this one has become; the most alike, the first among equals."""
    best, place = ALIKE, None
    for at in range(first, len(others)):
        matcher = SequenceMatcher(None, line, others[at], autojunk=False)
        if matcher.real_quick_ratio() > best and matcher.quick_ratio() > best:
            best, place = matcher.quick_ratio(), at
    return place


def _plain(line: str) -> tuple[Mark, ...]:
    return (Mark(line, False),)
