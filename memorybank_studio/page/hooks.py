"""What the story still owes its reader: hooks with their age in chapters, and those that were paid."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, chip, row_of
from memorybank.views.i18n import t
from memorybank_studio.page.chapter import draw_chapter
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.types import Entity, Fact


def draw_hooks(held: OpenStudio, lang: Lang) -> None:
    chapter = draw_chapter(held, lang)
    facts = held.studio.stores.facts
    st.subheader(t("studio.hooks_open", lang), anchor=False)
    open_ = facts.hooks(resolved=False, chapter=chapter)
    lines = [_hook(entity, fact, chapter, lang) for entity, fact in open_]
    none = box("p", "muted text", t("studio.hooks_none", lang))
    draw(box("ul", "line-list", *lines) if lines else none, key="studio-hooks")
    paid = facts.hooks(resolved=True, chapter=chapter)
    if paid:
        st.subheader(t("studio.hooks_paid", lang), anchor=False)
        done = [_paid(entity, fact, lang) for entity, fact in paid]
        draw(box("ul", "line-list", *done), key="studio-hooks-paid")


def _hook(entity: Entity, fact: Fact, chapter: int | None, lang: Lang) -> Box:
    age = max(0, chapter - fact.since) if chapter is not None and fact.since else 0
    return box(
        "li",
        "",
        row_of(
            box("span", "text strong", entity.name),
            chip(t("studio.hook_age", lang, count=age), "disputed" if age >= _OLD else "") if fact.since else None,
            aside(t("studio.hook_since", lang, chapter=fact.since)) if fact.since else None,
        ),
        box("p", "muted small text", entity.note or fact.origin.source) if entity.note or fact.origin.source else None,
    )


_OLD = 10
"""Chapters after which an open hook is marked: a reader forgets."""


def _paid(entity: Entity, fact: Fact, lang: Lang) -> Box:
    return box(
        "li",
        "",
        row_of(
            box("span", "text", entity.name),
            chip(t("studio.hook_resolved", lang, chapter=fact.since), "done") if fact.since else None,
        ),
    )
