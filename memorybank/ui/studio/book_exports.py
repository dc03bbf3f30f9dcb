"""What the author takes away, and a history that comes back."""

from __future__ import annotations

from functools import partial
from typing import Any, Final

import streamlit as st

from memorybank.hosting import new_runs
from memorybank.memory.types import Lang
from memorybank.narrative.books.exporting import book_text, export_semantic
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.ui.shell.kept import problems_kept
from memorybank.ui.shell.tab import this_tab
from memorybank.ui.studio import desk
from memorybank.ui.studio.exports import export_layers
from memorybank.ui.studio.shelf import OpenStudio
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_bytes


def draw_exports(held: OpenStudio, lang: Lang) -> None:
    """Made when asked for, in the background: a long story takes seconds."""
    st.subheader(t("studio.export", lang), anchor=False)
    draw(box("p", "muted text", t("studio.export_lead", lang)), key="studio-export-lead")
    busy = desk.working() is not None
    made = this_tab().studio.exports
    for name, (end, mime) in EXPORTS.items():
        with st.container(horizontal=True, vertical_alignment="center", key=f"studio-export-{name}"):
            words = box("p", "strong", t(f"studio.export_{name}", lang))
            help_ = box("p", "muted small text", t(f"studio.export_{name}_help", lang))
            draw(box("div", "", words, help_), key=f"studio-export-words-{name}")
            if name in made:
                st.download_button(
                    t("studio.download", lang, size=format_bytes(len(made[name]), lang)),
                    made[name],
                    file_name=new_runs.file_name(held.card.title, end),
                    mime=mime,
                    key=f"studio-download-{name}",
                    type="primary",
                    icon=":material/download:",
                    on_click="ignore",
                )
            else:
                button(
                    t("studio.export_make", lang),
                    f"studio-make-{name}",
                    partial(_make, held, name),
                    icon="ios_share",
                    disabled=busy,
                )


EXPORTS: Final = {
    "chapters": (".txt", "text/plain"),
    "layers": (".hub.json", "application/json"),
    "semantic": (".settings.json", "application/json"),
    "labelled": (".labelled.jsonl", "application/jsonl"),
}
"""By name: the file's ending and its type."""


def _make(held: OpenStudio, name: str) -> None:
    def then(data: bytes) -> None:
        this_tab().studio.exports[name] = data

    desk.begin("export", partial(_exported, held, name), then)


def _exported(held: OpenStudio, name: str) -> bytes:
    with held.studio.hub.reading() as stores:  # one state of the hub for the whole file
        archive: Any = stores.archive
        match name:
            case "chapters":
                return book_text(archive).encode()
            case "layers":
                return export_layers(stores).encode()
            case "semantic":
                return export_semantic(stores.settings, archive).encode()
            case _:
                return "".join(f"{line}\n" for line in held.studio.gateway.export_labelled()).encode()


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
