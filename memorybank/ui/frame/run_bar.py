"""The run's bar on every page says that it is only read, what its address named in vain, and the moment shown."""

from __future__ import annotations

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.components.timeline.component import draw_timeline
from memorybank.ui.shell import course, state
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import kept, selection, this_tab
from memorybank.views.box import Box, box
from memorybank.views.i18n import t
from memorybank.views.link import INSPECTOR
from memorybank.views.text.display import clip

GLANCE = 2.0
"""The seconds between two looks at whether the tab that has the run is still there."""


def draw_run_bar(worker: Run, lang: Lang) -> None:
    if this_tab().page not in INSPECTOR or course.is_staged():  # it shows no run, or has the screen for one
        return
    if worker.is_saved:
        _draw_saved(worker.run_id, lang)
    elif worker.is_shared:
        with st.container(horizontal=True, vertical_alignment="center", key="read-along"):
            st.fragment(_draw_whose, run_every=GLANCE)(worker, lang)
            _draw_reopen(t("action.take_over", lang), "take-over", "swap_horiz", t("shell.take_over_help", lang))
            _draw_new_session(lang)
    _draw_missing(lang)
    if state.at_event() is not None and this_tab().page != "replay":  # that has all of it
        draw_timeline(worker, lang)


def _draw_saved(run_id: str, lang: Lang) -> None:
    is_only_read = kept(("only-read", run_id), lambda: state.runs().is_only_read(run_id))
    with st.container(horizontal=True, vertical_alignment="center", key="read-only"):
        draw(_words("of_a_batch" if is_only_read else "read_only", lang), key="read-only-words")
        if not is_only_read:
            _draw_reopen(t("shell.continue", lang), "continue-run", "play_arrow", t("shell.continue_help", lang))
        _draw_new_session(lang)


def _draw_reopen(words: str, key: str, icon: str, help_text: str) -> None:
    """Draw the button that makes the run this tab's own."""
    button(words, key, state.reopen, icon=icon, help_text=help_text)


def _draw_whose(worker: Run, lang: Lang) -> None:
    """Draw who has the run, again and again on every page: its tab may be closed, and this one keeps the run alive."""
    worker.see()
    draw(_words("left" if worker.is_left else "read_along", lang), key="read-along-words")


def _words(name: str, lang: Lang) -> Box:
    return box(
        "p",
        "run-bar",
        box("span", "strong", t(f"shell.{name}", lang)),
        " ",
        box("span", "muted", t(f"shell.{name}_help", lang)),
    )


def _draw_new_session(lang: Lang) -> None:
    if this_tab().page == "session":
        button(
            t("action.new_session", lang),
            "new-session",
            state.leave,
            icon="restart_alt",
            help_text=t("action.new_session_help", lang),
        )


def _draw_missing(lang: Lang) -> None:
    """Draw what the address named in vain, until the reader looks at something else."""
    kept = this_tab().address.missing
    if kept is None:
        return
    missing, total, seen = kept
    now = (this_tab().page, state.at_event(), selection(state.GRAPH))
    if seen not in (None, now):
        this_tab().address.missing = None
        return
    this_tab().address.missing = (missing, total, now)
    words = [t(key, lang, value=clip(value, 100), total=total) for key, value in missing]
    draw(box("div", "notice", *(box("p", "text", line) for line in words)), key="address-missing-words")
