"""The order in which a person reads boxes of text on a page.

A page of running text in columns is read column by column: Breuel's two rules say which box comes before which
("High performance document layout analysis", SDIUT 2003), and a topological sort lines them up. Any other page, a
label, a table, a slide, is read row by row, so that the cells of a row stay together.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_Relation = NDArray[np.bool_]
"""Shape (boxes, boxes): whether it holds between row and column."""

_MARGIN = 0.25
"""Line heights by which a detected box reaches beyond its letters, on every side."""
_WIDE = 6.0
"""Line heights: a box of running text is at least this wide."""
_COLUMN_BOXES = 6
_COLUMN_SHARE = 0.5
"""A page is in columns when this many boxes, and this share of them, are wide and stand beside a wide one."""
_MOST_BOXES = 600
"""A page with more boxes is read row by row: the rules look at all triples."""


class Box(NamedTuple):
    """A piece of text with its bounds in pixels, y downwards."""

    left: float
    top: float
    right: float
    bottom: float
    text: str


def reading_order(boxes: Sequence[Box]) -> list[list[Box]]:
    """Return the lines of the page in reading order, each a list of boxes from left to right."""
    page = sorted(boxes, key=lambda box: (box.top, box))
    if len(page) < _COLUMN_BOXES or len(page) > _MOST_BOXES:
        return _rows(page)
    # Each box with its margins taken off.
    edges = np.array([box[:4] for box in page], dtype=np.float64)
    heights = edges[:, 3] - edges[:, 1]
    across = np.minimum(_MARGIN * heights, (edges[:, 2] - edges[:, 0]) / 2.01)
    down = _MARGIN * heights
    left, top, right, bottom = edges[:, 0] + across, edges[:, 1] + down, edges[:, 2] - across, edges[:, 3] - down
    over_x = (left[:, None] < right) & (left < right[:, None])
    over_y = (top[:, None] < bottom) & (top < bottom[:, None])
    if not _in_columns(right - left, median(box.bottom - box.top for box in page), ~over_x & over_y):
        return _rows(page)
    above = over_x & (top[:, None] < top)
    beside = (right[:, None] <= left) & ~_parted(top, bottom, over_x)
    return [[page[place]] for place in _sorted(above | beside)]


def _in_columns(widths: NDArray[np.float64], height: float, side_by_side: _Relation) -> bool:
    wide = widths >= _WIDE * height
    standing = int((wide & (side_by_side & wide).any(axis=1)).sum())
    return standing >= max(_COLUMN_BOXES, _COLUMN_SHARE * len(widths))


def _parted(top: NDArray[np.float64], bottom: NDArray[np.float64], over_x: _Relation) -> _Relation:
    """Whether a third box lies between the two in height and reaches over both: a heading across columns."""
    parted = np.zeros_like(over_x)
    for place in range(len(top)):
        reached = over_x[place]
        if not (~over_x[reached][:, reached]).any():
            continue
        higher, lower = bottom <= top[place], top >= bottom[place]
        between = (higher[:, None] & lower) | (lower[:, None] & higher)
        parted |= reached[:, None] & reached & between
    return parted


def _sorted(before: _Relation) -> list[int]:
    """Topological order; of those that are free the highest comes first, and a circle is broken at its highest."""
    waiting = before.sum(axis=0).astype(np.int64)
    left = list(range(len(before)))
    order: list[int] = []
    while left:
        place = next((block for block in left if waiting[block] == 0), left[0])
        left.remove(place)
        waiting -= before[place]
        order.append(place)
    return order


def _rows(page: Sequence[Box]) -> list[list[Box]]:
    """Boxes whose middle lies within the height of a row's first box stand on that row."""
    rows: list[list[Box]] = []
    for box in sorted(page, key=lambda box: (box.top + box.bottom, box)):
        first = rows[-1][0] if rows else None
        if first is not None and first.top <= (box.top + box.bottom) / 2 <= first.bottom:
            rows[-1].append(box)
        else:
            rows.append([box])
    return [sorted(row) for row in rows]
