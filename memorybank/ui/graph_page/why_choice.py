"""What the "Why this memory" view was asked: which view of the Graph page is open, and which question is chosen."""

from __future__ import annotations

from typing import Literal, get_args

import streamlit as st

from memorybank.memory.types import Lang, NodeId
from memorybank.views.i18n import t

View = Literal["memory", "why"]
Kind = Literal["prompt", "node", "typed"]
VIEW, KIND, TYPED = "graph-view", "why-kind", "why-typed"
CHOSEN = {"prompt": "why-prompt", "node": "why-node"}
"""Keys of the choice among the questions of a kind."""


def view() -> View:
    return "why" if st.session_state.get(VIEW) == "why" else "memory"


def kind() -> Kind:
    chosen = st.session_state.get(KIND)
    return next((one for one in get_args(Kind) if one == chosen), "prompt")


def draw_why_button(node_id: NodeId, lang: Lang) -> None:
    """Leads to the scores with which a node was compared when it was new."""
    st.button(
        t("graph.why.compared", lang),
        key="why-compared",
        icon=":material/manage_search:",
        help=t("graph.why.compared_help", lang),
        type="tertiary",
        on_click=_ask_of,
        args=(node_id,),
    )


def _ask_of(node_id: NodeId) -> None:
    st.session_state[VIEW], st.session_state[KIND] = "why", "node"
    st.session_state["why-asked-of"] = node_id
