"""What the "Why this memory" view was asked: which view of the Graph page is open, and which question is chosen."""

from __future__ import annotations

from typing import Literal, get_args

import streamlit as st

from memorybank.memory.types import Lang, NodeId
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import GRAPH_VIEW, WHY_KIND
from memorybank.views.i18n import t

View = Literal["memory", "why"]
Kind = Literal["prompt", "node"]


def view() -> View:
    return "why" if GRAPH_VIEW.held() == "why" else "memory"


def kind() -> Kind:
    chosen = WHY_KIND.held()
    return next((name for name in get_args(Kind) if name == chosen), "prompt")


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
    GRAPH_VIEW.set("why")
    WHY_KIND.set("node")
    this_tab().graph.compared_node = node_id
