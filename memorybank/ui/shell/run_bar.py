"""What holds for a run on every page: that it is only read, what its address asked for in vain, the moment shown."""

from __future__ import annotations

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.ui.components.graph.component import selection
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.moment_bar import draw_moment_bar
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.tour import bar as tour
from memorybank.views.box import box
from memorybank.views.i18n import t


def draw_run_bar(worker: Run, lang: Lang) -> None:
    if this_tab().page == "studio":  # it is about a story, and shows no run
        return
    if worker.is_saved:
        _draw_saved(lang)
    _draw_missing(lang)
    if state.at_event() is not None and not tour.is_on():
        draw_moment_bar(worker, lang)


def _draw_saved(lang: Lang) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="read-only"):
        draw(
            box(
                "p",
                "run-bar",
                box("span", "strong", t("shell.read_only", lang)),
                " ",
                box("span", "muted", t("shell.read_only_help", lang)),
            ),
            key="read-only-words",
        )
        st.button(
            t("shell.continue", lang),
            key="continue-run",
            icon=":material/play_arrow:",
            help=t("shell.continue_help", lang),
            on_click=state.reopen,
        )
        if this_tab().page == "session":
            st.button(
                t("action.new_session", lang),
                key="new-session",
                icon=":material/restart_alt:",
                help=t("action.new_session_help", lang),
                on_click=state.leave,
            )


def _draw_missing(lang: Lang) -> None:
    """Shown until the reader looks at something else."""
    kept = this_tab().address.missing
    if kept is None:
        return
    missing, total, seen = kept
    now = (this_tab().page, state.at_event(), selection(state.GRAPH))
    if seen not in (None, now):
        this_tab().address.missing = None
        return
    this_tab().address.missing = (missing, total, now)
    words = [t(key, lang, value=value, total=total) for key, value in missing]
    draw(box("div", "notice", *(box("p", "text", line) for line in words)), key="address-missing-words")
