"""The writing studio as a page: without its extra one sentence; else the choice of a studio, or the open one."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.errors import JournalBrokenError, LockedError
from memorybank.llm.hand.chat import hand_folder
from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error, draw_problem, guarded, problems_shown
from memorybank.ui.components.rich import draw
from memorybank.ui.session.hand import draw_waiting
from memorybank.ui.shell import state
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.switch import draw_switch
from memorybank.views.box import box, row_of
from memorybank.views.i18n import t
from memorybank_studio.page import desk, extra, tour
from memorybank_studio.page.autosave import draw_what_is_saved
from memorybank_studio.page.choice import draw_choice
from memorybank_studio.page.jobs import Job
from memorybank_studio.page.opening import shelf
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.page.widgets import STUDIO_VIEW

POLL = 0.5
"""Seconds between two looks at work that goes on."""
VIEWS = ("discuss", "hub", "chapter", "draft", "book", "offers")


def draw_studio(lang: Lang) -> None:
    if extra.missing():
        draw(box("div", "notice", box("p", "text", t("studio.missing", lang))), key="studio-missing")
        st.code(extra.COMMAND, language="bash")
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
        _draw_opening(job, lang)
    elif job.error is not None:
        _draw_failed(id_, job.error, lang)
    else:
        _draw_open(job.result(), lang)


def _draw_opening(job: Job[OpenStudio], lang: Lang) -> None:
    st.fragment(_wait_for_opening, run_every=POLL)(job, lang)


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
        button(t("studio.open_again", lang), "studio-again", partial(_open_again, id_), icon="refresh")
        button(t("studio.others", lang), "studio-leave", desk.leave, icon="arrow_back")


def _open_again(id_: str) -> None:
    with problems_kept():
        shelf().open(id_)


def _draw_open(held: OpenStudio, lang: Lang) -> None:
    desk.finish()
    problem = desk.take_problem()
    if broken := held.studio.gateway.broken:
        _draw_failed(held.id, JournalBrokenError(broken), lang)
        return
    _draw_top(held, lang)
    tour.draw_tour(held, lang)
    if problem is not None:
        draw_error(problem, lang, key="studio-problem")
    view = draw_switch(t("studio.view", lang), VIEWS, lambda name: t(f"studio.view_{name}", lang), key=STUDIO_VIEW.key)
    job = desk.working()
    if job is not None:
        _draw_hand(held, lang)
    with problems_shown(lang):
        _draw_view(view, held, lang)
    if job is not None:
        st.fragment(_wait_for_work, run_every=POLL)(job)


def _draw_hand(held: OpenStudio, lang: Lang) -> None:
    """Where a person answers in the language model's place: what the work under way waits for."""
    run = shelf().folder(held.id)
    folder = hand_folder(state.default_settings(), run)
    if folder is not None:
        draw_waiting(run, folder, lang, is_busy=True)


def _draw_view(view: str, held: OpenStudio, lang: Lang) -> None:
    match view:
        case "discuss":
            from memorybank_studio.page.discussion import draw_discussion

            draw_discussion(held, lang)
        case "offers":
            from memorybank_studio.page.offers import draw_offers

            draw_offers(held, lang)
        case "hub":
            from memorybank_studio.page.hub import draw_hub

            draw_hub(held, lang)
        case "chapter":
            from memorybank_studio.page.chapters import draw_chapters

            draw_chapters(held, lang)
        case "draft":
            from memorybank_studio.page.draft import draw_draft

            draw_draft(held, lang)
        case _:
            from memorybank_studio.page.book import draw_book

            draw_book(held, lang)


@guarded
def _wait_for_work(job: Job[object]) -> None:
    """Draws nothing: only looks whether the work is done."""
    if not job.running:
        st.rerun()


def _draw_top(held: OpenStudio, lang: Lang) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="studio-top"):
        words = t("studio.story_in", lang, language=t(f"language.{held.card.lang}", lang))
        made = t("studio.by_model" if held.studio.gateway.by_hand.can_check else "studio.no_model", lang)
        draw(
            row_of(
                box("span", "wr-title text", held.card.title),
                box("span", "chip origin", words),
                box("span", "chip origin", made),
            ),
            key="studio-title",
        )
        draw_what_is_saved(held, lang)
        button(t("studio.others", lang), "studio-leave", desk.leave, icon="arrow_back", look="tertiary")
        button(
            t("studio.close", lang),
            "studio-close",
            partial(_close, held.id),
            icon="close",
            look="tertiary",
            help_text=t("studio.close_help", lang),
        )


def _close(id_: str) -> None:
    desk.stop()
    desk.leave()
    shelf().close(id_)
