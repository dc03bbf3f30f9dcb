"""An overlay on the graph is the trail of a query, or the difference between two moments. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Hit, Node, NodeId
from memorybank.views.graph.style import DIFF_DIM, TRAIL_DIM, EdgeMark, NodeMark

Pair = tuple[NodeId, NodeId]
"""The ends of an edge, as (older, newer)."""
Names = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """A query's hits in order of rank, and the best that did not make it. All else is dimmed."""

    hits: tuple[Hit, ...]
    below: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDiff:
    """The difference from moment A to moment B. Removed nodes are given, for the graph at B has them no more."""

    added: frozenset[NodeId] = frozenset()
    removed: Mapping[NodeId, Node] = field(default_factory=dict)
    changed: frozenset[NodeId] = frozenset()
    """The nodes with another topic, other keywords or another summary."""
    edges_added: frozenset[Pair] = frozenset()
    edges_removed: frozenset[Pair] = frozenset()
    before: str = "A"
    after: str = "B"
    """The names of the two moments in the legend."""


def diff_graphs(before: MemoryState, after: MemoryState, *, names: tuple[str, str] = ("A", "B")) -> GraphDiff:
    """Return what `after` has and `before` has not, and the other way round. Either may be the earlier moment."""
    old, new = before.graph.nodes, after.graph.nodes
    old_edges, new_edges = frozenset(before.graph.edges()), frozenset(after.graph.edges())
    return GraphDiff(
        added=frozenset(new.keys() - old.keys()),
        removed={node_id: node for node_id, node in old.items() if node_id not in new},
        changed=frozenset(
            node_id for node_id, node in new.items() if node_id in old and is_rewritten(old[node_id], node)
        ),
        edges_added=new_edges - old_edges,
        edges_removed=old_edges - new_edges,
        before=names[0],
        after=names[1],
    )


def is_rewritten(old: Node, new: Node) -> bool:
    return old is not new and (old.context, old.keywords, old.summary) != (new.context, new.keywords, new.summary)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marks:
    """An overlay as marks on nodes and edges."""

    nodes: Mapping[NodeId, NodeMark] = field(default_factory=dict)
    badges: Mapping[NodeId, str] = field(default_factory=dict)
    """The words that stand before the label."""
    ghosts: tuple[Node, ...] = ()
    """Nodes that are not there any more and are drawn all the same."""
    edges: Mapping[Pair, EdgeMark] = field(default_factory=dict)
    arrows: Mapping[Pair, NodeId] = field(default_factory=dict)
    """The end that an edge's arrow points to."""
    dim: float = 1.0
    """The opacity of all that is not marked."""
    names: Names = ()
    """The values in the words of the legend."""


def marks_of(trail: Trail | None, diff: GraphDiff | None, nodes: Mapping[NodeId, Node]) -> Marks:
    """Return the marks of a trail, else of a difference, else none. `nodes`: those that are there."""
    if trail is not None:
        marks: dict[NodeId, NodeMark] = {}
        badges: dict[NodeId, str] = {}
        edges: dict[Pair, EdgeMark] = {}
        arrows: dict[Pair, NodeId] = {}
        for mark, hits in ((NodeMark.HIT, trail.hits), (NodeMark.BELOW, trail.below)):
            for hit in hits:
                if hit.node_id not in nodes or hit.node_id in marks:
                    continue
                marks[hit.node_id], badges[hit.node_id] = mark, "↳" if hit.via else str(hit.rank)
                if hit.via is not None and hit.via in nodes and hit.via != hit.node_id:
                    older, newer = sorted((nodes[hit.via], nodes[hit.node_id]), key=lambda node: node.seq)
                    pair = older.id, newer.id
                    edges[pair], arrows[pair] = EdgeMark.VIA, hit.node_id
        return Marks(nodes=marks, badges=badges, edges=edges, arrows=arrows, dim=TRAIL_DIM)
    return _diff_marks(diff) if diff is not None else Marks()


def _diff_marks(diff: GraphDiff) -> Marks:
    marks = {
        **dict.fromkeys(diff.changed, NodeMark.CHANGED),
        **dict.fromkeys(diff.added, NodeMark.ADDED),
        **dict.fromkeys(diff.removed, NodeMark.REMOVED),
    }
    signs = {NodeMark.CHANGED: "~", NodeMark.ADDED: "+", NodeMark.REMOVED: "−"}
    return Marks(
        nodes=marks,
        badges={node_id: signs[mark] for node_id, mark in marks.items()},
        ghosts=tuple(sorted(diff.removed.values(), key=lambda node: node.seq)),
        edges={
            **dict.fromkeys(sorted(diff.edges_removed), EdgeMark.REMOVED),
            **dict.fromkeys(sorted(diff.edges_added), EdgeMark.ADDED),
        },
        dim=DIFF_DIM,
        names=(("before", diff.before), ("after", diff.after)),
    )
