"""Chapters in the making: choose or begin one; write it on, stop, revise; its running state and its plan beside it."""

from __future__ import annotations

from functools import partial
from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.problems import draw_error, guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import Box, aside, box, chip, row_of
from memorybank.views.i18n import t
from memorybank.views.problems import as_sentence
from memorybank_studio.chapters.manuscript import ChapterId, Manuscript
from memorybank_studio.counting import words_in
from memorybank_studio.page import desk
from memorybank_studio.page.chapter_begin import draw_begin
from memorybank_studio.page.chapter_beside import draw_material, draw_plan, draw_state
from memorybank_studio.page.chapter_end import draw_end
from memorybank_studio.page.chapter_job import ChapterWork
from memorybank_studio.page.chapter_pieces import draw_pieces
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.tab import studio_tab
from memorybank_studio.page.widgets import CHAPTER_CHOSEN

POLL: Final = 0.7
NEW: Final = ""
"""The choice of a chapter that is not begun yet."""


def draw_chapters(held: OpenStudio, lang: Lang) -> None:
    writing = held.studio.gateway.chapters
    if not writing.can_write:
        draw(box("p", "notice text", t("chapter.no_model", lang)), key="chapter-no-model")
    chapters: dict[str, Manuscript] = {chapter.id: chapter for chapter in writing.all()}
    chosen = _choose(chapters, lang)
    if chosen is None:
        draw_begin(held, lang)
        return
    _draw_head(held, chosen, lang)
    _draw_work(held, chosen, lang)
    left, right = st.columns([3, 2], gap="large")
    with left:
        draw_pieces(held, chosen, lang)
        draw_end(held, chosen, lang)
    with right:
        draw_state(chosen, lang)
        draw_plan(held, chosen, lang)
        draw_material(held, chosen, lang)


def _choose(chapters: dict[str, Manuscript], lang: Lang) -> Manuscript | None:
    """The chapter that this tab looks at: the one it chose, else the latest; None: a new one is to be begun."""
    if not chapters:
        return None
    ids = [*reversed(chapters), NEW]
    wanted = studio_tab().desk.chapter
    if wanted in chapters:
        CHAPTER_CHOSEN.set(wanted)
        studio_tab().desk.chapter = None
    elif CHAPTER_CHOSEN.held() not in ids:
        CHAPTER_CHOSEN.set(ids[0])
    chosen = st.selectbox(
        t("chapter.choose", lang),
        ids,
        format_func=lambda id_: _name(chapters[id_], lang) if id_ else t("chapter.new", lang),
        key=CHAPTER_CHOSEN.key,
        persist_state="session",
    )
    return chapters.get(chosen)


def _name(chapter: Manuscript, lang: Lang) -> str:
    return t("chapter.name", lang, number=chapter.number, title=chapter.title)


def _draw_head(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    words = words_in(chapter.text)
    goal = t(f"chapter.words_of_{held.card.lang}", lang, words=f"{words:,}", length=f"{chapter.length:,}")
    pieces = t("chapter.pieces_of", lang, written=len(chapter.pieces), planned=len(chapter.beats))
    look, state = _state(held, chapter)
    draw(
        row_of(
            box("span", "wr-title text", _name(chapter, lang)),
            chip(t(f"chapter.is_{state}", lang), look),
            aside(pieces),
            aside(goal),
        ),
        key="chapter-head",
    )
    st.progress(min(1.0, words / chapter.length))


def _state(held: OpenStudio, chapter: Manuscript) -> tuple[str, str]:
    """The look and the word of how far it is."""
    work = held.writing
    if work is not None and work.running and work.chapter == chapter.id:
        return "task live", "writing"
    if chapter.problem is not None:
        return "disputed", "stopped"
    if chapter.finished:
        return "done", "finished"
    return ("done", "written") if chapter.is_written else ("", "open")


def _draw_work(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    work = held.writing
    if work is not None and work.running:
        st.fragment(_wait, run_every=POLL)(held, work, chapter, lang)
        return
    if work is not None and work.error is not None and work.chapter == chapter.id:
        draw_error(work.error, lang, key="chapter-error")
    if chapter.problem is not None:
        draw(_problem(chapter, lang), key="chapter-problem")
    if held.studio.gateway.chapters.can_write and not chapter.is_written:
        _draw_go_on(held, chapter, lang)


@guarded
def _wait(held: OpenStudio, work: ChapterWork, drawn: Manuscript, lang: Lang) -> None:
    """While it is being worked on: the page is drawn anew as soon as there is more, or it is over."""
    chapters = {chapter.id: chapter for chapter in held.studio.gateway.chapters.all()}
    if not work.running or chapters.get(drawn.id) != drawn:
        st.rerun()
    words = t("chapter.stopping" if work.stopping else "chapter.at_work", lang, seconds=round(work.seconds))
    draw(box("p", "", chip(words, "task live")), key="chapter-working")
    button(t("chapter.stop", lang), "chapter-stop", work.stop, icon="stop", disabled=work.stopping)


def _problem(chapter: Manuscript, lang: Lang) -> Box:
    assert chapter.problem is not None
    sentence = as_sentence(chapter.problem.in_language(lang))
    return box("p", "notice disputed text", t("chapter.problem", lang, reason=sentence))


def _draw_go_on(held: OpenStudio, chapter: Manuscript, lang: Lang) -> None:
    with st.container(horizontal=True):
        one = "chapter.write_next" if chapter.beats else "chapter.plan_do"
        pieces = 1 if chapter.beats else 0
        button(t(one, lang), "chapter-next", partial(write, held, chapter.id, pieces), icon="edit_note", look="primary")
        button(t("chapter.write_all", lang), "chapter-all", partial(write, held, chapter.id, None), icon="fast_forward")


def write(held: OpenStudio, id_: ChapterId, pieces: int | None) -> None:
    """Let the chapter be written on. For callbacks."""
    chapters = held.studio.gateway.chapters
    desk.write_chapter(held, id_, lambda stopped: chapters.write(id_, pieces=pieces, stopped=stopped))
