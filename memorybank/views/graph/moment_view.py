"""The Query Graph at a moment of a run, as it is drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang, NodeId
from memorybank.views.graph.model import MOST_NODES, GraphView, LegendItem, build_view
from memorybank.views.graph.overlays import Trail
from memorybank.views.graph.style import MARK_LOOKS, NODE_LOOKS, EdgeKind, EdgeMark, NodeMark, NodeState
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment
from memorybank.views.story import Scene

SEARCH_DIM = 0.3
"""The opacity of what a search does not find."""


def view_of(
    moment: Moment,
    selected: NodeId | None,
    lang: Lang,
    *,
    trail: Trail | None = None,
    lit: Collection[NodeId] | None = None,
    limit: int = MOST_NODES,
) -> GraphView:
    """Return the graph of a moment. `trail`, `limit`: see `build_view`. `lit`: all but these are dimmed."""
    bank = moment.bank
    kept = selected if len(bank.graph.nodes) > limit else None
    build = partial(
        build_view,
        bank.graph.nodes,
        moment.points,
        conflicts=bank.conflicts.all.values(),
        successor=bank.graph.successor,
        new=moment.new,
        merged=moment.merged,
        selected=kept,
        raw_characters=raw_characters(bank),
        lang=lang,
        trail=trail,
        limit=limit,
    )
    view = moment.once(("picture", kept, lang, limit), build) if trail is None else build()
    if not lit:
        return view if lit is None else replace(view, dim=SEARCH_DIM)
    plain = NODE_LOOKS[NodeState.NORMAL]
    look = replace(MARK_LOOKS[NodeMark.HIT], shape=plain.shape, fill=plain.fill)
    item = LegendItem(words=t("graph.lit", lang), look=look)
    return replace(with_lit(view, frozenset(lit), SEARCH_DIM), legend=(*view.legend, item))


def with_lit(view: GraphView, lit: Collection[str], dim: float) -> GraphView:
    """Let these nodes stand out, with the conflicts between them; all else is dimmed."""
    marked = tuple({**node, "mark": NodeMark.HIT.value} if node["id"] in lit else node for node in view.nodes)
    edges = tuple(
        {**edge, "mark": EdgeMark.VIA.value}
        if edge["kind"] != EdgeKind.RELATED and edge["from"] in lit and edge["to"] in lit
        else edge
        for edge in view.edges
    )
    return replace(view, nodes=marked, edges=edges, dim=dim)


def raw_characters(bank: MemoryState) -> dict[NodeId, int]:
    return {
        node_id: sum(span.end - span.start for span in bank.tree.spans.get(node_id, ())) for node_id in bank.graph.nodes
    }


DIM: Final = 0.45
"""The opacity of what a scene is not about."""
GHOST: Final = 16.0
"""The radius of a node that became a part of another one, as the picture has it no more."""
WIDE: Final = ("filed", "imported", "undone")
"""The kinds of scenes about so many nodes that none stands out."""


def lit_by(scene: Scene, view: GraphView, moment: Moment) -> GraphView:
    """Return the picture with what the scene is about in full, and all else dimmed. Nothing moves."""
    graph = moment.bank.graph
    nodes = frozenset(map(graph.successor, scene.nodes)) if scene.kind not in WIDE else frozenset()
    return with_lit(view, nodes, DIM) if nodes & graph.nodes.keys() else view


def acted_out(scene: Scene, moment: Moment, turn: int) -> Mapping[str, Any]:
    """Return a scene for the drawing code (views/drawing/graph/effects.js). `turn` is the number of its showing."""
    graph = moment.bank.graph
    merge = graph.merges.get(scene.merge) if scene.merge is not None else None
    data: dict[str, Any] = {"turn": turn, "kind": scene.kind, "nodes": list(scene.nodes)}
    if merge is None:
        return data
    group = NodeState.CONFLICT.value if scene.conflicts else NodeState.NORMAL.value
    places = [moment.points[node_id] for node_id in scene.nodes if node_id in moment.points]
    ghosts = [{"x": place.x, "y": place.y, "size": GHOST, "group": group} for place in places]
    return {**data, "into": graph.successor(merge.new_node_id), "ghosts": ghosts}
