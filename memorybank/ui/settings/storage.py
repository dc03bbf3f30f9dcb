"""What the runs take on disk, and what of them was deleted."""

from __future__ import annotations

import streamlit as st

from memorybank.hosting.storage import KEPT_DAYS, TRASH, discarded, empty, folder_size, restore
from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import MOST
from memorybank.ui.components.run_rows import trash_row
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.saved import runs_to_tell
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.visitors import is_served_here
from memorybank.views.box import box, note
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_bytes


def draw_storage(lang: Lang) -> None:
    st.subheader(t("settings.storage", lang), anchor=False)
    runs, root = runs_to_tell(), state.runs_root()
    size = format_bytes(sum(folder_size(root / run.address) for run in runs), lang)
    elsewhere = None if is_served_here() else note(t("runs.elsewhere", lang))
    draw(box("p", "text", t("settings.storage_used", lang, count=len(runs), size=size)), elsewhere, key="storage")
    _draw_trash(lang)


def _draw_trash(lang: Lang) -> None:
    """What was deleted here, to bring back or be rid of. Only on the machine itself: it tells of everybody's runs."""
    gone = discarded(state.runs()) if is_served_here() else []
    if not gone:
        return
    size = format_bytes(folder_size(state.runs_root() / TRASH), lang)
    with st.expander(t("settings.trash", lang, count=len(gone), size=size), icon=":material/delete:", key="trash"):
        draw(note(t("settings.trash_help", lang, days=KEPT_DAYS)), key="trash-help")
        rows = [trash_row(run, lang) for run in gone[: page_end("trash", MOST)]]
        draw(box("ul", "run-rows", *rows), key="trash-rows", on_choose=_restore)
        draw_more("trash", MOST, len(gone), lang)
        st.button(t("settings.trash_empty", lang), key="trash-empty", icon=":material/delete_forever:", on_click=_empty)


def _restore(address: str) -> None:
    with problems_kept():
        restore(state.runs(), address)


def _empty() -> None:
    this_tab().runs.deleted = None  # nothing of it comes back
    with problems_kept():
        empty(state.runs())
