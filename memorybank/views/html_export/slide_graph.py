"""The graph of a moment as an SVG picture for a slide, with the shapes and colours of the graph's own style.

What the slide is about is ringed and named in large, and all else steps back. A name that would lie on another one is
left out, but never a name of those that the slide is about.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element, SubElement

from memorybank.views.graph.model import GraphView
from memorybank.views.graph.style import NODE_LOOKS, EdgeLook, NodeLook, NodeState
from memorybank.views.text.display import clip, columns, plain

NAME, LIT_NAME = 12.0, 15.0
"""Pixels of a name, and of one that the slide is about."""
LIT_COLUMNS = 30
MARGIN, LEGEND_HEIGHT = 26.0, 26.0
_LARGEST_SCALE = 1.5
_READABLE = 0.3
"""At a smaller scale only the surroundings of what the slide is about are shown."""
_SURROUNDINGS = 260.0
_COLUMN = 0.6
"""Width of a column of text, as a part of the size of its letters."""

_CORNERS: Mapping[str, tuple[int, float]] = {
    "diamond": (4, 0.0),
    "square": (4, math.pi / 4),
    "hexagon": (6, math.pi / 6),
    "triangle": (3, 0.0),
    "triangleDown": (3, math.pi),
    "star": (10, 0.0),
}
"""How many corners a shape has, and how far the first one is turned from the top."""


class Rect(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Rect) -> bool:
        """Whether the two lie on each other."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )


def frame_of(points: Iterable[tuple[float, float]], around: float = 0.0) -> Rect:
    """Return the smallest rectangle that holds the points, with some room around it."""
    xs, ys = zip(*points, strict=True)
    return Rect(min(xs) - around, min(ys) - around, max(xs) + around, max(ys) + around)


def graph_svg(view: GraphView, lit: Collection[str], frame: Rect, width: float, height: float) -> Element:
    """Draw the picture, `width` by `height` pixels.

    Args:
        lit: the ids of the nodes that the slide is about.
        frame: the part of the map that is shown, the same on every slide, so that no node moves; where that is too
            large to be read, the surroundings of the lit nodes are shown instead.
    """
    size = {"width": f"{width:g}", "height": f"{height:g}", "viewBox": f"0 0 {width:g} {height:g}"}
    svg = Element("svg", {"class": "slide-graph", "role": "img", "aria-label": view.description, **size})
    lit = frozenset(lit) & {node["id"] for node in view.nodes}
    scale, places = _placed(view, lit, frame, width, height - LEGEND_HEIGHT)
    inside = {
        node_id
        for node_id, (x, y) in places.items()
        if MARGIN <= x <= width - MARGIN and MARGIN <= y <= height - LEGEND_HEIGHT - MARGIN
    }
    radii = {node["id"]: float(node["size"]) * max(0.6, min(scale, 1.1)) for node in view.nodes}
    for edge in view.edges:
        ends = edge["from"], edge["to"]
        if inside.issuperset(ends):
            look = EdgeLook(color=edge["color"] or "", width=edge["width"], dashes=tuple(edge["dashes"] or ()))
            line = _line(svg, look, *places[ends[0]], *places[ends[1]])
            line.set("class", "lit" if lit.issuperset(ends) or not lit else "faint")
    nodes = sorted((node for node in view.nodes if node["id"] in inside), key=lambda node: node["id"] in lit)
    for node in nodes:
        place, radius = places[node["id"]], radii[node["id"]]
        if node["id"] in lit:
            _circle(svg, *place, radius + 7).set("class", "ring")
        symbol = _symbol(svg, NODE_LOOKS[NodeState(node["group"])], *place, radius)
        symbol.set("class", "lit" if node["id"] in lit or not lit else "faint")
    taken = [frame_of([places[node["id"]]], radii[node["id"]]) for node in nodes]
    for node in reversed(nodes):
        _name(svg, node, node["id"] in lit, places[node["id"]], radii[node["id"]], width, taken)
    _legend(svg, view, width, height)
    return svg


