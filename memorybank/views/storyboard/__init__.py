"""The decisive moments of a run as slides, in one HTML file or as PDF: `make_storyboard`.

slides.py says what is on them; deck.py and deck.js show them in a browser, the pdf modules write them on pages. Both
draw the same shapes (graph_shapes.py) and the same cards (views/story).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import state_at
from memorybank.views.drawing.file import check_ready
from memorybank.views.i18n import t
from memorybank.views.storyboard.slides import build_slides

Form = Literal["html", "pdf"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Storyboard:
    data: bytes
    """The file."""
    slides: int
    lacks_font: bool = False
    """A PDF in which some signs show only where the reader's own device has a font for them."""


def make_storyboard(
    records: Sequence[Record[Any]],
    lang: Lang,
    form: Form,
    *,
    on_progress: Callable[[float], None] = lambda _: None,
) -> Storyboard:
    """The file in a language; the run's texts stay as they are. `on_progress` is told how much is done, from 0 to 1.

    Raises InputError for a run in which nothing has happened yet, or where a library is not installed; JournalError for
    records that contradict each other.
    """
    check_ready("pyvis", *(("reportlab", "fontTools") if form == "pdf" else ()))
    slides = build_slides(records, lang, on_progress=on_progress)
    if not slides:
        raise InputError("run.no_slides")
    title = state_at(records).doc.task_goal or t("export.untitled", lang)
    if form == "html":
        from memorybank.views.storyboard.deck import deck

        return Storyboard(data=deck(slides, title, lang), slides=len(slides))
    from memorybank.views.storyboard.pdf import pdf

    data, lacks_font = pdf(slides, title, lang)
    return Storyboard(data=data, slides=len(slides), lacks_font=lacks_font)
