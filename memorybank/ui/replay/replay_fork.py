"""Branching off at the moment that is shown: what the branch shares, what may be changed for it, and the button."""

from __future__ import annotations

import functools
from typing import Any

import streamlit as st

from memorybank.hosting.new_runs import branch_off
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import fork_border
from memorybank.runs.stages import ends_stage
from memorybank.ui.components.rich import draw
from memorybank.ui.session.setup import PRESETS, preset_changes
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import FORK_ALPHA, FORK_CHANGE, FORK_K, FORK_PRESET, REPLAY_SECTION
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.run.step_diff import step_at

KEEP = "keep"


def draw_fork(worker: Run, lang: Lang) -> None:
    """The form, while it is open."""
    if not this_tab().replay.fork_open:
        return
    records, at = worker.records, state.at_event()
    border = fork_border(records, len(records) if at is None else at)
    with st.container(border=True, key="fork-card", gap="small"):
        st.subheader(t("replay.fork.title", lang), anchor=False)
        draw(box("p", "text", _lead(records, border, lang)), key="fork-words")
        if border:
            _draw_changes(worker, lang)
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


def _draw_changes(worker: Run, lang: Lang) -> None:
    bank = state.moment(worker).bank
    held = bank.changed or bank.settings
    if not st.toggle(t("replay.fork.change", lang), key=FORK_CHANGE.key) or held is None:
        return
    preset, middle, right = st.columns([2, 1, 1], gap="medium")
    preset.selectbox(
        t("input.preset", lang),
        (KEEP, *PRESETS),
        format_func=lambda name: t("replay.fork.keep" if name == KEEP else f"input.preset_{name}", lang),
        key=FORK_PRESET.key,
    )
    middle.number_input(t("input.k", lang), 0, 100, held.k, key=FORK_K.key, help=t("input.k_help", lang))
    right.slider(
        t("input.alpha", lang), 0.0, 1.0, held.alpha, step=0.05, key=FORK_ALPHA.key, help=t("input.alpha_help", lang)
    )


def _changes() -> dict[str, Any] | None:
    """What is set for the branch; None: all as in this run. Read at the click, so that the last stroke counts."""
    k, alpha = FORK_K.held(), FORK_ALPHA.held()
    if not FORK_CHANGE.held() or k is None or alpha is None:
        return None
    changes: dict[str, Any] = {
        "retrieval_k": int(k),
        "retrieval_alpha": float(alpha),
    }
    preset = FORK_PRESET.value(KEEP)
    if preset != KEEP:
        changes |= preset_changes(preset)
    return changes


def _fork(worker: Run, at: int) -> None:
    """Make the branch, open it as the tab's run, and change what was asked for. The parent is parked, not changed."""
    changes = _changes()
    _close()
    branch = branch_off_here(worker, at)
    if branch is not None and changes is not None and branch.takes_orders:
        branch.obey(functools.partial(_change, changes=changes))
    this_tab().replay.redraw = True


def branch_off_here(worker: Run, at: int) -> Run | None:
    """A branch with the first `at` events, as the tab's run; None where it could not be made: the reason is kept."""
    with problems_kept():
        runs = state.runs()
        run_id = branch_off(runs, runs.folder_of(worker), worker.records, at)
        branch = runs.open(run_id, by=state.visitor())
        worker.leave()
        state.keep(branch)
        REPLAY_SECTION.set("branches")
        return branch
    return None


def _change(session: Any, *, changes: dict[str, Any]) -> None:
    session.change_settings(**changes)


def _close() -> None:
    this_tab().replay.fork_open = False
