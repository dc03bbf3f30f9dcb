"""The Query Graph at a moment of a run, as it is drawn."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Lang, NodeId
from memorybank.views.graph.model import MOST_NODES, GraphView, LegendItem, build_view
from memorybank.views.graph.overlays import GraphDiff, Trail
from memorybank.views.graph.style import MARK_LOOKS, NODE_LOOKS, EdgeKind, EdgeMark, NodeMark, NodeState
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment

SEARCH_DIM = 0.3
"""Opacity of what a search does not find."""


def view_of(
    moment: Moment,
    selected: NodeId | None,
    lang: Lang,
    *,
    only: Collection[NodeId] | None = None,
    trail: Trail | None = None,
    diff: GraphDiff | None = None,
    lit: Collection[NodeId] | None = None,
    limit: int = MOST_NODES,
) -> GraphView:
    """The graph of a moment. `only`, `trail`, `diff`, `limit`: see `build_view`. `lit`: all but these are dimmed."""
    bank = moment.bank
    view = build_view(
        bank.graph.nodes,
        moment.points,
        conflicts=bank.conflicts.all.values(),
        successor=bank.graph.successor,
        new=moment.new,
        merged=moment.merged,
        selected=selected,
        raw_characters=raw_characters(bank),
        lang=lang,
        only=only,
        trail=trail,
        diff=diff,
        limit=limit,
    )
    return view if lit is None else with_lit(view, frozenset(lit), "graph.lit", SEARCH_DIM)


def with_lit(view: GraphView, lit: Collection[str], words: str, dim: float) -> GraphView:
    """These nodes stand out, and the conflicts between them; all else is dimmed. `words`: key for the legend."""
    marked = tuple({**node, "mark": NodeMark.HIT.value} if node["id"] in lit else node for node in view.nodes)
    edges = tuple(
        {**edge, "mark": EdgeMark.VIA.value}
        if edge["kind"] != EdgeKind.RELATED and edge["from"] in lit and edge["to"] in lit
        else edge
        for edge in view.edges
    )
    plain = NODE_LOOKS[NodeState.NORMAL]
    look = replace(MARK_LOOKS[NodeMark.HIT], shape=plain.shape, fill=plain.fill)
    item = LegendItem(words=t(words, view.lang), look=look)
    return replace(view, nodes=marked, edges=edges, legend=(*view.legend, item) if lit else view.legend, dim=dim)


def raw_characters(bank: MemoryBank) -> dict[NodeId, int]:
    return {
        node_id: sum(span.end - span.start for span in bank.tree.spans.get(node_id, ())) for node_id in bank.graph.nodes
    }
