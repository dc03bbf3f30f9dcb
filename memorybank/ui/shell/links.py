"""Where a link (views/link.py) leads: the page that shows such a thing. `focus(kind)` tells it what was asked for."""

from __future__ import annotations

from typing import get_args

import streamlit as st

from memorybank.memory.types import NodeId
from memorybank.views.link import PAGES, Kind, PageName

GRAPH = "graph"
"""Key of the graph on the Session page; the selection of the whole app."""
_SHOWN_ON: dict[Kind, tuple[PageName, ...]] = {
    "node": ("graph", "session"),
    "tree": ("tree",),
    "entry": ("tree",),
    "conflict": ("conflicts",),
    "merge": ("conflicts",),
    "call": ("prompt",),
    "prompt": ("prompt",),
    "moment": ("replay",),
}
"""Pages that show such a thing. On one of them the reader stays; from elsewhere the first of them opens."""


def follow(target: str) -> None:
    """Go where a link leads. For callbacks; the page turns at the end of the running script. Nonsense leads nowhere."""
    kind, _, id_ = target.partition(":")
    if kind not in get_args(Kind) or not id_:
        return
    st.session_state[f"focus-{kind}"] = id_
    st.session_state["followed"] = target  # the last of all: a page that shows two kinds takes it and turns to it
    if kind == "node":
        from memorybank.ui.components.graph.component import select

        select(GRAPH, NodeId(id_))
    pages = _SHOWN_ON[kind]  # type: ignore[index]
    if st.session_state.get("page") not in pages:
        open_page(pages[0])


def focus(kind: Kind) -> str:
    """The id of the last thing of this kind that a link led to; empty when there was none. It may be gone by now."""
    found: str = st.session_state.get(f"focus-{kind}", "")
    return found


def clear_focus() -> None:
    """Another run is shown: nothing of the last one is looked for in it."""
    for kind in get_args(Kind):
        st.session_state.pop(f"focus-{kind}", None)


def open_page(name: PageName) -> None:
    """Turn to a page; happens at `turn_page`. For callbacks, in which Streamlit cannot switch."""
    st.session_state["page-asked"] = name


def turn_page() -> None:
    """Turn to the page that was asked for, if one was. Called wherever a link may have been followed."""
    asked: PageName | None = st.session_state.pop("page-asked", None)
    if asked is not None and asked != st.session_state.get("page"):
        st.switch_page(PAGES[asked][0], query_params=st.query_params.to_dict())


def enter_by_app() -> None:
    """Go round by shell.py when a page runs alone, and come back.

    Streamlit lets it: until shell.py has run once in a server, it makes the navigation from the folder `pages/` itself,
    so that the first visitor of all, with an address of a page, gets the page and nothing around it.
    """
    if "page" in st.session_state:
        return
    name = (st.context.url or "").partition("?")[0].rstrip("/").rpartition("/")[2]
    st.session_state["page-asked"] = name if name in PAGES else "session"
    st.switch_page("shell.py", query_params=st.query_params.to_dict())
