"""What the runs and the answer cache take on disk, and how to make room. Nothing that is open is deleted."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memorybank.hosting.storage import (
    KEPT_DAYS,
    TRASH,
    RunSize,
    cache_path,
    cache_size,
    clear_cache,
    discarded,
    empty,
    folder_size,
    older_than,
    restore,
    sizes,
)
from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import MOST, delete, draw_deleted, in_use
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
    runs = sizes(state.runs_root(), runs_to_tell())
    total = sum(run.size for run in runs)
    boxes = [box("p", "text", t("settings.storage_used", lang, count=len(runs), size=format_bytes(total, lang)))]
    if not is_served_here():
        boxes.append(note(t("runs.elsewhere", lang)))
    draw(boxes, key="storage")
    draw_deleted(lang, key="storage")
    if runs:
        _draw_clean_up(runs, lang)
    _draw_trash(lang)


# -- clean-up ---------------------------------------------------------------------------------------------------------


def _draw_clean_up(runs: Sequence[RunSize], lang: Lang) -> None:
    """What is older than so many days; then how much that is, and the button."""
    shown = in_use()
    with st.popover(t("settings.delete_older", lang), icon=":material/history:", key="popover-delete-older"):
        days = st.number_input(t("settings.days", lang), 0, 3650, 30, key="delete-days")
        chosen = older_than([each for each in runs if each.run.address not in shown], days)
        size = format_bytes(sum(run_size.size for run_size in chosen), lang)
        words = t("settings.delete_warning", lang, count=len(chosen), size=size)
        draw(box("p", "text", words if chosen else t("settings.delete_nothing", lang)), key="delete-warning-older")
        st.button(
            t("settings.delete_now", lang, count=len(chosen)),
            key="delete-older",
            type="primary",
            icon=":material/delete:",
            disabled=not chosen,
            on_click=delete,
            args=([run_size.run.address for run_size in chosen],),
        )


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


# -- the answer cache -------------------------------------------------------------------------------------------------


def draw_cache(lang: Lang) -> None:
    st.subheader(t("settings.cache", lang), anchor=False)
    path = cache_path(state.default_settings())
    cache = cache_size(path)
    if cache.answers is None:
        words = t("settings.cache_unreadable", lang, size=format_bytes(cache.size, lang))
    else:
        words = t("settings.cache_used", lang, count=cache.answers, size=format_bytes(cache.size, lang))
    lines = [box("p", "text", words), note(t("settings.cache_help", lang))]
    if not state.default_settings().llm.cache:
        lines.append(note(t("settings.cache_off", lang)))
    draw(lines, key="cache")
    with st.popover(
        t("settings.cache_clear", lang), icon=":material/delete:", key="popover-cache", disabled=not cache.answers
    ):
        draw(box("p", "text", t("settings.cache_warning", lang)), key="cache-warning")
        st.button(
            t("settings.cache_clear_now", lang), key="cache-clear", type="primary", on_click=_clear, args=(str(path),)
        )


def _clear(path: str) -> None:
    from pathlib import Path

    with problems_kept():
        clear_cache(Path(path))
