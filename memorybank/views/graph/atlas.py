"""The map of a whole run: a place for every node ever born, and what its nodes and edges ever were.

With it the browser can be told of other moments ahead of time, so that going to one costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from memorybank.memory.events import (
    ConflictFound,
    Event,
    MemoryImported,
    MergeRestored,
    MergeUndone,
    NodeCreated,
    NodeDescribed,
    NodesLinked,
    NodesMerged,
)
from memorybank.memory.types import Conflict, MergeEventId, Node, NodeId
from memorybank.views.graph.layout import Layout, NewNode, Point, births
from memorybank.views.graph.overlays import Pair


class Atlas(Mapping[NodeId, Point]):
    """Grows with the run. As a mapping: the places."""

    def __init__(self) -> None:
        self.seen: list[Node | Pair | Conflict] = []
        """Each node as it came into being and each rewriting of it (id, context, keywords, summary), each edge, and
        each conflict as it was found; in the order in which they came."""
        self.merged_from: dict[NodeId, tuple[NodeId, ...]] = {}
        self._layout = Layout()
        self._row: dict[NodeId, int] = {}
        self._links: dict[NodeId, set[NodeId]] = {}
        self._pairs: set[Pair] = set()
        self._merges: dict[MergeEventId, NodesMerged] = {}

    def __getitem__(self, node_id: NodeId) -> Point:
        return self._layout.points[node_id]

    def __iter__(self) -> Iterator[NodeId]:
        return iter(self._layout.points)

    def __len__(self) -> int:
        return len(self._layout.points)

    # Told apart by identity: it grows, and it is compared with nothing.
    __hash__ = object.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other

    @property
    def topics(self) -> Mapping[NodeId, NodeId]:
        """Of each node the one with which its topic began."""
        return self._layout.topics

    def take(self, event: Event) -> tuple[NodeId, ...]:
        """Learn from an event of the run. Returns the nodes that came into being."""
        born = tuple(births([event]))
        for birth in born:
            self._place(birth)
        match event:
            case NodeCreated():
                self._name(event.node_id, event.context, event.keywords, event.summary)
            case NodeDescribed():
                self._name(event.node_id, event.context, event.keywords, "")
            case NodesLinked():
                self._link(event.left, event.right)
            case NodesMerged():
                self._name(event.new_node_id, event.context, event.keywords, event.summary)
                self._merges[event.event_id] = event
                self._merge(event)
            case ConflictFound():
                self.seen.append(Conflict(id=event.conflict_id, node_ids=event.node_ids, description=event.description))
            case MergeUndone():
                self._undo(event.event_id)
            case MergeRestored() if event.event_id in self._merges:
                self._undo(event.rest)
                self._merge(self._merges[event.event_id])
            case MemoryImported():
                for node in event.nodes:
                    self._name(node.node_id, node.context, node.keywords, node.summary)
                for node in event.nodes:
                    for other in node.links:
                        self._link(node.node_id, other)
            case _:
                pass
        return tuple(birth.id for birth in born)

    def _place(self, birth: NewNode) -> None:
        self._layout.add(birth)
        self._row.setdefault(birth.id, len(self._row))
        if birth.merged_from:
            self.merged_from[birth.id] = birth.merged_from

    def _name(self, node_id: NodeId, context: str, keywords: tuple[str, ...], summary: str) -> None:
        self.seen.append(Node(id=node_id, context=context, keywords=keywords, summary=summary))

    def _link(self, left: NodeId, right: NodeId) -> None:
        if left == right or left not in self._row or right not in self._row:
            return
        pair = (left, right) if self._row[left] < self._row[right] else (right, left)
        self._links.setdefault(left, set()).add(right)
        self._links.setdefault(right, set()).add(left)
        if pair not in self._pairs:
            self._pairs.add(pair)
            self.seen.append(pair)

    def _merge(self, event: NodesMerged) -> None:
        """The new node inherits the edges of its sources."""
        sources = set(event.merged_node_ids)
        inherited = set().union(*(self._links.get(source, ()) for source in sources)) - sources
        for other in sorted(inherited, key=self._row.__getitem__):
            self._links[other] -= sources
            self._link(event.new_node_id, other)

    def _undo(self, event_id: MergeEventId | None) -> None:
        """The sources come back with their own edges, and with those that their merged node has learnt since."""
        merge = self._merges.get(event_id) if event_id else None
        if merge is None:
            return
        learnt = self._links.pop(merge.new_node_id, set())
        for source in merge.merged_node_ids:
            for other in sorted(learnt | self._links.get(source, set()), key=self._row.__getitem__):
                self._link(source, other)
        for other in learnt:
            self._links[other].discard(merge.new_node_id)
