"""A run as one HTML file that works from disk, with no network: `export_html`.

contents.py says what is in it, tracks.py and pool.py how that stays small, page.py how it stands in a page; the *.js
and page.css here show it, with the app's own drawing code (views/drawing). On paper it is the decisive moments of the
run, a sheet each (slides.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.views.html_export.contents import contents, page
from memorybank.views.html_export.slides import slides_html


def export_html(
    records: Sequence[Record[Any]],
    read: Callable[[str], bytes] | None,
    lang: Lang,
    *,
    at: int | None = None,
) -> bytes:
    """The file.

    Args:
        records: the run, whole. read: the bytes of its attachments (`FormalStore.read`); None: no pictures.
        lang: of the page; the run's texts stay as they are.
        at: the moment at which it opens; the last when None.

    Raises JournalError for records that contradict each other.
    """
    data = contents(records, read, lang, at=at)
    return page(data, lang, slides_html(records, lang))
