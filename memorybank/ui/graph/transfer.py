"""What is sent to the browser when the graph changes: a base that stays, and what differs from it.

Streamlit sends a component's whole data again whenever a part of it changes, but sends unchanged data only once. So the
nodes and edges of one moment are the data of one component (the base), and the few that have changed since are the data
of another. When much has changed, the present becomes the new base.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memorybank.ui.graph.model import GraphView

_MOST_CHANGED = 0.2
"""Share of the items from which on a new base is cheaper than ever longer differences."""
_FEW = 8
"""So few changes never make a new base."""

Items = Mapping[str, dict[str, Any]]
"""Nodes or edges by id."""


@dataclass(frozen=True, slots=True)
class Base:
    version: str
    """Digest of its content."""
    nodes: Items
    edges: Items

    def data(self) -> dict[str, Any]:
        return {"version": self.version, "nodes": list(self.nodes.values()), "edges": list(self.edges.values())}


@dataclass(frozen=True, slots=True)
class Change:
    """What turns a base into the present."""

    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    gone_nodes: list[str]
    gone_edges: list[str]

    def __len__(self) -> int:
        return len(self.nodes) + len(self.edges) + len(self.gone_nodes) + len(self.gone_edges)


def split(base: Base | None, view: GraphView) -> tuple[Base, Change]:
    """The base to keep or to send, and the difference of `view` from it."""
    if base is not None:
        change = _difference(base, view)
        if len(change) <= max(_FEW, _MOST_CHANGED * (len(base.nodes) + len(base.edges))):
            return base, change
    fresh = _base(view)
    return fresh, _difference(fresh, view)


def _base(view: GraphView) -> Base:
    content = json.dumps([view.nodes, view.edges], ensure_ascii=True, sort_keys=True)
    return Base(
        version=hashlib.sha256(content.encode("ascii")).hexdigest()[:16],
        nodes={node["id"]: node for node in view.nodes},
        edges={edge["id"]: edge for edge in view.edges},
    )


def _difference(base: Base, view: GraphView) -> Change:
    nodes, edges = {node["id"] for node in view.nodes}, {edge["id"] for edge in view.edges}
    return Change(
        nodes=[node for node in view.nodes if base.nodes.get(node["id"]) != node],
        edges=[edge for edge in view.edges if base.edges.get(edge["id"]) != edge],
        gone_nodes=[node_id for node_id in base.nodes if node_id not in nodes],
        gone_edges=[edge_id for edge_id in base.edges if edge_id not in edges],
    )
