"""Tasks beside the conversation of the current one; while it is being settled, the table above it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import page_end, show_all
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import Look, button
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import Box, aside, box, chip, div, item_of, label, muted, note, row_of, stack_of
from memorybank.views.i18n import as_sentence, t
from memorybank.views.text.display import format_tokens
from memorybank_studio.journal.context import Citation, Taken, TurnKind
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_kept, form_button, form_sent, let_go
from memorybank_studio.page.options import draw_options
from memorybank_studio.page.settling import draw_settling, draw_written, turn_box
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import FACTS_ENTITY, studio_tab, turn_to
from memorybank_studio.types import Command, Task, TaskId, TaskState, Turn
from memorybank_studio.wording import cut

SHOWN_TURNS = 20
"""Turns that are drawn at first."""


def draw_discussion(held: OpenStudio, lang: Lang) -> None:
    task = desk.current(held)
    left, right = st.columns([2, 5], gap="large")
    with left:
        draw_tasks(held, task, lang)
    with right:
        draw_written(held, lang)
        if task is not None:
            _draw_task(held, task, lang)
        elif desk.working() is None:
            draw(box("p", "muted text", t("studio.no_task", lang)), key="studio-no-task")
        if desk.working() is not None:
            with st.container(horizontal=True, vertical_alignment="center", key="studio-at-work"):
                draw(box("p", "", chip(t("studio.working", lang), "task live")), key="studio-working")
                button(t("studio.stop", lang), "studio-stop", desk.stop, icon="stop", look="tertiary")
        _draw_refused(held, task, lang)
        if task is not None:
            _draw_input(held, task, lang)


def _draw_task(held: OpenStudio, task: Task, lang: Lang) -> None:
    st.subheader(t("studio.current", lang), anchor=False)
    draw(box("p", "wr-task text", task.title), key="studio-current")
    _draw_failure(held, task, lang)
    table = desk.table(held, task)
    if table is not None:
        draw_settling(held, task, table, lang)
    turns = held.studio.gateway.history(task.id)
    key = f"turns-{held.id}-{task.id}"
    shown = turns[-page_end(key, SHOWN_TURNS) :]
    if len(shown) < len(turns):
        _draw_all("turns", key, len(turns), lang)
    last = turns[-1].number if turns else 0
    asked = max((turn.number for turn in turns if turn.role == "author"), default=0)
    for turn in shown:
        if turn.role == "author":
            draw(turn_box(turn, turn.text, f"wr-turn {turn.role}", lang), key=f"studio-turn-{task.id}-{turn.number}")
            draw_taken(held, task, turn, turn.number == asked, lang)
        elif held.studio.gateway.is_replaced(task.id, turn.number):
            key, words = f"{task.id}-{turn.number}", t("studio.replaced", lang, number=turn.number)
            told = partial(draw, box("p", "muted text", turn.text), key=f"studio-replaced-words-{key}")
            desk.fold(words, f"studio-replaced-{key}", told)
        else:
            _draw_answer(held, task, turn, turn.number == last, lang)
    if desk.working() is None and held.studio.gateway.is_unanswered(task.id):
        with st.container(horizontal=True, vertical_alignment="center", key="studio-unanswered"):
            draw(box("p", "notice disputed text", t("studio.unanswered", lang)), key="studio-unanswered-words")
            resume = partial(desk.answer, held, partial(held.studio.gateway.resume, task.id))
            button(t("studio.answer", lang), "studio-resume", resume, icon="refresh")


def _draw_all(what: str, key: str, count: int, lang: Lang) -> None:
    words = t(f"studio.all_{what}", lang, count=count)
    button(words, f"studio-all-{what}-do", partial(show_all, key), look="tertiary")


def _draw_failure(held: OpenStudio, task: Task, lang: Lang) -> None:
    """Draw why a task is open again: its settlement waited for a store, which refused it when it was back."""
    reason = held.studio.gateway.failure(task.id)
    if reason is None:
        return
    sentence = as_sentence(reason.in_language(lang))
    heading = label(t("studio.settle_failed", lang))
    draw(div("notice disputed", heading, box("p", "text", sentence)), key="studio-settle-failed")


def _draw_answer(held: OpenStudio, task: Task, turn: Turn, is_last: bool, lang: Lang) -> None:
    gateway, name = held.studio.gateway, f"{task.id}-{turn.number}"
    options, (cited, spent) = gateway.options(task.id, turn.number), gateway.stands_on(task.id, turn.number)
    text = turn.text
    if options:  # they follow as cards
        text = text.partition("\n\n")[0]
    elif cited:  # they follow as a list
        text = text.rpartition("\n\n")[0]
    draw(turn_box(turn, text, f"wr-turn {turn.role}", lang), key=f"studio-turn-{name}")
    if options:
        draw_options(held, task, turn.number, options, is_last, lang)
    if cited:
        draw_cited(cited, name, lang)
    if spent.calls:
        tokens = format_tokens(spent.input_tokens + spent.output_tokens, lang)
        draw(note(t("studio.spent", lang, count=spent.calls, tokens=tokens)), key=f"studio-spent-{name}")


def _draw_refused(held: OpenStudio, task: Task | None, lang: Lang) -> None:
    """Put before the author again what was typed last and could not be used."""
    refused = held.studio.gateway.refused(task.id if task is not None else None)
    if refused is None or not refused.input.strip():
        return
    words = label(t("studio.refused", lang))
    draw(div("notice disputed", words, box("p", "text", refused.input)), key="studio-refused")


def _draw_input(held: OpenStudio, task: Task, lang: Lang) -> None:
    """Draw the task's own field: words typed there are saved, and wait for whoever comes back to it."""
    field = begin(held, f"studio-input-{task.id}")
    with st.container(key="studio-input"):
        words = st.chat_input(t("studio.input", lang), key=field, disabled=desk.working() is not None)
    if words:
        desk.give(held, str(words))
        let_go(held, {field: str(words)})
        st.rerun()
    draw_kept(held, [field], lang)


