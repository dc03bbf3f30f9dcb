"""A book goes into the archive and comes out of it again: import with progress, exports."""

from __future__ import annotations

import streamlit as st

from memorybank.memory.types import Lang
from memorybank_studio.page.book_exports import draw_back, draw_exports
from memorybank_studio.page.book_import import draw_import
from memorybank_studio.page.shelf import OpenStudio
from memorybank_studio.page.story_export import draw_story_export


def draw_book(held: OpenStudio, lang: Lang) -> None:
    left, right = st.columns(2, gap="large")
    with left, st.container(border=True, key="studio-import-card"):
        draw_import(held, lang)
    with right:
        with st.container(border=True, key="studio-story-card"):
            draw_story_export(held, lang)
        with st.container(border=True, key="studio-export-card"):
            draw_exports(held, lang)
        with st.container(border=True, key="studio-back-card"):
            draw_back(held, lang)
