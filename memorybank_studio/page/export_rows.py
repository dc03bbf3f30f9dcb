"""A file to take away: made when it is asked for, in the background, as a long story takes seconds; then a download."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from memorybank.hosting import new_runs
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.button import button
from memorybank.views.box import box
from memorybank.views.i18n import t
from memorybank.views.text.quantities import format_bytes
from memorybank_studio.page import desk
from memorybank_studio.page.tab import studio_tab


def draw_export(
    name: str,
    words: tuple[str, str],
    file: tuple[str, str, str],
    make: Callable[[], bytes],
    lang: Lang,
    *,
    of: object,
) -> None:
    """`words`: what it is, and what is in it. `file`: what it is called by, its ending and its type. `of`: what was
    chosen for it, and when the story was written to last: a file that was made of something else is not offered."""
    made = studio_tab().desk.exports.get(name)
    with st.container(horizontal=True, vertical_alignment="center", key=f"studio-export-{name}"):
        what, help_ = words
        told = box("div", "", box("p", "strong", what), box("p", "muted small text", help_))
        draw(told, key=f"studio-export-words-{name}")
        if made is not None and made[0] == of:
            title, end, mime = file
            st.download_button(
                t("studio.download", lang, size=format_bytes(len(made[1]), lang)),
                made[1],
                file_name=new_runs.file_name(title, end),
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
                partial(_make, name, of, make),
                icon="ios_share",
                disabled=desk.working() is not None,
            )


def _make(name: str, of: object, make: Callable[[], bytes]) -> None:
    def then(data: bytes) -> None:
        studio_tab().desk.exports[name] = of, data

    desk.begin("export", make, then)
