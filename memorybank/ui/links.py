"""Links between the pages: any piece of any page may lead to a node, an entry, a call, a conflict, a merge, a moment.

A link is a short text, `kind:id`, so that it travels through a component; what comes back from the browser is looked
up, never trusted. `focus(kind)` tells a page what it was asked to show.
"""

from __future__ import annotations

from typing import Literal, get_args

import streamlit as st

from memorybank.memory.types import NodeId

Kind = Literal["node", "tree", "entry", "conflict", "merge", "call", "prompt", "moment"]
PageName = Literal["session", "graph", "conflicts", "tree", "prompt", "replay", "compare", "settings", "studio"]

PAGES: dict[PageName, tuple[str, str]] = {
    "session": ("pages/1_session.py", ":material/play_circle:"),
    "graph": ("pages/2_graph.py", ":material/hub:"),
    "conflicts": ("pages/3_conflicts.py", ":material/call_merge:"),
    "tree": ("pages/4_tree.py", ":material/account_tree:"),
    "prompt": ("pages/5_prompt.py", ":material/data_object:"),
    "replay": ("pages/6_replay.py", ":material/history:"),
    "compare": ("pages/7_compare.py", ":material/compare_arrows:"),
    "settings": ("pages/8_settings.py", ":material/tune:"),
    "studio": ("pages/9_studio.py", ":material/edit_note:"),
}
"""In the order of the navigation: file and icon. The title is `page.<name>`."""

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


def link(kind: Kind, id_: str | int) -> str:
    """node, tree: a node's id. entry, conflict, merge: its id. call, prompt, moment: an event's seq."""
    return f"{kind}:{id_}"


def follow(target: str) -> None:
    """Go where a link leads. For callbacks; the page turns at the end of the running script. Nonsense leads nowhere."""
    kind, _, id_ = target.partition(":")
    if kind not in get_args(Kind) or not id_:
        return
    st.session_state[f"focus-{kind}"] = id_
    st.session_state["followed"] = target  # the last of all: a page that shows two kinds takes it and turns to it
    if kind == "node":
        from memorybank.ui import state
        from memorybank.ui.graph.component import select

        select(state.GRAPH, NodeId(id_))
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
