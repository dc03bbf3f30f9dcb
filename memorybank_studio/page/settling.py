"""The settlement of a task: what it came to in a table, ticked, edited and confirmed by the author.

The edits stay in the tab until the table is confirmed: an error takes none of them away.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import problems_kept
from memorybank.views.box import box
from memorybank.views.i18n import as_sentence, t
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.page import desk
from memorybank_studio.page.settling_forms import draw_adding, ticked_rows
from memorybank_studio.page.settling_unread import (
    draw_count,
    draw_dismissed,
    draw_not_taken,
    draw_row,
    draw_sentence,
    sentences_left,
)
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import Written, studio_tab
from memorybank_studio.settlement.edits import helper_rows
from memorybank_studio.settlement.settler import Confirmed
from memorybank_studio.types import Task
from memorybank_studio.writes import Proposal

ROWS = 40
"""Drawn at first, and more at a time."""
_ROWS = "studio-rows"


def draw_settling(held: OpenStudio, task: Task, table: SettlementTable, lang: Lang) -> None:
    with st.container(border=True, key="studio-settling"):
        st.subheader(t("studio.settling", lang), anchor=False)
        left = sentences_left(held, table)
        is_read = table.turns and not held.by_hand.get(table.task)
        lead = "studio.settling_lead" if is_read else "studio.settling_found"
        lead = lead if table.proposals else "studio.settling_unread" if left else "studio.settling_empty"
        draw(box("p", "muted text", t(lead, lang, count=len(table.proposals))), key="studio-settling-lead")
        draw_count(held, table, left, lang)
        if table.note:
            draw(box("p", "notice disputed text", as_sentence(table.note)), key="studio-settling-note")
        rows = ticked_rows(table)
        along = helper_rows(rows)
        statements = [row for row in rows if row.number not in along]
        most = page_end(_ROWS, ROWS)
        for sentence in left[:most]:  # first: they wait to be dealt with
            draw_sentence(held, table, sentence, lang)
        for row in statements[: max(0, most - len(left))]:
            draw_row(held, table, row, lang)
        draw_more(_ROWS, ROWS, len(statements) + len(left), lang)
        _draw_along(held, table, [row for row in rows if row.number in along], lang)
        draw_dismissed(held, table, lang)
        draw_not_taken(held, table, lang)
        draw_adding(held, table, lang)
        _draw_confirm(held, task, table, lang)


def _draw_along(held: OpenStudio, table: SettlementTable, rows: Sequence[Proposal], lang: Lang) -> None:
    """Names and statuses that the facts bring along, folded: they state nothing themselves."""
    if rows:
        with st.expander(t("studio.rows_along", lang, count=len(rows)), key="studio-rows-along"):
            for row in rows:
                draw_row(held, table, row, lang)


def draw_written(lang: Lang) -> None:
    """What the settlement that was just confirmed wrote."""
    written = studio_tab().desk.confirmed
    if written is None:
        return
    applied = written.confirmed.applied
    problem = written.confirmed.problem
    words = t("studio.written" if applied else "studio.written_waits", lang, count=len(written.sentences))
    draw(
        box(
            "div",
            f"notice {'done' if applied else 'disputed'}",
            box("p", "strong text", f"{words} {written.title}"),
            box("ul", "points", *(box("li", "text", sentence) for sentence in written.sentences)),
            box("p", "muted small text", problem.in_language(lang)) if problem else None,
        ),
        key="studio-written",
    )


# -- confirming -------------------------------------------------------------------------------------------------------


def _draw_confirm(held: OpenStudio, task: Task, table: SettlementTable, lang: Lang) -> None:
    rows = ticked_rows(table)
    count = sum(row.ticked for row in rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        button(
            t("studio.confirm", lang, count=count),
            "studio-confirm",
            partial(_confirm, held, task, table, rows),
            icon="task_alt",
            look="primary",
            disabled=desk.working() is not None,
        )
        button(
            t("studio.look_anew", lang),
            "studio-remark",
            partial(_remark, held, table, rows),
            icon="refresh",
            help_text=t("studio.look_anew_help", lang),
        )
        draw(box("p", "muted small text", t("studio.confirm_help", lang)), key="studio-confirm-words")


def _confirm(held: OpenStudio, task: Task, table: SettlementTable, rows: tuple[Proposal, ...]) -> None:
    desk.keep_rows(held, table, rows)
    sentences = tuple(row.shown for row in rows if row.ticked and row.mark.value != "known")

    def then(confirmed: Confirmed) -> None:
        studio_tab().desk.confirmed = Written(task.title, confirmed, sentences)
        desk.drop_table()
        desk.make_current(None)

    desk.begin("confirm", lambda: held.studio.gateway.confirm(task.id, rows), then)


def _remark(held: OpenStudio, table: SettlementTable, rows: tuple[Proposal, ...]) -> None:
    with problems_kept():
        desk.keep_rows(held, table, held.studio.gateway.remark(table.task, rows))
