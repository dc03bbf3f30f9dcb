"""A node's place is decided once, at its birth, from what was born before it.

A node's place depends on older nodes alone, and every node ever born keeps its place, merged away or not. So the map of
a whole run holds for each of its moments: adding, removing, undoing and replaying to any step only change what is seen.

A new node takes the free place nearest to the nodes it belongs to: its sources if it is a merge, else its links,
else the nodes whose embeddings are most like its own. One that belongs to none begins a topic, apart from all others.
Nothing is random, and what is compared is rounded first, so that two machines draw the same map.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from memorybank.memory.events import Event, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.types import NodeId

Products = npt.NDArray[np.float32]
"""The products of a vector with others, all in whole numbers."""

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

    def kin(self, old: int, vectors: Sequence[bytes], asks: Sequence[bool]) -> Iterator[list[tuple[int, float]]]:
        """Take the embeddings of the rows from `old` on, and yield for each the rows of its kin.

        They are the most alike of all older nodes, best first, older first among equals, with how much more alike they
        are than any two nodes so far, in [0, 1]: measured against the mean of the run, because what a cosine means
        differs from model to model. Who does not ask, has an empty vector or one of another length has none.
        """
        new = list(map(_whole, vectors))
        size = next((vector.size for vector in reversed(new) if vector.size), self._vectors.shape[1])
        self._store(old, new, size)
        compared = [ask and vector.size == size > 0 for ask, vector in zip(asks, new, strict=True)]
        products = self._vectors[old : old + len(new)] @ self._vectors[: old + len(new)].T
        counts = np.where(compared, np.arange(old, old + len(new)), 0)
        products[np.arange(old + len(new)) >= counts[:, None]] = 0
        sums = np.cumsum([self._sum, *(products.sum(axis=1, dtype=np.float64) / _SCALE**2)])[1:].tolist()
        totals = (self._count + np.cumsum(counts)).tolist()
        products[np.arange(old + len(new)) >= counts[:, None]] = -np.inf
        self._sum, self._count = sums[-1], totals[-1]
        best = list(_best(products, min(_KIN, old + len(new))))
        for number, (total, count) in enumerate(zip(sums, totals, strict=True)):
            mean = total / max(1, count)
            spread = max(1.0 - mean, 1e-3)
            least = np.float32((mean + _LEAST_AFFINITY * spread) * _SCALE**2)
            near = [(int(rows[number]), float(values[number])) for rows, values in best if values[number] >= least]
            yield [(row, min((value / _SCALE**2 - mean) / spread, 1.0)) for row, value in near]

    def _store(self, old: int, new: Sequence[npt.NDArray[np.float32]], size: int) -> None:
        if self._vectors.shape[1] != size:
            self._vectors = np.zeros((len(self._vectors), size), dtype=np.float32)
        while old + len(new) > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        for row, vector in enumerate(new, start=old):
            self._vectors[row] = vector if vector.size == size else 0


def _best(products: Products, count: int) -> Iterator[tuple[npt.NDArray[np.intp], Products]]:
    """Yield the place of the largest product of each row, the first among equals, with it; then of the next largest."""
    rows = np.arange(len(products))
    for _ in range(count):
        places = products.argmax(axis=1)
        yield places, products[rows, places]
        products[rows, places] = -np.inf


def _whole(vector: bytes) -> npt.NDArray[np.float32]:
    """Return an embedding in whole numbers, `_SCALE` long; empty for none."""
    own = np.frombuffer(vector, dtype="<f2").astype(np.float64)
    length = float(np.sqrt((own * own).sum()))
    return np.rint(own * (_SCALE / length if length else 0.0)).astype(np.float32)


_RASTER: Final = 0.5
"""The distance between two places, in cells; whole pixels."""
Cell = tuple[float, float]


class FreePlaces:
    """A raster of places, half a cell apart: which of them keep clear of all nodes. It grows with the map."""

    def __init__(self) -> None:
        self._reach = 32
        self._is_free = np.ones((2 * self._reach + 1,) * 2, dtype=bool)
        """The places around the origin, x before y."""

    def nearest(self, target: Cell) -> Cell:
        """Return the free place nearest to `target`, as far as the raster tells, which is taken now."""
        x, y, reach = round(target[0] / _RASTER), round(target[1] / _RASTER), 32
        while True:
            order, side = _from_the_middle(reach), 2 * reach + 1
            free = self._around(x, y, reach).ravel()[order]
            nearest = int(free.argmax())
            if free[nearest]:
                right, down = divmod(int(order[nearest]), side)
                return self._take(x + right - reach, y + down - reach)
            reach *= 2

    def _take(self, x: int, y: int) -> Cell:
        around = self._around(x, y, 2)
        around &= _CLEAR
        return x * _RASTER, y * _RASTER

    def _around(self, x: int, y: int, reach: int) -> npt.NDArray[np.bool_]:
        while max(abs(x), abs(y)) + reach > self._reach:
            self._is_free = np.pad(self._is_free, self._reach, constant_values=True)
            self._reach *= 2
        left, top = x + self._reach - reach, y + self._reach - reach
        return self._is_free[left : left + 2 * reach + 1, top : top + 2 * reach + 1]


@functools.cache
def _squared(reach: int) -> npt.NDArray[np.intp]:
    """Return the squared distance of each place of a window from its middle, in places²."""
    steps = np.arange(-reach, reach + 1)
    return np.asarray((steps * steps)[:, None] + (steps * steps)[None, :], dtype=np.intp)


@functools.cache
def _from_the_middle(reach: int) -> npt.NDArray[np.intp]:
    """Return the places of a window that are within its reach in every direction, the nearest to its middle first."""
    squared = _squared(reach).ravel()
    order = np.argsort(squared, kind="stable")
    return np.asarray(order[squared[order] <= reach**2], dtype=np.intp)


_CLEAR: Final = _squared(2) * _RASTER**2 > 1
"""The places around a node that are more than a cell from it."""

CELL_WIDTH, CELL_HEIGHT = 168.0, 100.0
"""The pixels at zoom 1 of a label's width, and of a node with its label. No two nodes are nearer than this ellipse."""

