"""The shortcuts of the app, each of them that of a button (`st.button(shortcut=…)`), and the dialog that lists them.

Streamlit hears them anywhere but in a field, while the button is on the page and not disabled. R and C are Streamlit's
own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import box, note
from memorybank.views.i18n import t


class Shortcut(NamedTuple):
    """A key of the keyboard and the buttons that it presses."""

    key: str
    """The key by Streamlit's name for it."""
    name: str
    """The sentence that says what the key does is `shell.keys.<name>`."""
    buttons: tuple[str, ...]
    """The Streamlit keys of the buttons; at most one of them can be pressed at a time."""


SHORTCUTS: Sequence[Shortcut] = (
    Shortcut("H", "help", ("shortcuts",)),
    Shortcut("T", "story", ("story-start", "story-leave")),
    Shortcut("Left", "previous", ("story-previous",)),
    Shortcut("Space", "pause", ("story-pause",)),
    Shortcut("Right", "next", ("story-next",)),
    Shortcut("P", "present", ("present",)),
    Shortcut("Esc", "leave", ("present-end",)),
    Shortcut("G", "run", ("run", "pause")),
    Shortcut("S", "step", ("step",)),
)
_SIGNS = {"Left": "←", "Right": "→"}


def shortcut_of(button: str) -> str | None:
    """Return the shortcut of the button with this Streamlit key, or None where it has none."""
    return next((shortcut.key for shortcut in SHORTCUTS if button in shortcut.buttons), None)


def draw_shortcuts(lang: Lang) -> None:
    """Draw the button that opens the list, and the list while it is open, whatever is drawn anew behind it."""
    tab = this_tab()
    words = t("shell.tool.help", lang)
    st.button(
        words,
        key="shortcuts",
        icon=":material/keyboard:",
        type="tertiary",
        help=words,
        shortcut=shortcut_of("shortcuts"),
        on_click=_show,
        args=(True,),
    )
    if tab.shows_shortcuts:
        st.dialog(words, on_dismiss=lambda: _show(False))(_draw_list)(lang)


def _show(shown: bool) -> None:
    this_tab().shows_shortcuts = shown


def _draw_list(lang: Lang) -> None:
    rows = (
        (
            box("dt", "", box("kbd", "", _SIGNS.get(each.key, each.key))),
            box("dd", "", t(f"shell.keys.{each.name}", lang)),
        )
        for each in SHORTCUTS
    )
    draw(
        box("dl", "shortcuts", *(part for row in rows for part in row)),
        note(t("shell.keys.clicker", lang)),
        note(t("shell.keys.fields", lang)),
        key="shortcut-list",
    )
