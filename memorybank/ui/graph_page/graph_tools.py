"""The line above the canvas: which view, and the search with what it found."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import back_to_first_page
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import GRAPH_SEARCH, GRAPH_VIEW
from memorybank.views.i18n import t

LONGEST = 200


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
    back_to_first_page("graph-list")


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


def search_for(words: str) -> None:
    """For callbacks."""
    GRAPH_SEARCH.set(words)
    _note_search()
