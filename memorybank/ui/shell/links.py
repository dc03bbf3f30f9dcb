"""A link (views/link.py) leads to the page that shows such a thing; `focus(kind)` tells it what was asked for."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import NodeId
from memorybank.ui.shell.tab import select, this_tab
from memorybank.views.link import PAGES, Kind, PageName

GRAPH = "graph"
"""The key of the graph on the Session page; its selection is that of the whole app."""
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
"""The pages that show such a thing. On one of them the reader stays; from elsewhere the first of them opens."""


def follow(target: str) -> None:
    """Go where a link leads; the page turns at the end of the running script. For callbacks. Nonsense leads nowhere."""
    name, _, id_ = target.partition(":")
    kind = next((kind for kind in _SHOWN_ON if kind == name), None)
    if kind is None or not id_:
        return
    this_tab().focus[kind] = id_
    this_tab().followed = target  # the last of all: a page that shows two kinds takes it and turns to it
    if kind == "node":
        select(GRAPH, NodeId(id_))
    pages = _SHOWN_ON[kind]
    if this_tab().page not in pages:
        open_page(pages[0])


def focus(kind: Kind) -> str:
    """Return the id of the last thing of this kind that a link led to, else nothing. It may be gone by now."""
    return this_tab().focus.get(kind, "")


def take_followed(*kinds: Kind) -> tuple[str, str]:
    """Return kind and id of the last followed link, if it is of these kinds and no page has taken it; else empty."""
    kind, _, id_ = this_tab().followed.partition(":")
    if kind not in kinds:
        return "", ""
    this_tab().followed = ""
    return kind, id_


def clear_focus(kind: Kind) -> None:
    """Forget what a link of this kind led to. It is called from callbacks."""
    this_tab().focus.pop(kind, None)


def open_page(name: PageName) -> None:
    """Turn to a page, which happens at `turn_page`: it is called from callbacks, in which Streamlit cannot switch."""
    this_tab().page_wanted = name


def turn_page() -> None:
    """Turn to the page that was asked for, if one was. Called wherever a link may have been followed."""
    tab = this_tab()
    page, tab.page_wanted = tab.page_wanted, None
    if page is not None and page != tab.page:
        st.switch_page(PAGES[page][0], query_params=st.query_params.to_dict())
