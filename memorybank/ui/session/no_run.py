"""What a page shows while no run is open: what it is for, and the ways to a run."""

from __future__ import annotations

import time

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import links, state
from memorybank.ui.shell.demo import start_demo
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import box, label, note
from memorybank.views.i18n import t
from memorybank.views.link import PageName
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import relative_time

WIDTH = 640
"""Pixels: a page without a run is read, not scanned."""
TITLE = 80
"""Characters of a saved run's task."""


def draw_no_run(page: PageName, lang: Lang) -> None:
    """The whole body of `page` while no run is open: what it will show, the demo, the form, runs of this browser.

    The demo starts where the reader is: the page then fills. Draw nothing else beside it; problems that were kept
    are shown above every page by shell.py.
    """
    with st.container(horizontal_alignment="center", key="no-run"), st.container(width=WIDTH, gap="medium"):
        draw(
            box(
                "div",
                "no-run",
                box("p", "no-run-title", t("shell.no_run", lang)),
                box("p", "text", t(f"shell.no_run.{page}", lang)),
            ),
            key="no-run-words",
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            st.button(
                t("shell.no_run.demo", lang),
                key="start-demo",
                type="primary",
                icon=":material/play_arrow:",
                on_click=start_demo,
                args=(lang,),
            )
            st.button(
                t("shell.no_run.form", lang),
                key="to-form",
                icon=":material/edit_note:",
                on_click=links.open_page,
                args=("session",),
            )
        draw(note(t("shell.no_run.demo_text", lang)), key="no-run-demo")
        _draw_saved(lang)
    links.turn_page()


def _draw_saved(lang: Lang) -> None:
    """The runs that this browser has opened; nobody is shown another's."""
    known = state.known_runs()
    if not known:
        return
    from memorybank.ui.shell.saved import stored_runs

    saved = [run for run in stored_runs().newest_first() if run.address in known]
    if not saved:
        return
    draw(label(t("shell.no_run.saved", lang)), note(t("shell.no_run.saved_help", lang)), key="saved-words")
    with st.container(gap="small", key="saved-runs"):
        for run in saved:
            with st.container(horizontal=True, vertical_alignment="center"):
                st.button(
                    t("shell.open", lang),
                    key=f"open-{run.address}",
                    icon=":material/folder_open:",
                    on_click=_open,
                    args=(run.address,),
                )
                title = clip(run.goal, TITLE) or t("shell.saved.untitled", lang)
                when = relative_time(run.changed, time.time(), lang)
                draw(box("p", "text", title), note(when), key=f"saved-{run.address}")


def _open(run_id: str) -> None:
    with problems_kept():
        state.keep(state.look_up(run_id))
