"""A run as one HTML file that works from disk, with no network: `export_html`.

The graph can be gone through moment by moment (moments.py); beside it stands what the run has come to: answer, Insight
Doc, conflicts, merges, memories, sources (panels.py). On paper it is the decisive moments of the run, a sheet each
(slides.py). The *.js and *.css here, with the app's own drawing code of the graph (views/drawing), show it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any
from xml.etree.ElementTree import tostring

from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.file import check_ready, html_file
from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.drawing.rich.script import rich_css
from memorybank.views.html_export.moments import moments_of
from memorybank.views.html_export.panels import page_of
from memorybank.views.html_export.slides import slides_html

_read = functools.partial(text_beside, __package__)
"""A file of the page, by its name."""


def export_html(
    records: Sequence[Record[Any]],
    read: Callable[[str], bytes] | None,
    lang: Lang,
    *,
    at: int | None = None,
    since: int = 0,
    prints_slides: bool = True,
) -> bytes:
    """The file.

    Args:
        records: the run, whole. read: the bytes of its attachments (`FormalStore.read`); None: no pictures.
        lang: of the page; the run's texts stay as they are.
        at: the moment of the graph at which it opens; the last when None. since: the first that it has.
        prints_slides: whether it has the decisive moments, to be printed.

    Raises JournalError for records that contradict each other, InputError where what draws is not installed.
    """
    check_ready("pyvis")
    markup = tostring(page_of(records, read, lang), encoding="unicode", method="html")
    slides = slides_html(records, lang) if prints_slides else ""
    return page(moments_of(records, lang, at=at, since=since), lang, markup + slides)


def page(data: Any, lang: Lang, markup: str = "") -> bytes:
    """Return the file in UTF-8. `markup` is the page as it stands; what `data` has moves on it."""
    looks = rich_css().replace(".rich ", "& ")
    style = f"{_read('page.css')}{_read('slides.css')}.rich {{\n{looks}\n}}\n"
    return html_file(data, lang, scripts=[graph_script(), _read("page.js")], style=style, markup=markup)
