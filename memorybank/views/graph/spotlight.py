"""A scene of a story on the graph: what it is about stands out, and what is acted out over it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from memorybank.views.graph.model import GraphView
from memorybank.views.graph.moment_view import with_lit
from memorybank.views.graph.style import NodeState
from memorybank.views.run.playback import Moment
from memorybank.views.story import Scene

DIM: Final = 0.45
"""Opacity of what a scene is not about."""
GHOST: Final = 16.0
"""Radius of a node that became a part of another one, as the picture has it no more."""
WIDE: Final = ("filed", "imported", "undone")
"""Scenes about so many nodes that none stands out."""


def lit_by(scene: Scene, view: GraphView, moment: Moment) -> GraphView:
    """The picture with what the scene is about in full, and all else dimmed. Nothing moves."""
    graph = moment.bank.graph
    nodes = frozenset(map(graph.successor, scene.nodes)) if scene.kind not in WIDE else frozenset()
    return with_lit(view, nodes, "graph.spoken_of", DIM) if nodes & graph.nodes.keys() else view


def acted_out(scene: Scene, moment: Moment, turn: int) -> Mapping[str, Any]:
    """What the drawing code is told of a scene (views/drawing/graph/effects.js). `turn`: of this showing."""
    graph = moment.bank.graph
    merge = graph.merges.get(scene.merge) if scene.merge is not None else None
    data: dict[str, Any] = {
        "turn": turn,
        "kind": scene.kind,
        "nodes": list(scene.nodes),
        "conflicts": list(scene.conflicts),
    }
    if merge is None:
        return data
    group = NodeState.CONFLICT.value if scene.conflicts else NodeState.NORMAL.value
    places = [moment.points[node_id] for node_id in scene.nodes if node_id in moment.points]
    ghosts = [{"x": place.x, "y": place.y, "size": GHOST, "group": group} for place in places]
    return {**data, "into": graph.successor(merge.new_node_id), "ghosts": ghosts}
