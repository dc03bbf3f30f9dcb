"""The writing studio as a page: without its extra one sentence; else the choice of a studio, or the open one."""

from __future__ import annotations

import time
from functools import partial
from importlib.util import find_spec
from typing import Final

import streamlit as st

from memorybank.errors import JournalBrokenError, LockedError
from memorybank.llm.hand.chat import hand_folder
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error, draw_problem, guarded, problems_shown
from memorybank.ui.components.rich import draw
from memorybank.ui.session.hand import draw_waiting
from memorybank.ui.session.lead import draw_lead
from memorybank.ui.shell import state
from memorybank.ui.shell.serving import is_served_here
from memorybank.ui.shell.switch import button, draw_switch
from memorybank.ui.shell.tab import Widget, problems_kept
from memorybank.views.box import aside, box, chip, div, muted, row_of
from memorybank.views.i18n import LANGUAGES, t
from memorybank.views.text.display import relative_time
from memorybank_studio.page import desk
from memorybank_studio.page.autosave import begin, draw_typed, form_button, form_sent, hear, save
from memorybank_studio.page.demo import TALK, demo, recording
from memorybank_studio.page.jobs import Job
from memorybank_studio.page.shelf import LONGEST_TITLE, OpenStudio, Saved, shelf
from memorybank_studio.page.tab import STORES, STUDIO_VIEW, VIEWS, studio_tab
from memorybank_studio.types import digest

COMMAND: Final = 'pip install "agentic-memory-bank[studio]"'

POLL = 0.5
"""Seconds between two looks at work that goes on."""


def draw_studio(lang: Lang) -> None:
    if not all(map(find_spec, STORES)):
        draw(div("notice", box("p", "text", t("studio.missing", lang))), key="studio-missing")
        st.code(COMMAND, language="bash")
        return

    _, problem = state.local()
    if problem is not None:  # a variable that cannot be used: until it is mended, all are at their defaults
        draw_error(problem, lang, key="studio-settings-problem")
    with problems_shown(lang):
        desk.arrive()
    id_ = studio_tab().desk.id
    job = shelf().opening(id_) if id_ else None
    if job is None:
        draw_choice(lang)
    elif job.running:
        st.fragment(_wait_for_opening, run_every=POLL)(job, lang)
    elif job.error is not None:
        _draw_failed(id_, job.error, lang)
    else:
        _draw_open(job.result(), lang)


def _wait_for_opening(job: Job[OpenStudio], lang: Lang) -> None:
    if not job.running:
        st.rerun()
    words = t("studio.opening", lang, seconds=round(job.seconds))
    draw(box("p", "notice", box("span", "chip task live", words)), key="studio-opening")


def _draw_failed(id_: str, error: BaseException, lang: Lang) -> None:
    if isinstance(error, LockedError):
        draw_problem(t("studio.locked", lang), lang, key="studio-failed")
    else:
        draw_error(error, lang, key="studio-failed")
    with st.container(horizontal=True):
        again = problems_kept()(partial(shelf().open, id_))
        button(t("studio.open_again", lang), "studio-again", again, icon="refresh")
        button(t("studio.others", lang), "studio-leave", desk.leave, icon="arrow_back")


def _draw_open(held: OpenStudio, lang: Lang) -> None:
    desk.finish()
    problem, studio_tab().desk.problem = studio_tab().desk.problem, None
    if broken := held.studio.gateway.broken:
        _draw_failed(held.id, JournalBrokenError(broken), lang)
        return
    hear(held)
    _draw_top(held, lang)
    if held.card.recorded:
        words = muted(t("studio.recorded_note", lang))
        draw(row_of(chip(t("studio.is_recorded", lang)), words), key="studio-recording")
    if problem is not None:
        draw_error(problem, lang, key="studio-problem")
    view = draw_switch(t("studio.view", lang), VIEWS, lambda name: t(f"studio.view_{name}", lang), key=STUDIO_VIEW.key)
    job = desk.working()
    if job is not None:  # it may wait for a person, who answers in the language model's place
        run = shelf().folder(held.id)
        folder = hand_folder(state.default_settings(), run)
        if folder is not None:
            draw_waiting(run, folder, lang, is_busy=True)
    with problems_shown(lang):
        _draw_view(view, held, lang)
    draw_typed(held, lang)
    if job is not None:
        st.fragment(_wait_for_work, run_every=POLL)(job)


