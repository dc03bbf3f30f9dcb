"""What to compare: one task begun twice under two settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.new_runs import Relay, Setup, begin_like
from memorybank.hosting.orders import NewRun, Until
from memorybank.hosting.ready_tasks import ready_tasks
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.session.setup import PRESETS, new_run_of
from memorybank.ui.shell import state
from memorybank.ui.shell.saved import compare_pair
from memorybank.ui.shell.widgets import COMPARE_TASK, compare_setting
from memorybank.views.box import box, note
from memorybank.views.i18n import t
from memorybank.views.text.display import clip

THIS = "this"
ENGINES = ("offline", "llm")


def draw_choice(worker: Run | None, lang: Lang) -> None:
    """One task, begun twice. Two runs that there are, are chosen in a list of runs."""
    task = _draw_task(worker, lang)
    left, right = st.columns(2, gap="large")
    with left:
        first = _draw_setup("a", Setup(alpha=0.0), lang)
    with right:
        second = _draw_setup("b", Setup(alpha=1.0), lang)
    draw(note(t("runs.compare_help", lang)), key="compare-saved")
    begun = st.button(t("compare.run", lang), key="compare-run", type="primary", icon=":material/play_arrow:")
    if first == second:
        draw(note(t("compare.same", lang)), key="compare-same")
    if begun:
        _begin(worker, task, (first, second), lang)


def _draw_task(worker: Run | None, lang: Lang) -> NewRun | None:
    """The task to begin twice; None: that of the run which is open."""
    tasks = {task.id: task for task in ready_tasks(lang)}
    options = [*([THIS] if worker is not None and worker.records else []), *tasks]
    if COMPARE_TASK.held() not in options:
        COMPARE_TASK.set(options[0])

    def words(name: str) -> str:
        return tasks[name].title if name in tasks else t("compare.task_this", lang)

    chosen = st.selectbox(
        t("compare.task", lang), options, format_func=words, key=COMPARE_TASK.key, persist_state="session"
    )
    if chosen == THIS and worker is not None:
        goal = state.moment(worker).bank.doc.task_goal or t("doc.goal_none", lang)
        draw(box("p", "text muted", clip(goal, 300)), key="compare-goal")
        return None
    draw(box("p", "text muted", tasks[chosen].task), key="compare-goal")
    return new_run_of(tasks[chosen])


def _draw_setup(name: str, default: Setup, lang: Lang) -> Setup:
    """Engine, preset, k and alpha of one of the two."""
    local = state.default_settings()
    values: Mapping[str, Any] = {
        "engine": local.engine if local.engine in ENGINES else "offline",
        "preset": PRESETS[0],
        "k": local.retrieval_k,
        "alpha": default.alpha,
    }
    for field, value in values.items():
        compare_setting(name, field).begin_with(value)
    st.subheader(t(f"compare.run_{name}", lang), anchor=False)
    preset = st.selectbox(
        t("input.preset", lang),
        PRESETS,
        format_func=lambda preset_name: t(f"input.preset_{preset_name}", lang),
        key=f"compare-{name}-preset",
        persist_state="session",
    )
    left, middle, right = st.columns([3, 1, 2], gap="small")
    engine = left.segmented_control(
        t("input.engine", lang),
        ENGINES,
        format_func=lambda engine_name: t(
            "engine.offline" if engine_name == "offline" else "session.origin.model", lang
        ),
        key=f"compare-{name}-engine",
        help=t("input.engine_help", lang),
        persist_state="session",
    )
    k = middle.number_input(
        t("input.k", lang), 0, 100, key=f"compare-{name}-k", help=t("input.k_help", lang), persist_state="session"
    )
    alpha = right.slider(
        t("input.alpha", lang),
        0.0,
        1.0,
        step=0.05,
        key=f"compare-{name}-alpha",
        help=t("input.alpha_help", lang),
        persist_state="session",
    )
    return Setup(engine=engine or "offline", preset=preset, k=int(k), alpha=float(alpha))


def _begin(worker: Run | None, task: NewRun | None, setups: tuple[Setup, Setup], lang: Lang) -> None:
    """Begin both, one after the other, so that their times can be compared. What is wrong is said here."""
    try:
        with st.spinner(t("home.reading", lang)):
            first, second = begin_pair(worker, task, setups)
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="compare-form")
        return
    first.go(Until.END)
    Relay(first, second).start()
    compare_pair(first.run_id, second.run_id)
    st.rerun()


def begin_pair(worker: Run | None, task: NewRun | None, setups: tuple[Setup, Setup]) -> tuple[Run, Run]:
    """Two workers at rest, the first stage behind them. Raises what beginning a run raises."""
    runs, by = state.runs(), state.visitor()
    for setup in setups:
        setup.apply(runs.local)  # refused before anything is written
    if task is None:
        assert worker is not None
        folder, records = runs.folder_of(worker), worker.records
        opened: list[Run] = [runs.open(begin_like(runs, folder, records, setup), by=by) for setup in setups]
    else:
        opened = [
            runs.start(replace(task, settings=replace(setup.apply(task.settings), lang=task.settings.lang)), by=by)
            for setup in setups
        ]
    first, second = opened
    if not first.takes_orders or not second.takes_orders:
        raise InputError("run.written_elsewhere")
    return first, second
