"""The Query Graph at a moment, and the line above it: which view, and the search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

import streamlit as st

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.graph.component import draw
from memorybank.ui.components.paged import back_to_first_page
from memorybank.ui.shell import state
from memorybank.ui.shell.course import current_scene, is_staged
from memorybank.ui.shell.switch import draw_search, draw_switch
from memorybank.ui.shell.tab import select, selection, this_tab
from memorybank.ui.shell.widgets import GRAPH_SEARCH, GRAPH_VIEW
from memorybank.views.boxes.node_story import NodeNames
from memorybank.views.graph.model import GraphView
from memorybank.views.graph.moment_view import acted_out, lit_by, view_of
from memorybank.views.i18n import t
from memorybank.views.memory.edges import NodeLink, Reasons, edges_of, members_of, reasons_in
from memorybank.views.run.commits import Records
from memorybank.views.run.playback import Moment

LONGEST = 200


def sought() -> str:
    """Return the words of the search; they are empty where there is none."""
    return (GRAPH_SEARCH.held() or "").strip()


def has_just_searched() -> bool:
    """Say whether a search has just been entered; it is true once after each."""
    page = this_tab().graph
    searched, page.searched = page.searched, False
    return searched


def _note_search() -> None:
    this_tab().graph.searched = True
    back_to_first_page("graph-list")


def draw_tools(lang: Lang) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="graph-tools"):
        draw_switch(
            t("graph.view", lang), ("memory", "why"), lambda view: t(f"graph.view.{view}", lang), key=GRAPH_VIEW.key
        )
        draw_search(t("graph.search", lang), GRAPH_SEARCH.key, on_change=_note_search, max_chars=LONGEST)


def search_for(words: str) -> None:
    """Enter these words into the graph's search. It is called from callbacks."""
    GRAPH_SEARCH.set(words)
    _note_search()


HEIGHT = 560


def draw_graph(moment: Moment, lang: Lang) -> None:
    chosen = selected_node(moment.bank)
    draw_view(view_of(moment, chosen, lang), moment, chosen)


def draw_view(view: GraphView, moment: Moment, chosen: NodeId | None, *, height: int = HEIGHT) -> None:
    """Draw the graph, with the scene of the story, if one is shown, acted out over it.

    `chosen`: the node to mark; the one that was selected may have been merged into it.
    """
    scene = current_scene(this_tab().run) if is_staged() else None
    acted = acted_out(scene, moment, this_tab().story.turn) if scene is not None else None
    view = lit_by(scene, view, moment) if scene is not None and chosen is None else view
    wanted = selection(state.GRAPH)
    if chosen is not None:
        select(state.GRAPH, chosen)
    draw(view, key=state.GRAPH, height=height, scene=acted)
    # What was asked for stays: at an earlier moment it is a node of its own again.
    select(state.GRAPH, wanted)


def selected_node(bank: MemoryState) -> NodeId | None:
    """Return the selected node as it is now; None when the memory knows no such node at this moment."""
    chosen = selection(state.GRAPH)
    if chosen is None:
        return None
    live = bank.graph.successor(chosen)
    return live if live in bank.graph.nodes else None


class Details(NodeNames):
    """All details of one moment. What only a card needs is worked out when one is drawn."""

    @cached_property
    def edges(self) -> Mapping[str, NodeLink]:
        return edges_of(self.moment.bank)

    @cached_property
    def reasons(self) -> Reasons:
        return reasons_in(self.records[: self.moment.at])

    @cached_property
    def members(self) -> Mapping[NodeId, Sequence[NodeId]]:
        """Map each live node to itself and the nodes that were merged into it, itself first."""
        return members_of(self.moment.bank)


def details_of(records: Records, moment: Moment) -> Details:
    """Return the details of the moment, which are kept with it."""
    return moment.once(("details",), lambda: Details(moment, records))
