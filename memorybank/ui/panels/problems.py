"""What went wrong, in one place and one look. The library's words are shown as text, whatever they quote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from memorybank.errors import MemoryBankError
from memorybank.types import Lang
from memorybank.ui.i18n import t
from memorybank.ui.problems import explain
from memorybank.ui.rich import box, draw


def draw_problem(words: str, lang: Lang, *, key: str, detail: str = "") -> None:
    """A title and one sentence; below it, small, the words it rests on."""
    draw(
        [
            box(
                "div",
                "notice failure",
                box("p", "strong", t("error.title", lang)),
                box("p", "text", words),
                box("p", "muted small text", detail) if detail else None,
            )
        ],
        key=key,
    )


def draw_error(error: BaseException, lang: Lang, *, key: str) -> None:
    """An error, in the page's language."""
    problem = explain(error, lang)
    draw_problem(problem.words, lang, key=key, detail=problem.detail)


@contextmanager
def problems_shown(lang: Lang) -> Iterator[None]:
    """What is drawn inside is drawn as far as it goes; an error of the library, or of a disk, becomes a message."""
    try:
        yield
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="problem-page")


def draw_kept_problem(lang: Lang) -> None:
    """The problem that an earlier run of the page left, once."""
    error = st.session_state.pop("problem", None)
    if error is not None:
        draw_error(error, lang, key="problem-kept")
