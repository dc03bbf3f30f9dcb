"""The Query Graph at one moment as pyvis nodes and edges, by a pure function; the component draws it.

Labels and tooltips are plain text, cleaned and cut (the component draws them on a canvas, never as markup).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from memorybank.memory.types import Conflict, Lang, Node, NodeId
from memorybank.views.graph.items import edge_item, names_of, node_item
from memorybank.views.graph.items import node_label as node_label
from memorybank.views.graph.layout import Layout, Point
from memorybank.views.graph.overlays import GraphDiff, Marks, Pair, Trail, marks_of
from memorybank.views.graph.style import (
    EDGE_LOOKS,
    EDGE_MARK_LOOKS,
    MARK_LOOKS,
    NEW_OUTLINE,
    NODE_LOOKS,
    TINTS,
    TRAIL_DIM,
    EdgeKind,
    EdgeLook,
    EdgeMark,
    NodeLook,
    NodeMark,
    NodeState,
    looks,
    vis_options,
)
from memorybank.views.i18n import t
from memorybank.views.memory.edges import NodeLink, links_between

MOST_NODES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LegendItem:
    words: str
    look: NodeLook | EdgeLook


Parts = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, kw_only=True)
class GraphView:
    """A picture of the graph, ready to be drawn."""

    nodes: tuple[dict[str, Any], ...]
    """pyvis nodes. What a node is: id, label, x, y, and perhaps `topic` (when the label is cut) and `merged_from`.
    How it looks now: shape, group (its NodeState), size, title (its states in words), and perhaps `outlined` (new and
    something stronger), `mark` (a NodeMark) and `badge` (before the label: its rank, or + − ~)."""
    edges: tuple[dict[str, Any], ...]
    """pyvis edges. What an edge is: id, from, to, and perhaps `lines` (what it stands for) and `conflicts` (ids). How
    it looks now: `kind` (its EdgeKind), label, title, color, width, dashes, and perhaps `mark` and `arrows`."""
    shown: int
    total: int
    description: str
    """The whole graph in one sentence, for those who cannot see it."""
    notice: str
    """The notice whenever nodes are left out; else empty."""
    legend: tuple[LegendItem, ...]
    """What can be seen now, in words."""
    lang: Lang
    regions: tuple[Region, ...] = ()
    """The names of its topics, when there are too many nodes for names of their own."""
    dim: float = 1.0
    """The opacity of all that carries no `mark`."""

    @cached_property
    def parts(self) -> Parts:
        """Its nodes and edges by id, and by name what frames them: options, paints, words, legend, topics."""
        return {
            "nodes": {node["id"]: node for node in self.nodes},
            "edges": {edge["id"]: edge for edge in self.edges},
            "frame": {
                "options": vis_options(),
                "looks": looks(),
                "words": {
                    "keys": t("canvas.keys", self.lang),
                    **{name: t(f"graph.{name}", self.lang) for name in ("fit", "zoom_in", "zoom_out", "empty")},
                },
                "legend": [{"words": item.words, "tints": _tints(item), **asdict(item.look)} for item in self.legend],
                "regions": [asdict(region) for region in self.regions],
                "dim": self.dim,
                "description": self.description,
                "notice": self.notice,
            },
        }


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
    trail: Trail | None = None,
    diff: GraphDiff | None = None,
) -> GraphView:
    """Return the graph of `nodes` as it is drawn.

    Args:
        points: a place for every node, best the run's `Layout`; a removed node without one is not drawn.
        conflicts: open and closed ones; those whose nodes have become one show no edge.
        successor: where a node is now (`QueryGraph.successor`).
        new: born since the last step. merged: made by a merge that stands.
        selected: shown even when it is an old one.
        raw_characters: raw text behind each node; decides its size.
        limit: the newest so many are shown, and all that are in a conflict, disputed or marked.
        trail: marks what a query brought, with its rank; all else is dimmed.
        diff: marks what differs between two moments. One overlay at a time: a diff gives way to a trail.
    """
    marks = marks_of(trail, diff, nodes)
    edges = links_between(nodes, conflicts, successor)
    states = _states(nodes, edges, new, merged)
    visible = _visible(nodes, states, selected, limit, marks.nodes)
    ghosts = [node for node in marks.ghosts if node.id in points]
    kept = _kept(edges, marks, {*visible, *(ghost.id for ghost in ghosts)})
    outlined = frozenset(node_id for node_id in new if states.get(node_id) not in (NodeState.NEW, None))
    layout = points if isinstance(points, Layout) else None
    merged_from = layout.merged_from if layout else {}
    topics = layout.topics if layout else {}
    tints = {topic: number % len(TINTS) for number, topic in enumerate(dict.fromkeys(topics.values()))}
    drawn = [*ghosts, *(nodes[node_id] for node_id in visible)]
    names = names_of(drawn, lang)
    network = _network(
        [
            node_item(
                node,
                points[node.id],
                states.get(node.id, NodeState.NORMAL),
                marks,
                lang,
                name=names[node.id],
                raw_characters=(raw_characters or {}).get(node.id, 0),
                merged_from=merged_from.get(node.id, ()),
                is_outlined=node.id in outlined,
                tint=tints.get(topics.get(node.id, node.id), 0),
            )
            for node in drawn
        ],
        [edge_item(edge, marks, lang) for edge in kept],
    )
    kinds = [edge.kind for edge in edges.values()]
    return GraphView(
        nodes=tuple(network.nodes),
        edges=tuple(network.edges),
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
        legend=_legend(network.nodes, network.edges, marks, lang),
        lang=lang,
        regions=regions_of([nodes[node_id] for node_id in visible], layout, lang) if layout else (),
        dim=marks.dim,
    )


def _kept(edges: Mapping[Pair, NodeLink], marks: Marks, shown: set[NodeId]) -> list[NodeLink]:
    """Return the edges between nodes that are shown, and those that only an overlay draws."""
    only = (NodeLink(ends=pair, kind=EdgeKind.RELATED, linked=False) for pair in marks.edges if pair not in edges)
    return [edge for edge in (*edges.values(), *only) if shown.issuperset(edge.ends)]


def _states(
    nodes: Mapping[NodeId, Node], edges: Mapping[Pair, NodeLink], new: Collection[NodeId], merged: Collection[NodeId]
) -> dict[NodeId, NodeState]:
    states = dict.fromkeys(nodes, NodeState.NORMAL)
    states |= dict.fromkeys([node_id for node_id in new if node_id in nodes], NodeState.NEW)
    states |= dict.fromkeys([node_id for node_id in merged if node_id in nodes], NodeState.MERGED)
    for kind, state in ((EdgeKind.DISPUTED, NodeState.DISPUTED), (EdgeKind.CONFLICT, NodeState.CONFLICT)):
        states |= dict.fromkeys([end for pair, edge in edges.items() if edge.kind is kind for end in pair], state)
    return states


def _visible(
    nodes: Mapping[NodeId, Node],
    states: Mapping[NodeId, NodeState],
    selected: NodeId | None,
    limit: int,
    marked: Collection[NodeId],
) -> list[NodeId]:
    """Return ids of the nodes to show, oldest first."""
    by_age = sorted(nodes, key=lambda node_id: nodes[node_id].seq)
    if len(by_age) <= limit:
        return by_age
    shown = set(by_age[-limit:] if limit > 0 else ())
    shown.update(node_id for node_id in by_age if states[node_id] in (NodeState.CONFLICT, NodeState.DISPUTED))
    shown.update(node_id for node_id in marked if node_id in nodes)
    if selected is not None and selected in nodes:
        shown.add(selected)
    return [node_id for node_id in by_age if node_id in shown]


def _network(nodes: Iterable[dict[str, Any]], edges: Iterable[dict[str, Any]]) -> Any:
    from pyvis.network import Network

    network = Network()
    # Not by add_node and add_edge: each of them looks through all that are there already.
    network.nodes.extend(nodes)
    network.edges.extend(edges)
    return network


def _legend(
    nodes: Collection[Mapping[str, Any]], edges: Collection[Mapping[str, Any]], marks: Marks, lang: Lang
) -> tuple[LegendItem, ...]:
    """Return words for all that can be seen. A mark with a shape of its own hides the state of its node."""
    if marks.dim <= TRAIL_DIM:  # what is as faint as that needs no words
        nodes, edges = [node for node in nodes if "mark" in node], [edge for edge in edges if "mark" in edge]
    own_shape = {mark.value for mark, look in MARK_LOOKS.items() if look.shape}
    states = {node["group"] for node in nodes if node.get("mark") not in own_shape}
    node_marks = {node.get("mark") for node in nodes}
    edge_marks = {edge.get("mark") for edge in edges if edge["kind"] == EdgeKind.RELATED}
    kinds = {edge["kind"] for edge in edges if edge["kind"] != EdgeKind.RELATED or "mark" not in edge}
    looks: list[tuple[str, NodeLook | EdgeLook]] = [
        *((f"canvas.mark.{mark}", _shown_look(mark)) for mark in NodeMark if mark in node_marks),
        *((f"canvas.edge_mark.{mark}", EDGE_MARK_LOOKS[mark]) for mark in EdgeMark if mark in edge_marks),
        *((f"state.{state}", NODE_LOOKS[state]) for state in reversed(NodeState) if state in states),
        *([("graph.outline_new", NEW_OUTLINE)] if any("outlined" in node for node in nodes) else []),
        *((f"edge.{kind}", EDGE_LOOKS[kind]) for kind in EdgeKind if kind in kinds),
    ]
    return tuple(LegendItem(words=t(key, lang, **dict(marks.names)), look=look) for key, look in looks)


def _shown_look(mark: NodeMark) -> NodeLook:
    """Return the look of a mark in the legend: one that keeps the node's own shape and fill is on a plain node."""
    plain, look = NODE_LOOKS[NodeState.NORMAL], MARK_LOOKS[mark]
    return replace(look, shape=look.shape or plain.shape, fill=look.fill or plain.fill)


