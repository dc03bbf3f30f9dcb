"""The Query Graph at a moment."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.graph.component import draw, select, selection
from memorybank.ui.shell import state
from memorybank.views.graph.model import MOST_NODES, GraphView, LegendItem, build_view
from memorybank.views.graph.overlays import GraphDiff, Trail
from memorybank.views.graph.style import MARK_LOOKS, NODE_LOOKS, NodeMark, NodeState
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment

HEIGHT = 560
SEARCH_DIM = 0.3
"""Opacity of what a search does not find."""


def draw_graph(moment: Moment, lang: Lang) -> None:
    chosen = selected_node(moment.bank)
    draw_view(view_of(moment, chosen, lang), chosen)


def draw_view(view: GraphView, chosen: NodeId | None, *, height: int = HEIGHT) -> None:
    """`chosen`: the node to mark; the one that was selected may have been merged into it."""
    wanted = selection(state.GRAPH)
    if chosen is not None:
        select(state.GRAPH, chosen)
    draw(view, key=state.GRAPH, height=height)
    # What was asked for stays: at an earlier moment it is a node of its own again.
    select(state.GRAPH, *wanted)


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
    return view if lit is None else _lit(view, frozenset(lit))


def _lit(view: GraphView, hits: Collection[str]) -> GraphView:
    """What a search found stands out; all else is dimmed."""
    marked = tuple({**node, "mark": NodeMark.HIT.value} if node["id"] in hits else node for node in view.nodes)
    plain = NODE_LOOKS[NodeState.NORMAL]
    look = replace(MARK_LOOKS[NodeMark.HIT], shape=plain.shape, fill=plain.fill)
    item = LegendItem(words=t("graph.lit", view.lang), look=look)
    return replace(view, nodes=marked, legend=(*view.legend, item) if hits else view.legend, dim=SEARCH_DIM)


def raw_characters(bank: MemoryBank) -> dict[NodeId, int]:
    return {
        node_id: sum(span.end - span.start for span in bank.tree.spans.get(node_id, ())) for node_id in bank.graph.nodes
    }


def selected_node(bank: MemoryBank) -> NodeId | None:
    """The node that is selected, wherever it is now; None when the memory knows no such node at this moment."""
    chosen = selection(state.GRAPH).node
    if chosen is None:
        return None
    live = bank.graph.successor(chosen)
    return live if live in bank.graph.nodes else None
