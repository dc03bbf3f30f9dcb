"""Each node's origin and rewritings, read from the records of a run.

    stories = node_stories(records[:k])       # one pass over what is committed
    stories["n5"].steps                       # first to last, each with its event

What changed is found by folding the graph and looking before and after each event, so that a rewrite that an undone
merge takes back is told too, although no event names it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from memorybank.memory import events
from memorybank.memory.layers.query_graph import QueryGraph
from memorybank.memory.types import ConflictId, MergeEventId, Node, NodeId, Span
from memorybank.runs.journal import Record
from memorybank.views.graph.overlays import is_rewritten
from memorybank.views.run.commits import Commit, Records, commits

StepKind = Literal["created", "imported", "described", "checked", "merged", "restored", "reverted", "gone"]


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryStep:
    """One event in a node's life."""

    seq: int
    at: float
    """The time in seconds since the epoch."""
    round: int
    kind: StepKind
    before: tuple[Node, ...] = ()
    """What it replaced: the node as it was, or the nodes that were merged into it."""
    after: Node
    because: NodeId | None = None
    """described: the node on whose account. gone: the node it went into. reverted: the node that was taken apart."""
    merge: MergeEventId | None = None
    is_of_cluster: bool = False
    """created: from a topic that was found in the raw text."""
    spans: tuple[Span, ...] = ()
    """created: the raw text it was made from."""
    conflicts: tuple[ConflictId, ...] = ()
    """checked: those whose checks it did not have before, of its own or from what it was made of."""


@dataclass(slots=True)
class NodeStory:
    """All that the records tell of one node."""

    steps: list[HistoryStep] = field(default_factory=list)
    """The steps, first to last."""
    judged: dict[int, Mapping[NodeId, events.JudgedRelation]] = field(default_factory=dict)
    """Maps each event that compared it, when it was new, to what the agent made of the others."""

    @property
    def born(self) -> HistoryStep | None:
        """The event that made the node; None when the records do not hold it."""
        return next((step for step in self.steps if step.kind in ("created", "imported", "merged")), None)


def node_stories(records: Records) -> dict[NodeId, NodeStory]:
    """Return the story of every node that was ever made, those merged away too."""
    reader = StoryReader()
    for commit in commits(records):
        reader.take(commit)
    return reader.stories


class StoryReader:
    """A reader that follows one run: `stories` are those up to the commit that was taken last."""

    def __init__(self) -> None:
        self.stories: dict[NodeId, NodeStory] = {}
        self.seq = 0
        self._graph = QueryGraph()
        self._round = 0

    def take(self, commit: Commit) -> None:
        self._round, self.seq = commit.round, commit.seq
        for record in commit.records:
            self._take(record)

    def _take(self, record: Record[Any]) -> None:
        match record.event:
            case events.CandidatesRetrieved() as event:
                self._story(event.node_id).judged[record.seq] = {}
            case events.RelationsJudged() as event:
                self._judge(event)
            case (
                events.NodeCreated()
                | events.MemoryImported()
                | events.NodeDescribed()
                | events.NodeChecked()
                | events.NodesMerged()
                | events.MergeUndone()
                | events.MergeRestored()
            ):  # links say nothing
                before = self._before(record.event)
                self._graph.apply(record.event, record.at)
                self._note(record, before)

    def _story(self, node_id: NodeId) -> NodeStory:
        return self.stories.setdefault(node_id, NodeStory())

    def _judge(self, event: events.RelationsJudged) -> None:
        """Keep the verdicts on the candidates that were retrieved for this node last."""
        judged = self._story(event.node_id).judged
        if judged:
            judged[max(judged)] = {verdict.node_id: verdict for verdict in event.relations}

    def _before(self, event: Any) -> dict[NodeId, Node]:
        """Return the nodes that an event may change, as they are. Undoing or redoing a merge may change any node."""
        nodes = self._graph.nodes
        match event:
            case events.NodeDescribed() | events.NodeChecked():
                touched = [event.node_id]
            case events.NodesMerged():
                touched = list(event.merged_node_ids)
            case events.MergeUndone() | events.MergeRestored():
                touched = list(nodes)
            case _:
                touched = []
        return {node_id: nodes[node_id] for node_id in touched}

    def _note(self, record: Record[Any], before: Mapping[NodeId, Node]) -> None:
        now = self._graph.nodes
        match record.event:
            case events.NodeCreated() as event:
                is_of_cluster = bool(event.cluster_id)
                self._add(record, "created", now[event.node_id], is_of_cluster=is_of_cluster, spans=event.spans)
            case events.MemoryImported() as event:
                for imported in event.nodes:
                    self._add(record, "imported", now[imported.node_id], spans=imported.spans)
            case events.NodeDescribed() as event:
                old = before[event.node_id]
                self._add(record, "described", now[event.node_id], before=[old], because=event.because)
            case events.NodeChecked() as event:
                made_of = [merge for merge in self._graph.merges.values() if merge.new_node_id == event.node_id]
                old_ones = [before[event.node_id], *(source for merge in made_of for source in merge.sources)]
                known = {check.conflict_id for old in old_ones for check in old.checks}
                fresh = dict.fromkeys(each.conflict_id for each in event.checks if each.conflict_id not in known)
                if fresh:
                    self._add(record, "checked", now[event.node_id], conflicts=tuple(fresh))
            case events.NodesMerged() as event:
                sources = [before[node_id] for node_id in event.merged_node_ids]
                self._add(record, "merged", now[event.new_node_id], before=sources, merge=event.event_id)
                for source in sources:
                    self._add(record, "gone", source, because=event.new_node_id, merge=event.event_id)
            case events.MergeUndone() as event:
                self._undo(record, event.restored, event, before)
            case events.MergeRestored() as event:
                for source in self._graph.merges[event.event_id].sources:
                    self._add(record, "gone", source, because=event.new_node_id, merge=event.event_id)
                self._undo(record, (event.new_node_id,), event, before)

    def _undo(
        self,
        record: Record[Any],
        restored: Iterable[NodeId],
        event: events.MergeUndone | events.MergeRestored,
        before: Mapping[NodeId, Node],
    ) -> None:
        now = self._graph.nodes
        for node_id in restored:
            self._add(record, "restored", now[node_id], because=event.new_node_id, merge=event.event_id)
        for node_id, old in before.items():
            new = now.get(node_id)
            if new is not None and is_rewritten(old, new):
                self._add(record, "reverted", new, before=[old], because=event.new_node_id, merge=event.event_id)

    def _add(
        self,
        record: Record[Any],
        kind: StepKind,
        node: Node,
        *,
        before: Iterable[Node] = (),
        because: NodeId | None = None,
        merge: MergeEventId | None = None,
        is_of_cluster: bool = False,
        spans: tuple[Span, ...] = (),
        conflicts: tuple[ConflictId, ...] = (),
    ) -> None:
        self._story(node.id).steps.append(
            HistoryStep(
                seq=record.seq,
                at=record.at,
                round=self._round,
                kind=kind,
                before=tuple(before),
                after=node,
                because=because,
                merge=merge,
                is_of_cluster=is_of_cluster,
                spans=spans,
                conflicts=conflicts,
            )
        )