_SEED_CLEARANCE, _LEAST_SEED_CLEARANCE, _MOST_SEED_CLEARANCE = 4.2, 2.2, 8.0
"""Cells that the first node of a topic keeps from all others: of the first `_FREE_SEEDS`, and of later ones."""
_FREE_SEEDS = 16
_ROOM = 2.1
_CANDIDATES = 200
_GOLDEN_ANGLE = math.pi * (3 - math.sqrt(5))
_BLOCK = 128
"""The number of births compared with the older ones at once."""


class Point(NamedTuple):
    """A place in pixels at zoom 1; x to the right, y down."""

    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNode:
    """The facts about a node when it comes into being."""

    id: NodeId
    links: tuple[NodeId, ...] = ()
    """The neighbours, if they are known so early (an imported memory). Nodes born later are not looked at."""
    merged_from: tuple[NodeId, ...] = ()
    vector: bytes = field(repr=False, default=b"")
    """The embedding at birth (float16, normalised), or empty."""


def births(event: Event) -> Iterator[NewNode]:
    """Yield the nodes that come into being with an event."""
    match event:
        case NodeCreated():
            yield NewNode(id=event.node_id, vector=event.vector)
        case NodesMerged():
            yield NewNode(id=event.new_node_id, merged_from=event.merged_node_ids, vector=event.vector)
        case MemoryImported():
            for node in event.nodes:
                yield NewNode(id=node.node_id, links=node.links, vector=node.vector)


