"""Saving this run, opening one from a file, and the runs that are saved on this machine."""

from __future__ import annotations

import time
from functools import partial

import streamlit as st

from memorybank.errors import DamagedError, MemoryBankError
from memorybank.hosting import new_runs
from memorybank.hosting.run import Run
from memorybank.hosting.saved import StoredRun
from memorybank.memory.types import RECORDED, Lang
from memorybank.runs.archive import journal_bytes
from memorybank.runs.salvage import DamagedPart
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.ui.replay.exports import draw_export, draw_slides
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.problems import draw_error, draw_good_part
from memorybank.ui.shell.saved import RESULTS, is_served_here, open_stored, stored_runs
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, aside, box, chip, muted, row_of
from memorybank.views.i18n import t
from memorybank.views.run.badge import Origin, words_of
from memorybank.views.text.display import clip
from memorybank.views.text.quantities import format_bytes, relative_time

MOST = 12
"""Runs of the list that are shown at once."""
TITLE = 110
"""Columns of a run's task."""


def draw_files(worker: Run | None, lang: Lang) -> None:
    """`worker` is None while no run is open: there is nothing to save then."""
    if worker is None:
        with st.container(border=True, key="open-card"):
            draw_open(lang)
    else:
        left, right = st.columns(2, gap="medium")
        with left.container(border=True, height="stretch", key="save-card"):
            _draw_save(worker, lang)
        with right.container(border=True, height="stretch", key="open-card"):
            draw_open(lang)
        left, right = st.columns(2, gap="medium")
        with left.container(border=True, height="stretch", key="export-card"):
            st.subheader(t("replay.files.export", lang), anchor=False)
            draw_export(worker, state.moment(worker), lang)
        with right.container(border=True, height="stretch", key="slides-card"):
            st.subheader(t("storyboard.title", lang), anchor=False)
            draw_slides(worker, state.moment(worker), lang)
    _draw_list(worker.run_id if worker is not None else "", lang)


# -- saving -----------------------------------------------------------------------------------------------------------


def _draw_save(worker: Run, lang: Lang) -> None:
    st.subheader(t("replay.files.save", lang), anchor=False)
    draw(box("p", "muted text", t("replay.files.save_help", lang)), key="save-words")
    doc = state.moment(worker).bank.doc
    records = worker.records
    ready = this_tab().replay.packed
    with st.container(horizontal=True):
        if ready is not None and ready[:2] == (worker.run_id, len(records)):
            st.download_button(
                t("replay.files.zip_ready", lang, size=format_bytes(len(ready[2]), lang)),
                ready[2],
                file_name=new_runs.file_name(doc.task_goal, ".zip"),
                mime="application/zip",
                key="zip-download",
                type="primary",
                icon=":material/download:",
                on_click="ignore",
            )
        else:
            st.button(
                t("replay.files.zip", lang),
                key="zip-make",
                type="primary",
                icon=":material/folder_zip:",
                on_click=_pack,
                args=(worker,),
            )
        st.download_button(
            t("replay.files.journal", lang),
            lambda: journal_bytes(records),
            file_name=new_runs.file_name(doc.task_goal, ".jsonl"),
            mime="application/jsonl",
            key="journal-download",
            icon=":material/description:",
            on_click="ignore",
        )


def _pack(worker: Run) -> None:
    with problems_kept():
        count = len(worker.records)
        data = new_runs.packed(state.runs(), state.runs().folder_of(worker))
        this_tab().replay.packed = (worker.run_id, count, data)


# -- opening ----------------------------------------------------------------------------------------------------------


