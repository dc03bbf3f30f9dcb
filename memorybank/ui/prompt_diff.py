"""What changed from one prompt to the next, line by line; within a changed line, word by word. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from memorybank.ui.diff import Mark, mark_difference

Kind = Literal["same", "new", "gone", "skipped"]

CONTEXT = 2
"""Equal lines shown around a change."""
_LONGEST_MARKED = 2_000
"""Characters of a line up to which its words are compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    kind: Kind
    pieces: tuple[Mark, ...] = ()
    count: int = 0
    """Of `skipped`: how many equal lines are not shown."""

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)


def prompt_diff(before: str, after: str) -> tuple[Line, ...]:
    """Lines of `after`, with those of `before` that are gone where they stood; long equal stretches are skipped."""
    old, new = before.split("\n"), after.split("\n")
    found: list[Line] = []
    for kind, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            found.extend(_same(new[first:last], at_start=not found, at_end=last == len(new)))
        else:
            found.extend(_changed(old[start:end], new[first:last]))
    return tuple(found)


def changes(lines: Sequence[Line]) -> tuple[int, int]:
    """How many lines are new, and how many are gone."""
    return sum(line.kind == "new" for line in lines), sum(line.kind == "gone" for line in lines)


def _same(lines: Sequence[str], *, at_start: bool, at_end: bool) -> Iterator[Line]:
    head = 0 if at_start else CONTEXT
    tail = 0 if at_end else CONTEXT
    skipped = len(lines) - head - tail
    if skipped <= 1:
        yield from (_plain("same", line) for line in lines)
        return
    yield from (_plain("same", line) for line in lines[:head])
    yield Line(kind="skipped", count=skipped)
    yield from (_plain("same", line) for line in lines[len(lines) - tail :])


def _changed(old: Sequence[str], new: Sequence[str]) -> Iterator[Line]:
    """Lines that take each other's place are marked by words."""
    if len(old) != len(new):
        yield from (_plain("gone", line) for line in old)
        yield from (_plain("new", line) for line in new)
        return
    for left, right in zip(old, new, strict=True):
        if max(len(left), len(right)) > _LONGEST_MARKED:
            marks = [Mark(left, False)], [Mark(right, False)]
        else:
            marks = mark_difference(left, right)
        yield Line(kind="gone", pieces=tuple(marks[0]))
        yield Line(kind="new", pieces=tuple(marks[1]))


def _plain(kind: Kind, text: str) -> Line:
    return Line(kind=kind, pieces=(Mark(text, False),))
