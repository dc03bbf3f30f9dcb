"""The settlement of a task: what it came to in a table, ticked, edited and confirmed by the author.

The edits stay in the tab until the table is confirmed: an error takes none of them away.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.types import Lang
from memorybank.ui.display import clip
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_error, problems_kept
from memorybank.ui.panels.switch import draw_switch
from memorybank.ui.problems import as_sentence
from memorybank.ui.rich import Box, box, chip, draw
from memorybank.ui.studio import desk
from memorybank.ui.studio.shelf import OpenStudio

if TYPE_CHECKING:
    from memorybank.narrative.scheduler.settlement import Confirmed
    from memorybank.narrative.types import Task
    from memorybank.narrative.writes import Proposal, ProposalKind
    from memorybank.ui.studio.edits import Names

T = TypeVar("T", str, int)
ROWS = 40
"""Drawn at first, and more at a time."""
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
_OPEN, _MORE, _KIND, _ADDING = "studio-row-open", "studio-rows", "studio-row-kind", "studio-row-adding"
_CHAPTER, _SORT = "studio-row-chapter", "studio-row-sort"
_ALL = "all"


def draw_settling(held: OpenStudio, task: Task, table: desk.Table, lang: Lang) -> None:
    with st.container(border=True, key="studio-settling"):
        st.subheader(t("studio.settling", lang), anchor=False)
        lead = "studio.settling_lead" if table.turns else "studio.settling_found"
        lead = lead if table.rows else "studio.settling_empty"
        draw([box("p", "muted text", t(lead, lang, count=len(table.rows)))], key="studio-settling-lead")
        if table.note:
            draw([box("p", "notice disputed text", as_sentence(table.note))], key="studio-settling-note")
        rows = _ticked(table)
        shown = _draw_filters(held, rows, lang)
        for row in shown[: st.session_state.get(_MORE, ROWS)]:
            _draw_row(held, task, table, row, lang)
        if len(shown) > st.session_state.get(_MORE, ROWS):
            st.button(
                t("studio.more_rows", lang, count=len(shown)), key="studio-more-rows", type="tertiary", on_click=_more
            )
        _draw_adding(held, task, table, lang)
        _draw_confirm(held, task, table, shown, lang)


def draw_written(lang: Lang) -> None:
    """What the settlement that was just confirmed wrote."""
    written: desk.Written | None = st.session_state.get(desk.CONFIRMED)
    if written is None:
        return
    applied = written.confirmed.applied
    words = t("studio.written" if applied else "studio.written_waits", lang, count=len(written.sentences))
    draw(
        [
            box(
                "div",
                f"notice {'done' if applied else 'disputed'}",
                box("p", "strong text", f"{words} {written.title}"),
                box("ul", "points", *(box("li", "text", one) for one in written.sentences)),
                box("p", "muted small text", written.confirmed.reason) if written.confirmed.reason else None,
            )
        ],
        key="studio-written",
    )


# -- rows -------------------------------------------------------------------------------------------------------------


def _tick(table: desk.Table, number: int) -> str:
    return f"studio-tick-{table.task}-{table.turns}-{number}"


def _ticked(table: desk.Table) -> tuple[Proposal, ...]:
    """The rows as they are ticked on the page."""
    from memorybank.ui.studio.edits import ticked

    kept: dict[str, bool] = st.session_state.setdefault("studio-ticks", {})
    return ticked(table.rows, {row.number: kept.get(_tick(table, row.number), row.ticked) for row in table.rows})


def _keep_tick(key: str) -> None:
    st.session_state["studio-ticks"][key] = st.session_state[key]


def _draw_filters(held: OpenStudio, rows: Sequence[Proposal], lang: Lang) -> Sequence[Proposal]:
    """By kind, by what a kind is divided into, by chapter, each once there are several; answers with the rows shown."""
    from memorybank.narrative.scheduler.drafts import kind_of
    from memorybank.ui.studio.edits import chapter_of, kinds_of, sort_of

    if len(rows) < 2:
        return rows
    shown = rows
    with st.container(horizontal=True, vertical_alignment="center"):
        if len(kinds_of(rows)) > 1:
            chosen = _draw_kinds(rows, lang)
            shown = [row for row in rows if chosen in (_ALL, kind_of(row.item))]
        if len(kinds_of(shown)) == 1:
            sort = _choice(_SORT, "row_sort", list(map(sort_of, shown)), lambda one: _sort(held, one, lang), lang)
            shown = [row for row in shown if sort in (None, sort_of(row))]
        numbers = sorted(chapter for row in shown if (chapter := chapter_of(row)) is not None)
        chapter = _choice(_CHAPTER, "row_chapter", numbers, str, lang)
        shown = [row for row in shown if chapter in (None, chapter_of(row))]
        for name, tick in (("tick_all", True), ("tick_none", False)):
            st.button(
                t(f"studio.{name}", lang, count=len(shown)),
                key=f"studio-{name}",
                type="tertiary",
                on_click=_tick_shown,
                args=([row.number for row in shown], tick),
            )
    return shown


def _draw_kinds(rows: Sequence[Proposal], lang: Lang) -> str:
    from memorybank.narrative.scheduler.drafts import kind_of
    from memorybank.ui.studio.edits import kinds_of

    kinds = kinds_of(rows)
    counts = {kind: sum(kind_of(row.item) == kind for row in rows) for kind in kinds}
    options = [_ALL, *kinds]
    if st.session_state.get(_KIND) not in options:
        st.session_state[_KIND] = _ALL
    return str(
        st.segmented_control(
            t("studio.row_kind", lang),
            options,
            format_func=lambda one: (
                t("studio.row_all", lang, number=len(rows))
                if one == _ALL
                else f"{t(f'studio.row_{one}', lang)} ({counts[one]})"
            ),
            key=_KIND,
            label_visibility="collapsed",
            required=True,
        )
    )


def _choice(key: str, name: str, values: Sequence[T], told: Callable[[T], str], lang: Lang) -> T | None:
    """One of the values, or None: all; drawn once there are several."""
    options = list(dict.fromkeys(values))
    if len(options) < 2:
        return None
    if st.session_state.get(key) not in options:
        st.session_state[key] = None
    counts = Counter(values)
    return st.selectbox(
        t(f"studio.{name}", lang),
        options,
        index=None,
        format_func=lambda one: f"{told(one)} ({counts[one]})",
        placeholder=t(f"studio.{name}", lang),
        key=key,
        label_visibility="collapsed",
        width=200,
    )


def _sort(held: OpenStudio, name: str, lang: Lang) -> str:
    from memorybank.narrative.telling import tell_predicate
    from memorybank.narrative.types import EntityKind, PlanKind

    if name in tuple(EntityKind):
        return t(f"studio.kind.{name}", lang)
    if name in tuple(PlanKind):
        return t(f"studio.plan_kind.{name}", lang)
    return tell_predicate(name, held.card.lang)


def _tick_shown(numbers: Sequence[int], tick: bool) -> None:
    table: desk.Table = st.session_state["studio-table"]
    for number in numbers:
        key = _tick(table, number)
        st.session_state["studio-ticks"][key] = st.session_state[key] = tick


def _draw_row(held: OpenStudio, task: Task, table: desk.Table, row: Proposal, lang: Lang) -> None:
    key = _tick(table, row.number)
    is_open = st.session_state.get(_OPEN) == key
    with st.container(horizontal=True, vertical_alignment="top", gap="small", key=f"studio-row-{row.number}"):
        with st.container(width="content"):
            st.session_state.setdefault(key, row.ticked)
            st.checkbox(
                t("studio.row", lang, number=row.number),
                key=key,
                label_visibility="collapsed",
                on_change=_keep_tick,
                args=(key,),
            )
        draw([_row(row, lang)], key=f"studio-row-words-{row.number}")
        st.button(
            t("studio.row_close" if is_open else "studio.row_edit", lang),
            key=f"studio-row-edit-{row.number}",
            icon=":material/expand_less:" if is_open else ":material/edit:",
            type="tertiary",
            on_click=_toggle,
            args=(key,),
        )
    if is_open:
        _draw_turns(held, task, row, lang)
        _draw_form(held, task, table, row, lang)


def _row(row: Proposal, lang: Lang) -> Box:
    from memorybank.narrative.scheduler.drafts import kind_of

    turns = t("studio.from_turns", lang, turns=", ".join(map(str, row.turns))) if row.turns else ""
    return box(
        "div",
        "wr-row" if row.ticked else "wr-row off",
        box(
            "div",
            "row",
            chip(t(f"studio.mark_{row.mark}", lang), LOOKS[row.mark.value]),
            box("span", "muted small", t(f"studio.row_{kind_of(row.item)}", lang)),
            box("span", "muted small", turns) if turns else None,
        ),
        box("p", "text", row.shown),
        *(box("p", "wr-against small text", t("studio.against", lang, other=one)) for one in row.against),
        box("p", "muted small text", row.reason) if row.reason else None,
    )


def _toggle(key: str) -> None:
    st.session_state[_OPEN] = "" if st.session_state.get(_OPEN) == key else key


def _more() -> None:
    st.session_state[_MORE] = st.session_state.get(_MORE, ROWS) + ROWS


def _draw_turns(held: OpenStudio, task: Task, row: Proposal, lang: Lang) -> None:
    wanted = set(row.turns)
    turns = [turn for turn in held.studio.gateway.history(task.id) if turn.number in wanted] if wanted else []
    pieces = [
        box(
            "div",
            "raw",
            box("p", "label", t(f"studio.role_{turn.role}", lang, number=turn.number)),
            box("p", "text", clip(turn.text, TURN)),
        )
        for turn in turns
    ]
    if pieces:
        draw([box("div", "stack", *pieces)], key=f"studio-row-turns-{row.number}")


# -- editing ----------------------------------------------------------------------------------------------------------


def names_of(held: OpenStudio) -> Names:
    from memorybank.ui.studio.edits import Names

    facts = held.studio.stores.facts
    return Names(entity=facts.entity, named=facts.named)


def _draw_form(held: OpenStudio, task: Task, table: desk.Table, row: Proposal, lang: Lang) -> None:
    from memorybank.narrative.scheduler.drafts import kind_of
    from memorybank.ui.studio.edits import FIELDS, edited, values_of

    if not FIELDS[kind_of(row.item)]:
        return
    names = names_of(held)
    values = values_of(row.item, table.rows, names)
    given = _fields(kind_of(row.item), values, f"{_tick(table, row.number)}-edit", lang, t("studio.row_keep", lang))
    if given is not None:
        _change(held, task, table, lambda: edited(_ticked(table), row.number, given, names), lang)


def _draw_adding(held: OpenStudio, task: Task, table: desk.Table, lang: Lang) -> None:
    from memorybank.ui.studio.edits import ADDED, FIELDS, added

    more = st.expander(t("studio.row_add", lang), icon=":material/add:", key="studio-row-add", on_change="rerun")
    if not more.open:
        return
    with more:
        kind = draw_switch(t("studio.row_kind", lang), ADDED, lambda one: t(f"studio.row_{one}", lang), key=_ADDING)
        blank = dict.fromkeys(FIELDS[kind], "")
        if "kind" in blank:
            blank["kind"] = "Character"
        given = _fields(kind, blank, f"studio-add-{kind}-{len(table.rows)}", lang, t("studio.row_add_do", lang))
        if given is not None:
            names = names_of(held)
            _change(held, task, table, lambda: added(_ticked(table), kind, given, task.id, names), lang)


def _fields(kind: ProposalKind, values: dict[str, str], key: str, lang: Lang, do: str) -> dict[str, str] | None:
    """A form with the fields of a row; what was filled in, once it is sent."""
    from memorybank.ui.studio.edits import CHOICES, FIELDS

    given: dict[str, str] = {}
    with st.form(key, border=True):
        columns = st.columns(2, gap="small")
        for place, name in enumerate(FIELDS[kind]):
            with columns[place % 2]:
                label = t(f"studio.field_{name}", lang)
                if name in CHOICES:
                    words = {t(f"studio.{name}.{one}", lang): one for one in CHOICES[name]}
                    now = list(words.values()).index(values[name])
                    given[name] = words[st.selectbox(label, list(words), index=now, key=f"{key}-{name}")]
                elif name in ("text", "note"):
                    given[name] = st.text_area(label, values[name], key=f"{key}-{name}", height=80) or ""
                else:
                    given[name] = st.text_input(label, values[name], key=f"{key}-{name}") or ""
        return given if st.form_submit_button(do) else None


def _change(
    held: OpenStudio, task: Task, table: desk.Table, make: Callable[[], Sequence[Proposal]], lang: Lang
) -> None:
    """Keep the rows as changed, marked against the hub anew; what is wrong is said, and nothing is lost."""
    try:
        rows = held.studio.gateway.remark(task.id, make())
    except MemoryBankError as error:
        draw_error(error, lang, key="studio-row-problem")
        return
    desk.keep_rows(table, rows)
    st.session_state[_OPEN] = ""
    st.rerun()


# -- confirming -------------------------------------------------------------------------------------------------------


def _draw_confirm(held: OpenStudio, task: Task, table: desk.Table, shown: Sequence[Proposal], lang: Lang) -> None:
    """All at once; with a filter also what it shows alone, and the rest waits on."""
    rows = _ticked(table)
    count = sum(row.ticked for row in rows)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            t("studio.confirm", lang, count=count),
            key="studio-confirm",
            type="primary",
            icon=":material/task_alt:",
            disabled=desk.working() is not None,
            on_click=_confirm,
            args=(held, task, table, rows),
        )
        if len(shown) < len(rows):
            numbers = {row.number for row in shown}
            rest = tuple(row for row in rows if row.number not in numbers)
            st.button(
                t("studio.confirm_shown", lang, count=sum(row.ticked for row in shown), rest=len(rest)),
                key="studio-confirm-shown",
                icon=":material/checklist:",
                help=t("studio.confirm_shown_help", lang),
                disabled=desk.working() is not None,
                on_click=_confirm,
                args=(held, task, table, tuple(shown), rest),
            )
        st.button(
            t("studio.look_anew", lang),
            key="studio-remark",
            icon=":material/refresh:",
            help=t("studio.look_anew_help", lang),
            on_click=_remark,
            args=(held, task, table, rows),
        )
        draw([box("p", "muted small text", t("studio.confirm_help", lang))], key="studio-confirm-words")


def _confirm(
    held: OpenStudio,
    task: Task,
    table: desk.Table,
    rows: tuple[Proposal, ...],
    waiting: tuple[Proposal, ...] = (),
) -> None:
    desk.keep_rows(table, sorted((*rows, *waiting), key=lambda row: row.number))
    sentences = tuple(row.shown for row in rows if row.ticked and row.mark.value != "known")

    def then(confirmed: Confirmed) -> None:
        st.session_state[desk.CONFIRMED] = desk.Written(task.title, confirmed, sentences)
        desk.drop_table()
        if not waiting:
            desk.make_current(None)

    desk.begin("confirm", lambda: held.studio.gateway.confirm(task.id, rows, waiting), then)


def confirm_current(held: OpenStudio) -> None:
    """Confirm the table of the tab's current task as it stands. For callbacks."""
    task = desk.current(held)
    table = desk.table(held, task) if task is not None else None
    if task is not None and table is not None:
        _confirm(held, task, table, _ticked(table))


def _remark(held: OpenStudio, task: Task, table: desk.Table, rows: tuple[Proposal, ...]) -> None:
    with problems_kept():
        desk.keep_rows(table, held.studio.gateway.remark(task.id, rows))
