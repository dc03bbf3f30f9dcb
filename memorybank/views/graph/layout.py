"""Where a node lies: decided once, at its birth, from what was born before it (design section 10).

A node's place depends on older nodes alone, and every node ever born keeps its place, merged away or not. So the map of
a whole run holds for each of its moments: adding, removing, undoing and replaying to any step only change what is seen.

A new node looks for the free place that is near the nodes it belongs to (its sources if it is a merge, else its links,
else the nodes whose embeddings are most like its own) and that keeps clear of the others. Nothing is random, and every
score is rounded before it is compared, so that two machines draw the same map.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memorybank.memory.events import Event, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.types import NodeId

Floats = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]

CELL_WIDTH, CELL_HEIGHT = 168.0, 100.0
"""Pixels at zoom 1: a label's width, and a node with its label. No two nodes are nearer than
this ellipse."""

_APART = 1.01
"""In cells; a hair over one, because places are rounded to whole pixels."""
_KIN = 3
"""At most so many kin (by embedding) draw a node to them."""
_LEAST_AFFINITY = 0.25
_CLEARANCE = 3.0
"""Cells that a node likes to keep from those it does not belong to."""
_SEED_CLEARANCE = 3.6
"""The first nodes of topics leave room for more of them."""
_LEAST_SEED_CLEARANCE, _MOST_SEED_CLEARANCE = 2.2, 5.0
_ROOM = 1.8
_FREE_SEEDS = 16
_SCALE = 4_000
"""Length of an embedding in whole numbers. Every sum in a product of two such vectors is a whole number below 2²⁴, so
that single precision adds it exactly, in any order: all machines, and a run read whole or as it grows, get one map."""
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
        self._vectors: npt.NDArray[np.float32] = np.empty((64, 0), dtype=np.float32)
        """Whole numbers (`_whole`), row by birth."""
        self._ids: list[NodeId] = []
        """By row."""
        self._topics: dict[NodeId, NodeId] = {}
        self._seeds = 0
        self._free = _FreePlaces()
        self._similarity_sum = 0.0
        self._similarity_count = 0

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
        while self._waiting:
            births = list(islice(self._waiting.values(), _BLOCK))
            for birth, cosines in zip(births, self._compare(births), strict=True):
                del self._waiting[birth.id]
                self._place(birth, cosines)

    def _place(self, birth: NewNode, cosines: Floats) -> None:
        sources = [node_id for node_id in birth.merged_from if node_id in self._row]
        links = [node_id for node_id in birth.links if node_id in self._row]
        rows, weights = self._kin(cosines)
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
            cell = _seed_cell(placed, self._seed_clearance())
        self._keep(birth.id, topic, cell)

    def _cell_beside(self, topic: NodeId, rows: Rows, weights: Floats) -> Floats:
        """A place that suits a node drawn to the nodes at `rows`, of this topic."""
        placed = self._cells[: len(self._row)]
        kin = placed[rows]
        target = (kin * weights[:, None]).sum(axis=0) / weights.sum()
        cell = _best_cell(placed, kin, weights, target) if self._free.is_any_near(target) else None
        return self._free.nearest(target) if cell is None else cell

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
        self._cells[len(self._row)] = place = np.array([point.x / CELL_WIDTH, point.y / CELL_HEIGHT])
        self._free.take(place)
        self._points[node_id] = point
        self._topics[node_id] = topic
        self._row[node_id] = len(self._row)
        self._ids.append(node_id)

    # -- likeness -----------------------------------------------------------------------------------------------------

    def _compare(self, births: Sequence[NewNode]) -> Iterator[Floats]:
        """Of each the cosines with all that are older; none for one without a vector, or with one of another length."""
        vectors = [_whole(birth.vector) for birth in births]
        size = next((vector.size for vector in reversed(vectors) if vector.size), self._vectors.shape[1])
        old, end = len(self._row), len(self._row) + len(births)
        if self._vectors.shape[1] != size:
            self._vectors = np.zeros((len(self._cells), size), dtype=np.float32)
        while end > len(self._cells):
            self._cells = np.concatenate([self._cells, np.empty_like(self._cells)])
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        for row, vector in enumerate(vectors, start=old):
            self._vectors[row] = vector if vector.size == size else 0
        products = self._vectors[old:end] @ self._vectors[:end].T
        for number, vector in enumerate(vectors):
            older = old + number if vector.size == size else 0
            yield products[number, :older].astype(np.float64) / _SCALE**2

    def _kin(self, cosines: Floats) -> tuple[Rows, Floats]:
        """Rows of the most alike nodes, best first, older first among equals, and how much more alike they are than
        any two nodes so far, in [0, 1].

        Measured against the mean of the run, because what a cosine means differs from model to model.
        """
        self._similarity_sum += float(cosines.sum())
        self._similarity_count += len(cosines)
        mean = self._similarity_sum / max(1, self._similarity_count)
        spread = max(1.0 - mean, 1e-3)
        alike = np.flatnonzero(cosines >= mean + _LEAST_AFFINITY * spread)
        best = alike[np.argsort(-cosines[alike], kind="stable")[:_KIN]]
        return best, np.minimum((cosines[best] - mean) / spread, 1.0)


def _whole(vector: bytes) -> npt.NDArray[np.float32]:
    """An embedding in whole numbers, `_SCALE` long; empty for none."""
    own = np.frombuffer(vector, dtype="<f2").astype(np.float64)
    length = float(np.sqrt((own * own).sum()))
    return np.rint(own * (_SCALE / length if length else 0.0)).astype(np.float32)


@functools.cache
def _ring(radius: float, turned: int) -> Floats:
    """Points on a ring around the origin, about one every 0.6 cells; every second ring is turned by half of that."""
    count = max(8, round(2 * np.pi * radius / 0.6)) if radius else 1
    angles = (np.arange(count) + 0.5 * turned) * (2 * np.pi / count)
    points: Floats = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return points


_NEAR_REACH = 4.0
_NEAR = np.concatenate([_ring(_APART + 0.42 * step, step % 2) for step in range(8)])
_RASTER = 0.5
"""Between two places of the raster on which a free one is sought, in cells."""
_NEAR_PLACES = round(_NEAR_REACH / _RASTER)
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def _spiral(centre: Floats, reach: float, count: int) -> Floats:
    """`count` points spread evenly over a disc (sunflower seeds)."""
    index = np.arange(count)
    radius = reach * np.sqrt((index + 0.5) / count)
    turn = index * _GOLDEN_ANGLE
    points: Floats = centre + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return points


def _within(placed: Floats, target: Floats, reach: float) -> Floats:
    """The nodes at most so far to the left or right of `target`, above or below it."""
    near = placed[np.abs(placed[:, 0] - target[0]) < reach]
    within: Floats = near[np.abs(near[:, 1] - target[1]) < reach]
    return within


def _squared_distances(candidates: Floats, placed: Floats) -> Floats:
    """(candidates, placed), in cells². By columns and without roots: this is where the time goes."""
    dx = candidates[:, 0, None] - placed[None, :, 0]
    dy = candidates[:, 1, None] - placed[None, :, 1]
    dx *= dx
    dy *= dy
    dx += dy
    return dx


class _FreePlaces:
    """A raster of places, half a cell apart: which of them keep clear of all nodes. It grows with the map."""

    def __init__(self) -> None:
        self._reach = 32
        self._is_free = np.ones((2 * self._reach + 1,) * 2, dtype=bool)
        """Around the origin, x before y."""

    def take(self, cell: Floats) -> None:
        """A node lies here now."""
        self._grow(cell, 4)
        window, squared = self._around(cell, 4)
        self._is_free[window] &= squared >= _APART**2

    def is_any_near(self, target: Floats) -> bool:
        """Whether any place is free where a node looks first for one that suits it."""
        self._grow(target, _NEAR_PLACES)
        return bool(self._is_free[self._window(target, _NEAR_PLACES)].any())

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


def _best_cell(everything: Floats, kin: Floats, weights: Floats, target: Floats) -> Floats | None:
    """The free place near `target` that suits a node drawn to `kin`; None when none is free there."""
    candidates = target + _NEAR
    placed = _within(everything, target, _NEAR_REACH + _CLEARANCE)
    touching = _within(placed, target, _NEAR_REACH + _APART)
    free = _squared_distances(candidates, touching).min(axis=1, initial=np.inf) >= _APART**2
    if not free.any():
        return None
    candidates = candidates[free]

    # Strangers push, within the clearance. Kin pull: to one cell when very alike, to two when less so.
    to_kin = _squared_distances(candidates, kin)
    push = _crowding(_squared_distances(candidates, placed), _CLEARANCE) - _crowding(to_kin, _CLEARANCE)
    pull = (np.abs(np.sqrt(to_kin) - (2.1 - weights)) * weights).sum(axis=1)
    cost = np.round(push + pull + _inward(candidates, everything.mean(axis=0)), 6)
    shortlist = np.argsort(cost, kind="stable")[:12]
    cost = cost[shortlist] + 0.8 * _runs_over(candidates[shortlist], placed, kin)
    best: Floats = candidates[shortlist[int(np.argmin(cost))]]
    return best


def _seed_cell(placed: Floats, clearance: float) -> Floats:
    """A place apart from all, and no further out than that takes."""
    if len(placed) == 0:
        return np.zeros(2)
    centre = placed.mean(axis=0)
    reach = float(np.sqrt(((placed - centre) ** 2).sum(axis=1)).max()) + _SEED_CLEARANCE
    candidates = _spiral(centre, reach, 200)
    squared = _squared_distances(candidates, placed)
    cost = np.round(_crowding(squared, clearance) + _inward(candidates, centre), 6)
    cost[squared.min(axis=1) < _APART**2] = np.inf
    best: Floats = candidates[int(np.argmin(cost))]  # the rim of the disc is always free
    return best


def _inward(candidates: Floats, centre: Floats) -> Floats:
    """(candidates,): a slight preference for the middle, so that the map stays round (in cells: wide on the screen)."""
    off = candidates - centre
    cost: Floats = 0.03 * np.sqrt((off * off).sum(axis=1))
    return cost


def _crowding(squared: Floats, clearance: float) -> Floats:
    """(candidates,): 0 when every node keeps the clearance, up to 3 for each that does not."""
    felt = np.maximum(1.0 - squared / clearance**2, 0.0)
    felt *= felt
    crowding: Floats = 3.0 * felt.sum(axis=1)
    return crowding


def _runs_over(candidates: Floats, placed: Floats, kin: Floats) -> Floats:
    """How many nodes lie under the edges that each candidate would draw to its kin."""
    total = np.zeros(len(candidates))
    offset = placed[None, :, :] - candidates[:, None, :]
    for end in kin:
        edge = end - candidates
        length = np.maximum((edge * edge).sum(axis=1), 1e-9)[:, None]
        along = (offset[:, :, 0] * edge[:, None, 0] + offset[:, :, 1] * edge[:, None, 1]) / length
        across = np.abs(offset[:, :, 0] * edge[:, None, 1] - offset[:, :, 1] * edge[:, None, 0])
        total += ((along > 0.05) & (along < 0.95) & (across < 0.3 * np.sqrt(length))).sum(axis=1)
    return total
