"""The Graph page: the canvas, and beside it what is selected, the lists, or why a memory was retrieved."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.edge_card import draw_edge_card
from memorybank.ui.graph_page.graph import draw_view, selected_node
from memorybank.ui.graph_page.graph_details import Details, details_of
from memorybank.ui.graph_page.graph_list import draw_list
from memorybank.ui.graph_page.graph_tools import draw_hidden, draw_tools, has_just_searched, sought, wanted
from memorybank.ui.graph_page.node_card import draw_node_card
from memorybank.ui.graph_page.why import Why
from memorybank.ui.graph_page.why_choice import view
from memorybank.ui.shell import state
from memorybank.ui.shell.links import take_followed
from memorybank.ui.shell.selections import select, selection
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import GRAPH_VIEW
from memorybank.views.box import box
from memorybank.views.boxes.state import states_of
from memorybank.views.graph.moment_view import view_of
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.memory.edges import kept, search

HEIGHT = 700
MOST_DRAWN = 12_000
"""Nodes; beyond, the newest, and it is said. From afar the topics are named (views/graph/regions.py)."""
LIST_HEIGHT = 216
"""Of the list above a card."""
POLL = 0.7
"""Seconds between two looks at a run that goes on, or at a model that loads."""


def draw_graph_page(worker: Run, lang: Lang) -> None:
    state.moment(worker)  # a journal that contradicts itself is told here, where the page can say so
    _turn_to_followed()
    busy, waits = worker.busy, this_tab().graph.waits
    st.fragment(_draw, run_every=POLL if busy or waits else None)(worker, lang, busy, waits)


def _turn_to_followed() -> None:
    """A link to a node, from another page, leads to its card, whatever was open here."""
    kind, _ = take_followed("node")
    if kind:
        GRAPH_VIEW.set("memory")


@guarded
def _draw(worker: Run, lang: Lang, was_busy: bool, was_waiting: bool) -> None:
    busy = worker.busy  # before the records are read: what comes after is seen at the next look
    worker.see()
    moment = state.moment(worker)
    details = details_of(worker.run_id, worker.records, moment)
    take_followed("node")  # one that was followed on this page opens no view
    draw_tools(lang)
    why = Why(worker, details, lang) if view() == "why" else None
    _draw_body(details, why, lang)
    this_tab().graph.waits = waits = why is not None and why.waits
    if (busy, waits) != (was_busy, was_waiting):
        st.rerun()


def _draw_body(details: Details, why: Why | None, lang: Lang) -> None:
    bank, moment = details.moment.bank, details.moment
    states = states_of(bank, new=moment.new, merged=moment.merged)
    shown = kept(bank.graph.nodes, wanted(), states)
    hits = search((bank.graph.nodes[node_id] for node_id in shown), sought()) if sought() else None
    if has_just_searched() and hits:
        select(state.GRAPH, hits[0])
    draw_hidden(shown, len(bank.graph.nodes), hits, lang)
    chosen = selected_node(bank)
    canvas, beside = st.columns([1, 1] if why else [3, 2], gap="medium")
    with canvas.container(key="run-graph"):
        _draw_canvas(details, shown, hits, why, chosen, lang)
    with beside:
        if why is not None:
            with st.container(height=HEIGHT, border=True, key="why-box"):
                why.draw(chosen)
        else:
            _draw_beside(details, shown, hits, states, chosen, lang)


def _draw_canvas(
    details: Details,
    shown: Collection[NodeId],
    hits: Sequence[NodeId] | None,
    why: Why | None,
    chosen: NodeId | None,
    lang: Lang,
) -> None:
    total = len(details.moment.bank.graph.nodes)
    if total and not shown:
        draw(box("p", "notice text", t("graph.all_hidden", lang)), key="graph-all-hidden")
        return
    picture = view_of(
        details.moment,
        chosen,
        lang,
        only=shown if len(shown) < total else None,
        trail=why.trail if why else None,
        lit=hits,
        limit=MOST_DRAWN,
    )
    draw_view(picture, details.moment, chosen, height=HEIGHT)


def _draw_beside(
    details: Details,
    shown: Sequence[NodeId],
    hits: Sequence[NodeId] | None,
    states: Mapping[NodeId, frozenset[NodeState]],
    chosen: NodeId | None,
    lang: Lang,
) -> None:
    edge = details.edges.get(selection(state.GRAPH).edge or "")
    is_open = chosen is not None or edge is not None
    _draw_absent(details, shown, chosen, edge is not None, lang)
    with st.container(height=LIST_HEIGHT if is_open else HEIGHT, border=True, key="graph-list-box"):
        draw_list(shown, hits, states, details, chosen, lang)
    if not is_open:
        return
    with st.container(height=HEIGHT - LIST_HEIGHT - 16, border=True, key="graph-card-box"):
        if chosen is not None:
            draw_node_card(selection(state.GRAPH).node or chosen, details.moment, lang, details=details)
        elif edge is not None:
            draw_edge_card(edge, details, lang)


def _draw_absent(
    details: Details, shown: Collection[NodeId], chosen: NodeId | None, has_edge: bool, lang: Lang
) -> None:
    """What was asked for is not there at this moment, or the filters hide it."""
    wanted = selection(state.GRAPH)
    if wanted.node is not None and chosen is None:
        later = wanted.node in details.moment.points
        words = t("graph.node_later" if later else "graph.node_unknown", lang, node_id=wanted.node)
        draw(box("p", "notice text", words), key="graph-unknown")
    elif wanted.edge is not None and not has_edge:
        draw(box("p", "notice text", t("graph.edge_unknown", lang)), key="graph-unknown-edge")
    elif chosen is not None and chosen not in shown:
        draw(box("p", "notice text", t("graph.chosen_hidden", lang)), key="graph-chosen-hidden")
