"""Which studio: the demo in one click, those that are saved here, a new one."""

from __future__ import annotations

import time
from functools import partial

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.session.lead import draw_lead
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.visitors import is_served_here
from memorybank.views.box import aside, box, chip, muted, row_of
from memorybank.views.i18n import LANGUAGES, t
from memorybank.views.text.quantities import relative_time
from memorybank_studio.page import desk
from memorybank_studio.page.opening import shelf
from memorybank_studio.page.recorded import TALK, recording
from memorybank_studio.page.shelf import LONGEST_TITLE, Saved
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.page.tour import begin, start
from memorybank_studio.page.widgets import STUDIO_LANGUAGE


def draw_choice(lang: Lang) -> None:
    with st.container(border=True, gap="medium", key="studio-lead"):
        draw_lead("studio", ("node", "merge", "new", "conflict"), lang, key="studio-steps")
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            button(t("studio.demo", lang), "studio-demo", partial(_begin_demo, lang), icon="play_arrow", look="primary")
            st.text(t("studio.demo_text", lang))
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            button(t("studio.recorded", lang), "studio-recorded", partial(_begin_recorded, lang), icon="history")
            st.text(t("studio.recorded_text", lang))
    left, right = st.columns([3, 2], gap="medium")
    with left.container(border=True, key="studio-saved"):
        _draw_saved(lang)
    with right.container(border=True, key="studio-begin"):
        _draw_new(lang)


def _draw_saved(lang: Lang) -> None:
    st.subheader(t("studio.saved", lang), anchor=False)
    studios = shelf().saved()
    if not is_served_here():  # nobody is told another's stories
        known = studio_tab().begun
        studios = [saved for saved in studios if saved.id in known]
    if not studios:
        draw(muted(t("studio.saved_none", lang)), key="studio-none")
    for saved in studios:
        _draw_one(saved, lang)


def _draw_one(saved: Saved, lang: Lang) -> None:
    job = shelf().opening(saved.id)
    with st.container(horizontal=True, vertical_alignment="center", key=f"studio-one-{saved.id}"):
        draw(
            box(
                "div",
                "",
                box("p", "text strong", saved.card.title),
                row_of(
                    chip(t("studio.is_open", lang), "done") if job is not None and job.error is None else None,
                    chip(t("studio.is_demo", lang)) if saved.card.demo else None,
                    chip(t("studio.is_recorded", lang)) if saved.card.recorded else None,
                    aside(t(f"language.{saved.card.lang}", lang)),
                    aside(relative_time(saved.card.made, time.time(), lang)),
                ),
            ),
            key=f"studio-words-{saved.id}",
        )
        button(t("studio.open", lang), f"studio-open-{saved.id}", partial(_open, saved.id), icon="folder_open")


def _draw_new(lang: Lang) -> None:
    st.subheader(t("studio.new", lang), anchor=False)
    with st.form("studio-new", border=False):
        title = st.text_input(t("studio.new_title", lang), key="studio-new-title", max_chars=LONGEST_TITLE)
        STUDIO_LANGUAGE.begin_with(lang)
        story = st.segmented_control(
            t("studio.new_lang", lang),
            list(LANGUAGES),
            format_func=LANGUAGES.__getitem__,
            key=STUDIO_LANGUAGE.key,
            required=True,
        )
        if st.form_submit_button(t("studio.new_do", lang), icon=":material/add:"):
            with problems_kept():
                _remember(id_ := shelf().add(title or "", story or lang))
                desk.choose(id_)
            st.rerun()


def _open(id_: str) -> None:
    with problems_kept():
        desk.choose(id_)


def _begin_demo(lang: Lang) -> None:
    """A fresh demo project, opened, with its tour; what it holds is written when it is open."""
    with problems_kept():
        _remember(id_ := begin(lang))
        desk.choose(id_)
        start()


def _begin_recorded(lang: Lang) -> None:
    """A studio that begins with the recorded session; it is acted when the studio is opened."""
    with problems_kept():
        _remember(id_ := shelf().add(recording(lang).title, lang, recorded=True))
        desk.choose(id_)
        desk.make_current(TALK)


def _remember(id_: str) -> None:
    studio_tab().begun = (*studio_tab().begun, id_)
