"""The end of a chapter: a piece by the author's own hand, finished, into the archive, its facts to be settled."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import box, note
from memorybank.views.i18n import t
from memorybank_studio.chapters.manuscript import Manuscript
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_saved, handed_over
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.tasks.chapter_writing import Stopped


def draw_end(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    if desk.is_writing(held):
        return
    _draw_by_hand(held, chapter, lang)
    if chapter.pieces:
        _draw_archive(held, chapter, lang)
    _draw_drop(held, chapter, lang)


def _draw_by_hand(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """Open at once where no model can write it."""
    number = len(chapter.pieces) + 1
    can_write = held.studio.gateway.chapters.can_write
    more = st.expander(
        t("chapter.hand", lang, number=number),
        icon=":material/draw:",
        key=f"chapter-hand-{number}",
        expanded=not can_write and not chapter.is_written,
        on_change="rerun",
    )
    if not more.open:
        return
    field = f"chapter-hand-text-{chapter.id}-{number}"
    begin(held, field)
    with more, st.form(f"chapter-hand-form-{number}", border=False):
        text = st.text_area(t("chapter.hand_text", lang), key=field, height=240)
        is_sent = st.form_submit_button(t("chapter.hand_keep", lang), icon=":material/add:")
    with more:
        draw_saved(held, field, lang)
    if is_sent:
        chapters, words = held.studio.gateway.chapters, text or ""

        def write(stopped: Stopped) -> Manuscript:
            return handed_over(held, field, chapters.write_by_hand(chapter.id, words, stopped=stopped))

        desk.write_chapter(held, chapter.id, write)
        st.rerun()


def _draw_archive(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    """The archive has chapters and no facts: these are proposed in a table of their own, and settled there."""
    there = dict(held.studio.stores.archive.chapters())
    with st.container(border=True, key="chapter-archive"):
        draw(note(t("chapter.archive_lead", lang)), key="chapter-archive-lead")
        if chapter.number in there and not chapter.archived:
            words = t("chapter.archive_replaces", lang, number=chapter.number, title=there[chapter.number])
            draw(box("p", "notice disputed text", words), key="chapter-archive-replaces")
        with st.container(horizontal=True):
            if not chapter.finished:
                button(t("chapter.finish", lang), "chapter-finish", partial(_finish, held, chapter), icon="check")
            words = t("chapter.archived" if chapter.archived else "chapter.archive", lang)
            button(
                words,
                "chapter-archive-do",
                partial(_archive, held, chapter),
                icon="inventory_2",
                disabled=chapter.archived or desk.working() is not None,
            )


def _finish(held: OpenStudio, chapter: Manuscript) -> None:
    with problems_kept():
        held.studio.gateway.chapters.finish(chapter.id)


def _archive(held: OpenStudio, chapter: Manuscript) -> None:
    desk.begin("archive", lambda: held.studio.gateway.chapters.archive(chapter.id), lambda _: None)


def _draw_drop(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    if studio_tab().desk.dropping != chapter.id:
        button(t("chapter.drop", lang), "chapter-drop", partial(_ask, chapter), icon="delete", look="tertiary")
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        draw(box("p", "text", t("chapter.drop_sure", lang)), key="chapter-drop-sure")
        button(t("chapter.drop_do", lang), "chapter-drop-do", partial(_drop, held, chapter), icon="delete")
        button(t("chapter.drop_not", lang), "chapter-drop-not", partial(_ask, None))


def _ask(chapter: Manuscript | None) -> None:
    studio_tab().desk.dropping = chapter.id if chapter is not None else None


def _drop(held: OpenStudio, chapter: Manuscript) -> None:
    _ask(None)
    with problems_kept():
        held.studio.gateway.chapters.drop(chapter.id)
