"""A long list by the page: how many rows are shown, what of it is not, and a button for more.

    shown = rows[: page_end("calls", 50)]
    draw(box("ul", "", *map(line, shown)), key="calls")
    draw_more("calls", 50, len(rows), lang)

`key` names the list, and may be any other than that of what draws its rows.
"""

from __future__ import annotations

from functools import partial

from memorybank.memory.types import Lang
from memorybank.ui.components.rich import draw
from memorybank.ui.shell.switch import button
from memorybank.ui.shell.tab import this_tab
from memorybank.views.box import cut_note
from memorybank.views.i18n import t

_ALL_ROWS = 10**9


def page_end(key: str, page: int) -> int:
    """Return how many rows are shown, which is `page` at first."""
    return this_tab().list_lengths.get(key, page)


def draw_more(key: str, page: int, total: int, lang: Lang) -> None:
    """Draw what stands below the rows: nothing when all are shown, else how many are, and a button for another page."""
    note = cut_note(page_end(key, page), total, lang)
    if note is None:
        return
    draw(note, key=f"{key}-cut")
    button(t("showing.more", lang), f"{key}-more", partial(_show_more, key, page), icon="expand_more", look="tertiary")


def back_to_first_page(key: str) -> None:
    """Forget how many rows were asked for, as the rows are others now. It is called from callbacks."""
    this_tab().list_lengths.pop(key, None)


def show_all(key: str) -> None:
    """Show every row from now on. For callbacks."""
    this_tab().list_lengths[key] = _ALL_ROWS


def _show_more(key: str, page: int) -> None:
    this_tab().list_lengths[key] = page_end(key, page) + page
