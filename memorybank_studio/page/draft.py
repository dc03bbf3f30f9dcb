"""A text of the author's own, which becomes a chapter."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import Widget, problems_kept
from memorybank.views.box import muted
from memorybank.views.i18n import t
from memorybank_studio.hub.stores import next_chapter
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_saved, handed_over, save
from memorybank_studio.page.highlight import draw_names
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import DRAFT_CHAPTER, DRAFT_TEXT, studio_tab
from memorybank_studio.tasks.chapter_writing import LONGEST_TITLE

DRAFT_TITLE: Final = "studio-draft-title"


def draw_draft(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("chapter.own", lang), anchor=False)
    lead = "chapter.own_lead" if held.studio.gateway.chapters.can_write else "chapter.own_no_model"
    draw(muted(t(lead, lang)), key="studio-draft-lead")
    begin(held, DRAFT_TEXT.key)
    st.text_area(
        t("studio.draft", lang),
        key=DRAFT_TEXT.key,
        height=480,
        placeholder=t("studio.draft_placeholder", lang),
        persist_state="session",
        on_change=lambda: save(held, DRAFT_TEXT.key, DRAFT_TEXT.value("") or ""),
    )
    draw_names(held, DRAFT_TEXT.key)
    draw_saved(held, DRAFT_TEXT.key, lang)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        _follow(next_chapter(held.studio.stores))
        st.number_input(
            t("studio.draft_chapter", lang), 0, 999_999, key=DRAFT_CHAPTER.key, width=180, persist_state="session"
        )
        st.text_input(t("chapter.title", lang), key=DRAFT_TITLE, max_chars=LONGEST_TITLE, persist_state="session")
        button(
            t("chapter.own_keep", lang),
            "studio-draft-keep",
            partial(_become_chapter, held),
            icon="note_add",
            look="primary",
            disabled=desk.is_writing(held),
        )


def _follow(coming: int) -> None:
    """The chapter of the draft is the coming one, also when that moves on, until the author names another."""
    if DRAFT_CHAPTER.held() in (None, studio_tab().desk.draft_chapter):
        DRAFT_CHAPTER.set(coming)
    studio_tab().desk.draft_chapter = coming


def _become_chapter(held: OpenStudio) -> None:
    """The draft, as it stands when the button is pressed, is a chapter in writing from now on, and the field is free
    for the next one. For callbacks."""
    chapters, title = held.studio.gateway.chapters, Widget[str](DRAFT_TITLE)
    with problems_kept():
        id_ = chapters.begin_with(DRAFT_TEXT.value(""), int(DRAFT_CHAPTER.value(0)), title.value("")).id
        studio_tab().desk.chapter = handed_over(held, DRAFT_TEXT.key, id_)
        DRAFT_TEXT.set("")
        title.set("")
        if chapters.can_write:
            desk.write_chapter(held, id_, lambda stopped: chapters.check(id_, stopped=stopped))