def draw_open(lang: Lang) -> None:
    st.subheader(t("replay.files.open", lang), anchor=False)
    draw(box("p", "muted text", t("replay.files.open_help", lang)), key="open-words")
    count = this_tab().replay.files_opened  # a file that was opened leaves the field
    file = st.file_uploader(
        t("replay.files.open", lang),
        type=["zip", "jsonl"],
        key=f"open-file-{count}",
        label_visibility="collapsed",
        max_upload_size=new_runs.MOST_UPLOADED,
    )
    if st.button(
        t("replay.files.open_do", lang), key="open-file-do", icon=":material/upload_file:", disabled=file is None
    ):
        assert file is not None
        try:
            run_id, _ = new_runs.open_file(state.runs(), file.name, file.getvalue())
            state.keep(state.look_up(run_id))
        except (MemoryBankError, OSError) as error:
            draw_error(error, lang, key="problem-open")
            if isinstance(error, DamagedError):
                draw_good_part(partial(_good_part, file.name, file.getvalue()), lang, key="open-file-good")
            return
        this_tab().replay.files_opened = count + 1
        st.rerun()


def _good_part(name: str, data: bytes) -> tuple[str, DamagedPart | None]:
    return new_runs.open_file(state.runs(), name, data, to_last_good=True)


# -- the list ---------------------------------------------------------------------------------------------------------


def _draw_list(here: str, lang: Lang) -> None:
    with st.container(border=True, key="runs-card"):
        st.subheader(t("replay.files.list", lang), anchor=False)
        if not is_served_here():
            draw(muted(t("replay.files.elsewhere", lang)), key="runs-elsewhere")
            return
        stored = stored_runs().newest_first()
        if not stored:
            draw(muted(t("replay.files.none", lang)), key="runs-none")
            return
        draw(muted(t("replay.files.list_help", lang)), key="runs-help")
        for run in stored[: page_end("runs", MOST)]:
            _draw_run(run, run.address == here, lang)
        draw_more("runs", MOST, len(stored), lang)


def _draw_run(run: StoredRun, is_here: bool, lang: Lang) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"run-{run.address}"):
        draw(_run_box(run, is_here, lang), key=f"run-words-{run.address}")
        if is_here:
            return
        if this_tab().replay.run_to_delete == run.address:
            draw(box("span", "text strong", t("replay.files.delete_sure", lang)), key=f"sure-{run.address}")
            st.button(
                t("replay.files.delete_do", lang), key=f"delete-do-{run.address}", on_click=_delete, args=(run.address,)
            )
            st.button(t("replay.files.delete_not", lang), key=f"delete-not-{run.address}", on_click=_ask, args=("",))
            return
        st.button(
            t("replay.files.read", lang),
            key=f"read-{run.address}",
            icon=":material/folder_open:",
            on_click=open_stored,
            args=(run.address,),
        )
        st.button(
            t("replay.files.delete", lang),
            key=f"delete-{run.address}",
            icon=":material/delete:",
            type="tertiary",
            on_click=_ask,
            args=(run.address,),
        )


def _run_box(run: StoredRun, is_here: bool, lang: Lang) -> Box:
    made = Origin(engine=run.engine, model=run.model, recorded=run.run_id.startswith(RECORDED))
    engine, _ = words_of(made, lang)
    result = t(f"run.result.{run.result}", lang) if run.result in RESULTS else t("replay.files.unfinished", lang)
    facts = (
        relative_time(run.changed, time.time(), lang),
        t("replay.files.events", lang, count=run.events),
        format_bytes(run.size, lang),
        engine,
    )
    return box(
        "div",
        "run-line",
        box("p", "text strong", clip(run.goal, TITLE) or t("replay.files.untitled", lang), title=run.goal),
        row_of(
            chip(t("replay.files.here", lang), "task") if is_here else None,
            chip(result, "done" if run.result in RESULTS[:2] else ""),
            chip(t("replay.files.branch_of", lang)) if run.parent else None,
            *(aside(fact) for fact in facts),
        ),
    )


def _ask(address: str) -> None:
    this_tab().replay.run_to_delete = address


def _delete(address: str) -> None:
    _ask("")
    with problems_kept():
        new_runs.delete(state.runs(), address, owner=state.tab_id())
