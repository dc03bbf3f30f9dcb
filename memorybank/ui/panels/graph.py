"""The Query Graph at a moment."""

from __future__ import annotations

from memorybank.bank import MemoryBank
from memorybank.types import Lang, NodeId
from memorybank.ui import state
from memorybank.ui.graph.component import draw, selection
from memorybank.ui.graph.model import GraphView, build_view
from memorybank.ui.playback import Moment

HEIGHT = 560


def draw_graph(moment: Moment, lang: Lang) -> None:
    draw(view_of(moment, selected_node(moment.bank), lang), key=state.GRAPH, height=HEIGHT)


def view_of(moment: Moment, selected: NodeId | None, lang: Lang) -> GraphView:
    bank = moment.bank
    return build_view(
        bank.graph.nodes,
        moment.points,
        conflicts=bank.conflicts.all.values(),
        successor=bank.graph.successor,
        new=moment.new,
        merged=moment.merged,
        selected=selected,
        raw_characters=raw_characters(bank),
        lang=lang,
    )


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
