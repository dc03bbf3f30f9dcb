"""Editing a row of a settlement, and adding one: forms whose wrong values are said and take nothing away."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.types import Lang
from memorybank.ui.i18n import t
from memorybank.ui.panels.problems import draw_error
from memorybank.ui.panels.switch import draw_switch
from memorybank.ui.studio import desk
from memorybank.ui.studio.settling_filters import tick_key, ticked_rows
from memorybank.ui.studio.shelf import OpenStudio

if TYPE_CHECKING:
    from memorybank.narrative.types import Task
    from memorybank.narrative.writes import Proposal, ProposalKind
    from memorybank.ui.studio.edits import Names

OPEN = "studio-row-open"
"""Whose form is open, by the key of its tick."""
_ADDING = "studio-row-adding"


def _names_of(held: OpenStudio) -> Names:
    from memorybank.ui.studio.edits import Names

    stores = held.studio.stores
    return Names(entity=stores.facts.entity, named=stores.facts.named, plans=stores.plans.all)


def draw_form(held: OpenStudio, task: Task, table: desk.Table, row: Proposal, lang: Lang) -> None:
    from memorybank.narrative.scheduler.drafts import kind_of
    from memorybank.ui.studio.edits import FIELDS, edited, values_of

    if not FIELDS[kind_of(row.item)]:
        return
    names = _names_of(held)
    values = values_of(row.item, table.rows, names)
    given = _fields(kind_of(row.item), values, f"{tick_key(table, row.number)}-edit", lang, t("studio.row_keep", lang))
    if given is not None:
        _change(held, task, table, lambda: edited(ticked_rows(table), row.number, given, names), lang)


def draw_adding(held: OpenStudio, task: Task, table: desk.Table, lang: Lang) -> None:
    from memorybank.ui.studio.edits import ADDED, FIELDS, FIRST, added

    more = st.expander(t("studio.row_add", lang), icon=":material/add:", key="studio-row-add", on_change="rerun")
    if not more.open:
        return
    with more:
        kind = draw_switch(t("studio.row_kind", lang), ADDED, lambda one: t(f"studio.row_{one}", lang), key=_ADDING)
        blank = dict.fromkeys(FIELDS[kind], "")
        blank |= {name: first for name, first in FIRST.items() if name in blank}
        given = _fields(kind, blank, f"studio-add-{kind}-{len(table.rows)}", lang, t("studio.row_add_do", lang))
        if given is not None:
            names = _names_of(held)
            _change(held, task, table, lambda: added(ticked_rows(table), kind, given, task.id, names), lang)


def _fields(kind: ProposalKind, values: dict[str, str], key: str, lang: Lang, do: str) -> dict[str, str] | None:
    """A form with the fields of a row; what was filled in, once it is sent."""
    from memorybank.ui.studio.edits import CHOICES, FIELDS, LINES, WORDS

    given: dict[str, str] = {}
    with st.form(key, border=True):
        columns = st.columns(2, gap="small")
        for place, name in enumerate(FIELDS[kind]):
            with columns[place % 2]:
                label = t(f"studio.field_{name}", lang)
                if name in CHOICES:
                    words = {t(f"studio.{WORDS.get(name, name)}.{one}", lang): one for one in CHOICES[name]}
                    now = list(words.values()).index(values[name])
                    given[name] = words[st.selectbox(label, list(words), index=now, key=f"{key}-{name}")]
                elif name in LINES:
                    hint = t("studio.field_properties_help", lang) if name == "properties" else None
                    given[name] = st.text_area(label, values[name], key=f"{key}-{name}", height=80, help=hint) or ""
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
    desk.keep_rows(held, table, rows)
    st.session_state[OPEN] = ""
    st.rerun()
