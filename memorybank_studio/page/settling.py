"""The settlement of a task: what it came to in a table, ticked, edited and confirmed by the author.

The edits stay in the tab until the table is confirmed: an error takes none of them away. A sentence that was not read
is left until the author has made a row of it or said that there is nothing to record; both are kept with the studio,
not with the tab. What a language model read and did not take stands below the table, and can be written down all the
same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.problems import draw_error
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import Look, button
from memorybank.ui.shell.tab import Widget, problems_kept
from memorybank.views.box import Box, aside, box, chip, div, label, row_of, stack_of
from memorybank.views.i18n import as_sentence, t
from memorybank.views.text.display import clip
from memorybank_studio.drafts import Unread, kind_of
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.page import desk
from memorybank_studio.page.settling_forms import (
    draw_adding,
    draw_form,
    draw_kinds,
    draw_row_form,
    keep_changed,
    keep_tick,
    tick_key,
)
from memorybank_studio.page.shelf import OpenStudio, Sentence, keep_tables
from memorybank_studio.page.tab import Written, studio_tab
from memorybank_studio.settlement.edits import added, helper_rows, prefilled
from memorybank_studio.settlement.settler import Confirmed, HinderedError
from memorybank_studio.types import Origin, Task, TaskId, TaskState, Turn
from memorybank_studio.wording import say
from memorybank_studio.writes import Proposal

_KIND = "studio-unread-kind"
_NOT_TAKEN = "studio-not-taken"
_PAGE = 40
"""Sentences that were not taken: drawn at first, and more at a time."""
_QUOTED = 160
"""Columns of a sentence in the reason of its row."""


def _sentence(unread: Unread) -> Sentence:
    return unread.turn, unread.line


def draw_count(held: OpenStudio, table: SettlementTable, left: Sequence[Unread], lang: Lang) -> None:
    """Draw how many sentences are left, above the table, with what can be done with all of them."""
    if not table.unread:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="studio-unread-top"):
        words = t("studio.unread" if left else "studio.unread_none", lang, count=len(left))
        draw(box("p", "strong text" if left else "muted text", words), key="studio-unread-count")
        if left:
            write = partial(toggle, _key(table, left[0]))
            button(t("studio.unread_next", lang), "studio-unread-next", write, icon="edit_note", look="tertiary")
            button(
                t("studio.unread_none_all", lang, count=len(left)),
                "studio-unread-none-all",
                partial(_dismiss, held, table, left),
                look="tertiary",
                help_text=t("studio.unread_dismiss_help", lang),
            )


def draw_dismissed(held: OpenStudio, table: SettlementTable, lang: Lang) -> None:
    """Draw how many sentences of the table were put aside, and a way to have them back."""
    here = held.dismissed.get(table.task, set()) & {_sentence(unread) for unread in table.unread}
    if not here:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        words = t("studio.unread_dismissed", lang, count=len(here))
        draw(box("p", "muted small text", words), key="studio-unread-dismissed")
        again = partial(_dismiss, held, table, table.unread, back=True)
        button(t("studio.unread_again", lang), "studio-unread-again", again, look="tertiary")


def draw_not_taken(held: OpenStudio, table: SettlementTable, lang: Lang) -> None:
    """Draw the sentences that were read and settle nothing, each with why."""
    done = held.by_hand.get(table.task, set()) | {_sentence(unread) for unread in table.unread}
    once = {_sentence(sentence): sentence for sentence in table.not_taken}
    sentences = [sentence for key, sentence in once.items() if key not in done]
    if not sentences:
        return

    def inside() -> None:
        for sentence in sentences[: page_end(_NOT_TAKEN, _PAGE)]:
            draw_sentence(held, table, sentence, lang)
        draw_more(_NOT_TAKEN, _PAGE, len(sentences), lang)

    desk.fold(t("studio.not_taken", lang, count=len(sentences)), _NOT_TAKEN, inside, icon="do_not_disturb_on")


def draw_sentence(held: OpenStudio, table: SettlementTable, unread: Unread, lang: Lang) -> None:
    key = _key(table, unread)
    is_open = studio_tab().desk.open_row == key
    is_left = unread in table.unread
    words, buttons = st.columns([2, 1], gap="small")
    with words:
        draw(_row(unread, lang, is_left), key=f"words-{key}")
    with buttons, st.container(horizontal=True, horizontal_alignment="right", gap="small"):
        _draw_toggle(key, f"write-{key}", "studio.unread_write", "edit_note", lang)
        if is_left:
            dismiss = partial(_dismiss, held, table, (unread,))
            desk.told_button("studio.unread_dismiss", f"dismiss-{key}", dismiss, lang, icon="block")
    if is_open:
        draw_turns(held, table.task, (unread.turn,), f"turn-{key}", lang)
        _draw_form(held, table, unread, lang)


def _row(unread: Unread, lang: Lang, is_left: bool) -> Box:
    mark = chip(t("studio.mark_unread", lang), "disputed") if is_left else chip(t("studio.mark_not_taken", lang))
    origin = "studio.from_turns" if unread.turn else "studio.from_chapter"
    return div(
        "wr-row",
        row_of(mark, aside(t(origin, lang, turns=unread.turn, chapter=unread.chapter))),
        box("p", "text", unread.line),
        box("p", "muted small text", unread.why),
    )


def _draw_form(held: OpenStudio, table: SettlementTable, unread: Unread, lang: Lang) -> None:
    kind = draw_kinds(_KIND, lang)
    key = f"form-{_key(table, unread)}-{kind}"
    buttons, names = ("studio.unread_keep", "studio.unread_keep_more"), {name: name for name in unread.names}
    offered = {"subject": names, "object": names}
    filled, pressed = draw_row_form(held, kind, prefilled(kind, unread), key, lang, buttons, offered)
    if not pressed:
        return
    stores, reason = held.studio.stores, say("reason_by_hand", held.card.lang, source=clip(unread.line, _QUOTED))
    rows, origin = table.proposals, Origin(task=table.task, turns=(unread.turn,), source=unread.line)
    add = lambda: added(rows, kind, filled, origin, stores, reason=reason)  # noqa: E731
    is_kept = keep_changed(held, table, key, filled, add)
    if is_kept and pressed == buttons[0]:
        held.by_hand.setdefault(table.task, set()).add(_sentence(unread))
        keep_tables(held)
    elif is_kept:
        studio_tab().desk.open_row = _key(table, unread)
    st.rerun()


def _key(table: SettlementTable, unread: Unread) -> str:
    sentences = (*table.unread, *table.not_taken)
    place = next(at for at, other in enumerate(sentences) if _sentence(other) == _sentence(unread))
    return f"studio-unread-{table.task}-{table.turns}-{place}"


def _dismiss(held: OpenStudio, table: SettlementTable, these: Iterable[Unread], *, back: bool = False) -> None:
    dismissed, sentences = held.dismissed.get(table.task, set()), set(map(_sentence, these))
    held.dismissed[table.task] = dismissed - sentences if back else dismissed | sentences
    keep_tables(held)
    studio_tab().desk.open_row = ""


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
            if Widget[bool](key).held() is not row.ticked:  # another tab may have turned it
                Widget[bool](key).set(row.ticked)
            st.checkbox(
                t("studio.row", lang, number=row.number),
                key=key,
                label_visibility="collapsed",
                on_change=keep_tick,
                args=(held, table, row.number),
            )
        draw(_proposal_row(row, lang), key=f"studio-row-words-{row.number}")
        _draw_toggle(key, f"studio-row-edit-{row.number}", "studio.row_edit", "edit", lang)
    if _hindered(table) == row.number and (hindered := studio_tab().desk.hindered):
        draw_error(hindered[1], lang, key="studio-row-hinders")
    if is_open:
        draw_turns(held, table.task, row.turns, f"studio-row-turns-{row.number}", lang)
        draw_form(held, table, row, lang)


def _hindered(table: SettlementTable) -> int:
    """Return the number of the row for which the table was not confirmed; 0: there is none."""
    hindered = studio_tab().desk.hindered
    return hindered[1].row if hindered is not None and hindered[0] == table.task else 0


def _proposal_row(row: Proposal, lang: Lang) -> Box:
    turns = t("studio.from_turns", lang, turns=", ".join(map(str, row.turns))) if row.turns else ""
    return div(
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


def _draw_toggle(row: str, key: str, words: str, icon: str, lang: Lang) -> None:
    if studio_tab().desk.open_row == row:
        words, icon = "studio.row_close", "expand_less"
    button(t(words, lang), key, partial(toggle, row), icon=icon, look="tertiary")


def draw_turns(held: OpenStudio, task: TaskId, numbers: Sequence[int], key: str, lang: Lang) -> None:
    turns = [turn for turn in held.studio.gateway.history(task) if turn.number in numbers] if numbers else []
    if turns:
        draw(stack_of(*(turn_box(turn, clip(turn.text, TURN), "raw", lang) for turn in turns)), key=key)


def turn_box(turn: Turn, text: str, look: str, lang: Lang) -> Box:
    heading = label(t(f"studio.role_{turn.role}", lang, number=turn.number))
    return div(look, heading, box("p", "text", text) if text else None)


ROWS = 40
"""The rows that are drawn at first, and at a time when more are wanted."""
_ROWS = "studio-rows"


def draw_settling(held: OpenStudio, task: Task, table: SettlementTable, lang: Lang) -> None:
    with st.container(border=True, key="studio-settling"):
        st.subheader(t("studio.settling", lang), anchor=False)
        done = held.dismissed.get(table.task, set()) | held.by_hand.get(table.task, set())
        left = tuple({_sentence(each): each for each in table.unread if _sentence(each) not in done}.values())
        lead = "studio.settling_lead" if table.turns and not held.by_hand.get(table.task) else "studio.settling_found"
        unread = "studio.settling_unread" if left and left[0].turn else "studio.settling_chapter"
        lead = lead if table.proposals else unread if left else "studio.settling_empty"
        draw(box("p", "muted text", t(lead, lang, count=len(table.proposals))), key="studio-settling-lead")
        draw_count(held, table, left, lang)
        if table.note:
            draw(box("p", "notice disputed text", as_sentence(table.note)), key="studio-settling-note")
        rows = table.proposals
        along = helper_rows(rows) - {_hindered(table)}
        statements = [row for row in rows if row.number not in along]
        most = page_end(_ROWS, ROWS)
        for sentence in left[:most]:  # first: they wait to be dealt with
            draw_sentence(held, table, sentence, lang)
        for place, row in enumerate(statements, start=len(left)):
            if place < most or row.number == _hindered(table):
                draw_row(held, table, row, lang)
        draw_more(_ROWS, ROWS, len(statements) + len(left), lang)
        if folded := [row for row in rows if row.number in along]:
            with st.expander(t("studio.rows_along", lang, count=len(folded)), key="studio-rows-along"):
                for row in folded:
                    draw_row(held, table, row, lang)
        draw_dismissed(held, table, lang)
        draw_not_taken(held, table, lang)
        draw_adding(held, table, lang)
        with st.container(horizontal=True, vertical_alignment="center"):
            count = sum(row.ticked for row in rows)
            look: Look = "primary" if count else "secondary"
            confirm, gateway = partial(_confirm, held, task, table, rows), held.studio.gateway
            words = t("studio.confirm", lang, count=count)
            desk.work_button(words, "studio-confirm", confirm, icon="task_alt", look=look)
            remark = problems_kept()(lambda: desk.keep_rows(held, table, gateway.remark(task.id, rows)))
            desk.told_button("studio.look_anew", "studio-remark", remark, lang, icon="refresh", look="secondary")
            style, told = ("notice disputed", "hindered") if _hindered(table) else ("muted small", "help")
            draw(box("p", f"{style} text", t(f"studio.confirm_{told}", lang)), key="studio-confirm-words")


def draw_written(held: OpenStudio, lang: Lang) -> None:
    """Draw what the settlement that was confirmed last wrote; also where its journal had to be opened again first."""
    written, gateway = studio_tab().desk.confirmed, held.studio.gateway
    if written is None:
        return
    applied = any(task.id == written.task.id and task.state is TaskState.CLOSED for task in gateway.tasks())
    if not applied and written.task.id not in gateway.waiting():
        return
    problem = None if applied else written.problem
    words = t("studio.written" if applied else "studio.written_waits", lang, count=len(written.sentences))
    draw(
        div(
            f"notice {'done' if applied else 'disputed'}",
            box("p", "strong text", f"{words} {written.task.title}"),
            box("ul", "points", *(box("li", "text", sentence) for sentence in written.sentences)),
            box("p", "muted small text", problem.in_language(lang)) if problem else None,
        ),
        key="studio-written",
    )


def _confirm(held: OpenStudio, task: Task, table: SettlementTable, rows: tuple[Proposal, ...]) -> None:
    desk.keep_rows(held, table, rows)
    sentences = tuple(row.shown for row in rows if row.ticked and row.mark.value != "known")

    def work() -> Confirmed | HinderedError:
        try:
            return held.studio.gateway.confirm(task.id, rows)
        except HinderedError as hindered:
            return hindered

    def then(confirmed: Confirmed | HinderedError) -> None:
        if isinstance(confirmed, HinderedError):  # the rows as the hub stands now: looked at, they can be confirmed
            desk.keep_rows(held, table, held.studio.gateway.remark(task.id, rows))
            studio_tab().desk.hindered = task.id, confirmed
            return
        studio_tab().desk.confirmed = Written(task, sentences, confirmed.problem)
        desk.make_current(None)

    studio_tab().desk.confirmed = Written(task, sentences)
    desk.begin("confirm", work, then)
