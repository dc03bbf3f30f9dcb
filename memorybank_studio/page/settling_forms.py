"""Editing a row of a settlement, and adding one: forms whose wrong values are said and take nothing away."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import Widget
from memorybank.views.i18n import t
from memorybank_studio.drafts import kind_of
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import form_sent, left_in
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.settlement.edits import (
    ADDED,
    CHOICES,
    FIELDS,
    LINES,
    WORDS,
    added,
    blank,
    edited,
    ticked,
    values_of,
)
from memorybank_studio.writes import Proposal, ProposalKind

_ADDING = "studio-row-adding"
Made = Callable[[Mapping[str, str]], Sequence[Proposal]]
"""Makes the rows of a table as they are with what is filled in."""


def draw_form(held: OpenStudio, table: SettlementTable, row: Proposal, lang: Lang) -> None:
    kind, names = kind_of(row.item), held.studio.stores
    if not FIELDS[kind]:
        return
    values, key = values_of(row.item, table.proposals, names), f"{tick_key(table, row.number)}-edit"
    make = lambda filled: edited(ticked_rows(table), row.number, filled, names)  # noqa: E731
    _draw_row(held, table, kind, values, key, "studio.row_keep", make, lang)


def draw_adding(held: OpenStudio, table: SettlementTable, lang: Lang) -> None:
    def inside() -> None:
        kind = draw_kinds(_ADDING, lang)
        key, names = f"studio-add-{table.task}-{kind}-{len(table.proposals)}", held.studio.stores
        make = lambda filled: added(ticked_rows(table), kind, filled, table.task, names)  # noqa: E731
        _draw_row(held, table, kind, blank(kind), key, "studio.row_add_do", make, lang)

    desk.fold(t("studio.row_add", lang), "studio-row-add", inside, icon="add")


def draw_kinds(key: str, lang: Lang) -> ProposalKind:
    """Draw the choice of a kind of row; return the one that is chosen."""
    return draw_switch(t("studio.row_kind", lang), ADDED, lambda kind: t(f"studio.row_{kind}", lang), key=key)


def _draw_row(
    held: OpenStudio,
    table: SettlementTable,
    kind: ProposalKind,
    values: Mapping[str, str],
    key: str,
    do: str,
    make: Made,
    lang: Lang,
) -> None:
    """Draw a form with the fields of a row, whose button says what it will `do`."""
    with st.form(key, border=True):
        filled = draw_fields(kind, {**values, **left_in(held, key)}, key, lang)
        is_sent = st.form_submit_button(t(do, lang))
    if is_sent and keep_changed(held, table, key, filled, make, lang):
        studio_tab().desk.open_row = ""
        st.rerun()


def draw_fields(
    kind: ProposalKind,
    values: Mapping[str, str],
    key: str,
    lang: Lang,
    offered: Mapping[str, Mapping[str, str]] | None = None,
    *,
    fields: Sequence[str] = (),
) -> dict[str, str]:
    """Draw the fields of a row, in a form; all, unless some are named. `offered`: of a field, values to choose from,
    with their words; it takes others too."""
    filled: dict[str, str] = {}
    columns = st.columns(2, gap="small")
    for place, name in enumerate(fields or FIELDS[kind]):
        with columns[place % 2]:
            more = (offered or {}).get(name, {})
            filled[name] = _field(name, values[name], f"{key}-{name}", more, lang)
    return filled


def _field(name: str, value: str, key: str, offered: Mapping[str, str], lang: Lang) -> str:
    label = t(f"studio.field_{name}", lang)
    if name in CHOICES:
        words = {t(f"studio.{WORDS.get(name, name)}.{choice}", lang): choice for choice in offered or CHOICES[name]}
        return words[st.selectbox(label, list(words), index=list(words.values()).index(value), key=key)]
    if name in LINES:
        hint = t("studio.field_properties_help", lang) if name == "properties" else None
        return st.text_area(label, value, key=key, height=80, help=hint) or ""
    if offered:
        chosen = st.selectbox(
            label,
            list(offered),
            index=list(offered).index(value) if value in offered else None,
            format_func=lambda choice: offered.get(choice, choice),
            placeholder=t("studio.field_choose", lang),
            accept_new_options=True,
            key=key,
        )
        meant = [one for one, words in offered.items() if words.casefold() == (chosen or "").casefold()]
        return meant[0] if len(meant) == 1 else chosen or ""
    return st.text_input(label, value, key=key) or ""


def keep_changed(
    held: OpenStudio, table: SettlementTable, form: str, filled: Mapping[str, str], make: Made, lang: Lang
) -> bool:
    """Keep the rows as a form changes them, marked against the hub anew; False where something is wrong: it is said,
    and what is filled in is kept."""
    try:
        with form_sent(held, form, filled):
            rows = held.studio.gateway.remark(table.task, make(filled))
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="studio-row-problem")
        return False
    desk.keep_rows(held, table, rows)
    return True


def tick_key(table: SettlementTable, number: int) -> str:
    return f"studio-tick-{table.task}-{table.turns}-{number}"


def ticked_rows(table: SettlementTable) -> tuple[Proposal, ...]:
    """Return the rows as they are ticked on the page."""
    kept = studio_tab().desk.ticks
    return ticked(
        table.proposals, {row.number: kept.get(tick_key(table, row.number), row.ticked) for row in table.proposals}
    )


def keep_tick(held: OpenStudio, table: SettlementTable, key: str) -> None:
    studio_tab().desk.ticks[key] = Widget[bool](key).value(False)
    desk.hold(held, table, ticked_rows(table))
