"""A button as most of the app's are: an icon by its name, and one thing that a press does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from memorybank.views.text.display import unmarked

Look = Literal["primary", "secondary", "tertiary"]


def button(
    words: str,
    key: str,
    act: Callable[[], Any],
    *,
    icon: str = "",
    look: Look = "secondary",
    disabled: bool = False,
    help_text: str | None = None,
) -> None:
    """Draw it, its words and its help as the text they are; a press calls `act` before the page is drawn anew.

    `icon`: the name of a Material symbol.
    """
    symbol = f":material/{icon}:" if icon else None
    tip = unmarked(help_text) if help_text else None
    st.button(unmarked(words), key=key, icon=symbol, type=look, disabled=disabled, help=tip, on_click=act)
