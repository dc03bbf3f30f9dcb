"""The Graph page: the canvas, and beside it what is selected, the lists, or why a memory was retrieved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page import graph
from memorybank.ui.graph_page.node_card import choose, draw_node_card
from memorybank.ui.graph_page.why import Why, view
from memorybank.ui.shell import state
from memorybank.ui.shell.links import take_followed
from memorybank.ui.shell.tab import select, selection, this_tab
from memorybank.ui.shell.widgets import GRAPH_VIEW
from memorybank.views.box import Box, box, label, muted
from memorybank.views.boxes.state import row_chips, states_of
from memorybank.views.graph.moment_view import view_of
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.link import link
from memorybank.views.memory.edges import search

HEIGHT = 700
MOST_DRAWN = 12_000
"""The most nodes drawn; beyond, the newest are, and it is said. From afar topics are named (views/graph/regions.py)."""
LIST_HEIGHT = 216
"""The height of the list above a card, in pixels."""
POLL = 0.7
"""Seconds between two looks at a run that goes on, or at a model that loads."""


def draw_graph_page(worker: Run, lang: Lang) -> None:
    state.moment(worker)  # a journal that contradicts itself is told here, where the page can say so
    # The card of a node that a link from another page led to, whatever was open here.
    kind, _ = take_followed("node")
    if kind:
        GRAPH_VIEW.set("memory")
    busy, waits = worker.busy, this_tab().graph.waits
    st.fragment(_draw, run_every=POLL if busy or waits else None)(worker, lang, busy, waits)


@guarded
def _draw(worker: Run, lang: Lang, was_busy: bool, was_waiting: bool) -> None:
    busy = worker.busy  # before the records are read: what comes after is seen at the next look
    worker.see()
    moment = state.moment(worker)
    details = graph.details_of(worker.records, moment)
    take_followed("node")  # one that was followed on this page opens no view
    graph.draw_tools(lang)
    why = Why(worker, details, lang) if view() == "why" else None
    _draw_body(details, why, lang)
    this_tab().graph.waits = waits = why is not None and why.waits
    if (busy, waits) != (was_busy, was_waiting):
        st.rerun()


def _draw_body(details: graph.Details, why: Why | None, lang: Lang) -> None:
    bank, moment = details.moment.bank, details.moment
    states = moment.once(("states",), lambda: states_of(bank, new=moment.new, merged=moment.merged))
    hits = search(bank.graph.nodes.values(), graph.sought()) if graph.sought() else None
    if graph.has_just_searched() and hits:
        select(state.GRAPH, hits[0])
    if hits is not None:
        draw(box("p", "text small", t("graph.found", lang, count=len(hits), words=graph.sought())), key="graph-found")
    chosen = graph.selected_node(bank)
    canvas, beside = st.columns([1, 1] if why else [3, 2], gap="medium")
    with canvas.container(key="run-graph"):
        trail = why.trail if why else None
        picture = view_of(moment, chosen, lang, trail=trail, lit=hits, limit=MOST_DRAWN)
        graph.draw_view(picture, moment, chosen, height=HEIGHT)
    with beside:
        if why is not None:
            with st.container(height=HEIGHT, border=True, key="why-box"):
                why.draw(chosen)
        else:
            _draw_beside(details, hits, states, chosen, lang)


def _draw_beside(
    details: graph.Details,
    hits: Sequence[NodeId] | None,
    states: Mapping[NodeId, frozenset[NodeState]],
    chosen: NodeId | None,
    lang: Lang,
) -> None:
    """Draw the list, and below it the selected node's card; a node that is not there at this moment is named."""
    wanted = selection(state.GRAPH)
    if wanted is not None and chosen is None:
        later = wanted in details.moment.points
        words = t("graph.node_later" if later else "graph.node_unknown", lang, node_id=wanted)
        draw(box("p", "notice text", words), key="graph-unknown")
    with st.container(height=LIST_HEIGHT if chosen is not None else HEIGHT, border=True, key="graph-list-box"):
        draw_list(hits, states, details, chosen, lang)
    if chosen is not None:
        with st.container(height=HEIGHT - LIST_HEIGHT - 16, border=True, key="graph-card-box"):
            draw_node_card(wanted or chosen, details, lang)


LIST = "graph-list"
PAGE = 50
"""The number of lines shown at first, and added with each wish for more."""
_CONTESTED = frozenset({NodeState.CONFLICT, NodeState.DISPUTED})


def draw_list(
    matches: Sequence[NodeId] | None,
    states: Mapping[NodeId, frozenset[NodeState]],
    details: graph.Details,
    selected: NodeId | None,
    lang: Lang,
) -> None:
    """Draw what a search found, best first (`matches`); where nothing is sought (None), all nodes: contested ones
    first, the newest first among each."""
    nodes = details.moment.bank.graph.nodes
    newest = sorted(nodes, key=lambda node_id: (_CONTESTED.isdisjoint(states[node_id]), -nodes[node_id].seq))
    ids = newest if matches is None else matches
    rows = [_node(each, states[each], details, each == selected, lang) for each in ids[: page_end(LIST, PAGE)]]
    draw(
        label(t("graph.list.nodes", lang, count=f"{len(ids):,}")),
        box("ul", "gr-items in-sight", *rows) if rows else muted(t("graph.list.none", lang)),
        key=LIST,
        on_choose=choose,
    )
    draw_more(LIST, PAGE, len(ids), lang)


def _node(node_id: NodeId, states: frozenset[NodeState], details: graph.Details, is_selected: bool, lang: Lang) -> Box:
    node = details.moment.bank.graph.nodes[node_id]
    return box(
        "li",
        "",
        box(
            "div",
            f"gr-item{' gr-selected' if is_selected else ''}",
            box("span", "gr-line", details.topic(node_id, lang)),
            *row_chips(states, lang),
            box("span", "muted small gr-number", t("graph.list.links", lang, count=len(node.links))),
            choose=link("node", node_id),
            title=f"{node_id} · {node.context}",
            current=is_selected,
        ),
    )
