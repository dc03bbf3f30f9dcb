"""The setting base: by key, else by meaning."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.studio.shelf import OpenStudio
from memorybank.views.box import Box, box, chip, row_of
from memorybank.views.i18n import t

if TYPE_CHECKING:
    from memorybank.narrative.types import Found, Setting

FOUND = 8


def draw_entries(held: OpenStudio, lang: Lang) -> None:
    settings = held.studio.stores.settings
    words = st.text_input(t("studio.settings_search", lang), key="studio-settings-search", persist_state="session")
    if words and words.strip():
        lines = [_found(one, lang) for one in settings.search(words.strip(), count=FOUND)]
    else:
        lines = [_entry(one, None, lang) for one in settings.all()]
    none = box("p", "muted text", t("studio.settings_none", lang))
    draw([box("ul", "line-list", *lines) if lines else none], key="studio-settings")


def _found(found: Found, lang: Lang) -> Box:
    return _entry(found.item, found.score, lang)  # type: ignore[arg-type]


def _entry(setting: Setting, score: float | None, lang: Lang) -> Box:
    near = t("studio.exact", lang) if score == 1.0 else t("studio.near", lang, score=f"{score or 0:.2f}")
    return box(
        "li",
        "",
        row_of(
            box("span", "text strong", setting.key),
            chip(setting.category) if setting.category else None,
            box("span", "muted small", near) if score is not None else None,
        ),
        box("p", "text", setting.text),
    )
