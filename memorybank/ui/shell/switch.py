"""Which of a few views is shown: words beside each other, one of them always chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

from memorybank.ui.shell.tab import Widget

T = TypeVar("T")


def draw_switch(
    label: str,
    options: Sequence[T],
    words: Callable[[T], str],
    *,
    key: str,
    persists: bool = True,
    on_change: Callable[[], Any] | None = None,
    width: Literal["content", "stretch"] = "content",
) -> T:
    """The view that is chosen, at first the first one; `label` is for those who hear the page.

    `persists`: it outlives a change of pages by itself.
    """
    Widget[T](key).begin_with(options[0])
    chosen: T | None = st.segmented_control(
        label,
        options,
        format_func=words,
        key=key,
        label_visibility="collapsed",
        required=True,
        persist_state="session" if persists else None,
        on_change=on_change or "rerun",
        width=width,
    )
    return options[0] if chosen is None else chosen
