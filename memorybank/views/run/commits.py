"""A run cut into its commits: what each stage did, whole. What was not committed yet has not happened.

And the difference of two moments of a run, in graph and conflicts, from records alone:

    diff = step_diff(records, a, b)

The difference always runs from the earlier moment to the later one; `swapped` says that the reader named them the other
way round. Each moment keeps its name, A or B.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from memorybank.contradiction.disputes.dispute import Dispute
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory import events
from memorybank.memory.events import AgentCalled
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Node, NodeId
from memorybank.runs.banks import BankAt
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.runs.stages import Place, StageReader, ends_stage, place_at
from memorybank.views.graph.overlays import GraphDiff, diff_graphs

Records = Sequence[Record[Any]]
E = TypeVar("E")


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One stage, or one act of a person: its records up to its end."""

    stage: str
    round: int
    records: Records

    @property
    def seq(self) -> int:
        """The end of the stage: the moment at which what it did is true."""
        return self.records[-1].seq

    def place(self, record: Record[Any]) -> Place:
        return Place(seq=record.seq, at=record.at, round=self.round, stage=self.stage)

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a kind, in order."""
        return [record.event for record in self.records if isinstance(record.event, kind)]

    def calls(self, role: str) -> list[Record[Any]]:
        """Return the agent's calls of this stage that were answered, in order."""
        return [
            record
            for record in self.records
            if isinstance(record.event, AgentCalled) and record.event.role == role and record.event.outcome == "ok"
        ]


def commits(records: Records) -> Iterator[Commit]:
    """Return the commits of a run, oldest first."""
    stages, pending = StageReader(), list[Record[Any]]()
    for record in records:
        stages.take(record)
        pending.append(record)
        if ends_stage(record):
            yield Commit(stage=stages.stage, round=stages.round, records=pending)
            pending = []


def listed(answer: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """Return the objects that an answer lists under a name; what is no object is left out."""
    items = answer.get(name)
    if isinstance(items, list | tuple):
        yield from (item for item in items if isinstance(item, Mapping))


MARKS: dict[type, str] = {
    events.TaskReceived: "task",
    events.SessionForked: "branch",
    events.ConflictFound: "conflict",
    events.ConflictClosed: "verdict",
    events.ConflictToldApart: "verdict",
    events.ConflictRestored: "verdict",
    events.NodesMerged: "merge",
    events.MergeUndone: "merge",
    events.MergeRestored: "merge",
    events.AnswerGiven: "answer",
}


def marks_of(records: Records) -> list[tuple[int, str]]:
    """Return the event and the kind of each mark, oldest first."""
    return [(record.seq, MARKS[type(record.event)]) for record in records if type(record.event) in MARKS]


def borders_of(records: Records) -> list[int]:
    """Return where stages ended: what the buttons that go by stage stop at."""
    return [record.seq for record in records if ends_stage(record)]


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
