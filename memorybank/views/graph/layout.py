"""Where a node lies: decided once, at its birth, from what was born before it (design section 10).

A node's place depends on older nodes alone, and every node ever born keeps its place, merged away or not. So the map of
a whole run holds for each of its moments: adding, removing, undoing and replaying to any step only change what is seen.

A new node takes the free place nearest to the nodes it belongs to: its sources if it is a merge, else its links,
else the nodes whose embeddings are most like its own. One that belongs to none begins a topic, apart from all others.
Nothing is random, and what is compared is rounded first, so that two machines draw the same map.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from memorybank.memory.events import Event, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.types import NodeId

Rows = npt.NDArray[np.intp]

_KIN = 3
"""The most nodes that count as kin of one, the most alike first."""
_LEAST_AFFINITY = 0.25
_SCALE = 4_000
"""Length of an embedding in whole numbers. Every sum in a product of two such vectors is a whole number below 2²⁴, so
that single precision adds it exactly, in any order: all machines, and a run read whole or as it grows, get one map."""


class Likeness:
    """The embeddings of a run's nodes, row by birth."""

    def __init__(self) -> None:
        self._vectors: npt.NDArray[np.float32] = np.empty((64, 0), dtype=np.float32)
        """The vectors in whole numbers (`_whole`); the array grows by doubling."""
        self._sum = 0.0
        self._count = 0

    def compare(self, old: int, vectors: Sequence[bytes]) -> Iterator[Floats]:
        """Of each vector its cosines with all that are older; none for an empty one, or one of another length.

        They are the rows from `old` on.
        """
        new = list(map(_whole, vectors))
        size = next((vector.size for vector in reversed(new) if vector.size), self._vectors.shape[1])
        end = old + len(new)
        if self._vectors.shape[1] != size:
            self._vectors = np.zeros((len(self._vectors), size), dtype=np.float32)
        while end > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        for row, vector in enumerate(new, start=old):
            self._vectors[row] = vector if vector.size == size else 0
        products = self._vectors[old:end] @ self._vectors[:end].T
        for number, vector in enumerate(new):
            older = old + number if vector.size == size > 0 else 0
            yield products[number, :older].astype(np.float64) / _SCALE**2

    def kin(self, cosines: Floats) -> tuple[Rows, Floats]:
        """Rows of the most alike nodes, best first, older first among equals, and how much more alike they are than
        any two nodes so far, in [0, 1].

        Measured against the mean of the run, because what a cosine means differs from model to model.
        """
        self._sum += float(cosines.sum())
        self._count += len(cosines)
        mean = self._sum / max(1, self._count)
        spread = max(1.0 - mean, 1e-3)
        alike = np.flatnonzero(cosines >= mean + _LEAST_AFFINITY * spread)
        best = alike[np.argsort(-cosines[alike], kind="stable")[:_KIN]]
        return best, np.minimum((cosines[best] - mean) / spread, 1.0)


def _whole(vector: bytes) -> npt.NDArray[np.float32]:
    """An embedding in whole numbers, `_SCALE` long; empty for none."""
    own = np.frombuffer(vector, dtype="<f2").astype(np.float64)
    length = float(np.sqrt((own * own).sum()))
    return np.rint(own * (_SCALE / length if length else 0.0)).astype(np.float32)


Floats = npt.NDArray[np.float64]

APART: Final = 1.01
"""The distance in cells: a hair over one, because places are rounded to whole pixels."""
NEAR: Final = 4.0
"""Cells in which a node looks first for a place that suits it."""
_RASTER = 0.5
"""Between two places, in cells."""
_NEAR_PLACES = round(NEAR / _RASTER)


class FreePlaces:
    """A raster of places, half a cell apart: which of them keep clear of all nodes. It grows with the map."""

    def __init__(self) -> None:
        self._reach = 32
        self._is_free = np.ones((2 * self._reach + 1,) * 2, dtype=bool)
        """Around the origin, x before y."""

    def take(self, cell: Floats) -> None:
        """A node lies here now."""
        self._grow(cell, 4)
        window, squared = self._around(cell, 4)
        self._is_free[window] &= squared >= APART**2

    def nearest(self, target: Floats) -> Floats:
        """The free place nearest to `target`."""
        reach = _NEAR_PLACES
        while True:
            self._grow(target, reach)
            if not self._is_free[self._window(target, reach)].any():
                reach *= 2
                continue
            window, squared = self._around(target, reach)
            squared[~self._is_free[window]] = np.inf
            best = np.unravel_index(int(np.argmin(squared)), squared.shape)
            if squared[best] <= ((reach - 1) * _RASTER) ** 2:  # beyond, a corner could hide a nearer one
                first = np.array([window[0].start, window[1].start]) - self._reach
                cell: Floats = np.asarray(first + best, dtype=np.float64) * _RASTER
                return cell
            reach *= 2

    def _around(self, cell: Floats, reach: int) -> tuple[tuple[slice, slice], Floats]:
        """The window so many places around, and the squared distance of each in it, in cells²."""
        steps = np.arange(-reach, reach + 1) * _RASTER
        x, y = (round(float(along) / _RASTER) * _RASTER - float(along) + steps for along in cell)
        squared: Floats = (x * x)[:, None] + (y * y)[None, :]
        return self._window(cell, reach), squared

    def _window(self, cell: Floats, reach: int) -> tuple[slice, slice]:
        left, top = (round(float(along) / _RASTER) + self._reach - reach for along in cell)
        return slice(left, left + 2 * reach + 1), slice(top, top + 2 * reach + 1)

    def _grow(self, cell: Floats, reach: int) -> None:
        while np.abs(cell).max() / _RASTER + reach + 1 > self._reach:
            self._is_free = np.pad(self._is_free, self._reach, constant_values=True)
            self._reach *= 2


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
        known = ([self._row[each] for each in ids if each in self._row] for ids in (birth.merged_from, birth.links))
        near = next(filter(None, known), [])
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
