"""Nodes and edges have a shape and a colour for each state, so that neither has to be told by colour alone.

Colours are Okabe and Ito's (Color Universal Design, 2008): told apart with every common kind of colour blindness, and
mid-toned, so that they stand on a light and on a dark page. Outlines are the same hue, darker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class NodeState(StrEnum):
    """The states of a node, strongest first: a node shows the first that holds."""

    CONFLICT = "conflict"
    DISPUTED = "disputed"
    MERGED = "merged"
    NEW = "new"
    NORMAL = "normal"


class EdgeKind(StrEnum):
    CONFLICT = "conflict"
    DISPUTED = "disputed"
    RELATED = "related"


class NodeMark(StrEnum):
    """The marks that an overlay sets on a node; their words are `canvas.mark.<mark>`."""

    HIT = "hit"
    BELOW = "below"
    ADDED = "added"
    REMOVED = "removed"
    CHANGED = "changed"


class EdgeMark(StrEnum):
    """The marks that an overlay sets on an edge; their words are `canvas.edge_mark.<mark>`."""

    VIA = "via"
    ADDED = "added"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLook:
    shape: str
    """A vis-network shape; empty for that of the node's state."""
    fill: str
    """The fill; empty for that of the node's state. `none`: the page shows through."""
    outline: str
    """The outline; empty for the page's own muted colour, which only the browser knows."""
    scale: float = 1.0
    """The factor that makes shapes of the same `size` look equally large."""
    outline_width: float = 1.5
    dashed: bool = False
    """Whether its outline is dashed."""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeLook:
    color: str
    """The colour; empty for the page's own muted colour, which only the browser knows."""
    width: float
    dashes: tuple[int, ...] = ()
    arrow: bool = False


NODE_LOOKS: Mapping[NodeState, NodeLook] = {
    NodeState.CONFLICT: NodeLook(shape="diamond", fill="#D32F2F", outline="#8E1B1B", scale=1.2),
    NodeState.DISPUTED: NodeLook(shape="triangleDown", fill="#E69F00", outline="#A06E00", scale=1.1),
    NodeState.MERGED: NodeLook(shape="hexagon", fill="#CC79A7", outline="#96497A", scale=1.1),
    NodeState.NEW: NodeLook(shape="star", fill="#009E73", outline="#00694D", scale=1.25),
    NodeState.NORMAL: NodeLook(shape="dot", fill="#56B4E9", outline="#0072B2", scale=1.0),
}

EDGE_LOOKS: Mapping[EdgeKind, EdgeLook] = {
    EdgeKind.CONFLICT: EdgeLook(color="#D32F2F", width=2.5, dashes=(8, 6)),
    EdgeKind.DISPUTED: EdgeLook(color="#E69F00", width=2.0, dashes=(2, 5)),
    EdgeKind.RELATED: EdgeLook(color="", width=1.3),
}

_FILLS = "#56B4E9 #A1887F #7986CB #B0B84A #90A4AE #4DB6AC #9575CD #4F7CAC".split()
_OUTLINES = "#0072B2 #6D4C41 #3F51B5 #7C8421 #546E7A #00796B #5E35B1 #2A4D73".split()
TINTS = tuple(zip(_FILLS, _OUTLINES, strict=True))
"""The fills and outlines of nodes without a state, by topic: no hue of a state's, for those are told by it."""

_BLUE, _GREEN = "#0072B2", "#009E73"
_SLATE = "#7B8794"
"""A colour of no hue, for each hue has its meaning: a rewritten node is told by its shape, on light and on dark."""

MARK_LOOKS: Mapping[NodeMark, NodeLook] = {
    NodeMark.HIT: NodeLook(shape="", fill="", outline=_BLUE, outline_width=4.5),
    NodeMark.BELOW: NodeLook(shape="", fill="", outline=_BLUE, outline_width=2.0, dashed=True, opacity=0.5),
    NodeMark.ADDED: NodeLook(shape="square", fill=_GREEN, outline="#00694D", scale=0.9),
    NodeMark.REMOVED: NodeLook(shape="dot", fill="none", outline="", outline_width=2.0, dashed=True),
    NodeMark.CHANGED: NodeLook(shape="triangle", fill=_SLATE, outline="#4A5560", scale=1.1),
}

EDGE_MARK_LOOKS: Mapping[EdgeMark, EdgeLook] = {
    EdgeMark.VIA: EdgeLook(color=_BLUE, width=2.5, arrow=True),
    EdgeMark.ADDED: EdgeLook(color=_GREEN, width=2.5),
    EdgeMark.REMOVED: EdgeLook(color="", width=1.6, dashes=(3, 4)),
}

TRAIL_DIM, DIFF_DIM = 0.1, 0.3
"""The opacity of what an overlay does not mark."""

NEW_OUTLINE = NodeLook(shape="dot", fill="none", outline=_GREEN, outline_width=4)
"""The look around a node that is new and something stronger besides."""

_SMALLEST, _LARGEST = 9.0, 24.0
_SMALLEST_MARKED = 15.0
"""The least size of a node with something to say, which is never the smallest."""
LARGE_TEXT = 6_000
"""The characters of raw text at which a node stops growing."""
_SIZES = 8
"""The number of steps from small to large: what differs by less cannot be told apart."""


def size_step(raw_characters: int) -> int:
    """Return the step of a size, from 0 to the largest: its area grows with the raw text behind the node."""
    return round(math.sqrt(min(1.0, raw_characters / LARGE_TEXT)) * _SIZES)


def node_size(look: NodeLook, step: int, *, is_marked: bool) -> float:
    """Return the radius in pixels at zoom 1."""
    least = _SMALLEST_MARKED if is_marked else _SMALLEST
    return round((least + (_LARGEST - least) * step / _SIZES) * look.scale, 1)


def vis_options() -> dict[str, Any]:
    """Return vis-network's options: nothing moves by itself. Colours and text are the drawing code's own."""
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "interaction": {"dragNodes": False, "hover": True, "tooltipDelay": 250, "multiselect": False},
        "edges": {"smooth": False, "selectionWidth": 1.5, "hoverWidth": 0.5},
        "nodes": {"fixed": True, "borderWidth": 1.5, "borderWidthSelected": 3},
    }


def looks() -> dict[str, Any]:
    """Return the paint of every state and mark, for the drawing code."""
    return {
        "tints": TINTS,
        "groups": {state.value: asdict(look) for state, look in NODE_LOOKS.items()},
        "marks": {mark.value: asdict(look) for mark, look in MARK_LOOKS.items()},
        "new_outline": asdict(NEW_OUTLINE),
    }
