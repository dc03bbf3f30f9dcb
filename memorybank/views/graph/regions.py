"""Names on the map: of a large graph the topics are named where they lie, as a map names its countries.

A name and its place follow from a topic's oldest nodes, as many as the largest power of two that it has: so they stay
while a run grows, and the browser is seldom told of another.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from memorybank.memory.types import Lang, Node, NodeId
from memorybank.views.graph.items import node_label
from memorybank.views.graph.layout import Layout

LEAST_NODES = 300
"""Of a picture whose topics are named: in a smaller one the nodes' own names have room."""
MOST_REGIONS = 16
_LEAST_OF_TOPIC = 8
_SECOND = 0.6
"""A topic is named by two keywords when the second stands on so many as a share of the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    name: str
    x: int
    """Pixels at zoom 1, as a node's."""
    y: int


def regions_of(nodes: Sequence[Node], layout: Layout, lang: Lang) -> tuple[Region, ...]:
    """The largest topics of a picture, the largest first. `nodes`: what it shows, oldest first."""
    if len(nodes) < LEAST_NODES:
        return ()
    topics: dict[NodeId, list[Node]] = {}
    for node in nodes:
        topics.setdefault(layout.topics[node.id], []).append(node)
    large = sorted((members for members in topics.values() if len(members) >= _LEAST_OF_TOPIC), key=len, reverse=True)
    return tuple(_region(members, layout, lang) for members in large[:MOST_REGIONS])


def _region(members: Sequence[Node], layout: Layout, lang: Lang) -> Region:
    oldest = members[: 1 << (len(members).bit_length() - 1)]
    places = [layout[node.id] for node in oldest]
    return Region(
        name=_name(oldest) or node_label(oldest[0], lang),
        x=round(sum(place.x for place in places) / len(places)),
        y=round(sum(place.y for place in places) / len(places)),
    )


def _name(members: Iterable[Node]) -> str:
    """The commonest keywords."""
    best = Counter(word for node in members for word in dict.fromkeys(node.keywords)).most_common(2)
    words = [word for word, number in best if number >= _SECOND * best[0][1]]
    return " · ".join(words)
