"""Two runs that are saved here, chosen for comparing; and the pair that a tab compares."""

from __future__ import annotations

import time

import streamlit as st

from memorybank.hosting.saved import StoredRun
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.saved import runs_to_tell
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.shell.widgets import compare_setting
from memorybank.views.box import muted
from memorybank.views.i18n import t
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import relative_time

TITLE = 70
"""Columns of a run's task in a list."""


def show_pair(first: str, second: str) -> None:
    """Compare these two from now on."""
    this_tab().compare.pair = {"a": first, "b": second}


def draw_saved(lang: Lang) -> None:
    runs = runs_to_tell()
    if len(runs) < 2:
        draw(muted(t("compare.too_few", lang)), key="compare-too-few")
        return
    known = {run.address: run for run in runs}
    left, right = st.columns(2, gap="large")
    chosen: list[str] = []
    for name, place, default in (("a", left, 0), ("b", right, 1)):
        choice = compare_setting("saved", name)
        if choice.held() not in known:
            choice.set(runs[default].address)
        chosen.append(
            place.selectbox(
                t(f"compare.run_{name}", lang),
                list(known),
                format_func=lambda address: saved_title(known[address], lang),
                key=choice.key,
                persist_state="session",
            )
        )
    st.button(
        t("compare.show", lang),
        key="compare-show",
        type="primary",
        icon=":material/compare_arrows:",
        disabled=chosen[0] == chosen[1],
        help=t("compare.show_help", lang),
        on_click=show_pair,
        args=tuple(chosen),
    )


def saved_title(run: StoredRun, lang: Lang) -> str:
    """Plain text for a list: the task, what made it, when."""
    made = run.model or (t("engine.offline", lang) if run.engine == "offline" else run.engine)
    goal = clip(run.goal, TITLE) or t("shell.saved.untitled", lang)
    return f"{goal} · {made} · {relative_time(run.changed, time.time(), lang)} · {run.address[:6]}"
