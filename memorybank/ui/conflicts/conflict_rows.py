"""The list beside a detail: rows that lead to what they name, filtered, cut where it is long, and saying so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from memorybank.memory.types import Lang
from memorybank.ui.components.paged import draw_more, page_end
from memorybank.ui.components.rich import draw
from memorybank.views.box import Box, box, muted, row_of
from memorybank.views.i18n import t
from memorybank.views.link import Kind, link

ROWS = 30
"""The number of rows shown at first, and added each time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    id: str
    title: str
    lines: tuple[Box, ...] = ()
    """The lines below the title."""
    chips: tuple[Box, ...] = ()
    note: str = ""
    target: str = ""
    """The link that a click asks for, where that is more than the id: a place in an entry."""


def draw_rows(
    ids: Sequence[str], build: Callable[[str], Row], kind: Kind, chosen: str, lang: Lang, *, key: str
) -> None:
    """Draw rows from the first on, and the chosen one wherever it is. `build` makes only the rows that are shown."""
    if not ids:
        draw(muted(t("conflicts.rows_none", lang)), key=f"{key}-none")
        return
    shown = list(ids[: page_end(key, ROWS)])
    if chosen in ids and chosen not in shown:
        shown = [chosen, *shown]
    with st.container(border=False, key=f"{key}-box"):
        draw(box("ul", "picks", *(_row(build(item), kind, item == chosen) for item in shown)), key=key)
        draw_more(key, ROWS, len(ids), lang)


def _row(row: Row, kind: Kind, current: bool) -> Box:
    return box(
        "li",
        "",
        box(
            "div",
            "pick current" if current else "pick",
            row_of(*row.chips) if row.chips else None,
            box("p", "strong text" if row.lines else "text", row.title),
            *row.lines,
            box("p", "muted small text", row.note) if row.note else None,
            choose=link(kind, row.target or row.id),
            current=current,
        ),
    )