LINE_CHARS: Final = 400
"""The characters of a line that are shown; a passage may be longer."""
MOST_LINKS: Final = 4
PLACES: Final = {
    "setting": ("bible", "settings"),
    "pointer": ("plan", ""),
    "plan": ("plan", ""),
    "hook": ("bible", "hooks"),
    "scene": ("chapters", "archive"),
}
"""The place where a line of each kind is found, and the part of it."""


def draw_cited(cited: Sequence[Citation], name: str, lang: Lang) -> None:
    draw(
        stack_of(label(t("studio.cited", lang)), box("ul", "line-list", *(_line(line, lang) for line in cited))),
        key=f"studio-cited-{name}",
    )
    entities = dict.fromkeys(line.title for line in cited if line.kind == "facts")
    places = dict.fromkeys(PLACES[line.kind] for line in cited if line.kind in PLACES)
    links = [*((t("studio.cited_see", lang, name=title), ("bible", "facts"), title) for title in entities)]
    links += [(t(f"studio.hub_{place[1]}" if place[1] else "studio.view_plan", lang), place, "") for place in places]
    with st.container(horizontal=True, gap="small", key=f"studio-cited-links-{name}"):
        for number, (words, place, entity) in enumerate(links[:MOST_LINKS]):
            show = partial(_show, place, entity)
            button(words, f"studio-cited-{name}-{number}", show, icon="travel_explore", look="tertiary")


def _line(line: Citation, lang: Lang) -> Box:
    words = t("studio.fact_source", lang, words=line.words) if line.words else ""
    return item_of(
        box("p", "text", f"[{line.number}] {cut(line.text, LINE_CHARS)}"),
        box("p", "muted small text", " · ".join(filter(None, (line.title, line.origin, words)))),
    )


def _show(place: tuple[str, str], entity: str) -> None:
    turn_to(*place)
    if entity:
        FACTS_ENTITY.set(entity)


def draw_taken(held: OpenStudio, task: Task, turn: Turn, is_last: bool, lang: Lang) -> None:
    """Draw what a turn was taken for. `is_last`: of the author's turns; only that one can be answered anew."""
    taken = held.studio.gateway.taken(task.id, turn.number)
    if taken is None:
        return
    name = f"{task.id}-{turn.number}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"studio-taken-{name}"):
        draw(box("p", "muted small text", _words(taken, lang)), key=f"studio-taken-words-{name}")
        if not is_last:
            return
        menu = Widget[bool](f"studio-take-as-{name}")
        choice = st.popover(t("studio.take_as", lang), icon=":material/alt_route:", key=menu.key, on_change="rerun")
        if choice.open:
            with choice:
                for kind in TurnKind:
                    button(
                        t(f"studio.kind_of_{kind}", lang),
                        f"{menu.key}-{kind}",
                        partial(_take_as, held, task, kind, menu),
                        look="tertiary",
                        disabled=kind is taken.kind or desk.working() is not None,
                    )


