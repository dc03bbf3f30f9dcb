"""The Query Graph at a moment."""

from __future__ import annotations

from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.graph.component import draw, select, selection
from memorybank.ui.shell import state
from memorybank.views.graph.model import GraphView
from memorybank.views.graph.moment_view import view_of
from memorybank.views.run.playback import Moment

HEIGHT = 560


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


def selected_node(bank: MemoryBank) -> NodeId | None:
    """The node that is selected, wherever it is now; None when the memory knows no such node at this moment."""
    chosen = selection(state.GRAPH).node
    if chosen is None:
        return None
    live = bank.graph.successor(chosen)
    return live if live in bank.graph.nodes else None
