"""A run and the branch that left it, side by side: what they share, where they parted, what each came to. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.contradiction.disputes import Dispute, disputes_of
from memorybank.errors import JournalError
from memorybank.memory.bank import MemoryBank
from memorybank.memory.events import AgentCalled, NodeCreated, NodesMerged, SessionForked, ToolUsed
from memorybank.memory.types import MergeEvent, Node, NodeId
from memorybank.runs.banks import BankAt
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import run_id_of, state_at
from memorybank.runs.stages import begins_stage, place_at
from memorybank.views.graph.layout import Point, births, positions
from memorybank.views.graph.overlays import GraphDiff, diff_graphs


@dataclass(frozen=True, slots=True, kw_only=True)
class BranchSide:
    """One of the two, as it stands now."""

    run_id: str
    bank: MemoryBank
    points: Mapping[NodeId, Point]
    events: int
    events_own: int
    """After the two parted."""
    made: frozenset[NodeId]
    """Nodes that it made by itself, after the two parted."""
    changes: GraphDiff
    """What became of the past that both share."""
    merged: frozenset[NodeId]
    """Made by a merge that stands."""
    calls: int
    """Agent and tool calls of its own."""
    k: int
    alpha: float
    share: float
    """NEIGHBOR_SHARE."""
    relations: tuple[str, ...]
    strategy: str

    @property
    def born(self) -> frozenset[NodeId]:
        """Nodes of its own that it still has."""
        return self.made & self.bank.graph.nodes.keys()

    @property
    def nodes(self) -> list[Node]:
        return list(self.bank.graph.nodes.values())

    @property
    def disputes(self) -> tuple[Dispute, ...]:
        return disputes_of(self.bank)

    @property
    def merges(self) -> list[MergeEvent]:
        return list(self.bank.tree.merge_events.values())

    @property
    def answer(self) -> str:
        return self.bank.progress.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Branching:
    parent: BranchSide
    branch: BranchSide
    parted: int
    """Events in common; the branch's own begin after them."""
    stage: str
    """The stage that they share last."""
    round: int

    @property
    def shared_nodes(self) -> int:
        """Live nodes of the branch that were made before the two parted."""
        return len(self.branch.bank.graph.nodes) - len(self.branch.born)


def parent_of(records: Sequence[Record[Any]]) -> SessionForked | None:
    """Where a run was branched off last; None for one that was begun."""
    return next((record.event for record in reversed(records) if isinstance(record.event, SessionForked)), None)


def compare_branches(
    parent: Sequence[Record[Any]], branch: Sequence[Record[Any]], bank_at: BankAt = state_at
) -> Branching:
    """The two, as far as they have come. Raises JournalError when the branch does not stem from this parent."""
    forked = parent_of(branch)
    parted = forked.parent_seq if forked is not None else 0
    if not 0 < parted <= min(len(parent), len(branch)) or list(parent[:parted]) != list(branch[:parted]):
        raise JournalError("run.no_shared_past")
    last, shared = place_at(parent, parted), bank_at(parent, parted)
    assert last is not None  # at least one event is shared
    return Branching(
        parent=_side(parent, parted, shared, bank_at(parent, len(parent))),
        branch=_side(branch, parted, shared, bank_at(branch, len(branch))),
        parted=parted,
        stage=last.stage,
        round=last.round,
    )


def _side(records: Sequence[Record[Any]], parted: int, shared: MemoryBank, bank: MemoryBank) -> BranchSide:
    begun = bank.settings
    assert begun is not None
    held = bank.changed or begun
    own = [record.event for record in records[parted:]]
    made = {event.node_id for event in own if isinstance(event, NodeCreated)}
    made |= {event.new_node_id for event in own if isinstance(event, NodesMerged)}
    return BranchSide(
        run_id=run_id_of(records),
        bank=bank,
        points=positions(births(record.event for record in records)),
        events=len(records),
        events_own=_work_in(own),
        made=frozenset(made),
        changes=diff_graphs(shared, bank),
        merged=frozenset(merge.new_node_id for merge in bank.tree.merge_events.values() if not merge.undone),
        calls=sum(isinstance(event, AgentCalled | ToolUsed) for event in own),
        k=held.k,
        alpha=held.alpha,
        share=held.neighbor_share,
        relations=tuple(relation.value for relation in held.relations),
        strategy=held.strategy,
    )


def _work_in(events: Sequence[Any]) -> int:
    """Events of its own, what every branch begins with (the parting, changed settings, being opened) left out."""
    worked = next((place for place, event in enumerate(events) if begins_stage(event)), len(events))
    return len(events) - worked
