"""Query Graph: topic summaries and the undirected `related` edges between them.

The adjacency lives in the nodes themselves (`Node.links`). A node that was merged away leaves `nodes` but stays in
`gone`, so that its id can still be answered with its successor and so that a merge can be taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from memorybank.errors import JournalError, MergeUndoError
from memorybank.memory import events
from memorybank.memory.bounds import is_numbered
from memorybank.memory.layers import Copyable
from memorybank.memory.types import MergeEventId, Node, NodeId, Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Holds what is needed to undo a merge."""

    event_id: MergeEventId
    new_node_id: NodeId
    sources: tuple[Node, ...]
    """The merged nodes as they were before the merge."""
    neighbours: tuple[NodeId, ...]
    """Inherited edges of the new node."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """A neighbour before and after it was rewritten on account of a node."""

    node_id: NodeId
    before: Node
    after: Node


@dataclass(frozen=True, slots=True, kw_only=True)
class Undone:
    """Holds what is needed to let a merge that was taken back stand again."""

    node: Node
    """The merged node as it was then."""
    sources: tuple[NodeId, ...]
    reverted: tuple[Rewrite, ...]
    """Rewritings of neighbours that were taken back with it, latest first."""


@dataclass(slots=True)
class QueryGraph(Copyable):
    nodes: dict[NodeId, Node] = field(default_factory=dict)
    """The live nodes, oldest first."""
    gone: dict[NodeId, NodeId] = field(default_factory=dict)
    """Maps a merged-away node to the node that it went into."""
    merges: dict[MergeEventId, Merge] = field(default_factory=dict)
    """Merges that stand (not undone)."""
    undone: dict[MergeEventId, Undone] = field(default_factory=dict)
    """Merges that a person took back, and can have again."""
    rewrites: dict[NodeId, tuple[Rewrite, ...]] = field(default_factory=dict)
    """Maps the node that was the reason to what was rewritten in its neighbours."""
    unrelated: set[frozenset[NodeId]] = field(default_factory=set)
    """Pairs that were judged unrelated, as their summaries stand."""
    same: dict[frozenset[NodeId], None] = field(default_factory=dict)
    """Pairs that were judged to be the same and are not united, in the order of the judgements."""
    created: int = 0
    """The number of nodes ever created: the last id's number."""

    # -- reading ------------------------------------------------------------------------------------------------------

    def successor(self, node_id: NodeId) -> NodeId:
        """Follow merges to the live node. An id that was never merged away is its own successor."""
        while node_id in self.gone:
            node_id = self.gone[node_id]
        return node_id

    def neighbours(self, node_id: NodeId) -> tuple[Node, ...]:
        return tuple(self.nodes[other] for other in self.nodes[node_id].links)

    def same_as(self, node_id: NodeId) -> set[NodeId]:
        """Return the live nodes that were judged to be the same as this one, or as a node that went into it."""
        live = [{self.successor(member) for member in pair} for pair in self.same]
        return set().union(*(pair for pair in live if node_id in pair)) - {node_id}

    def edges(self) -> list[tuple[NodeId, NodeId]]:
        """Return each undirected edge once, (older, newer), in the order of its older node."""
        edges: list[tuple[NodeId, NodeId]] = []
        for node in self.nodes.values():
            edges.extend((node.id, other) for other in node.links if self.nodes[other].seq > node.seq)
        return edges

    def merge_above(self, event_id: MergeEventId) -> Merge | None:
        """Return the standing merge that took this merge's node, if any; it must be undone first."""
        return self.merge_of(self.merges[event_id].new_node_id)

    def merge_of(self, node_id: NodeId) -> Merge | None:
        """Return the standing merge that took a node; None for one that is live, or whose merge was imported."""
        into = self.gone.get(node_id)
        return next((merge for merge in self.merges.values() if merge.new_node_id == into), None)

    # -- events -------------------------------------------------------------------------------------------------------

    def apply(self, event: events.Fact, at: float) -> None:
        match event:
            case events.NodeCreated():
                self._create(event.node_id, event, at)
            case events.RelationsJudged():
                self._judge(event)
            case events.NodesLinked():
                self._link(event.left, event.right)
            case events.NodeDescribed():
                before = self._known(event.node_id)
                after = replace(before, context=event.context, keywords=event.keywords, vector=event.vector)
                self.nodes[event.node_id] = after
                rewrite = Rewrite(node_id=event.node_id, before=before, after=after)
                self.rewrites[event.because] = (*self.rewrites.get(event.because, ()), rewrite)
            case events.NodeChecked():
                self._check(event)
            case events.NodesMerged():
                self._merge(event, at)
            case events.MergeUndone():
                self._undo(event)
            case events.MergeRestored():
                self._restore(event)
            case events.FilingQueued():
                for node_id in event.node_ids:
                    self._known(node_id)
            case events.MemoryImported():
                self._import(event)

    def _known(self, node_id: NodeId) -> Node:
        try:
            return self.nodes[node_id]
        except KeyError:
            raise JournalError("fold.unknown_node", node=node_id) from None

    def _add(self, node: Node) -> None:
        if node.id in self.nodes or node.id in self.gone:
            raise JournalError("fold.node_twice", id=node.id)
        if not is_numbered(node.id, "n"):
            raise JournalError("fold.bad_node", id=node.id[:20])
        self.nodes[node.id] = node
        self.created += 1

    def _create(
        self, node_id: NodeId, event: events.NodeCreated | events.NodesMerged | events.ImportedNode, at: float
    ) -> None:
        """Add the node that an event describes."""
        self._add(
            Node(
                id=node_id,
                summary=event.summary,
                context=event.context,
                keywords=event.keywords,
                vector=event.vector,
                timestamp=at,
                seq=self.created + 1,
            )
        )

    def _judge(self, event: events.RelationsJudged) -> None:
        for judged in event.relations:
            pair = frozenset((event.node_id, judged.node_id))
            if judged.relation is Relation.UNRELATED:
                self.unrelated.add(pair)
            else:
                self.unrelated.discard(pair)
            if judged.relation is Relation.MERGE:
                self.same[pair] = None
            else:
                self.same.pop(pair, None)

    def _link(self, left: NodeId, right: NodeId) -> None:
        if left == right:
            raise JournalError("fold.self_link", node=left)
        for node_id, other in ((left, right), (right, left)):
            node = self._known(node_id)
            self._known(other)
            if other not in node.links:
                self.nodes[node_id] = replace(node, links=(*node.links, other))

    def _unlink_everywhere(self, node: Node) -> None:
        for other in node.links:
            neighbour = self.nodes.get(other)
            if neighbour is not None:
                links = tuple(link for link in neighbour.links if link != node.id)
                self.nodes[other] = replace(neighbour, links=links)

    def _check(self, event: events.NodeChecked) -> None:
        """Put the checks in the place of earlier ones on the same points."""
        node = self._known(event.node_id)
        checks = {(check.conflict_id, check.point): check for check in (*node.checks, *event.checks)}
        for refuted in (refuted for check in event.checks for refuted in check.refuted):
            if not refuted.start < refuted.end <= len(node.summary):
                raise JournalError("fold.bad_refuted", node=node.id, start=refuted.start, end=refuted.end)
        self.nodes[node.id] = replace(node, checks=tuple(checks.values()))

    def _merge(self, event: events.NodesMerged, at: float) -> None:
        sources = tuple(self._known(node_id) for node_id in event.merged_node_ids)
        if len({source.id for source in sources}) < 2:
            raise JournalError("fold.merge_of_one", event=event.event_id)
        self._create(event.new_node_id, event, at)
        self._unite(event.event_id, sources, event.new_node_id)

    def _unite(
        self, event_id: MergeEventId, sources: tuple[Node, ...], into: NodeId, links: Sequence[NodeId] = ()
    ) -> None:
        """Put a node that is there in the place of its sources. `links`: some of theirs that come first."""
        for source in sources:
            del self.nodes[source.id]
        for source in sources:
            self._unlink_everywhere(source)
            self.gone[source.id] = into
        self.same = {pair: None for pair in self.same if len({*map(self.successor, pair)}) > 1}
        inherited = (*map(self.successor, links), *(link for source in sources for link in source.links))
        neighbours = tuple(link for link in dict.fromkeys(inherited) if link in self.nodes and link != into)
        for neighbour in neighbours:
            self._link(into, neighbour)
        self.merges[event_id] = Merge(event_id=event_id, new_node_id=into, sources=sources, neighbours=neighbours)

    def _undo(self, event: events.MergeUndone) -> None:
        merge = self._standing(event.event_id)
        ids = tuple(source.id for source in merge.sources)
        if (event.new_node_id, event.restored) != (merge.new_node_id, ids) or not set(event.split) < set(ids):
            raise JournalError("fold.undo_of_others", event=event.event_id)
        node = self.nodes[merge.new_node_id]
        self.undone[merge.event_id] = Undone(node=node, sources=ids, reverted=self._unmake(merge))

    def _restore(self, event: events.MergeRestored) -> None:
        undone = self.undone.get(event.event_id)
        if undone is None or (event.new_node_id, event.merged_node_ids) != (undone.node.id, undone.sources):
            raise JournalError("fold.undo_of_others", event=event.event_id)
        if event.rest is not None:
            rest = self._standing(event.rest)
            if rest.new_node_id != event.rest_node_id or not {source.id for source in rest.sources} < {*undone.sources}:
                raise JournalError("fold.undo_of_others", event=event.rest)
            self._unmake(rest)
        sources = tuple(self._known(node_id) for node_id in undone.sources)
        del self.undone[event.event_id]
        self.nodes[undone.node.id] = replace(undone.node, links=())
        self._unite(event.event_id, sources, undone.node.id, undone.node.links)
        rewrites = reversed(undone.reverted)
        self.rewrites[undone.node.id] = tuple(one for one in rewrites if self._reword(one.before, one.after))
        self.nodes = dict(sorted(self.nodes.items(), key=lambda item: item[1].seq))

    def _standing(self, event_id: MergeEventId) -> Merge:
        """Return the merge, which stands and carries no later one. Raises MergeUndoError, naming what stands in the
        way."""
        merge = self.merges.get(event_id)
        if merge is None:
            raise MergeUndoError("merge.does_not_stand", event=event_id)
        above = self.merge_above(event_id)
        if above is not None:
            raise MergeUndoError("merge.carries_later", event=event_id, later=above.event_id)
        return merge

    def _unmake(self, merge: Merge) -> tuple[Rewrite, ...]:
        """Put the sources in the place of their merged node again. Returns what it had rewritten and no longer has."""
        inherited = {self.successor(neighbour) for neighbour in merge.neighbours}  # their own merges followed
        learnt_later = [link for link in self.nodes[merge.new_node_id].links if link not in inherited]
        self._unlink_everywhere(self.nodes[merge.new_node_id])
        del self.nodes[merge.new_node_id]
        del self.merges[merge.event_id]
        for source in merge.sources:
            del self.gone[source.id]
            self.nodes[source.id] = replace(source, links=())
        for source in merge.sources:
            for live in map(self.successor, (*source.links, *learnt_later)):
                if live in self.nodes and live != source.id:
                    self._link(source.id, live)
        rewrites = reversed(self.rewrites.pop(merge.new_node_id, ()))
        reverted = tuple(one for one in rewrites if self._reword(one.after, one.before))
        self.nodes = dict(sorted(self.nodes.items(), key=lambda item: item[1].seq))
        return reverted

    def _reword(self, was: Node, becomes: Node) -> bool:
        """Give a neighbour the topic and keywords of its other version, unless something rewrote it since."""
        now = self.nodes.get(was.id)
        if now is None or (now.summary, now.context, now.keywords) != (was.summary, was.context, was.keywords):
            return False
        self.nodes[now.id] = replace(now, context=becomes.context, keywords=becomes.keywords, vector=becomes.vector)
        return True

    def _import(self, event: events.MemoryImported) -> None:
        if self.created:
            raise JournalError("fold.second_import")
        for imported in event.nodes:
            self._create(imported.node_id, imported, imported.timestamp)
        for imported in event.nodes:
            for link in imported.links:
                self._link(imported.node_id, link)
            self._check(events.NodeChecked(node_id=imported.node_id, checks=imported.checks))
        for merge in event.merge_events:
            if not merge.undone:
                self.gone.update(dict.fromkeys(merge.merged_node_ids, merge.new_node_id))
        if not set(ends(self.gone).values()) <= self.nodes.keys() or self.gone.keys() & self.nodes.keys():
            raise JournalError("fold.imported_merges")
        for conflict in event.conflicts:
            for node_id in conflict.node_ids:
                self._known(self.successor(node_id))
        numbers = [int(node_id[1:]) for node_id in (*self.nodes, *self.gone)]
        self.created = max([self.created, *numbers])


def ends(into: Mapping[NodeId, NodeId]) -> dict[NodeId, NodeId]:
    """Maps each merged-away node to the node at the end of its merges. Raises ValueError for a circle of merges."""
    ended: dict[NodeId, NodeId] = {}
    for start in into:
        chain: dict[NodeId, None] = {}
        node = start
        while node in into and node not in ended:
            if node in chain:
                raise ValueError(f"the merges of {start} run in a circle")
            chain[node] = None
            node = into[node]
        ended.update(dict.fromkeys(chain, ended.get(node, node)))
    return ended
