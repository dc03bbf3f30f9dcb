"""Buttons, most of the app's, with their shortcuts; the switch between a few views; and the field for a search.

Streamlit hears a shortcut anywhere but in a field, while its button is on the page and not disabled. R and C are
Streamlit's own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st

from memorybank.ui.shell.tab import Widget
from memorybank.views.text.display import unmarked


class Shortcut(NamedTuple):
    """A key of the keyboard and the buttons that it presses."""

    key: str
    """The key by Streamlit's name for it."""
    buttons: tuple[str, ...]
    """The Streamlit keys of the buttons; at most one of them can be pressed at a time."""


SHORTCUTS: Sequence[Shortcut] = (
    Shortcut("T", ("story-start", "story-leave")),
    Shortcut("Left", ("story-previous",)),
    Shortcut("Space", ("story-pause",)),
    Shortcut("Right", ("story-next",)),
    Shortcut("G", ("run", "pause")),
    Shortcut("S", ("step",)),
)


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
    """Draw it, its words and its help as the text they are; a press, or its shortcut, calls `act` before the page is
    drawn anew. `icon`: the name of a Material symbol."""
    symbol = f":material/{icon}:" if icon else None
    tip = unmarked(help_text) if help_text else None
    st.button(
        unmarked(words),
        key=key,
        icon=symbol,
        type=look,
        disabled=disabled,
        help=tip,
        shortcut=next((shortcut.key for shortcut in SHORTCUTS if key in shortcut.buttons), None),
        on_click=act,
    )


def draw_search(
    words: str, key: str, *, on_change: Callable[[], Any] | None = None, max_chars: int | None = None
) -> str:
    """Draw the field, which itself says what it searches, and return what is typed in it."""
    typed = st.text_input(
        words,
        key=key,
        max_chars=max_chars,
        icon=":material/search:",
        placeholder=words,
        label_visibility="collapsed",
        persist_state="session",
        on_change=on_change,
    )
    return typed or ""


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
    """Draw the views to choose from and return the chosen one, at first the first; `label` is for screen readers.

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