def _take_as(held: OpenStudio, task: Task, kind: TurnKind, menu: Widget[bool]) -> None:
    menu.set(False)
    desk.answer(held, partial(held.studio.gateway.take_as, task.id, kind))


def _words(taken: Taken, lang: Lang) -> str:
    kind = t(f"studio.kind_of_{taken.kind}", lang)
    if taken.by == "author":
        return t("studio.taken_chosen", lang, kind=kind)
    return t(
        "studio.taken", lang, kind=kind, reason=taken.reason.rstrip(".。"), by=t(f"studio.taken_by_{taken.by}", lang)
    )


TASK_LOOKS = {"open": "task", "closed": "done", "waiting": "disputed", "discarded": "", "expired": ""}
"""The looks of the chips of each state."""
SHOWN_TASKS = 12
"""Tasks of the past that are drawn at first."""


def draw_tasks(held: OpenStudio, current: Task | None, lang: Lang) -> None:
    st.subheader(t("studio.tasks", lang), anchor=False)
    _draw_new_task(held, lang)
    tasks = held.studio.gateway.tasks()
    waiting = held.studio.gateway.waiting()
    open_ = [task for task in tasks if task.state is TaskState.OPEN]
    past = [task for task in tasks if task.state is not TaskState.OPEN][::-1]
    if not tasks:
        draw(muted(t("studio.tasks_none", lang)), key="studio-tasks-none")
    shown = past[: page_end("studio-tasks", SHOWN_TASKS)]
    for task in (*open_[::-1], *shown):
        is_current = current is not None and task.id == current.id
        _draw_listed(held, task, is_current, task.id in waiting, lang)
    if len(shown) < len(past):
        _draw_all("tasks", "studio-tasks", len(past), lang)


def _draw_new_task(held: OpenStudio, lang: Lang) -> None:
    with st.form("studio-task-new", border=True):
        name, first = begin(held, "studio-task-title"), begin(held, "studio-task-words")
        title = st.text_input(t("studio.task_title", lang), key=name, max_chars=200)
        words = st.text_area(t("studio.task_words", lang), key=first, height=80)
        is_busy = desk.working() is not None
        done = form_button("studio-task-new", t("studio.task_new", lang), icon=":material/add:", disabled=is_busy)
    if done:
        with form_sent(held, {name: title or "", first: words or ""}):
            desk.give(held, words or "", command=Command.NEW, argument=title or "")
        st.rerun()
    draw_kept(held, (name, first), lang, is_form=True)


def _draw_listed(held: OpenStudio, task: Task, is_current: bool, is_waiting: bool, lang: Lang) -> None:
    state = "waiting" if is_waiting else task.state.value
    with st.container(border=True, gap="small", key=f"studio-task-{task.id}"):
        draw(_listed(held, task, state, is_current, lang), key=f"studio-task-words-{task.id}")
        with st.container(horizontal=True, gap="small"):
            if state == "open":
                _draw_open(held, task, is_current, lang)
            elif state == "closed":
                _button(held, "restart", task, "restart_alt", lang)


def _listed(held: OpenStudio, task: Task, state: str, is_current: bool, lang: Lang) -> Box:
    kept = held.studio.settings.tasks.kept_seconds
    until = task.closed_at + kept if task.state is TaskState.CLOSED and task.closed_at is not None else None
    left = max(0.0, (until - time.time()) / 3600) if until is not None else None
    return div(
        "wr-current" if is_current else "",
        box("p", "text strong", task.title),
        row_of(
            chip(t(f"studio.state_{state}", lang), TASK_LOOKS[state]),
            aside(t("studio.turns", lang, count=task.turns)),
            box("span", "muted small mono", task.id),
            aside(t("studio.hours_left", lang, hours=f"{left:.0f}")) if left is not None else None,
        ),
        current=is_current,
    )


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
    ask = partial(_ask, task.id)
    button(t("studio.discard", lang), f"studio-ask-discard-{task.id}", ask, icon="delete", look="tertiary")


def _button(held: OpenStudio, name: str, task: Task, icon: str, lang: Lang, *, look: Look = "secondary") -> None:
    give = partial(_give, held, name, task.id)
    desk.work_button(t(f"studio.{name}", lang), f"studio-{name}-{task.id}", give, icon=icon, look=look)


def _give(held: OpenStudio, name: str, task: TaskId) -> None:
    _ask("")
    desk.give(held, "", command=Command(name), argument=task)


def _ask(task: str) -> None:
    studio_tab().desk.discarding = task
