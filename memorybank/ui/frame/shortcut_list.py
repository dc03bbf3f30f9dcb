"""The list of the shortcuts, in a dialog."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.shortcuts import SHORTCUTS, shortcut_of
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import box, note
from memorybank.views.i18n import t

_SIGNS = {"Left": "←", "Right": "→"}


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
