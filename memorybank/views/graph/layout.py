"""Where a node lies: decided once, at its birth, from what was born before it (design section 10).

A node's place depends on older nodes alone, and every node ever born keeps its place, merged away or not. So the map of
a whole run holds for each of its moments: adding, removing, undoing and replaying to any step only change what is seen.

A new node takes the free place nearest to the nodes it belongs to: its sources if it is a merge, else its links,
else the nodes whose embeddings are most like its own. One that belongs to none begins a topic, apart from all others.
Nothing is random, and what is compared is rounded first, so that two machines draw the same map.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from memorybank.memory.events import Event, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.types import NodeId
from memorybank.views.graph.free_places import Floats, FreePlaces
from memorybank.views.graph.likeness import Likeness

CELL_WIDTH, CELL_HEIGHT = 168.0, 100.0
"""Pixels at zoom 1: a label's width, and a node with its label. No two nodes are nearer than
this ellipse."""

_SEED_CLEARANCE, _LEAST_SEED_CLEARANCE, _MOST_SEED_CLEARANCE = 4.2, 2.2, 8.0
"""Cells that the first node of a topic keeps from all others: of the first `_FREE_SEEDS`, and of later ones."""
_FREE_SEEDS = 16
_ROOM = 2.1
_CANDIDATES = 200
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_BLOCK = 128
"""Births compared with the older ones at once."""


class Point(NamedTuple):
    """Pixels at zoom 1; x to the right, y down."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNode:
    """What is known of a node when it comes into being."""

    id: NodeId
    links: tuple[NodeId, ...] = ()
    """Neighbours, if they are known so early (an imported memory). Nodes born later are not looked at."""
    merged_from: tuple[NodeId, ...] = ()
    vector: bytes = field(repr=False, default=b"")
    """Its embedding at birth (float16, normalised), or empty."""


def births(events: Iterable[Event]) -> Iterator[NewNode]:
    """The nodes that came into being, in that order."""
    for event in events:
        match event:
            case NodeCreated():
                yield NewNode(id=event.node_id, vector=event.vector)
            case NodesMerged():
                yield NewNode(id=event.new_node_id, merged_from=event.merged_node_ids, vector=event.vector)
            case MemoryImported():
                for node in event.nodes:
                    yield NewNode(id=node.node_id, links=node.links, vector=node.vector)
            case _:
                pass


class Layout(Mapping[NodeId, Point]):
    """The map of a run while it grows: a place for every node ever born. `add` never touches an older place.

    What is added gets its place when places are asked for: many at once are compared with the older ones in one product
    of matrices, in a fraction of the time that as many products with a vector take.
    """

    def __init__(self) -> None:
        self.merged_from: dict[NodeId, tuple[NodeId, ...]] = {}
        self._waiting: dict[NodeId, NewNode] = {}
        self._points: dict[NodeId, Point] = {}
        self._row: dict[NodeId, int] = {}
        self._cells = np.empty((64, 2))
        """Places in cells, row by birth; grows by doubling."""
        self._ids: list[NodeId] = []
        """By row."""
        self._topics: dict[NodeId, NodeId] = {}
        self._seeds = 0
        self._free = FreePlaces()
        self._likeness = Likeness()

    def __getitem__(self, node_id: NodeId) -> Point:
        self._settle()
        return self._points[node_id]

    def __iter__(self) -> Iterator[NodeId]:
        self._settle()
        return iter(self._points)

    def __len__(self) -> int:
        return len(self._points) + len(self._waiting)

    @property
    def topics(self) -> Mapping[NodeId, NodeId]:
        """Of each node the one with which its topic began. Nodes of a topic lie together."""
        self._settle()
        return self._topics

    def take(self, event: Event) -> tuple[NodeId, ...]:
        """Add the nodes that an event of the run brings, and return their ids."""
        born = tuple(births([event]))
        for birth in born:
            self.add(birth)
        return tuple(birth.id for birth in born)

    def add(self, birth: NewNode) -> None:
        """Let a node come into being; one that already has a place (a merge undone and done again) keeps it."""
        if birth.merged_from:
            self.merged_from[birth.id] = birth.merged_from
        if birth.id not in self._points:
            self._waiting.setdefault(birth.id, birth)

    def _settle(self) -> None:
        while self._waiting:
            births = list(islice(self._waiting.values(), _BLOCK))
            compared = self._likeness.compare(len(self._row), [birth.vector for birth in births])
            for birth, cosines in zip(births, compared, strict=True):
                del self._waiting[birth.id]
                self._place(birth, cosines)

    def _place(self, birth: NewNode, cosines: Floats) -> None:
        known = birth.merged_from, birth.links
        near = next((rows for ids in known if (rows := [self._row[each] for each in ids if each in self._row])), [])
        rows, weights = (np.array(near), np.ones(len(near))) if near else self._likeness.kin(cosines)
        if len(rows):
            topic = self._topics[self._ids[rows[0]]]
            cell = self._free.nearest((self._cells[rows] * weights[:, None]).sum(axis=0) / weights.sum())
        else:
            topic, cell = birth.id, self._seed_cell()
        self._keep(birth.id, topic, cell)

    def _seed_cell(self) -> Floats:
        """Return the place nearest to the middle that is apart from all: the seeds of a sunflower are tried in turn."""
        placed, clearance = self._cells[: len(self._row)], self._seed_clearance()
        if not len(placed):
            return np.zeros(2)
        centre = placed.mean(axis=0)
        reach = float(np.sqrt(((placed - centre) ** 2).sum(axis=1)).max()) + clearance
        index = np.arange(_CANDIDATES)
        radius, turn = reach * np.sqrt((index + 0.5) / _CANDIDATES), index * _GOLDEN_ANGLE
        candidates: Floats = centre + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
        # By columns and without roots: this is where the time goes.
        across, along = (np.square(candidates[:, axis, None] - placed[None, :, axis]) for axis in (0, 1))
        nearest = (across + along).min(axis=1).round(6)
        is_apart = nearest >= clearance**2
        best: Floats = candidates[int(np.argmax(is_apart if is_apart.any() else nearest))]
        return best

    def _seed_clearance(self) -> float:
        """Topics that grew large so far leave room for more of the kind; a map of singles would be all sea."""
        self._seeds += 1
        if self._seeds <= _FREE_SEEDS:
            return _SEED_CLEARANCE
        nodes_a_topic = (len(self._row) + 1) / self._seeds
        return min(_MOST_SEED_CLEARANCE, max(_LEAST_SEED_CLEARANCE, _ROOM * math.sqrt(nodes_a_topic)))

    def _keep(self, node_id: NodeId, topic: NodeId, cell: Floats) -> None:
        # Whole pixels, so that the map is the same text everywhere; half a pixel is far less than the clearance.
        point = Point(float(np.rint(cell[0] * CELL_WIDTH)), float(np.rint(cell[1] * CELL_HEIGHT)))
        if len(self._row) == len(self._cells):
            self._cells = np.concatenate([self._cells, np.empty_like(self._cells)])
        self._cells[len(self._row)] = place = np.array([point.x / CELL_WIDTH, point.y / CELL_HEIGHT])
        self._free.take(place)
        self._points[node_id] = point
        self._topics[node_id] = topic
        self._row[node_id] = len(self._row)
        self._ids.append(node_id)
