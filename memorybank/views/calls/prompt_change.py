"""Two prompts of a run part by part: which grew, came, went or moved, and how much of the beginning stayed.

What stayed at the beginning, a provider's prefix cache may serve again.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from memorybank.memory.types import NodeId
from memorybank.views.calls.prompt_parts import BETWEEN, Piece, PromptView

Change = Literal["same", "reworded", "moved", "came", "went"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PartChange:
    name: str
    node: NodeId | None
    change: Change
    before: int
    """Tokens of the part in the earlier prompt; 0 where it was not there."""
    after: int
    into: NodeId | None = None
    """went: the memory that this one was merged into since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prefix:
    """What two prompts begin with alike."""

    characters: int
    tokens: int
    """Of the parts that lie in it whole."""


def part_changes(earlier: PromptView, later: PromptView) -> tuple[PartChange, ...]:
    """Every part of either prompt, in the order of the later one; what went stands last."""
    old, new = _parts(earlier), _parts(later)
    pairs = _pairs(earlier, later)
    stayed = _in_order([pairs[at] for at in sorted(pairs)])
    changes = []
    for at, piece in enumerate(new):
        before = old[pairs[at]] if at in pairs else None
        change: Change = "came"
        if before is not None:
            same = earlier.text(before) == later.text(piece)
            change = "reworded" if not same else "same" if pairs[at] in stayed else "moved"
        changes.append(
            PartChange(
                name=piece.name,
                node=piece.node,
                change=change,
                before=before.tokens if before else 0,
                after=piece.tokens,
            )
        )
    graph = later.bank.graph
    for at, piece in enumerate(old):
        if at not in pairs.values():
            into = graph.successor(piece.node) if piece.node else None
            moved = into if into != piece.node and into in graph.nodes else None
            changes.append(
                PartChange(name=piece.name, node=piece.node, change="went", before=piece.tokens, after=0, into=moved)
            )
    return tuple(changes)


def shared_prefix(earlier: PromptView, later: PromptView) -> Prefix:
    before, after = earlier.event.prompt, later.event.prompt
    lengths = range(1, min(len(before), len(after)) + 1)
    length = bisect_left(lengths, True, key=lambda length: before[:length] != after[:length])
    return Prefix(characters=length, tokens=sum(piece.tokens for piece in _parts(later) if piece.end <= length))


def _parts(view: PromptView) -> list[Piece]:
    return [piece for piece in view.pieces if piece.name != BETWEEN]


def _pairs(earlier: PromptView, later: PromptView) -> dict[int, int]:
    """By place of a later part the place of the earlier one that it was: of one memory, of one text, or of one name."""
    old, new = _parts(earlier), _parts(later)
    free = dict.fromkeys(range(len(old)))
    pairs: dict[int, int] = {}

    def pair(at: int, wanted: Sequence[int]) -> None:
        place = next((place for place in wanted if place in free), None)
        if place is not None:
            pairs[at] = place
            del free[place]

    for at, piece in enumerate(new):
        if piece.node is not None:
            pair(at, [place for place in free if old[place].node == piece.node])
    for at, piece in enumerate(new):
        if piece.node is None:
            same = later.text(piece)
            pair(at, [place for place in free if old[place].name == piece.name and earlier.text(old[place]) == same])
    for at, piece in enumerate(new):
        if at not in pairs and piece.node is None:
            pair(at, [place for place in free if _is_same_part(earlier, old[place], later, piece)])
    return pairs


def _is_same_part(earlier: PromptView, before: Piece, later: PromptView, after: Piece) -> bool:
    """Whether two parts with other words are one: what a prompt has once, or a task that shrank to its first line."""
    if before.name != after.name:
        return False
    return before.name != "completed" or earlier.text(before).split("\n")[0] == later.text(after).split("\n")[0]


def _in_order(places: Sequence[int]) -> set[int]:
    """Those that stand behind each other as they did: the longest such row."""
    tails: list[int] = []
    came_from: dict[int, int | None] = {}
    for place in places:
        at = bisect_left(tails, place)
        came_from[place] = tails[at - 1] if at else None
        tails[at : at + 1] = [place]
    kept: set[int] = set()
    place_ = tails[-1] if tails else None
    while place_ is not None:
        kept.add(place_)
        place_ = came_from[place_]
    return kept
