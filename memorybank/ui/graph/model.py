"""What is drawn: the Query Graph at one moment, as pyvis nodes and edges. A pure function; the component draws it.

Labels and tooltips are plain text, cleaned and cut (the component draws them on a canvas, never as markup).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from memorybank.types import Conflict, ConflictId, ConflictStatus, Lang, Node, NodeId
from memorybank.ui.display import clip
from memorybank.ui.graph.layout import Point
from memorybank.ui.graph.style import (
    EDGE_LOOKS,
    NEW_OUTLINE,
    NODE_LOOKS,
    EdgeKind,
    EdgeLook,
    NodeLook,
    NodeState,
    node_size,
    vis_options,
)
from memorybank.ui.i18n import t

LABEL_COLUMNS = 24
"""Latin letters; half as many Han characters."""
TOOLTIP_COLUMNS = 80
"""Of one line; what is longer is on the card beside the graph."""
MOST_TITLES = 2
MOST_NODES = 300

_Pair = tuple[NodeId, NodeId]
"""(older, newer)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendItem:
    words: str
    look: NodeLook | EdgeLook


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphView:
    """A picture of the graph, ready to be drawn."""

    nodes: tuple[dict[str, Any], ...]
    """pyvis nodes: id, label, title, shape, group (its NodeState), size, x, y, and `outlined` when new."""
    edges: tuple[dict[str, Any], ...]
    """pyvis edges: id, from, to, label, title, `kind` (its EdgeKind) and `conflicts` (ids)."""
    options: dict[str, Any]
    shown: int
    total: int
    description: str
    """The whole graph in one sentence, for those who cannot see it."""
    notice: str
    """Said whenever nodes are left out; else empty."""
    legend: tuple[LegendItem, ...]
    """What can be seen now, in words."""
    lang: Lang

    def node(self, node_id: str) -> dict[str, Any] | None:
        return next((node for node in self.nodes if node["id"] == node_id), None)

    def edge(self, edge_id: str) -> dict[str, Any] | None:
        return next((edge for edge in self.edges if edge["id"] == edge_id), None)


@dataclass(slots=True)
class _Edge:
    kind: EdgeKind
    titles: list[str] = field(default_factory=list)
    conflicts: list[ConflictId] = field(default_factory=list)


def node_label(node: Node, lang: Lang) -> str:
    """Its topic cut to a line; without one its keywords, or the start of its summary. Never its id."""
    for text in (node.context, " · ".join(node.keywords), node.summary):
        label = clip(text, LABEL_COLUMNS)
        if label:
            return label
    return t("graph.untitled", lang)


def build_view(
    nodes: Mapping[NodeId, Node],
    points: Mapping[NodeId, Point],
    *,
    conflicts: Iterable[Conflict] = (),
    successor: Callable[[NodeId], NodeId] = lambda node_id: node_id,
    new: Collection[NodeId] = (),
    merged: Collection[NodeId] = (),
    selected: NodeId | None = None,
    raw_characters: Mapping[NodeId, int] | None = None,
    lang: Lang = "en",
    limit: int = MOST_NODES,
) -> GraphView:
    """The graph of `nodes` as it is drawn.

    Args:
        points: a place for every node (`layout.Layout.points`).
        conflicts: open and closed ones; those whose nodes have become one show no edge.
        successor: where a node is now (`QueryGraph.successor`).
        new: born since the last step. merged: made by a merge that stands.
        selected: shown even when it is an old one.
        raw_characters: raw text behind each node; decides its size.
        limit: the newest so many are shown, and all that are in a conflict or disputed.
    """
    edges = _edges(nodes, conflicts, successor)
    states = _states(nodes, edges, new, merged)
    visible = _visible(nodes, states, selected, limit)
    kept = {pair: edge for pair, edge in edges.items() if pair[0] in visible and pair[1] in visible}
    network = _network(
        [nodes[node_id] for node_id in visible], kept, points, states, frozenset(new), raw_characters or {}, lang
    )
    kinds = [edge.kind for edge in edges.values()]
    return GraphView(
        nodes=tuple(network.nodes),
        edges=tuple(network.edges),
        options=network.options,
        shown=len(visible),
        total=len(nodes),
        description=t(
            "graph.description",
            lang,
            nodes=len(nodes),
            links=kinds.count(EdgeKind.RELATED),
            conflicts=kinds.count(EdgeKind.CONFLICT),
            disputed=kinds.count(EdgeKind.DISPUTED),
        ),
        notice=t("graph.showing", lang, shown=len(visible), total=len(nodes)) if len(visible) < len(nodes) else "",
        legend=_legend(
            {states[node_id] for node_id in visible},
            {edge.kind for edge in kept.values()},
            any("outlined" in node for node in network.nodes),
            lang,
        ),
        lang=lang,
    )


def _edges(
    nodes: Mapping[NodeId, Node], conflicts: Iterable[Conflict], successor: Callable[[NodeId], NodeId]
) -> dict[_Pair, _Edge]:
    """One edge a pair, the strongest kind it has: two would lie on each other."""
    found: dict[_Pair, _Edge] = {}
    kinds = {ConflictStatus.OPEN: EdgeKind.CONFLICT, ConflictStatus.INCONCLUSIVE: EdgeKind.DISPUTED}
    for conflict in sorted(conflicts, key=lambda conflict: conflict.status is not ConflictStatus.OPEN):
        kind = kinds.get(conflict.status)
        ends = [nodes[end] for end in map(successor, conflict.node_ids) if end in nodes]
        if kind is None or len(ends) < 2 or ends[0].id == ends[1].id:
            continue
        edge = found.setdefault(_pair(*ends), _Edge(kind))
        edge.titles.append(conflict.description)
        edge.conflicts.append(conflict.id)
    for node in nodes.values():
        for other in node.links:
            if other in nodes and nodes[other].seq > node.seq:
                found.setdefault(_pair(node, nodes[other]), _Edge(EdgeKind.RELATED))
    return found


