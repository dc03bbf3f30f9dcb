"""The graph of a moment as a few shapes on a sheet: lines, circles, polygons, words, in the sheet's own points.

One list for both files: the HTML makes SVG elements of it, the PDF draws it. Shapes and colours are the graph's own
(views/graph/style.py); what a slide is about is ringed and named in large, all else steps back. A name that would lie
on another one is left out, never one of those that the slide is about.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from memorybank.views.graph.model import GraphView, LegendItem
from memorybank.views.graph.style import NODE_LOOKS, EdgeLook, NodeLook, NodeState
from memorybank.views.text.display import clip, columns

INK, QUIET = "ink", "quiet"
"""Colours that are the page's own: of text, and of what is beside the matter."""
RING = "#0072B2"
FAINT = 0.32
"""Opacity of what the slide is not about."""

NAME, LIT_NAME, LEGEND = 12.0, 15.0, 12.0
"""Points of a text."""
LIT_COLUMNS = 30
MARGIN, FOOT = 26.0, 26.0
_LARGEST_SCALE = 1.5
_READABLE = 0.3
"""At a smaller scale only the surroundings of what the slide is about are shown."""
_SURROUNDINGS = 260.0
_COLUMN = 0.54
"""Width of a column, as a part of the size of the text."""

_SIDES: Mapping[str, tuple[int, float]] = {
    "diamond": (4, 0.0),
    "square": (4, math.pi / 4),
    "hexagon": (6, math.pi / 6),
    "triangle": (3, 0.0),
    "triangleDown": (3, math.pi),
}
"""Corners, and how far the first one is turned from the top."""


