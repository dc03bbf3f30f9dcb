"""Problems are drawn in one place and one look. The library's words are shown as text, whatever they quote."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, ParamSpec

import streamlit as st

from memorybank.errors import DamagedError, MemoryBankError
from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell import state
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import Box, box
from memorybank.views.i18n import as_sentence, explain, t
from memorybank.views.text.display import format_bytes

if TYPE_CHECKING:
    from memorybank.hosting.run import Run
    from memorybank.runs.salvage import DamagedPart

P = ParamSpec("P")

STAYS = 3.0
"""The least time that a kept problem stands, in seconds."""


def problem_box(words: str, lang: Lang, detail: str = "") -> Box:
    """Return a title and one sentence; below it, small, the words it rests on."""
    return box(
        "div",
        "notice failure",
        box("p", "strong", t("error.title", lang)),
        box("p", "text", as_sentence(words)),
        box("p", "muted small text", detail) if detail else None,
    )


def draw_problem(words: str, lang: Lang, *, key: str) -> None:
    draw(problem_box(words, lang), key=key)


def draw_error(error: BaseException, lang: Lang, *, key: str) -> None:
    """Draw an error in the page's language."""
    problem = explain(error, lang)
    draw(problem_box(problem.words, lang, problem.detail), key=key)


@contextmanager
def problems_shown(lang: Lang) -> Iterator[None]:
    """Draw what is inside as far as it goes; an error of the library, or of a disk, becomes a message."""
    try:
        yield
    except (MemoryBankError, OSError) as error:
        draw_error(error, lang, key="problem-page")


def guarded(draw: Callable[P, None]) -> Callable[P, None]:
    """Guard what a fragment draws: it runs alone, so that the `problems_shown` of its page is not around it then."""

    @functools.wraps(draw)
    def drawn(*args: P.args, **named: P.kwargs) -> None:
        with problems_shown(state.lang()):
            draw(*args, **named)

    return drawn


def draw_kept_problem(lang: Lang) -> None:
    """Draw the problem that a callback or an earlier run of the page left. shell.py draws it above every page.

    It goes with the reader's next act, but not before it could be read: a page that was just opened is run once more by
    what is on it (the browser's language, a box that has been drawn), and nobody asked for that.
    """
    problems = this_tab().problems
    error, problems.waiting = problems.waiting, None
    if error is not None:
        problems.shown_since = time.monotonic()
    elif problems.shown_since is not None and time.monotonic() - problems.shown_since < STAYS:
        error = problems.shown
    problems.shown = error
    if error is not None:
        draw_error(error, lang, key="problem-kept")
    damaged = problems.damaged_run
    if isinstance(error, DamagedError) and damaged:
        draw_good_part(lambda: _copy_of(damaged), lang, key="open-good")


def _copy_of(damaged: str) -> tuple[str, DamagedPart | None]:
    from memorybank.hosting.new_runs import open_to_last_good

    return open_to_last_good(state.runs(), damaged)


def draw_good_part(make: Callable[[], tuple[str, DamagedPart | None]], lang: Lang, *, key: str) -> None:
    """Draw the way to the good part of a damaged run. `make` makes a run of it."""
    button(
        t("shell.good_part", lang),
        key,
        partial(state.open_good_part, make),
        icon="healing",
        help_text=t("shell.good_part_help", lang),
    )


def draw_left_out(worker: Run, lang: Lang) -> None:
    """Draw what was left out when the run was opened, as long as the run is on the page."""
    run_id, left_out = this_tab().problems.left_out
    if run_id != worker.run_id or left_out is None:
        return
    words = t(
        "shell.left_out",
        lang,
        events=left_out.events,
        lines=left_out.lines,
        size=format_bytes(left_out.bytes, lang),
        line=left_out.line,
        stages=left_out.stages,
    )
    draw(box("div", "notice", box("p", "text", words)), key="left-out-words")


def draw_again() -> None:
    """Run the page once more though the reader did nothing: the problem above it stays."""
    this_tab().problems.waiting = this_tab().problems.waiting or this_tab().problems.shown
    st.rerun()


def draw_refused(lang: Lang) -> None:
    """Say that the run of the address is alive in another browser, and draw the way to it for when it is free."""
    if this_tab().run is not None:
        this_tab().problems.refused_run = ""
    if not this_tab().problems.refused_run:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="refused"):
        words = "shell.refused" if state.visitor().browser else "shell.no_cookies"
        draw(box("p", "run-bar text", t(words, lang)), key="refused-words")
        button(t("shell.look_again", lang), "look-again", state.look_again, icon="refresh")
