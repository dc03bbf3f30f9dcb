"""Saving this run, opening one from a file, and the runs that are saved on this machine."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memorybank.errors import DamagedError, MemoryBankError
from memorybank.hosting import new_runs
from memorybank.hosting.run import Run
from memorybank.memory.types import Lang
from memorybank.runs.archive import journal_bytes
from memorybank.runs.salvage import DamagedPart
from memorybank.ui.components.problems import draw_error, draw_good_part
from memorybank.ui.components.rich import draw
from memorybank.ui.components.run_list import draw_runs
from memorybank.ui.replay.exports import draw_export
from memorybank.ui.shell import state
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_bytes


def draw_files(worker: Run | None, lang: Lang) -> None:
    """`worker` is None while no run is open: there is nothing to save then, and the page has the list of runs above."""
    if worker is None:
        with st.container(border=True, key="open-card"):
            draw_open(lang)
        return
    left, right = st.columns(2, gap="medium")
    with left.container(border=True, height="stretch", key="save-card"):
        _draw_save(worker, lang)
    with right.container(border=True, height="stretch", key="open-card"):
        draw_open(lang)
    with st.container(border=True, key="export-card"):
        st.subheader(t("replay.files.export", lang), anchor=False)
        draw_export(worker, state.moment(worker), lang)
    draw_runs(lang, here=worker.run_id)


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
