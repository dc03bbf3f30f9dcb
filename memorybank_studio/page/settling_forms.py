"""Editing a row of a settlement, and adding one: forms whose wrong values are said and take nothing away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error
from memorybank.ui.shell.switch import draw_switch
from memorybank.ui.shell.tab import Widget
from memorybank.views.i18n import t
from memorybank_studio.drafts import kind_of
from memorybank_studio.hub.verbalisation import tell_predicate
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_kept, form_button, form_sent, save
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.relations import RELATIONS
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
from memorybank_studio.types import Origin
from memorybank_studio.writes import Proposal, ProposalKind

_ADDING = "studio-row-adding"
Made = Callable[[], Sequence[Proposal]]
"""Makes the rows of a table as they are with what is filled in."""


def draw_form(held: OpenStudio, table: SettlementTable, row: Proposal, lang: Lang) -> None:
    kind, names = kind_of(row.item), held.studio.stores
    if FIELDS[kind]:
        values, key = values_of(row.item, table.proposals, names), f"{tick_key(table, row.number)}-edit"
        filled, pressed = draw_row_form(held, kind, values, key, lang, ("studio.row_keep",))
        make = lambda: edited(table.proposals, row.number, filled, names)  # noqa: E731
        if pressed:
            keep_changed(held, table, key, filled, make)
            st.rerun()


def draw_adding(held: OpenStudio, table: SettlementTable, lang: Lang) -> None:
    def inside() -> None:
        kind = draw_kinds(_ADDING, lang)
        key = f"studio-add-{table.task}-{kind}"
        filled, pressed = draw_row_form(held, kind, blank(kind), key, lang, ("studio.row_add_do",))
        make = lambda: added(table.proposals, kind, filled, Origin(task=table.task), held.studio.stores)  # noqa: E731
        if pressed:
            keep_changed(held, table, key, filled, make)
            st.rerun()

    desk.fold(t("studio.row_add", lang), "studio-row-add", inside, icon="add")


def draw_kinds(key: str, lang: Lang) -> ProposalKind:
    """Draw the choice of a kind of row; return the one that is chosen."""
    return draw_switch(t("studio.row_kind", lang), ADDED, lambda kind: t(f"studio.row_{kind}", lang), key=key)


def draw_row_form(
    held: OpenStudio,
    kind: ProposalKind,
    values: Mapping[str, str],
    key: str,
    lang: Lang,
    buttons: Sequence[str],
    offered: Mapping[str, Mapping[str, str]] | None = None,
    *,
    fields: Sequence[str] = (),
) -> tuple[dict[str, str], str]:
    """Draw a form with the fields of a row, all unless some are named. Return what is filled in and the words of the
    button that was pressed. `offered`: of a field, values to choose from beside relations; it takes others too."""
    filled, pressed = dict[str, str](), ""
    offered = {"predicate": relation_words(held.card.lang), **(offered or {})}
    with st.form(key, border=True):
        columns = st.columns(2, gap="small")
        for place, name in enumerate(fields or FIELDS[kind]):
            with columns[place % 2]:
                filled[name] = _field(held, name, values[name], f"{key}-{name}", offered.get(name, {}), lang)
        with st.container(horizontal=True):
            for words, look in zip(buttons, ("primary", "secondary"), strict=False):
                pressed = words if form_button(key, t(words, lang), type=look) else pressed
    by_field = fields_of(key, filled)
    if pressed:
        for field, value in by_field.items():
            save(held, field, value)
    if not pressed and (error := studio_tab().desk.refused.get(key)):
        draw_error(error, lang, key="studio-row-problem")
    draw_kept(held, by_field, lang, is_form=True)
    return filled, pressed


def fields_of(form: str, filled: Mapping[str, str]) -> dict[str, str]:
    """Return what is filled into a form, by the keys of its fields."""
    return {f"{form}-{name}": value for name, value in filled.items()}


def relation_words(lang: Lang) -> dict[str, str]:
    """Return the words of the relations as a list has them, no two the same: by their beginning they are found."""
    words = {name: tell_predicate(name, lang).removeprefix("的") for name in RELATIONS}
    count = Counter(words.values())
    return {
        one: f"{told} ({one.replace('_', ' ').lower()})" if count[told] > 1 else told for one, told in words.items()
    }


def _field(held: OpenStudio, name: str, value: str, key: str, offered: Mapping[str, str], lang: Lang) -> str:
    label = t(f"studio.field_{name}", lang)
    if name not in CHOICES and not offered:
        begin(held, key, value)
        if name in LINES:
            hint = t("studio.field_properties_help", lang) if name == "properties" else None
            return st.text_area(label, key=key, height=80, help=hint) or ""
        return st.text_input(label, key=key) or ""
    words = dict(offered) or {one: t(f"studio.{WORDS.get(name, name)}.{one}", lang) for one in CHOICES[name]}
    begin(held, key, words.get(value, value) or None)
    chosen = st.selectbox(
        label,
        list(words.values()),
        placeholder=t("studio.field_choose", lang),
        accept_new_options=name not in CHOICES,
        filter_mode="contains",
        key=key,
    )
    if chosen is None and name not in CHOICES and (kept := held.typed.get(key)) is not None:
        chosen = kept.text  # the button was pressed before the browser had heard what was put there
    return next((one for one, told in words.items() if told == chosen), chosen or "")


@contextmanager
def form_taken(held: OpenStudio, form: str, filled: Mapping[str, str]) -> Iterator[None]:
    """Take what a form holds. Where that is wrong, why stands below the form until it is sent again, and nothing that
    is filled in is lost."""
    refused = studio_tab().desk.refused
    refused.clear()
    try:
        with form_sent(held, fields_of(form, filled)):
            yield
    except (MemoryBankError, OSError) as error:
        refused[form] = error


def keep_changed(held: OpenStudio, table: SettlementTable, form: str, filled: Mapping[str, str], make: Made) -> bool:
    """Keep the rows as a form changes them, marked against the hub anew; False where something is wrong."""
    with form_taken(held, form, filled):
        desk.keep_rows(held, table, held.studio.gateway.remark(table.task, make()))
        studio_tab().desk.open_row = ""
    return not studio_tab().desk.refused


def tick_key(table: SettlementTable, number: int) -> str:
    return f"studio-tick-{table.task}-{table.turns}-{number}"


def keep_tick(held: OpenStudio, table: SettlementTable, number: int) -> None:
    is_ticked = Widget[bool](tick_key(table, number)).value(False)
    desk.keep_rows(held, table, ticked(table.proposals, {number: is_ticked}))
