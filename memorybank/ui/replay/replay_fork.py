"""Branching off at the moment that is shown: what the branch shares, and the button."""

from __future__ import annotations

from typing import Any

import streamlit as st

from memorybank.hosting.new_runs import branch_off
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import fork_border
from memorybank.runs.stages import ends_stage
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import REPLAY_SECTION
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.run.step_diff import step_at


def draw_fork(worker: Run, lang: Lang) -> None:
    """The form, while it is open."""
    if not this_tab().replay.fork_open:
        return
    records, at = worker.records, state.at_event()
    border = fork_border(records, len(records) if at is None else at)
    with st.container(border=True, key="fork-card", gap="small"):
        st.subheader(t("replay.fork.title", lang), anchor=False)
        draw(box("p", "text", _lead(records, border, lang)), key="fork-words")
        with st.container(horizontal=True):
            st.button(
                t("replay.fork.do", lang),
                key="fork-do",
                type="primary",
                icon=":material/fork_right:",
                disabled=not border,
                on_click=_fork,
                args=(worker, border),
            )
            st.button(t("replay.fork.cancel", lang), key="fork-cancel", on_click=_close)


def _lead(records: Any, border: int, lang: Lang) -> str:
    if border:
        step = step_at(records, border)
        values: dict[str, object] = {"seq": border, "stage": t(f"stage.{step.stage}", lang)}
        if not step.round:
            return t("replay.fork.lead", lang, **values)
        return t("replay.fork.lead_round", lang, **values, round=step.round)
    first = next((record.seq for record in records if ends_stage(record)), 0)
    return t("replay.fork.too_early", lang, seq=first) if first else t("replay.fork.never", lang)


def _fork(worker: Run, at: int) -> None:
    """Make the branch and open it as the tab's run. The parent is parked, not changed."""
    _close()
    branch_off_here(worker, at)
    this_tab().replay.redraw = True


def branch_off_here(worker: Run, at: int) -> None:
    """A branch with the first `at` events becomes the tab's run; the reason why not is kept."""
    with problems_kept():
        runs = state.runs()
        run_id = branch_off(runs, runs.folder_of(worker), worker.records, at)
        branch = runs.open(run_id, by=state.visitor())
        worker.leave()
        state.keep(branch)
        REPLAY_SECTION.set("branches")


def _close() -> None:
    this_tab().replay.fork_open = False
