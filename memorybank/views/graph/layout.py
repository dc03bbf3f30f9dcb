"""Where a node lies: decided once, at its birth, from what was born before it (design section 10).

A node's place depends on older nodes alone, and every node ever born keeps its place, merged away or not. So the map of
a whole run holds for each of its moments: adding, removing, undoing and replaying to any step only change what is seen.

A new node looks for the free place that is near the nodes it belongs to (its sources if it is a merge, else its links,
else the nodes whose embeddings are most like its own) and that keeps clear of the others. Nothing is random, and every
score is rounded before it is compared, so that two machines draw the same map.
"""

from __future__ import annotations

import math
import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np

from memorybank.memory.events import Event, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.types import NodeId
from memorybank.views.graph.cell_choice import SEED_CLEARANCE, best_cell, seed_cell
from memorybank.views.graph.free_places import Floats, FreePlaces
from memorybank.views.graph.likeness import Likeness, Rows

CELL_WIDTH, CELL_HEIGHT = 168.0, 100.0
"""Pixels at zoom 1: a label's width, and a node with its label. No two nodes are nearer than
this ellipse."""

_LEAST_SEED_CLEARANCE, _MOST_SEED_CLEARANCE = 2.2, 5.0
_ROOM = 1.8
_FREE_SEEDS = 16
_BLOCK = 128
"""Births compared with the older ones at once."""
_LEAST_KEPT, _MAPS_KEPT = 200, 4
"""A map of so many nodes is kept for the next tab that opens the same run; at most so many maps are."""


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


def positions(born: Iterable[NewNode]) -> dict[NodeId, Point]:
    """A place for every node. Those of the first k births are those of `positions` of the first k alone."""
    layout = Layout()
    for birth in born:
        layout.add(birth)
    return dict(layout.points)


class Layout:
    """The map of a run while it grows. `add` is the only change, and it never touches an older place.

    What is added gets its place when places are asked for: many at once are compared with the older ones in one product
    of matrices, in a fraction of the time that as many products with a vector take.
    """

    def __init__(self) -> None:
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

    @property
    def points(self) -> Mapping[NodeId, Point]:
        self._settle()
        return self._points

    @property
    def topics(self) -> Mapping[NodeId, NodeId]:
        """Of each node the one with which its topic began. Nodes of a topic lie together."""
        self._settle()
        return self._topics

    def add(self, birth: NewNode) -> None:
        """Let a node come into being; one that already has a place (a merge undone and done again) keeps it."""
        if birth.id not in self._points:
            self._waiting.setdefault(birth.id, birth)

    def _settle(self) -> None:
        if self._row or len(self._waiting) < _LEAST_KEPT:
            self._place_all()
            return
        births = list(self._waiting.values())
        known = _maps.of(births)
        if known is not None:
            self.__dict__.update(known._copied().__dict__)
            return
        self._place_all()
        _maps.keep(births, self._copied())

    def _copied(self) -> Layout:
        """The same map, which may grow in another way."""
        layout = copy(self)
        layout._waiting, layout._ids = self._waiting.copy(), self._ids.copy()
        layout._points, layout._row, layout._topics = self._points.copy(), self._row.copy(), self._topics.copy()
        layout._cells = self._cells.copy()
        layout._free, layout._likeness = self._free.copied(), self._likeness.copied()
        return layout

    def _place_all(self) -> None:
        while self._waiting:
            births = list(islice(self._waiting.values(), _BLOCK))
            compared = self._likeness.compare(len(self._row), [birth.vector for birth in births])
            for birth, cosines in zip(births, compared, strict=True):
                del self._waiting[birth.id]
                self._place(birth, cosines)

    def _place(self, birth: NewNode, cosines: Floats) -> None:
        sources = [node_id for node_id in birth.merged_from if node_id in self._row]
        links = [node_id for node_id in birth.links if node_id in self._row]
        rows, weights = self._likeness.kin(cosines)
        placed = self._cells[: len(self._row)]
        if sources:
            topic = self._topics[sources[0]]
            cell = self._free.nearest(placed[[self._row[node_id] for node_id in sources]].mean(axis=0))
        elif links:
            topic = self._topics[links[0]]
            cell = self._cell_beside(topic, np.array([self._row[node_id] for node_id in links]), np.ones(len(links)))
        elif len(rows):
            topic = self._topics[self._ids[rows[0]]]
            cell = self._cell_beside(topic, rows, weights)
        else:
            topic = birth.id
            cell = seed_cell(placed, self._seed_clearance())
        self._keep(birth.id, topic, cell)

    def _cell_beside(self, topic: NodeId, rows: Rows, weights: Floats) -> Floats:
        """A place that suits a node drawn to the nodes at `rows`, of this topic."""
        placed = self._cells[: len(self._row)]
        kin = placed[rows]
        target = (kin * weights[:, None]).sum(axis=0) / weights.sum()
        cell = best_cell(placed, kin, weights, target) if self._free.is_any_near(target) else None
        return self._free.nearest(target) if cell is None else cell

    def _seed_clearance(self) -> float:
        """Topics that grew large so far leave room for more of the kind; a map of singles would be all sea."""
        self._seeds += 1
        if self._seeds <= _FREE_SEEDS:
            return SEED_CLEARANCE
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


class _Maps:
    """What this process has laid out last. A place follows from the births alone, so a run that another tab has opened,
    or that is loaded again, has its map at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: deque[tuple[list[NewNode], Layout]] = deque(maxlen=_MAPS_KEPT)

    def of(self, births: list[NewNode]) -> Layout | None:
        """The map of exactly these births: to be copied, not to be changed."""
        with self._lock:
            kept = list(self._kept)
        return next((layout for known, layout in kept if known == births), None)

    def keep(self, births: list[NewNode], layout: Layout) -> None:
        with self._lock:
            self._kept.append((births, layout))


_maps = _Maps()