class Layout(Mapping[NodeId, Point]):
    """The map of a run while it grows: a place for every node ever born. `add` never touches an older place.

    What is added gets its place when places are asked for: many at once are compared with the older ones in one product
    of matrices, in a fraction of the time that as many products with a vector take. Tabs share it and ask at once.
    """

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self.merged_from: dict[NodeId, tuple[NodeId, ...]] = {}
        self._waiting: dict[NodeId, NewNode] = {}
        self._points: dict[NodeId, Point] = {}
        self._row: dict[NodeId, int] = {}
        self._cells: list[Cell] = []
        """The places in cells, row by birth."""
        self._ids: list[NodeId] = []
        """The ids of the nodes by row."""
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
        """Map each node to the one with which its topic began. Nodes of a topic lie together."""
        self._settle()
        return self._topics

    def take(self, event: Event) -> tuple[NodeId, ...]:
        """Add the nodes that an event of the run brings, and return their ids."""
        born = tuple(births(event))
        for birth in born:
            self.add(birth)
        return tuple(birth.id for birth in born)

    def add(self, birth: NewNode) -> None:
        """Let a node come into being; one that already has a place (a merge undone and done again) keeps it."""
        with self._turn:
            if birth.merged_from:
                self.merged_from[birth.id] = birth.merged_from
            if birth.id not in self._points:
                self._waiting.setdefault(birth.id, birth)

    def _settle(self) -> None:
        with self._turn:
            while self._waiting:
                births = list(islice(self._waiting.values(), _BLOCK))
                old = len(self._row)
                self._row |= {birth.id: row for row, birth in enumerate(births, start=old)}
                known = [self._known(birth) for birth in births]
                kin = self._likeness.kin(old, [birth.vector for birth in births], [not near for near in known])
                for birth, near, alike in zip(births, known, kin, strict=True):
                    del self._waiting[birth.id]
                    self._place(birth, near or alike)

    def _known(self, birth: NewNode) -> list[tuple[int, float]]:
        """Return the older nodes that a node is said to belong to: those it was merged from, else its links."""
        row = self._row[birth.id]
        said = ([(self._row.get(each, row), 1.0) for each in ids] for ids in (birth.merged_from, birth.links))
        return next(filter(None, ([near for near in known if near[0] < row] for known in said)), [])

    def _place(self, birth: NewNode, near: Sequence[tuple[int, float]]) -> None:
        total = sum(weight for _, weight in near)
        if near:
            topic = self._topics[self._ids[near[0][0]]]
            x, y = (sum(self._cells[row][axis] * weight for row, weight in near) / total for axis in (0, 1))
        else:
            topic, (x, y) = birth.id, self._seed_cell()
        x, y = self._free.nearest((x, y))
        self._points[birth.id] = Point(x * CELL_WIDTH, y * CELL_HEIGHT)
        self._topics[birth.id] = topic
        self._ids.append(birth.id)
        self._cells.append((x, y))

    def _seed_cell(self) -> Cell:
        """Return the place nearest to the middle that is apart from all: the seeds of a sunflower are tried in turn."""
        placed, clearance = np.array(self._cells), self._seed_clearance()
        if not len(placed):
            return 0.0, 0.0
        centre = placed.mean(axis=0)
        reach = float(np.sqrt(((placed - centre) ** 2).sum(axis=1)).max()) + clearance
        index = np.arange(_CANDIDATES)
        radius, turn = reach * np.sqrt((index + 0.5) / _CANDIDATES), index * _GOLDEN_ANGLE
        candidates = centre + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
        # By columns and without roots: this is where the time goes.
        across, along = (np.square(candidates[:, axis, None] - placed[None, :, axis]) for axis in (0, 1))
        nearest = (across + along).min(axis=1).round(6)
        is_apart = nearest >= clearance**2
        x, y = candidates[int(np.argmax(is_apart if is_apart.any() else nearest))]
        return float(x), float(y)

    def _seed_clearance(self) -> float:
        """Return the cells kept around a new topic: more where topics grew large; a map of singles is all sea."""
        self._seeds += 1
        if self._seeds <= _FREE_SEEDS:
            return _SEED_CLEARANCE
        nodes_a_topic = (len(self._ids) + 1) / self._seeds
        return min(_MOST_SEED_CLEARANCE, max(_LEAST_SEED_CLEARANCE, _ROOM * math.sqrt(nodes_a_topic)))
