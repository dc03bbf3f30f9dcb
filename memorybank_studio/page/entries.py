"""Entries of the bible worked on where they stand: a new one, another text, gone, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import Widget, problems_kept
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.text.display import plain
from memorybank_studio.drafts import kind_of
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import is_kept
from memorybank_studio.page.settling_forms import draw_row_form, form_taken
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.settlement.edits import FIELDS, blank, values_of
from memorybank_studio.tasks.bible import Entry
from memorybank_studio.types import BEARERS, Entity, EntityKind, Fact, Plan, Setting
from memorybank_studio.writes import ProposalKind

EDITED: Mapping[ProposalKind, tuple[str, ...]] = {
    **FIELDS,
    "entity": ("aliases", "note", "kind"),
    "plan": ("title", "storyline", "text", "due"),
}
"""Fields of an entry that is there; a name is changed everywhere, by a rename."""


def draw_undo(held: OpenStudio, lang: Lang) -> None:
    """Draw what was changed last, and the way back; nothing while nothing was."""
    last = held.studio.gateway.bible.last
    if last is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="studio-bible-last"):
        draw(box("p", "muted small text", t("studio.bible_last", lang, what=last.what)), key="studio-bible-last-words")
        undo = problems_kept()(held.studio.gateway.bible.undo)
        button(t("studio.bible_undo", lang), "studio-bible-undo", undo, icon="undo", look="tertiary")


def draw_new(
    held: OpenStudio,
    kind: ProposalKind,
    name: str,
    lang: Lang,
    values: Mapping[str, str] | None = None,
    fields: tuple[str, ...] = (),
    *,
    is_open: bool = False,
) -> None:
    """Draw a form for a new entry, folded unless it `is_open`. `values`: what it is filled in with beforehand.
    `fields`: not all of it."""
    words = t(f"studio.bible_new_{name.partition('-')[0]}", lang)
    filled = {**blank(kind), **(values or {})}
    form = partial(_draw_form, held, kind, filled, name, lang, None, fields or FIELDS[kind])
    folded = Widget[bool](f"studio-new-{name}")
    kept = is_kept(held, *(f"studio-form-{name}-{field}" for field in fields or FIELDS[kind]))
    folded.begin_with(is_open or kept)
    desk.fold(words, folded.key, form, icon="add")  # it stays open: an author has several names to enter


def draw_entry(held: OpenStudio, entry: Entry, name: str, lang: Lang) -> None:
    """Draw an entry to be changed or deleted, in a form that a press unfolds. `name`: of its widgets."""
    shown = Widget[bool](f"studio-entry-{name}")
    menu = st.popover(
        t("studio.bible_edit", lang), icon=":material/edit:", key=shown.key, type="tertiary", on_change="rerun"
    )
    if not menu.open:
        return
    with menu:
        kind = kind_of(entry)
        fields = EDITED[kind]
        if isinstance(entry, Entity):  # a hook stays a hook: its status is none of anything else
            fields = (*fields, "ranks") if entry.kind is EntityKind.ABILITY else fields
            fields = fields if entry.kind in BEARERS else ("aliases", "note")
        _draw_form(held, kind, values_of(entry, (), held.studio.stores), name, lang, entry, fields)
        if not isinstance(entry, Plan):
            delete = partial(_delete, held, entry, shown)
            button(t("studio.bible_delete", lang), f"studio-delete-{name}", delete, icon="delete")


def _draw_form(
    held: OpenStudio,
    kind: ProposalKind,
    values: Mapping[str, str],
    name: str,
    lang: Lang,
    entry: Entry | None,
    fields: tuple[str, ...],
) -> None:
    key = f"studio-form-{name}"
    titles = {plan.title: plain(plan.title) for plan in held.studio.stores.plans.all() if kind == "plan"}
    kinds = {one.value: t(f"studio.kind.{one}", lang) for one in BEARERS}
    offered = {"parent": titles, "after": titles, "kind": kinds}
    is_state = isinstance(entry, Setting)
    buttons = ("studio.bible_correct", "studio.bible_from_chapter") if is_state else ("studio.bible_keep",)
    filled, pressed = draw_row_form(held, kind, values, key, lang, buttons, offered, fields=fields)
    if pressed:
        bible = held.studio.gateway.bible
        with form_taken(held, key, filled):
            if entry is None:
                bible.add((kind, {**values, **filled}))
            else:
                bible.change(entry, filled, is_new_state=pressed == "studio.bible_from_chapter")
        st.rerun()


def _delete(held: OpenStudio, entry: Entity | Fact | Setting, shown: Widget[bool]) -> None:
    shown.set(False)
    with problems_kept():
        held.studio.gateway.bible.delete(entry)
