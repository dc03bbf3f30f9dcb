"""What the author takes away, and a history that comes back."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank_studio.books.exporting import book_text, export_semantic
from memorybank_studio.page.export_rows import draw_export
from memorybank_studio.page.exports import export_layers
from memorybank_studio.page.shelf import OpenStudio


def draw_exports(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("studio.export", lang), anchor=False)
    draw(box("p", "muted text", t("studio.export_lead", lang)), key="studio-export-lead")
    for name, (end, mime) in EXPORTS.items():
        draw_export(
            name,
            (t(f"studio.export_{name}", lang), t(f"studio.export_{name}_help", lang)),
            (held.card.title, end, mime),
            partial(_exported, held, name),
            lang,
            of=held.studio.gateway.written_at,
        )


EXPORTS: Final = {
    "chapters": (".txt", "text/plain"),
    "layers": (".hub.json", "application/json"),
    "semantic": (".settings.json", "application/json"),
}
"""By name: the file's ending and its type."""


def _exported(held: OpenStudio, name: str) -> bytes:
    with held.studio.hub.reading() as stores:  # one state of the hub for the whole file
        archive: Any = stores.archive
        match name:
            case "chapters":
                return book_text(archive).encode()
            case "layers":
                return export_layers(stores).encode()
            case _:
                return export_semantic(stores.settings, archive).encode()


def draw_back(held: OpenStudio, lang: Lang) -> None:
    st.subheader(t("studio.back", lang), anchor=False)
    draw(box("p", "muted text", t("studio.back_lead", lang)), key="studio-back-lead")
    file = st.file_uploader(t("studio.back_file", lang), type=["json"], key="studio-back-file", max_upload_size=5)
    button(
        t("studio.back_do", lang),
        "studio-back-do",
        partial(_bring_back, held, file.getvalue() if file is not None else b""),
        icon="restore",
        disabled=file is None,
    )


def _bring_back(held: OpenStudio, data: bytes) -> None:
    with problems_kept():
        held.studio.gateway.bring_back(data.decode("utf-8", "replace"))
