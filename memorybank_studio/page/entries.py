"""The setting base: by key, else by meaning."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, aside, box, chip, row_of
from memorybank.views.i18n import t
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.types import Setting

MOST = 8
"""Entries that are listed for a search."""


def draw_entries(held: OpenStudio, lang: Lang) -> None:
    settings = held.studio.stores.settings
    words = st.text_input(t("studio.settings_search", lang), key="studio-settings-search", persist_state="session")
    if words and words.strip():
        near = settings.search(words.strip(), count=MOST)
        lines = [_entry(hit.item, hit.score, lang) for hit in near if isinstance(hit.item, Setting)]
    else:
        lines = [_entry(entry, None, lang) for entry in settings.all()]
    none = box("p", "muted text", t("studio.settings_none", lang))
    draw(box("ul", "line-list", *lines) if lines else none, key="studio-settings")


def _entry(setting: Setting, score: float | None, lang: Lang) -> Box:
    near = t("studio.exact", lang) if score == 1.0 else t("studio.near", lang, score=f"{score or 0:.2f}")
    return box(
        "li",
        "",
        row_of(
            box("span", "text strong", setting.key),
            chip(setting.category) if setting.category else None,
            aside(near) if score is not None else None,
        ),
        box("p", "text", setting.text),
    )
