"""One row of a settlement: its tick, what it says and why, and, opened, the turns it came from and its form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.tab import Widget
from memorybank.views.box import Box, aside, box, chip, label, row_of, stack_of
from memorybank.views.i18n import t
from memorybank.views.text.display import clip
from memorybank_studio.drafts import kind_of
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.page.settling_filters import keep_tick, tick_key
from memorybank_studio.page.settling_forms import draw_form
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.types import TaskId
from memorybank_studio.writes import Proposal

TURN = 700
"""Columns of a turn that a row came from."""
LOOKS = {
    "new": "new",
    "known": "",
    "update": "task",
    "supersedes": "disputed",
    "contradicts": "conflict",
    "drops": "disputed",
}
"""Chips of the marks, in the app's colours: a contradiction is a conflict."""


def draw_row(held: OpenStudio, table: SettlementTable, row: Proposal, lang: Lang) -> None:
    key = tick_key(table, row.number)
    is_open = studio_tab().desk.open_row == key
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"studio-row-{row.number}"):
        with st.container(width="content"):
            Widget[bool](key).begin_with(row.ticked)
            st.checkbox(
                t("studio.row", lang, number=row.number),
                key=key,
                label_visibility="collapsed",
                on_change=keep_tick,
                args=(held, table, key),
            )
        draw(_row(row, lang), key=f"studio-row-words-{row.number}")
        button(
            t("studio.row_close" if is_open else "studio.row_edit", lang),
            f"studio-row-edit-{row.number}",
            partial(toggle, key),
            icon="expand_less" if is_open else "edit",
            look="tertiary",
        )
    if is_open:
        draw_turns(held, table.task, row.turns, f"studio-row-turns-{row.number}", lang)
        draw_form(held, table, row, lang)


def _row(row: Proposal, lang: Lang) -> Box:
    turns = t("studio.from_turns", lang, turns=", ".join(map(str, row.turns))) if row.turns else ""
    return box(
        "div",
        "wr-row" if row.ticked else "wr-row off",
        row_of(
            chip(t(f"studio.mark_{row.mark}", lang), LOOKS[row.mark.value]),
            aside(t(f"studio.row_{kind_of(row.item)}", lang)),
            aside(turns) if turns else None,
        ),
        box("p", "text", row.shown),
        *(box("p", "wr-against small text", t("studio.against", lang, other=sentence)) for sentence in row.against),
        box("p", "muted small text", row.reason) if row.reason else None,
    )


def toggle(key: str) -> None:
    studio_tab().desk.open_row = "" if studio_tab().desk.open_row == key else key


def draw_turns(held: OpenStudio, task: TaskId, numbers: Sequence[int], key: str, lang: Lang) -> None:
    wanted = set(numbers)
    turns = [turn for turn in held.studio.gateway.history(task) if turn.number in wanted] if wanted else []
    pieces = [
        box(
            "div",
            "raw",
            label(t(f"studio.role_{turn.role}", lang, number=turn.number)),
            box("p", "text", clip(turn.text, TURN)),
        )
        for turn in turns
    ]
    if pieces:
        draw(stack_of(*pieces), key=key)
