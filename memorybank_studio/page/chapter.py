"""As of which chapter the hub is looked at: one slider for facts and hooks."""

from __future__ import annotations

from typing import Final

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.views.i18n import t
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.widgets import FACTS_CHAPTER
from memorybank_studio.types import EntityKind

MOST_ENTITIES: Final = 300
"""The busiest ones: so many are asked for their facts at a redraw, and so many are drawn."""


def last_chapter(held: OpenStudio) -> int:
    """The last one that is written, or that a settled fact speaks of."""
    stores = held.studio.stores
    written = [number for number, _ in stores.archive.chapters()]
    named = [int(name) for name in stores.facts.names([EntityKind.CHAPTER]) if name.isascii() and name.isdecimal()]
    return max([stores.facts.latest(), *written, *named])


def draw_chapter(held: OpenStudio, lang: Lang) -> int | None:
    """The chapter as of which facts are shown; None while the story has none yet: the newest state."""
    last = last_chapter(held)
    if last < 1:
        return None
    kept = FACTS_CHAPTER.held()
    if not isinstance(kept, int) or not 0 <= kept <= last:
        FACTS_CHAPTER.set(last)
    return int(
        st.slider(
            t("studio.as_of", lang),
            0,
            last,
            key=FACTS_CHAPTER.key,
            help=t("studio.as_of_help", lang),
            persist_state="session",
        )
    )
