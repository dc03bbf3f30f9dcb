"""What may be laid over the graph: the trail of a query, or the difference between two moments. Pure values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memorybank.types import Hit, Node, NodeId

Pair = tuple[NodeId, NodeId]
"""(older, newer) ends of an edge."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trail:
    """What a query brought: its hits in order of rank, and the best that did not make it. All else is dimmed."""

    hits: tuple[Hit, ...]
    below: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDiff:
    """From moment A to moment B. Removed nodes are given, for the graph at B has them no more."""

    added: frozenset[NodeId] = frozenset()
    removed: Mapping[NodeId, Node] = field(default_factory=dict)
    changed: frozenset[NodeId] = frozenset()
    """Rewritten: topic, keywords, summary."""
    edges_added: frozenset[Pair] = frozenset()
    edges_removed: frozenset[Pair] = frozenset()
