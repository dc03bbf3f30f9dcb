"""What went wrong, in one place and one look. The library's words are shown as text, whatever they quote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from memorybank.errors import LockedError, MemoryBankError
from memorybank.types import Lang
from memorybank.ui.i18n import t
from memorybank.ui.panels.rich import box, draw


def words_of(error: Exception, lang: Lang) -> str:
    return t("error.locked", lang) if isinstance(error, LockedError) else str(error)


def draw_problem(words: str, lang: Lang, *, key: str) -> None:
    """A title and one sentence."""
    draw(
        [box("div", "notice failure", box("p", "strong", t("error.title", lang)), box("p", "text", words))],
        key=key,
    )


@contextmanager
def problems_shown(lang: Lang) -> Iterator[None]:
    """What is drawn inside is drawn as far as it goes; an error of the library becomes a message in its place."""
    try:
        yield
    except MemoryBankError as error:
        draw_problem(words_of(error, lang), lang, key="problem-page")


def draw_kept_problem(lang: Lang) -> None:
    """The problem that an earlier run of the page left, once."""
    error = st.session_state.pop("problem", None)
    if error is not None:
        draw_problem(words_of(error, lang), lang, key="problem-kept")