Rect = tuple[float, float, float, float]
"""Left, top, right, bottom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    kind: Literal["line", "circle", "polygon", "text"]
    points: tuple[tuple[float, float], ...]
    """y runs down. Of a circle its centre; of a text the middle of its baseline, or where it begins."""
    radius: float = 0.0
    fill: str = "none"
    stroke: str = "none"
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0
    words: str = ""
    size: float = NAME
    bold: bool = False
    middle: bool = True
    """Whether a text is centred on its point."""


def frame_of(points: Iterable[tuple[float, float]], around: float = 0.0) -> Rect:
    """The smallest rectangle that holds the points, and some room around it."""
    xs, ys = zip(*points, strict=True)
    return min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around


def graph_shapes(view: GraphView, lit: Collection[str], frame: Rect, width: float, height: float) -> tuple[Shape, ...]:
    """The picture, `width` by `height`.

    Args:
        lit: the ids of what the slide is about. frame: what of the map is shown, the same on every slide, so that no
            node moves; where that is too large to be read, the surroundings of what the slide is about.
    """
    sheet = _Sheet(view, frozenset(lit), frame, width, height)
    return (*sheet.edges(), *sheet.nodes(), *sheet.names(), *sheet.legend())


class _Sheet:
    def __init__(self, view: GraphView, lit: frozenset[str], frame: Rect, width: float, height: float) -> None:
        self._view, self._width, self._height = view, width, height
        self._lit = lit & {node["id"] for node in view.nodes}
        self._places = self._fit(frame, height - FOOT)
        self._shown = [node for node in view.nodes if self._is_inside(node["id"])]

    # -- where things lie ---------------------------------------------------------------------------------------------

    def _fit(self, frame: Rect, height: float) -> dict[str, tuple[float, float]]:
        self._scale = self._scale_of(frame, height)
        if self._scale < _READABLE and self._lit:
            points = ((node["x"], node["y"]) for node in self._view.nodes if node["id"] in self._lit)
            frame = frame_of(points, _SURROUNDINGS)
            self._scale = self._scale_of(frame, height)
        left, top, right, bottom = frame
        dx = (self._width - (left + right) * self._scale) / 2
        dy = (height - (top + bottom) * self._scale) / 2
        return {node["id"]: (node["x"] * self._scale + dx, node["y"] * self._scale + dy) for node in self._view.nodes}

    def _scale_of(self, frame: Rect, height: float) -> float:
        left, top, right, bottom = frame
        wide, high = max(right - left, 1.0), max(bottom - top, 1.0)
        room = self._width - 2 * MARGIN - LIT_NAME * 6, height - 2 * MARGIN - LIT_NAME * 2
        return min(room[0] / wide, room[1] / high, _LARGEST_SCALE)

    def _is_inside(self, node_id: str) -> bool:
        x, y = self._places[node_id]
        return MARGIN <= x <= self._width - MARGIN and MARGIN <= y <= self._height - FOOT - MARGIN

    def _opacity(self, *ids: str) -> float:
        return 1.0 if not self._lit or self._lit.issuperset(ids) else FAINT

    def _radius(self, node: Mapping[str, Any]) -> float:
        return float(node["size"]) * max(0.6, min(self._scale, 1.1))

    # -- what is drawn ------------------------------------------------------------------------------------------------

    def edges(self) -> Iterable[Shape]:
        inside = {node["id"] for node in self._shown}
        for edge in self._view.edges:
            ends = edge["from"], edge["to"]
            if inside.issuperset(ends):
                yield Shape(
                    kind="line",
                    points=(self._places[ends[0]], self._places[ends[1]]),
                    stroke=edge["color"] or QUIET,
                    width=float(edge["width"]),
                    dashes=tuple(map(float, edge["dashes"] or ())),
                    opacity=self._opacity(*ends),
                )

    def nodes(self) -> Iterable[Shape]:
        for node in sorted(self._shown, key=lambda node: node["id"] in self._lit):
            place, radius = self._places[node["id"]], self._radius(node)
            if node["id"] in self._lit:
                yield Shape(kind="circle", points=(place,), radius=radius + 7, stroke=RING, width=3.5)
            yield symbol(NODE_LOOKS[NodeState(node["group"])], place, radius, self._opacity(node["id"]))

    def names(self) -> Iterable[Shape]:
        """Of what the slide is about first; of the others where there is room."""
        taken = [_around(self._places[node["id"]], self._radius(node)) for node in self._shown]
        for edge in self._view.edges:
            if edge["label"] and self._lit.issuperset((edge["from"], edge["to"])):
                yield from self._edge_name(edge, taken)
        for node in sorted(self._shown, key=lambda node: node["id"] not in self._lit):
            is_lit = node["id"] in self._lit
            size = LIT_NAME if is_lit else NAME
            words = clip(node.get("topic") or node["label"], LIT_COLUMNS) if is_lit else node["label"]
            rects = list(self._places_for(node, _width(words, size), size))
            free = next((rect for rect in rects if not any(_meet(rect, other) for other in taken)), None)
            if free is None and not is_lit:
                continue
            rect = free or rects[0]
            taken.append(rect)
            yield Shape(
                kind="text",
                points=(((rect[0] + rect[2]) / 2, rect[3] - 3),),
                words=words,
                size=size,
                bold=is_lit,
                fill=INK,
                opacity=1.0 if is_lit or not self._lit else 0.6,
            )

    def _places_for(self, node: Mapping[str, Any], width: float, size: float) -> Iterable[Rect]:
        """Below the node, above it, to its right and its left; always on the sheet."""
        x, y = self._places[node["id"]]
        away = self._radius(node) + (8 if node["id"] in self._lit else 3)
        half, high = width / 2, size + 3
        for left, top in (
            (x - half, y + away),
            (x - half, y - away - high),
            (x + away, y - high / 2),
            (x - away - width, y - high / 2),
        ):
            inside = min(max(left, 4.0), self._width - width - 4)
            yield inside, top, inside + width, top + high

    def _edge_name(self, edge: Mapping[str, Any], taken: list[Rect]) -> Iterable[Shape]:
        (x1, y1), (x2, y2) = self._places[edge["from"]], self._places[edge["to"]]
        x, y, half = (x1 + x2) / 2, (y1 + y2) / 2 - 5, _width(edge["label"], NAME) / 2
        rect = (x - half, y - NAME, x + half, y + 3)
        if not any(_meet(rect, other) for other in taken):
            taken.append(rect)
            yield Shape(kind="text", points=((x, y),), words=edge["label"], bold=True, fill=INK)

    def legend(self) -> Iterable[Shape]:
        x, y = MARGIN, self._height - 8
        for item in self._view.legend:
            width = _width(item.words, LEGEND) + 36
            if x + width > self._width:
                break
            yield from _legend_sign(item, x, y - 4)
            yield Shape(kind="text", points=((x + 20, y),), words=item.words, size=LEGEND, fill=INK, middle=False)
            x += width


def symbol(look: NodeLook, place: tuple[float, float], radius: float, opacity: float = 1.0) -> Shape:
    """A node of a state."""
    if look.shape == "dot":
        return Shape(
            kind="circle",
            points=(place,),
            radius=radius,
            fill=look.fill,
            stroke=look.outline,
            width=1.5,
            opacity=opacity,
        )
    corners = _star(place, radius) if look.shape == "star" else _corners(place, radius, *_SIDES[look.shape])
    return Shape(kind="polygon", points=corners, fill=look.fill, stroke=look.outline, opacity=opacity, width=1.5)


def _corners(place: tuple[float, float], radius: float, count: int, turn: float) -> tuple[tuple[float, float], ...]:
    angles = (turn + 2 * math.pi * step / count for step in range(count))
    return tuple((place[0] + radius * math.sin(angle), place[1] - radius * math.cos(angle)) for angle in angles)


def _star(place: tuple[float, float], radius: float) -> tuple[tuple[float, float], ...]:
    outer, inner = _corners(place, radius, 5, 0.0), _corners(place, radius * 0.45, 5, math.pi / 5)
    return tuple(corner for pair in zip(outer, inner, strict=True) for corner in pair)


def _legend_sign(item: LegendItem, x: float, y: float) -> Iterable[Shape]:
    if isinstance(item.look, EdgeLook):
        yield Shape(
            kind="line",
            points=((x, y), (x + 16, y)),
            stroke=item.look.color or QUIET,
            width=item.look.width,
            dashes=tuple(map(float, item.look.dashes)),
        )
    elif item.look.fill == "none":
        yield Shape(kind="circle", points=((x + 8, y),), radius=6, stroke=item.look.outline, width=2.5)
    else:
        yield symbol(item.look, (x + 8, y), 7)


def _around(place: tuple[float, float], radius: float) -> Rect:
    return place[0] - radius, place[1] - radius, place[0] + radius, place[1] + radius


def _meet(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _width(words: str, size: float) -> float:
    return sum(map(columns, words)) * size * _COLUMN
