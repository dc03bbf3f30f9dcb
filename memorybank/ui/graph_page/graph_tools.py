"""The line above the canvas: which view, the search, the filters, and what is hidden by them."""

from __future__ import annotations

import sys
from collections.abc import Collection, Sequence
from dataclasses import replace

import streamlit as st

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.components.paged import back_to_first_page
from memorybank.ui.components.rich import draw
from memorybank.ui.graph_page.graph_details import Details
from memorybank.ui.shell import state
from memorybank.ui.shell.selections import select
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import FILTER_FILED, FILTER_KEYWORDS, FILTER_STATES, GRAPH_SEARCH, GRAPH_VIEW
from memorybank.views.box import box, note
from memorybank.views.graph.style import NodeState
from memorybank.views.i18n import t
from memorybank.views.memory.graph_filter import Filter, keywords_in

FILTERED = (NodeState.CONFLICT, NodeState.DISPUTED, NodeState.MERGED, NodeState.NEW)
LONGEST = 200
MOST_KEYWORDS = 300
"""Offered to choose from, besides those that are chosen. The search finds a node by any of its keywords."""


def wanted() -> Filter:
    return this_tab().graph.filter or Filter()


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


def draw_tools(details: Details, lang: Lang) -> None:
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
        # Always the same words: with others it would be another popover, and close under the reader's hand.
        with st.popover(
            t("graph.filters", lang), icon=":material/filter_alt:", key="graph-filters", on_change="rerun"
        ) as popover:
            if popover.open:
                _draw_filters(details, lang)


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
        if hits:
            _draw_steps(hits, lang)
        if len(kept) < total:
            st.button(
                t("graph.clear_filters", lang),
                key="graph-clear",
                icon=":material/filter_alt_off:",
                type="tertiary",
                on_click=clear_filters,
            )


def _draw_steps(hits: Sequence[NodeId], lang: Lang) -> None:
    """From match to match."""
    from memorybank.ui.shell.selections import selection

    chosen = selection(state.GRAPH).node
    at = hits.index(chosen) if chosen in hits else -1
    for name, icon, step in (("previous", "keyboard_arrow_up", -1), ("next", "keyboard_arrow_down", 1)):
        target = hits[(at + step) % len(hits)] if at >= 0 else hits[0 if step > 0 else -1]
        st.button(
            t(f"graph.{name}_match", lang),
            key=f"graph-{name}",
            icon=f":material/{icon}:",
            type="tertiary",
            disabled=len(hits) == 1 and at == 0,
            on_click=select,
            args=(state.GRAPH, target),
        )


def clear_filters() -> None:
    this_tab().graph.filter = Filter()
    back_to_first_page("graph-list")


def _draw_filters(details: Details, lang: Lang) -> None:
    """Each writes what it says into the filter; the filter is what holds, so that it lives on while this is closed."""
    now, at = wanted(), details.moment.at
    known = keywords_in(details.moment.bank.graph.nodes.values())
    options = list(dict.fromkeys((*now.keywords, *known[:MOST_KEYWORDS])))
    FILTER_KEYWORDS.set(list(now.keywords))
    st.multiselect(
        t("node.keywords", lang),
        options,
        key=FILTER_KEYWORDS.key,
        placeholder=t("graph.filter_keywords", lang),
        on_change=lambda: set_filter(keywords=tuple(FILTER_KEYWORDS.value(()))),
    )
    if len(known) > MOST_KEYWORDS:
        words = t("graph.filter_keywords_cut", lang, shown=MOST_KEYWORDS, total=len(known))
        draw(note(words), key="filter-keywords-cut")
    FILTER_STATES.set([state for state in FILTERED if state in now.states])
    st.pills(
        t("graph.filter_states", lang),
        FILTERED,
        selection_mode="multi",
        format_func=lambda state: t(f"graph.state.{state}", lang),
        key=FILTER_STATES.key,
        on_change=lambda: set_filter(states=frozenset(FILTER_STATES.value(()))),
    )
    if at > 1:
        first, last = now.filed or (1, sys.maxsize)
        FILTER_FILED.set((min(first, at), min(last, at)))
        st.slider(
            t("graph.filter_filed", lang),
            1,
            at,
            key=FILTER_FILED.key,
            help=t("graph.filter_filed_help", lang),
            on_change=_set_filed,
            args=(at,),
        )
        _draw_rounds(details, lang)
    st.button(
        t("graph.clear_filters", lang),
        key="graph-clear-inside",
        icon=":material/filter_alt_off:",
        disabled=not now.is_set,
        on_click=clear_filters,
    )


def _draw_rounds(details: Details, lang: Lang) -> None:
    """What round each end of the slider is in."""
    first, last = FILTER_FILED.value((1, sys.maxsize))
    words = t("graph.filter_rounds", lang, first=details.round_at(first), last=details.round_at(last))
    draw(note(words), key="filter-rounds")


def set_filter(**parts: object) -> None:
    """Change parts of the filter."""
    this_tab().graph.filter = replace(wanted(), **parts)  # type: ignore[arg-type]
    back_to_first_page("graph-list")


def _set_filed(at: int) -> None:
    """An end at the newest event stays there while the run goes on."""
    first, last = FILTER_FILED.value((1, sys.maxsize))
    set_filter(filed=None if first <= 1 and last >= at else (first, sys.maxsize if last >= at else last))
