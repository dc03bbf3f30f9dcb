"""The line above the canvas: which view, the search, the filters, and what is hidden by them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.paged import back_to_first_page
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import FILTER_STATES, GRAPH_SEARCH, GRAPH_VIEW
from memorybank.views.box import box
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t

FILTERED = (NodeState.CONFLICT, NodeState.DISPUTED, NodeState.MERGED, NodeState.NEW)
LONGEST = 200


def wanted() -> frozenset[NodeState]:
    """States of which a node must have one to be shown; empty: all are."""
    return frozenset(FILTER_STATES.value(()))


def sought() -> str:
    """The words of the search; empty: there is none."""
    return (GRAPH_SEARCH.held() or "").strip()


def has_just_searched() -> bool:
    """Once after each new search."""
    page = this_tab().graph
    searched, page.searched = page.searched, False
    return searched


def _note_search() -> None:
    this_tab().graph.searched = True


def draw_tools(lang: Lang) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="graph-tools"):
        draw_switch(
            t("graph.view", lang), ("memory", "why"), lambda view: t(f"graph.view.{view}", lang), key=GRAPH_VIEW.key
        )
        st.text_input(
            t("graph.search", lang),
            key=GRAPH_SEARCH.key,
            type="search",
            max_chars=LONGEST,
            icon=":material/search:",
            placeholder=t("graph.search_placeholder", lang),
            label_visibility="collapsed",
            persist_state="session",
            on_change=_note_search,
            width="stretch",
        )
        st.pills(
            t("graph.filter_states", lang),
            FILTERED,
            selection_mode="multi",
            format_func=lambda state: t(f"graph.state.{state}", lang),
            key=FILTER_STATES.key,
            label_visibility="collapsed",
            persist_state="session",
            on_change=back_to_first_page,
            args=("graph-list",),
        )


def draw_hidden(kept: Collection[NodeId], total: int, hits: Sequence[NodeId] | None, lang: Lang) -> None:
    """What a filter hides, and what a search found: said whenever there is either, with the way back."""
    if len(kept) == total and hits is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="graph-hidden"):
        words = []
        if len(kept) < total:
            words.append(t("graph.hidden", lang, shown=len(kept), total=total))
        if hits is not None:
            words.append(t("graph.found", lang, count=len(hits), words=sought()))
        draw(box("p", "text small", " ".join(words)), key="graph-hidden-words")
        if len(kept) < total:
            st.button(
                t("graph.clear_filters", lang),
                key="graph-clear",
                icon=":material/filter_alt_off:",
                type="tertiary",
                on_click=clear_filters,
            )


def clear_filters() -> None:
    FILTER_STATES.set([])
    back_to_first_page("graph-list")


def search_for(words: str) -> None:
    """For callbacks."""
    GRAPH_SEARCH.set(words)
    _note_search()
