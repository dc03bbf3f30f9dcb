"""The buttons that make a file of the run: the whole of it as HTML, or its slides; then offered with its size."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, Literal

import streamlit as st

from memorybank.errors import Notice
from memorybank.hosting.run import Run
from memorybank.memory.types import AttachmentType, Lang
from memorybank.runs.journal import Record
from memorybank.ui.components.problems import guarded
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.tab import ExportedFile, ExportForm, this_tab
from memorybank.views.box import Box, box, note, stack_of
from memorybank.views.i18n import t
from memorybank.views.run.playback import Moment
from memorybank.views.text.quantities import format_bytes, format_duration

MIME: dict[ExportForm, str] = {"export": "text/html", "slides": "text/html", "slides-pdf": "application/pdf"}
ICONS: dict[ExportForm, str] = {"export": "html", "slides": "slideshow", "slides-pdf": "picture_as_pdf"}
_MAKE: dict[ExportForm, str] = {
    "export": "export.make",
    "slides": "storyboard.make_html",
    "slides-pdf": "storyboard.make_pdf",
}


def draw_export(worker: Run, moment: Moment, lang: Lang) -> None:
    """The file opens at `moment`; it holds the whole run, as far as it is written."""
    st.fragment(_draw_export)(worker, moment, lang)


def draw_slides(worker: Run, moment: Moment, lang: Lang) -> None:
    """The decisive moments of the run, as far as it is written."""
    st.fragment(_draw_slides)(worker, moment, lang)


@guarded
def _draw_export(worker: Run, moment: Moment, lang: Lang) -> None:
    draw(stack_of(box("p", "text", t("export.help", lang)), note(t("export.privacy", lang))), key="export-about")
    _draw_form("export", worker, moment, lang)


@guarded
def _draw_slides(worker: Run, moment: Moment, lang: Lang) -> None:
    draw(box("p", "text", t("storyboard.help", lang)), key="slides-about")
    for form in ("slides", "slides-pdf"):
        _draw_form(form, worker, moment, lang)


def _draw_form(form: ExportForm, worker: Run, moment: Moment, lang: Lang) -> None:
    replay = this_tab().replay
    if replay.export_wanted == form:
        replay.export_wanted = None
        replay.exports[form] = _make(form, worker, moment, lang)
    made = _known(form, worker, lang)
    with st.container(horizontal=True):
        st.button(
            t("export.again" if made and form == "export" else _MAKE[form], lang),
            key=f"{form}-make",
            icon=f":material/{ICONS[form]}:",
            disabled=not worker.records,
            on_click=_ask,
            args=(form,),
        )
        if made is not None:
            st.download_button(
                t("export.download", lang, size=format_bytes(len(made.data), lang)),
                made.data,
                file_name=made.name,
                mime=MIME[form],
                key=f"{form}-download",
                icon=":material/download:",
                type="primary",
                on_click="ignore",
            )
    if made is not None:
        draw(stack_of(*_facts_of(made, worker, lang)), key=f"{form}-facts")


def _ask(form: ExportForm) -> None:
    this_tab().replay.export_wanted = form


def _known(form: ExportForm, worker: Run, lang: Lang) -> ExportedFile | None:
    """What was made of this run, in this language. Another file is forgotten: it takes room."""
    made = this_tab().replay.exports.get(form)
    if made is not None and (made.run_id, made.lang) != (worker.run_id, lang):
        del this_tab().replay.exports[form]
        return None
    return made


def _make(form: ExportForm, worker: Run, moment: Moment, lang: Lang) -> ExportedFile:
    records = worker.records[: len(worker.records)]
    words = t("export.making" if form == "export" else "storyboard.making", lang)
    bar = st.progress(0.0, text=words)

    def on_progress(done: float) -> None:
        bar.progress(done, text=words)

    began = time.perf_counter()
    if form == "export":
        made = _whole(worker, records, moment, lang, on_progress)
    else:
        made = _slides("pdf" if form == "slides-pdf" else "html", worker, records, lang, on_progress)
    bar.empty()
    return replace(made, seconds=time.perf_counter() - began)


Progress = Callable[[float], None]
Records = Sequence[Record[Any]]


def _whole(worker: Run, records: Records, moment: Moment, lang: Lang, on_progress: Progress) -> ExportedFile:
    from memorybank.views.html_export import export_html
    from memorybank.views.html_export.pictures import pictures

    read = state.runs().folder_of(worker).files.read
    data = export_html(records, read, lang, at=moment.at, on_progress=on_progress)
    images = [
        attachment for attachment in moment.bank.tree.attachments.values() if attachment.type is AttachmentType.IMAGE
    ]
    return ExportedFile(
        run_id=worker.run_id,
        lang=lang,
        events=len(records),
        data=data,
        left_out=len(images) - len(pictures(images, read)),
        name=_name("memory", records, "html"),
    )


def _slides(
    kind: Literal["html", "pdf"], worker: Run, records: Records, lang: Lang, on_progress: Progress
) -> ExportedFile:
    from memorybank.views.storyboard import make_storyboard

    made = make_storyboard(records, lang, kind, on_progress=on_progress)
    return ExportedFile(
        run_id=worker.run_id,
        lang=lang,
        events=len(records),
        data=made.data,
        slides=made.slides,
        lacks_font=made.lacks_font,
        name=_name("slides", records, kind),
    )


def _name(stem: str, records: Records, suffix: str) -> str:
    return f"{stem}-{datetime.fromtimestamp(records[0].at, UTC):%Y-%m-%d-%H%M}.{suffix}"


def _facts_of(made: ExportedFile, worker: Run, lang: Lang) -> list[Box]:
    size, duration = format_bytes(len(made.data), lang), format_duration(made.seconds, lang)
    if made.slides:
        lines = [note(t("storyboard.made", lang, count=made.slides, duration=duration))]
    else:
        lines = [note(t("export.made", lang, events=made.events, size=size, duration=duration))]
    if made.left_out:
        lines.append(note(t("export.left_out", lang, count=made.left_out)))
    if made.lacks_font:
        lines.append(note(Notice("run.lacks_font").in_language(lang)))
    if len(worker.records) > made.events:
        lines.append(note(t("export.stale", lang, events=made.events)))
    return lines
