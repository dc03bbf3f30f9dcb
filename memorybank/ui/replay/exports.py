"""The button that makes one HTML file of the run, which prints as slides; then it is offered with its size."""

from __future__ import annotations

import time
from datetime import UTC, datetime

import streamlit as st

from memorybank.hosting.run import Run
from memorybank.memory.types import AttachmentType, Lang
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import ExportedFile, this_tab
from memorybank.views.box import Box, box, note, stack_of
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment
from memorybank.views.text.quantities import format_bytes, format_duration


def draw_export(worker: Run, moment: Moment, lang: Lang) -> None:
    """Draw the button and what it made: a file that opens at `moment` and holds all of the run that is written."""
    st.fragment(_draw_export)(worker, moment, lang)


@guarded
def _draw_export(worker: Run, moment: Moment, lang: Lang) -> None:
    draw(stack_of(box("p", "text", t("export.help", lang)), note(t("export.privacy", lang))), key="export-about")
    replay = this_tab().replay
    if replay.export_wanted:
        replay.export_wanted = False
        replay.exported = _make(worker, moment, lang)
    made = replay.exported
    if made is not None and (made.run_id, made.lang) != (worker.run_id, lang):
        made = replay.exported = None  # a file of another run, or in another language, only takes room
    with st.container(horizontal=True):
        st.button(
            t("export.again" if made else "export.make", lang),
            key="export-make",
            icon=":material/html:",
            disabled=not worker.records,
            on_click=_ask,
        )
        if made is not None:
            st.download_button(
                t("export.download", lang, size=format_bytes(len(made.data), lang)),
                made.data,
                file_name=made.name,
                mime="text/html",
                key="export-download",
                icon=":material/download:",
                type="primary",
                on_click="ignore",
            )
    if made is not None:
        draw(stack_of(*_facts_of(made, worker, lang)), key="export-facts")


def _ask() -> None:
    this_tab().replay.export_wanted = True


def _make(worker: Run, moment: Moment, lang: Lang) -> ExportedFile:
    from memorybank.views.html_export import export_html
    from memorybank.views.html_export.pictures import pictures

    records = worker.records[: len(worker.records)]
    read = state.runs().folder_of(worker).files.read
    words = t("export.making", lang)
    bar = st.progress(0.0, text=words)

    def on_progress(done: float) -> None:
        bar.progress(done, text=words)

    began = time.perf_counter()
    data = export_html(records, read, lang, at=moment.at, on_progress=on_progress)
    bar.empty()
    images = [
        attachment for attachment in moment.bank.tree.attachments.values() if attachment.type is AttachmentType.IMAGE
    ]
    return ExportedFile(
        run_id=worker.run_id,
        lang=lang,
        events=len(records),
        data=data,
        name=f"memory-{datetime.fromtimestamp(records[0].at, UTC):%Y-%m-%d-%H%M}.html",
        seconds=time.perf_counter() - began,
        left_out=len(images) - len(pictures(images, read)),
    )


def _facts_of(made: ExportedFile, worker: Run, lang: Lang) -> list[Box]:
    size, duration = format_bytes(len(made.data), lang), format_duration(made.seconds, lang)
    lines = [note(t("export.made", lang, events=made.events, size=size, duration=duration))]
    if made.left_out:
        lines.append(note(t("export.left_out", lang, count=made.left_out)))
    if len(worker.records) > made.events:
        lines.append(note(t("export.stale", lang, events=made.events)))
    return lines
