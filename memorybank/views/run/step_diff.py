"""The difference of two moments of a run, in graph and conflicts, from records alone.

    diff = step_diff(records, a, b)

The difference always runs from the earlier moment to the later one; `swapped` says that the reader named them the other
way round. Each moment keeps its name, A or B.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Node, NodeId
from memorybank.runs.banks import BankAt
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.runs.stages import place_at
from memorybank.views.graph.overlays import GraphDiff, diff_graphs

Change = Literal["added", "removed", "changed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStep:
    """A moment with its name."""

    name: Literal["A", "B"]
    seq: int
    stage: str = ""
    """The stage that its last event belongs to; empty before the first."""
    round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChange:
    change: Change
    node: Node
    """The node as it is at the later moment; a removed one as it was at the earlier."""
    was: Node | None = None
    """A changed node as it was at the earlier moment."""
    into: NodeId | None = None
    """The node that a removed one was merged into."""

    @property
    def keywords(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the keywords that are gone, and those that are new."""
        before = self.was.keywords if self.was else ()
        return (
            tuple(keyword for keyword in before if keyword not in self.node.keywords),
            tuple(keyword for keyword in self.node.keywords if keyword not in before),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeChange:
    change: Change
    dispute: Dispute
    was: Dispute | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDiff:
    earlier: SessionStep
    later: SessionStep
    swapped: bool
    """Whether A is the later moment."""
    before: MemoryState
    after: MemoryState
    graph: GraphDiff
    nodes: tuple[NodeChange, ...]
    disputes: tuple[DisputeChange, ...]

    @property
    def is_same_moment(self) -> bool:
        return self.earlier.seq == self.later.seq


def step_diff(records: Sequence[Record[Any]], a: int, b: int, bank_at: BankAt = state_at) -> StepDiff:
    """Return the difference of the moments after `a` and `b` events; numbers beyond the run are its ends.

    Raises JournalError for records that contradict each other.
    """
    first, second = (max(0, min(number, len(records))) for number in (a, b))
    swapped = first > second
    earlier, later = sorted((first, second))
    names: tuple[Literal["A", "B"], Literal["A", "B"]] = ("B", "A") if swapped else ("A", "B")
    before, after = bank_at(records, earlier), bank_at(records, later)
    graph = diff_graphs(before, after, names=names)
    return StepDiff(
        earlier=step_at(records, earlier, names[0]),
        later=step_at(records, later, names[1]),
        swapped=swapped,
        before=before,
        after=after,
        graph=graph,
        nodes=tuple(_nodes(before, after, graph)),
        disputes=tuple(_disputes(disputes_of(before), disputes_of(after))),
    )


def step_at(records: Sequence[Record[Any]], k: int, name: Literal["A", "B"] = "A") -> SessionStep:
    """Return a moment with its name, and the stage and round that its last event belongs to."""
    place = place_at(records, k)
    return (
        SessionStep(name=name, seq=k, stage=place.stage, round=place.round)
        if place is not None
        else SessionStep(name=name, seq=k)
    )


def _nodes(before: MemoryState, after: MemoryState, graph: GraphDiff) -> Iterator[NodeChange]:
    """Yield the nodes added, changed, removed; each oldest first."""
    old, new = before.graph.nodes, after.graph.nodes
    yield from (NodeChange(change="added", node=node) for node in new.values() if node.id in graph.added)
    for node in new.values():
        if node.id in graph.changed:
            yield NodeChange(change="changed", node=node, was=old[node.id])
    for node in graph.removed.values():
        into = after.graph.successor(node.id)
        yield NodeChange(change="removed", node=node, into=into if into in new else None)


def _disputes(before: Sequence[Dispute], after: Sequence[Dispute]) -> Iterator[DisputeChange]:
    """Yield the disputes that were found, grew, also with another one, or changed state; none ever goes away."""
    by_point = {point: dispute for dispute in before for point in dispute.points}
    for dispute in after:
        was = next((by_point[point] for point in dispute.points if point in by_point), None)
        if was is None:
            yield DisputeChange(change="added", dispute=dispute)
        elif (was.status, was.holds, was.points) != (dispute.status, dispute.holds, dispute.points):
            yield DisputeChange(change="changed", dispute=dispute, was=was)