def _draw_view(view: str, held: OpenStudio, lang: Lang) -> None:
    match view:
        case "discuss":
            from memorybank_studio.page.discussion import draw_discussion

            draw_discussion(held, lang)
        case "write":
            from memorybank_studio.page.chapters import draw_chapters

            draw_chapters(held, lang)
        case "plan":
            from memorybank_studio.page.plans import draw_plans

            draw_plans(held, lang)
        case _:
            from memorybank_studio.page.hub import draw_parts

            draw_parts(view, held, lang)


@guarded
def _wait_for_work(job: Job[object]) -> None:
    if not job.running:
        st.rerun()


def _draw_top(held: OpenStudio, lang: Lang) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="studio-top"):
        words = t("studio.story_in", lang, language=t(f"language.{held.card.lang}", lang))
        made = t("studio.by_model" if held.studio.gateway.chapters.can_write else "studio.no_model", lang)
        draw(
            row_of(
                box("span", "wr-title text", held.card.title),
                box("span", "chip origin", words),
                box("span", "chip origin", made),
            ),
            key="studio-title",
        )
        button(t("studio.others", lang), "studio-leave", desk.leave, icon="arrow_back", look="tertiary")
        desk.told_button("studio.close", "studio-close", partial(_close, held.id), lang, icon="close")


def _close(id_: str) -> None:
    desk.stop()
    desk.leave()
    shelf().close(id_)


def draw_choice(lang: Lang) -> None:
    with st.container(border=True, gap="medium", key="studio-lead"):
        draw_lead("studio", ("node", "merge", "new", "conflict"), lang, key="studio-steps")
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            start = problems_kept()(partial(_begin, demo(lang).title, lang, demo=True))
            button(t("studio.demo", lang), "studio-demo", start, icon="play_arrow", look="primary")
            st.text(t("studio.demo_text", lang))
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            start = problems_kept()(partial(_begin, recording(lang).title, lang, recorded=True))
            button(t("studio.recorded", lang), "studio-recorded", start, icon="history")
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
            div(
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
        choose = problems_kept()(partial(desk.choose, saved.id))
        button(t("studio.open", lang), f"studio-open-{saved.id}", choose, icon="folder_open")


def _draw_new(lang: Lang) -> None:
    new, field = shelf(), "studio-new-title"
    if not is_served_here():  # nobody is told what another is about to begin
        visitor = state.visitor()
        field = f"{field}-{digest(visitor.browser or visitor.tab)}"
    hear(new)
    st.subheader(t("studio.new", lang), anchor=False)
    chosen = Widget[Lang](begin(new, f"{field}-lang", lang))
    story = st.segmented_control(
        t("studio.new_lang", lang),
        list(LANGUAGES),
        format_func=LANGUAGES.__getitem__,
        key=chosen.key,
        required=True,
        on_change=lambda: save(new, chosen.key, chosen.value(lang)),
    )
    with st.form("studio-new", border=False):
        title = st.text_input(t("studio.new_title", lang), key=begin(new, field), max_chars=LONGEST_TITLE)
        if form_button("studio-new", t("studio.new_do", lang), icon=":material/add:"):
            with problems_kept(), form_sent(new, {field: title or "", chosen.key: story or lang}):
                _begin(title or "", story or lang)
            st.rerun()
    draw_typed(new, lang)


def _begin(title: str, lang: Lang, *, demo: bool = False, recorded: bool = False) -> None:
    """Begin a studio and turn to it; what a demo or a recording has is written at its opening. For callbacks."""
    id_ = shelf().add(title, lang, demo=demo, recorded=recorded)
    studio_tab().begun = (*studio_tab().begun, id_)
    desk.choose(id_)
    if recorded:
        desk.make_current(TALK)
