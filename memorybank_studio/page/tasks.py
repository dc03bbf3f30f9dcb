"""The tasks of a studio with their state, and the commands to each as buttons."""

from __future__ import annotations

import time
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import page_end, show_all
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import Look, button
from memorybank.views.box import Box, aside, box, chip, muted, row_of
from memorybank.views.i18n import t
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.types import Command, Task, TaskId, TaskState

LOOKS = {"open": "task", "closed": "done", "waiting": "disputed", "discarded": "", "expired": ""}
"""Chips of the states."""
SHOWN = 12
"""Tasks of the past that are drawn at first."""


def draw_tasks(held: OpenStudio, current: Task | None, lang: Lang) -> None:
    st.subheader(t("studio.tasks", lang), anchor=False)
    _draw_new(held, lang)
    tasks = held.studio.gateway.tasks()
    waiting = held.studio.gateway.waiting()
    open_ = [task for task in tasks if task.state is TaskState.OPEN]
    past = [task for task in tasks if task.state is not TaskState.OPEN][::-1]
    if not tasks:
        draw(muted(t("studio.tasks_none", lang)), key="studio-tasks-none")
    shown = past[: page_end("studio-tasks", SHOWN)]
    for task in (*open_[::-1], *shown):
        is_current = current is not None and task.id == current.id
        _draw_task(held, task, is_current, task.id in waiting, lang)
    if len(shown) < len(past):
        button(
            t("studio.all_tasks", lang, count=len(past)),
            "studio-all-tasks-do",
            partial(show_all, "studio-tasks"),
            look="tertiary",
        )


def _draw_new(held: OpenStudio, lang: Lang) -> None:
    with st.form("studio-task-new", clear_on_submit=True, border=True):
        title = st.text_input(t("studio.task_title", lang), key="studio-task-title", max_chars=200)
        words = st.text_area(t("studio.task_words", lang), key="studio-task-words", height=80)
        done = st.form_submit_button(
            t("studio.task_new", lang), icon=":material/add:", disabled=desk.working() is not None
        )
    if done:
        desk.give(held, words or "", command=Command.NEW, argument=title or "")
        st.rerun()


def _draw_task(held: OpenStudio, task: Task, is_current: bool, is_waiting: bool, lang: Lang) -> None:
    state = "waiting" if is_waiting else task.state.value
    with st.container(border=True, gap="small", key=f"studio-task-{task.id}"):
        draw(_words(held, task, state, is_current, lang), key=f"studio-task-words-{task.id}")
        with st.container(horizontal=True, gap="small"):
            if state == "open":
                _draw_open(held, task, is_current, lang)
            elif state == "closed":
                _button(held, "restart", task, "restart_alt", lang)


def _words(held: OpenStudio, task: Task, state: str, is_current: bool, lang: Lang) -> Box:
    left = _hours_left(held, task)
    return box(
        "div",
        "wr-current" if is_current else "",
        box("p", "text strong", task.title),
        row_of(
            chip(t(f"studio.state_{state}", lang), LOOKS[state]),
            aside(t("studio.turns", lang, count=task.turns)),
            box("span", "muted small mono", task.id),
            aside(t("studio.hours_left", lang, hours=f"{left:.0f}")) if left is not None else None,
        ),
        current=is_current,
    )


def _hours_left(held: OpenStudio, task: Task) -> float | None:
    """Hours in which a settled task can be restarted; None for one of another state."""
    if task.state.value != "closed" or task.closed_at is None:
        return None
    return max(0.0, (task.closed_at + held.studio.settings.tasks.kept_seconds - time.time()) / 3600)


def _draw_open(held: OpenStudio, task: Task, is_current: bool, lang: Lang) -> None:
    if studio_tab().desk.discarding == task.id:
        draw(box("span", "text strong", t("studio.discard_sure", lang)), key=f"studio-sure-{task.id}")
        _button(held, "discard", task, "delete", lang)
        button(t("studio.discard_not", lang), f"studio-keep-{task.id}", partial(_ask, ""))
        return
    if not is_current:
        _button(held, "switch", task, "swap_horiz", lang)
        return
    _button(held, "settle", task, "task_alt", lang, look="primary")
    button(
        t("studio.discard", lang),
        f"studio-ask-discard-{task.id}",
        partial(_ask, task.id),
        icon="delete",
        look="tertiary",
    )


def _button(held: OpenStudio, name: str, task: Task, icon: str, lang: Lang, *, look: Look = "secondary") -> None:
    button(
        t(f"studio.{name}", lang),
        f"studio-{name}-{task.id}",
        partial(_give, held, name, task.id),
        icon=icon,
        look=look,
        disabled=desk.working() is not None,
    )


def _give(held: OpenStudio, name: str, task: TaskId) -> None:
    _ask("")
    desk.give(held, "", command=Command(name), argument=task)


def _ask(task: str) -> None:
    studio_tab().desk.discarding = task