def _pair(one: Node, other: Node) -> _Pair:
    return (one.id, other.id) if one.seq <= other.seq else (other.id, one.id)


def _states(
    nodes: Mapping[NodeId, Node], edges: Mapping[_Pair, _Edge], new: Collection[NodeId], merged: Collection[NodeId]
) -> dict[NodeId, NodeState]:
    def ends(kind: EdgeKind) -> set[NodeId]:
        return {node_id for pair, edge in edges.items() if edge.kind is kind for node_id in pair}

    members = {
        NodeState.CONFLICT: ends(EdgeKind.CONFLICT),
        NodeState.DISPUTED: ends(EdgeKind.DISPUTED),
        NodeState.MERGED: frozenset(merged),
        NodeState.NEW: frozenset(new),
        NodeState.NORMAL: nodes.keys(),
    }
    return {node_id: next(state for state in NodeState if node_id in members[state]) for node_id in nodes}


def _visible(
    nodes: Mapping[NodeId, Node], states: Mapping[NodeId, NodeState], selected: NodeId | None, limit: int
) -> list[NodeId]:
    """Ids of the nodes to show, oldest first."""
    by_age = sorted(nodes, key=lambda node_id: nodes[node_id].seq)
    shown = set(by_age[-limit:] if limit > 0 else ())
    shown.update(node_id for node_id in by_age if states[node_id] in (NodeState.CONFLICT, NodeState.DISPUTED))
    if selected is not None and selected in nodes:
        shown.add(selected)
    return [node_id for node_id in by_age if node_id in shown]


def _network(
    nodes: Iterable[Node],
    edges: Mapping[_Pair, _Edge],
    points: Mapping[NodeId, Point],
    states: Mapping[NodeId, NodeState],
    new: frozenset[NodeId],
    raw_characters: Mapping[NodeId, int],
    lang: Lang,
) -> Any:
    from pyvis.edge import Edge
    from pyvis.network import Network

    network = Network()
    network.set_options(json.dumps(vis_options()))
    for node in nodes:
        state, point = states[node.id], points[node.id]
        outlined = node.id in new and state is not NodeState.NEW
        network.add_node(
            node.id,
            label=node_label(node, lang),
            title=_tooltip(node, state, outlined, lang),
            shape=NODE_LOOKS[state].shape,
            group=state.value,
            size=node_size(state, raw_characters.get(node.id, 0)),
            x=point.x,
            y=point.y,
            **({"outlined": True} if outlined else {}),
        )
    # pyvis' own add_edge looks through all edges for each new one; here a pair comes once by construction.
    network.edges.extend(Edge(*pair, **_edge_options(pair, edge, lang)).options for pair, edge in edges.items())
    return network


def _tooltip(node: Node, state: NodeState, outlined: bool, lang: Lang) -> str:
    """Its topic; below it its id and state. Plain text; a line break is a line break."""
    states = [*([state] if state is not NodeState.NORMAL else []), *([NodeState.NEW] if outlined else [])]
    marks = [node.id, *(t(f"state.{name}", lang) for name in states)]
    return f"{clip(node.context, TOOLTIP_COLUMNS) or node_label(node, lang)}\n{' · '.join(marks)}"


def _edge_options(pair: _Pair, edge: _Edge, lang: Lang) -> dict[str, Any]:
    look = EDGE_LOOKS[edge.kind]
    words = t(f"edge.{edge.kind}", lang)
    related = edge.kind is EdgeKind.RELATED
    # An explicit, lasting id: without one, every redraw would add the edge again. All keys each time, so that an edge
    # that changes its kind loses its old look.
    return {
        "id": f"{pair[0]}|{pair[1]}",
        "kind": edge.kind.value,
        "label": "" if related else words,
        "title": "\n".join([words, *_titles(edge, lang)]),
        "color": look.color,
        "width": look.width,
        "dashes": list(look.dashes) or False,
        "conflicts": list(edge.conflicts),
    }


def _titles(edge: _Edge, lang: Lang) -> list[str]:
    """What an edge stands for, a line each."""
    lines = [clip(title, TOOLTIP_COLUMNS) for title in edge.titles[:MOST_TITLES]]
    more = len(edge.titles) - len(lines)
    return [*lines, t("conflict.more_evidence", lang, count=more)] if more else lines


def _legend(
    states: Collection[NodeState], kinds: Collection[EdgeKind], has_outlined: bool, lang: Lang
) -> tuple[LegendItem, ...]:
    nodes: list[tuple[str, NodeLook | EdgeLook]] = [
        (f"state.{state}", NODE_LOOKS[state]) for state in reversed(NodeState) if state in states
    ]
    if has_outlined:
        nodes.append(("graph.outline_new", NodeLook(shape="dot", fill="none", outline=NEW_OUTLINE, scale=1.0)))
    edges = [(f"edge.{kind}", EDGE_LOOKS[kind]) for kind in EdgeKind if kind in kinds]
    return tuple(LegendItem(words=t(key, lang), look=look) for key, look in (*nodes, *edges))
