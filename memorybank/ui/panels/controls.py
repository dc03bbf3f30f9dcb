"""The buttons of a run: step, run, run until, pause; ask again, add, a new session."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from memorybank.errors import MemoryBankError
from memorybank.run_folder import RunFolder
from memorybank.session import Session
from memorybank.types import Lang
from memorybank.ui import state
from memorybank.ui.i18n import t
from memorybank.ui.orders import Phase, Until, Upload
from memorybank.ui.panels.problems import draw_problem, words_of
from memorybank.ui.panels.setup import DOCUMENT_MB, DOCUMENTS, PICTURE_MB, PICTURES, as_uploads
from memorybank.ui.playback import Moment
from memorybank.ui.runs import check_images, read_uploads
from memorybank.ui.worker import Worker

_UNTIL, _ASK, _ADD = "popover-until", "popover-ask", "popover-add"
_DONE = "popover-done"


def draw_controls(worker: Worker, moment: Moment, lang: Lang) -> None:
    busy, failed = worker.busy, worker.phase is Phase.FAILED
    has_more = not moment.bank.progress.result
    done = st.session_state.pop(_DONE, None)
    if done:
        st.session_state[done] = False  # only possible before the popover is drawn
    with st.container(horizontal=True, vertical_alignment="center", key="controls"):
        if failed:
            again = t("action.resume", lang)
            st.button(again, key="reopen", type="primary", icon=":material/refresh:", on_click=state.reopen)
        ready = not busy and not failed and has_more
        st.button(
            t("action.run", lang),
            key="run",
            type="primary",
            icon=":material/play_arrow:",
            disabled=not ready,
            help=t("action.run_help", lang),
            on_click=state.go,
            args=(Until.END,),
        )
        st.button(
            t("action.step", lang),
            key="step",
            icon=":material/skip_next:",
            disabled=not ready,
            help=t("action.step_help", lang),
            on_click=state.go,
            args=(Until.STEP,),
        )
        with _popover("action.run_until", lang, "flag", key=_UNTIL, disabled=not ready):
            for until in (Until.CONFLICT, Until.MERGE, Until.PLAN):
                words = t(f"action.run_until_{until}", lang)
                st.button(words, key=f"until-{until}", width="stretch", on_click=_run_until, args=(until,))
        st.button(
            t("action.pause", lang),
            key="pause",
            icon=":material/pause:",
            disabled=not busy,
            help=t("action.pause_help", lang),
            on_click=worker.pause,
        )
        st.space("small")
        with _popover("action.ask", lang, "forum", key=_ASK, disabled=busy or failed):
            _draw_ask(worker, lang)
        with _popover("action.add", lang, "note_add", key=_ADD, disabled=failed):
            _draw_add(worker, lang)
        st.space("stretch")
        st.button(
            t("action.new_session", lang),
            key="new-session",
            icon=":material/restart_alt:",
            help=t("action.new_session_help", lang),
            on_click=state.leave,
        )


def _popover(words: str, lang: Lang, icon: str, *, key: str, disabled: bool) -> DeltaGenerator:
    return st.popover(t(words, lang), icon=f":material/{icon}:", key=key, on_change="rerun", disabled=disabled)


def _run_until(until: Until) -> None:
    st.session_state[_UNTIL] = False
    state.go(until)


def _close(popover: str) -> None:
    """It has done its work: closed at the next run of the page, which comes at once."""
    st.session_state[_DONE] = popover
    st.rerun()


def _draw_ask(worker: Worker, lang: Lang) -> None:
    with st.form("ask", border=False, clear_on_submit=True):
        question = st.text_area(t("input.question", lang), key="ask-question", help=t("input.question_help", lang))
        asked = st.form_submit_button(t("action.ask_now", lang), type="primary", icon=":material/send:")
    if asked and not (question or "").strip():
        draw_problem(t("error.question_empty", lang), lang, key="ask-problem")
    elif asked:
        text = question or ""
        worker.obey(lambda session: session.ask(text), then=Until.END)
        _close(_ASK)


def _draw_add(worker: Worker, lang: Lang) -> None:
    with st.form("add", border=False, clear_on_submit=True):
        files = st.file_uploader(
            t("input.context", lang),
            type=DOCUMENTS,
            accept_multiple_files=True,
            key="add-files",
            help=t("input.context_help", lang),
            max_upload_size=DOCUMENT_MB,
        )
        pictures = st.file_uploader(
            t("input.images", lang),
            type=PICTURES,
            accept_multiple_files=True,
            key="add-images",
            help=t("input.images_help", lang),
            max_upload_size=PICTURE_MB,
        )
        added = st.form_submit_button(t("action.add_now", lang), type="primary", icon=":material/note_add:")
    if not added:
        return
    documents, images = as_uploads(files), as_uploads(pictures)
    if not documents and not images:
        draw_problem(t("error.nothing_added", lang), lang, key="add-problem")
        return
    try:
        add(worker, state.runs().folder_of(worker), documents, images)
    except MemoryBankError as error:
        draw_problem(words_of(error, lang), lang, key="add-problem")
        return
    _close(_ADD)


def add(worker: Worker, folder: RunFolder, documents: tuple[Upload, ...], images: tuple[Upload, ...]) -> None:
    """Hand documents and images to the run, to be filed at once. Raises InputError before anything is recorded."""
    sources = read_uploads(documents, folder)
    pictures = check_images(images)

    def order(session: Session) -> None:
        if sources:
            session.add(*sources)
        for name, data in pictures:
            session.stage_image(name, data)

    worker.obey(order, then=Until.END)
