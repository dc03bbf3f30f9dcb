"""Pictures packed: what was ever drawn is told once and numbered, and a picture is then a few numbers.

    table = Table()
    frames = [table.pack(view) for view in views]     # about a byte a node
    table.items                                       # what the frames refer to: grows, never changes

A node is taken apart into what it is (topic, place) and how it looks now (shape, size, state): there are many of the
one, which hardly ever change, and few of the other, which change all the time. Both are numbered in the order they came
in, so an old frame stays true when the table grows. `packing.js` reads it.

A frame's `nodes` and `edges` are base64 of LEB128 numbers: how many pairs of lengths follow; so many are hidden, so
many are shown, in turn; then 0 and the look of each that is shown, or 1 and the looks in runs (length, look).
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

from memorybank.memory.types import Lang
from memorybank.views.graph.model import GraphView, LegendItem
from memorybank.views.graph.style import looks, vis_options
from memorybank.views.i18n import t

NODE, EDGE, VALUE = 0, 1, 2
"""Kinds of items. A value is a look, an item of the legend, or a language's words."""

_MOST_SEEN = 100_000

Item = tuple[int, Mapping[str, Any]]
"""(kind, content)"""

_PARTS = {
    NODE: ("id", "label", "x", "y", "topic", "merged_from"),
    EDGE: ("id", "from", "to", "conflicts", "lines"),
}
"""What a node and an edge are; all other keys say how it looks."""


def graph_look() -> dict[str, Any]:
    """What holds for every picture: options for vis-network, and paints."""
    return {"options": vis_options(), "looks": looks()}


def graph_words(lang: Lang) -> dict[str, str]:
    """The words on the buttons and on an empty canvas."""
    words = {name: t(f"graph.{name}", lang) for name in ("fit", "zoom_in", "zoom_out", "empty")}
    return {**words, "keys": t("canvas.keys", lang)}


def picture(view: GraphView) -> dict[str, Any]:
    """A whole picture as plain data."""
    return {
        "nodes": list(view.nodes),
        "edges": list(view.edges),
        **graph_look(),
        "words": graph_words(view.lang),
        "legend": [_legend_item(item) for item in view.legend],
        "regions": [asdict(region) for region in view.regions],
        **_saying(view),
    }


def _legend_item(item: LegendItem) -> dict[str, Any]:
    return {"words": item.words, **asdict(item.look)}


def _saying(view: GraphView) -> dict[str, Any]:
    return {"dim": view.dim, "description": view.description, "notice": view.notice}


@dataclass(slots=True)
class Table:
    """All that was ever drawn. Append-only."""

    items: list[Item] = field(default_factory=list)
    _numbers: tuple[dict[str, int], ...] = field(default_factory=lambda: ({}, {}, {}))
    """By kind: an item's number by its content."""
    _seen: dict[int, tuple[Mapping[str, Any], int, int]] = field(default_factory=dict)
    """By identity: what was packed, its number and that of its look. It is held, so that its identity stays its own."""

    def pack(self, view: GraphView) -> dict[str, Any]:
        """The picture as a frame. What it refers to is in `items` afterwards."""
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        nodes = dict(self._numbers_of(NODE, node) for node in view.nodes)
        edges = dict(self._numbers_of(EDGE, edge) for edge in view.edges)
        return {
            "nodes": _packed(nodes),
            "edges": _packed(edges),
            "look": self.value(graph_look()),
            "words": self.value(graph_words(view.lang)),
            "legend": tuple(self.value(_legend_item(item)) for item in view.legend),
            **({"regions": tuple(self.value(asdict(region)) for region in view.regions)} if view.regions else {}),
            **_saying(view),
        }

    def value(self, content: Mapping[str, Any]) -> int:
        """The number of a value."""
        return self._number(VALUE, content)

    def node(self, content: Mapping[str, Any]) -> None:
        """Take a node in that is in no picture yet; likewise an edge, and a look."""
        self._number(NODE, content)

    def edge(self, content: Mapping[str, Any]) -> None:
        self._number(EDGE, content)

    def look(self, drawn: Mapping[str, Any]) -> None:
        self._number(VALUE, _look_of(EDGE if "from" in drawn else NODE, drawn))

    def _numbers_of(self, kind: int, drawn: Mapping[str, Any]) -> tuple[int, int]:
        """Of what is drawn: its number and that of its look."""
        packed = self._seen.get(id(drawn))
        if packed is None:
            content = {key: drawn[key] for key in _PARTS[kind] if key in drawn}
            packed = drawn, self._number(kind, content), self._number(VALUE, _look_of(kind, drawn))
            self._seen[id(drawn)] = packed
        return packed[1], packed[2]

    def _number(self, kind: int, content: Mapping[str, Any]) -> int:
        numbers = self._numbers[kind]
        key = repr(content)  # in which 1, 1.0 and True are three things, as in the browser
        number = numbers.get(key)
        if number is None:
            number = numbers[key] = len(numbers)
            self.items.append((kind, content))
        return number


def _look_of(kind: int, drawn: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in drawn.items() if key not in _PARTS[kind]}


def _packed(looks_by_number: Mapping[int, int]) -> str:
    numbers = sorted(looks_by_number)
    lengths: list[int] = []
    end = 0
    for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        lengths += [members[0] - end, len(members)]
        end = members[-1] + 1
    shown = [looks_by_number[number] for number in numbers]
    runs = [number for look, run in groupby(shown) for number in (sum(1 for _ in run), look)]
    singly, in_runs = _leb128([0, *shown]), _leb128([1, *runs])
    return b64encode(_leb128([len(lengths) // 2, *lengths]) + min(singly, in_runs, key=len)).decode("ascii")


def _leb128(numbers: Iterable[int]) -> bytes:
    """Seven bits a byte, lowest first; the highest bit says that more follow."""
    packed = bytearray()
    for number in numbers:
        while number > 127:
            packed.append(number & 127 | 128)
            number >>= 7
        packed.append(number)
    return bytes(packed)
