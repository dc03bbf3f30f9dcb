"""How a node and an edge look: a shape and a colour for each state, so that neither has to be told by colour alone.

Colours are Okabe and Ito's (Color Universal Design, 2008): told apart with every common kind of colour blindness, and
mid-toned, so that they stand on a light and on a dark page. Outlines are the same hue, darker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class NodeState(StrEnum):
    """Strongest first: a node shows the first that holds."""

    CONFLICT = "conflict"
    DISPUTED = "disputed"
    MERGED = "merged"
    NEW = "new"
    NORMAL = "normal"


class EdgeKind(StrEnum):
    CONFLICT = "conflict"
    DISPUTED = "disputed"
    RELATED = "related"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLook:
    shape: str
    """A vis-network shape."""
    fill: str
    outline: str
    scale: float
    """Makes shapes of the same `size` look equally large."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EdgeLook:
    color: str
    """Empty: the page's own muted colour, which only the browser knows."""
    width: float
    dashes: tuple[int, ...] = ()


NODE_LOOKS: Mapping[NodeState, NodeLook] = {
    NodeState.CONFLICT: NodeLook(shape="diamond", fill="#D55E00", outline="#9A4300", scale=1.2),
    NodeState.DISPUTED: NodeLook(shape="triangleDown", fill="#E69F00", outline="#A06E00", scale=1.1),
    NodeState.MERGED: NodeLook(shape="hexagon", fill="#CC79A7", outline="#96497A", scale=1.1),
    NodeState.NEW: NodeLook(shape="star", fill="#009E73", outline="#00694D", scale=1.25),
    NodeState.NORMAL: NodeLook(shape="dot", fill="#56B4E9", outline="#0072B2", scale=1.0),
}

EDGE_LOOKS: Mapping[EdgeKind, EdgeLook] = {
    EdgeKind.CONFLICT: EdgeLook(color="#D55E00", width=2.5, dashes=(8, 6)),
    EdgeKind.DISPUTED: EdgeLook(color="#E69F00", width=2.0, dashes=(2, 5)),
    EdgeKind.RELATED: EdgeLook(color="", width=1.3),
}

NEW_OUTLINE = NODE_LOOKS[NodeState.NEW].fill
NEW_OUTLINE_WIDTH = 4

_SMALLEST, _LARGEST = 10.0, 20.0
_SMALLEST_MARKED = 15.0
"""A node with something to say is never the smallest."""
_LARGE_TEXT = 8_000
"""Characters of raw text at which a node stops growing."""


def node_size(state: NodeState, raw_characters: int) -> float:
    """Radius in pixels at zoom 1; the area grows with the raw text behind the node."""
    share = math.sqrt(min(1.0, raw_characters / _LARGE_TEXT))
    least = _SMALLEST if state is NodeState.NORMAL else _SMALLEST_MARKED
    return round((least + (_LARGEST - least) * share) * NODE_LOOKS[state].scale, 1)


def vis_options() -> dict[str, Any]:
    """vis-network's options: nothing moves by itself, colours by group. Text is drawn by the component."""
    return {
        "physics": {"enabled": False},
        "layout": {"improvedLayout": False},
        "interaction": {"dragNodes": False, "hover": True, "tooltipDelay": 250, "multiselect": False},
        "edges": {"smooth": False, "selectionWidth": 1.5, "hoverWidth": 0.5},
        "nodes": {"fixed": True, "borderWidth": 1.5, "borderWidthSelected": 3},
        "groups": {
            state.value: {"color": {"background": look.fill, "border": look.outline}}
            for state, look in NODE_LOOKS.items()
        },
    }
