"""While no run is open, a page shows what it is for and the ways to a run."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import draw_runs
from memorybank.ui.session.setup import start_demo
from memorybank.ui.shell import links
from memorybank.ui.shell.switch import button
from memorybank.views.box import box, note
from memorybank.views.i18n import t
from memorybank.views.link import PageName

WIDTH = 640
"""The width in pixels: a page without a run is read, not scanned."""


def draw_no_run(page: PageName, lang: Lang) -> None:
    """Draw the whole body of `page` while no run is open: what it will show, the demo, the form, the runs there are.

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
            button(t("home.demo", lang), "start-demo", partial(start_demo, lang), icon="play_arrow", look="primary")
            button(t("shell.no_run.form", lang), "to-form", partial(links.open_page, "session"), icon="edit_note")
        draw(note(t("home.demo_text", lang)), key="no-run-demo")
        draw_runs(lang, border=False)
    links.turn_page()
