"""A picture of the graph as the drawing code takes it (views/drawing/graph): plain data, in parts that change apart."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from memorybank.views.graph.model import GraphView
from memorybank.views.graph.style import looks, vis_options
from memorybank.views.i18n import t


def parts_of(view: GraphView) -> dict[str, dict[str, Any]]:
    """Return its nodes and edges by id, and by name what frames them: options, paints, words, legend, topics."""
    return {
        "nodes": {node["id"]: node for node in view.nodes},
        "edges": {edge["id"]: edge for edge in view.edges},
        "frame": {
            "options": vis_options(),
            "looks": looks(),
            "words": {
                "keys": t("canvas.keys", view.lang),
                **{name: t(f"graph.{name}", view.lang) for name in ("fit", "zoom_in", "zoom_out", "empty")},
            },
            "legend": [{"words": item.words, **asdict(item.look)} for item in view.legend],
            "regions": [asdict(region) for region in view.regions],
            "dim": view.dim,
            "description": view.description,
            "notice": view.notice,
        },
    }


def picture(view: GraphView) -> dict[str, Any]:
    """Return a whole picture."""
    parts = parts_of(view)
    return {"nodes": list(view.nodes), "edges": list(view.edges), **parts["frame"]}
