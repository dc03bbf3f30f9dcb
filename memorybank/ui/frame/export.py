"""The run taken along, from the header: as a page to look at and to print, as JSON, as a case for a test, whole."""

from __future__ import annotations

from datetime import UTC, datetime

import streamlit as st

from memorybank.hosting import new_runs
from memorybank.hosting.run import Run
from memorybank.memory.types import AttachmentType, Lang
from memorybank.runs.archive import journal_bytes
from memorybank.testing.making import stage_spans
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.prompt.call_cases import draw_stage_test
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import MadeFile, this_tab
from memorybank.views.box import note
from memorybank.views.i18n import t
from memorybank.views.text.display import format_bytes


@guarded
def draw_export(worker: Run, lang: Lang) -> None:
    """Draw each way to take the run along; a file is made when it is asked for."""
    kinds = {"html": _page, "zip": _archive}
    files = this_tab().files
    for kind, make in kinds.items():
        made = files.get(kind)
        if this_tab().file_wanted == kind:
            this_tab().file_wanted = ""
            made = files[kind] = make(worker, lang)
        is_fresh = made is not None and (made.run_id, made.lang, made.events) == (
            worker.run_id,
            lang,
            len(worker.records),
        )
        if made is None or not is_fresh:
            st.button(t(f"export.{kind}", lang), key=f"export-{kind}", width="stretch", on_click=_ask, args=(kind,))
        else:
            words = t("export.download", lang, name=made.name, size=format_bytes(len(made.data), lang))
            st.download_button(
                words, made.data, file_name=made.name, mime=made.mime, key=f"export-{kind}-file", type="primary",
                width="stretch", on_click="ignore",
            )  # fmt: skip
            if made.left_out:
                draw(note(t("export.left_out", lang, count=made.left_out)), key=f"export-{kind}-left-out")
        draw(note(t(f"export.{kind}_help", lang)), key=f"export-{kind}-help")
    st.download_button(
        t("export.json", lang),
        lambda: journal_bytes(worker.records),
        file_name=new_runs.file_name(state.moment(worker).bank.doc.task_goal, ".jsonl"),
        mime="application/jsonl",
        key="export-json",
        width="stretch",
        on_click="ignore",
    )
    spans = stage_spans(worker.records[: state.moment(worker).at])
    folder = state.runs().folder_of(worker)
    draw_stage_test(spans[-1] if spans else None, worker, folder, lang, key="export-case")


def _ask(kind: str) -> None:
    this_tab().file_wanted = kind


def _page(worker: Run, lang: Lang) -> MadeFile:
    from memorybank.views.html_export import export_html
    from memorybank.views.html_export.panels import pictures

    records, moment = worker.records[: len(worker.records)], state.moment(worker)
    read = state.runs().folder_of(worker).files.read
    with st.spinner(t("export.making", lang)):
        data = export_html(records, read, lang, at=moment.at)
    files = moment.bank.tree.attachments.values()
    images = [attachment for attachment in files if attachment.type is AttachmentType.IMAGE]
    return MadeFile(
        run_id=worker.run_id,
        lang=lang,
        events=len(records),
        data=data,
        name=f"memory-{datetime.fromtimestamp(records[0].at, UTC):%Y-%m-%d-%H%M}.html",
        mime="text/html",
        left_out=len(images) - len(pictures(images, read)),
    )


def _archive(worker: Run, lang: Lang) -> MadeFile:
    count, goal = len(worker.records), state.moment(worker).bank.doc.task_goal
    data = new_runs.packed(state.runs(), state.runs().folder_of(worker))
    name = new_runs.file_name(goal, ".zip")
    return MadeFile(run_id=worker.run_id, lang=lang, events=count, data=data, name=name, mime="application/zip")
