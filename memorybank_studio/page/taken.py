"""What a turn was taken for, with why and one click to change it; a command in words as a button to confirm."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank_studio.journal.answers import Taken, TurnKind
from memorybank_studio.page import desk
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.types import Command, Task, TaskId, Turn

CHOICES: Final = tuple(kind for kind in TurnKind if kind is not TurnKind.COMMAND)
"""What the author can say a turn is; commands have buttons of their own."""


def draw_taken(held: OpenStudio, task: Task, turn: Turn, is_last: bool, lang: Lang) -> None:
    """`is_last`: of the author's turns; only that one can be answered anew."""
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
                for kind in CHOICES:
                    button(
                        t(f"studio.kind_of_{kind}", lang),
                        f"{menu.key}-{kind}",
                        partial(_take_as, held, task, kind, menu),
                        look="tertiary",
                        disabled=kind is taken.kind or desk.working() is not None,
                    )


def _take_as(held: OpenStudio, task: Task, kind: TurnKind, menu: Widget[bool]) -> None:
    menu.set(False)
    desk.take_as(held, task.id, kind)


def _words(taken: Taken, lang: Lang) -> str:
    kind = t(f"studio.kind_of_{taken.kind}", lang)
    if taken.by == "author":
        return t("studio.taken_chosen", lang, kind=kind)
    return t(
        "studio.taken", lang, kind=kind, reason=taken.reason.rstrip(".。"), by=t(f"studio.taken_by_{taken.by}", lang)
    )


def draw_offer(held: OpenStudio, task: Task, asked: int, lang: Lang) -> None:
    """Of a command in words: the button that gives it."""
    taken = held.studio.gateway.taken(task.id, asked)
    if taken is None or taken.kind is not TurnKind.COMMAND or taken.command is None:
        return
    button(
        _offer(held, taken.command, taken.argument, task, lang),
        f"studio-offer-{task.id}-{asked}",
        partial(desk.give, held, "", command=taken.command, argument=taken.argument),
        icon="bolt",
        disabled=desk.working() is not None,
    )


def _offer(held: OpenStudio, command: Command, argument: str, task: Task, lang: Lang) -> str:
    titles = {known.id: known.title for known in held.studio.gateway.tasks()}
    title = argument if command is Command.NEW else titles.get(TaskId(argument), task.title)
    return t(f"studio.offer_{command}", lang, title=title)
