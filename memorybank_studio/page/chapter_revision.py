"""A piece changed: a passage rewritten by a sentence and taken or left, or the text written over by hand."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from memorybank.language.text import sha256
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import box, label, marked
from memorybank.views.i18n import t
from memorybank.views.text.diff import mark_difference
from memorybank_studio.chapters.manuscript import Manuscript, Piece, Revision
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_saved, handed_over
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.tasks.chapter_writing import Stopped

BEGINNING: Final = 60
"""Characters of a paragraph in the list of them."""


def draw_offered(held: OpenStudio, chapter: Manuscript, revision: Revision, lang: Lang) -> None:
    """Before and after, and the author's word."""
    before, after = mark_difference(revision.passage.text, revision.text)
    draw(
        box(
            "div",
            "card",
            box("p", "text strong", revision.passage.order),
            label(t("chapter.before", lang)),
            box("p", "text was", *marked(before)),
            label(t("chapter.after", lang)),
            box("p", "text", *marked(after)),
        ),
        key="chapter-offered",
    )
    with st.container(horizontal=True):
        for name, accepted, icon in (("accept", True, "check"), ("leave", False, "close")):
            words = t(f"chapter.{name}", lang)
            button(words, f"chapter-{name}", partial(_decide, held, chapter, accepted), icon=icon)


def _decide(held: OpenStudio, chapter: Manuscript, accepted: bool) -> None:
    chapters = held.studio.gateway.chapters
    desk.write_chapter(
        held, chapter.id, lambda stopped: chapters.decide(chapter.id, accepted=accepted, stopped=stopped)
    )


def draw_change(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    key = f"chapter-change-{piece.number}"
    more = st.expander(t("chapter.change", lang), icon=":material/edit:", key=key, on_change="rerun")
    if not more.open:
        return
    with more:
        if held.studio.gateway.chapters.can_write:
            _draw_revise(held, chapter, piece, lang)
        _draw_edit(held, chapter, piece, lang)


def _draw_revise(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    """A paragraph to begin with, cut down to the passage that is meant; then what to change in it."""
    version = _version(piece)
    paragraphs = [paragraph for paragraph in piece.text.split("\n") if paragraph.strip()]
    chosen = st.selectbox(
        t("chapter.paragraph", lang),
        range(len(paragraphs)),
        format_func=lambda place: f"{paragraphs[place][:BEGINNING]}…",
        key=f"chapter-paragraph-{version}",
    )
    with st.form(f"chapter-revise-{version}-{chosen}", border=False):
        words = st.text_area(
            t("chapter.passage", lang), paragraphs[chosen], key=f"chapter-passage-{version}-{chosen}", height=120
        )
        order = st.text_input(
            t("chapter.order", lang), key=f"chapter-order-{version}-{chosen}", placeholder=t("chapter.order_like", lang)
        )
        if st.form_submit_button(t("chapter.revise", lang), icon=":material/auto_fix_high:"):
            chapters, passage, asked = held.studio.gateway.chapters, words or "", order or ""
            desk.write_chapter(
                held,
                chapter.id,
                lambda stopped: chapters.revise(chapter.id, piece.number, passage, asked, stopped=stopped),
            )
            st.rerun()


def _draw_edit(held: OpenStudio, chapter: Manuscript, piece: Piece, lang: Lang) -> None:
    version = _version(piece)
    field = f"chapter-edit-text-{chapter.id}-{version}"
    begin(held, field, piece.text)
    with st.form(f"chapter-edit-{version}", border=False):
        text = st.text_area(t("chapter.edit", lang), key=field, height=320)
        is_sent = st.form_submit_button(t("chapter.edit_keep", lang), icon=":material/save:")
    draw_saved(held, field, lang)
    if is_sent:
        chapters, words = held.studio.gateway.chapters, text or ""

        def edit(stopped: Stopped) -> Manuscript:
            return handed_over(held, field, chapters.edit(chapter.id, piece.number, words, stopped=stopped))

        desk.write_chapter(held, chapter.id, edit)
        st.rerun()
    if piece.number == len(chapter.pieces):
        button(
            t("chapter.withdraw", lang),
            f"chapter-withdraw-{version}",
            partial(_withdraw, held, chapter),
            icon="undo",
            look="tertiary",
            help_text=t("chapter.withdraw_help", lang),
        )


def _withdraw(held: OpenStudio, chapter: Manuscript) -> None:
    with problems_kept():
        held.studio.gateway.chapters.withdraw(chapter.id)


def _version(piece: Piece) -> str:
    """Names the widgets of a piece's text as it stands: another text, other widgets."""
    return f"{piece.number}-{sha256(piece.text)[:12]}"