# -- names on the map of a large graph ---------------------------------------------------------------------------------


LEAST_NODES = 300
"""The number of nodes from which a picture names its topics: in a smaller one the nodes' own names have room."""
MOST_REGIONS = 16
_LEAST_OF_TOPIC = 8
_SECOND = 0.6
"""A topic is named by two keywords when the second stands on so many as a share of the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    name: str
    x: int
    """The place in pixels at zoom 1, as a node's."""
    y: int


def regions_of(nodes: Sequence[Node], layout: Layout, lang: Lang) -> tuple[Region, ...]:
    """Return the largest topics of a picture, the largest first. `nodes`: what it shows, oldest first."""
    if len(nodes) < LEAST_NODES:
        return ()
    topics: dict[NodeId, list[Node]] = {}
    for node in nodes:
        topics.setdefault(layout.topics[node.id], []).append(node)
    large = sorted((members for members in topics.values() if len(members) >= _LEAST_OF_TOPIC), key=len, reverse=True)
    return tuple(_region(members, layout, lang) for members in large[:MOST_REGIONS])


def _region(members: Sequence[Node], layout: Layout, lang: Lang) -> Region:
    oldest = members[: 1 << (len(members).bit_length() - 1)]
    places = [layout[node.id] for node in oldest]
    return Region(
        name=_name(oldest) or node_label(oldest[0], lang),
        x=round(sum(place.x for place in places) / len(places)),
        y=round(sum(place.y for place in places) / len(places)),
    )


def _name(members: Iterable[Node]) -> str:
    """Return the commonest keywords as a region's name."""
    best = Counter(word for node in members for word in dict.fromkeys(node.keywords)).most_common(2)
    words = [word for word, number in best if number >= _SECOND * best[0][1]]
    return " · ".join(words)


# -- a picture as the drawing code takes it ----------------------------------------------------------------------------


def _tints(item: LegendItem) -> Sequence[tuple[str, str]]:
    """Return the colours of some topics: in the legend they stand for all."""
    return TINTS[:3] if item.look is NODE_LOOKS[NodeState.NORMAL] else ()


def changes_between(old: Parts, new: Parts) -> list[list[Any]]:
    """Return `[part, name, content]` for what differs between two pictures; content is None for what is gone."""
    changes: list[list[Any]] = []
    for part, items in new.items():
        known = old.get(part, {})
        changes += [[part, name, None] for name in known if name not in items]
        changes += [[part, name, item] for name, item in items.items() if known.get(name) != item]
    return changes