def _placed(
    view: GraphView, lit: Collection[str], frame: Rect, width: float, height: float
) -> tuple[float, dict[str, tuple[float, float]]]:
    """Return the scale, and where each node lies on the sheet."""

    def scale_of(frame: Rect) -> float:
        room = width - 2 * MARGIN - LIT_NAME * 6, height - 2 * MARGIN - LIT_NAME * 2
        wide, high = max(frame.right - frame.left, 1.0), max(frame.bottom - frame.top, 1.0)
        return min(room[0] / wide, room[1] / high, _LARGEST_SCALE)

    if scale_of(frame) < _READABLE and lit:
        frame = frame_of(((node["x"], node["y"]) for node in view.nodes if node["id"] in lit), _SURROUNDINGS)
    scale = scale_of(frame)
    dx = (width - (frame.left + frame.right) * scale) / 2
    dy = (height - (frame.top + frame.bottom) * scale) / 2
    return scale, {node["id"]: (node["x"] * scale + dx, node["y"] * scale + dy) for node in view.nodes}


def _name(
    svg: Element,
    node: Mapping[str, Any],
    is_lit: bool,
    place: tuple[float, float],
    radius: float,
    width: float,
    taken: list[Rect],
) -> None:
    size = LIT_NAME if is_lit else NAME
    words = clip(node.get("topic") or node["label"], LIT_COLUMNS) if is_lit else plain(node["label"])
    rects = list(_rects(place, radius + (8 if is_lit else 3), _text_width(words, size), size + 3, width))
    free = [rect for rect in rects if not any(map(rect.meets, taken))]
    if not free and not is_lit:
        return
    rect = (free or rects)[0]
    taken.append(rect)
    text = _text(svg, words, (rect.left + rect.right) / 2, rect.bottom - 3, size)
    text.set("class", "name lit" if is_lit else "name")


def _rects(place: tuple[float, float], away: float, wide: float, high: float, width: float) -> Iterator[Rect]:
    """Yield where a name can stand: below the node, above it, to its right, to its left; always on the sheet."""
    x, y = place
    for left, top in (
        (x - wide / 2, y + away),
        (x - wide / 2, y - away - high),
        (x + away, y - high / 2),
        (x - away - wide, y - high / 2),
    ):
        inside = min(max(left, 4.0), width - wide - 4)
        yield Rect(inside, top, inside + wide, top + high)


def _legend(svg: Element, view: GraphView, width: float, height: float) -> None:
    x, y = MARGIN, height - 8
    for item in view.legend:
        wide = _text_width(item.words, NAME) + 36
        if x + wide > width:
            break
        if isinstance(item.look, EdgeLook):
            _line(svg, item.look, x, y - 4, x + 16, y - 4)
        else:
            _symbol(svg, item.look, x + 8, y - 4, 7)
        _text(svg, item.words, x + 20, y, NAME)
        x += wide


# -- elements ---------------------------------------------------------------------------------------------------------


def _add(svg: Element, tag: str, **looks: object) -> Element:
    """Add an element; a value of None is left to the style sheet."""
    written = {
        name.replace("_", "-"): f"{value:g}" if isinstance(value, float) else str(value)
        for name, value in looks.items()
        if value is not None
    }
    return SubElement(svg, tag, written)


def _line(svg: Element, look: EdgeLook, x1: float, y1: float, x2: float, y2: float) -> Element:
    dashes = " ".join(map(str, look.dashes)) or None
    paint = {"stroke": look.color or None, "stroke_width": float(look.width), "stroke_dasharray": dashes}
    return _add(svg, "line", x1=x1, y1=y1, x2=x2, y2=y2, **paint)


def _circle(svg: Element, x: float, y: float, radius: float, **looks: object) -> Element:
    return _add(svg, "circle", cx=x, cy=y, r=radius, **looks)


def _symbol(svg: Element, look: NodeLook, x: float, y: float, radius: float) -> Element:
    """Draw a node as its state looks."""
    paint = {"fill": look.fill, "stroke": look.outline, "stroke_width": look.outline_width}
    if look.shape == "dot":
        return _circle(svg, x, y, radius, **paint)
    count, turn = _CORNERS[look.shape]
    points = []
    for corner in range(count):
        angle = turn + 2 * math.pi * corner / count
        away = radius * 0.45 if look.shape == "star" and corner % 2 else radius
        points.append(f"{x + away * math.sin(angle):.1f},{y - away * math.cos(angle):.1f}")
    return _add(svg, "polygon", points=" ".join(points), **paint)


def _text(svg: Element, words: str, x: float, y: float, size: float) -> Element:
    text = _add(svg, "text", x=x, y=y, font_size=size)
    text.text = words
    return text


def _text_width(words: str, size: float) -> float:
    return sum(map(columns, words)) * size * _COLUMN
