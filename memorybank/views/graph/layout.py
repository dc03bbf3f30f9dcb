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
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from memorybank.memory.events import Event, MemoryImported, NodeCreated, NodesMerged
from memorybank.memory.types import NodeId

Floats = npt.NDArray[np.float64]

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
        layout.place(birth)
    return dict(layout.points)


class Layout:
    """The map of a run while it grows. `place` is the only change, and it never touches an older place."""

    def __init__(self) -> None:
        self._points: dict[NodeId, Point] = {}
        self._row: dict[NodeId, int] = {}
        self._cells = np.empty((64, 2))
        """Places in cells, row by birth; grows by doubling."""
        self._vectors: npt.NDArray[np.float32] = np.empty((64, 0), dtype=np.float32)
        self._seeds = 0
        self._similarity_sum = 0.0
        self._similarity_count = 0

    @property
    def points(self) -> Mapping[NodeId, Point]:
        return self._points

    def place(self, birth: NewNode) -> Point:
        """Its place; for a node that already has one (a merge undone and done again), that one."""
        if birth.id in self._points:
            return self._points[birth.id]
        affinity = self._affinity(birth.vector)
        sources = [self._row[node_id] for node_id in birth.merged_from if node_id in self._row]
        links = [self._row[node_id] for node_id in birth.links if node_id in self._row]
        placed = self._cells[: len(self._row)]
        if sources:
            cell = _free_cell(placed, placed[sources].mean(axis=0))
        else:
            rows = np.array(links or _kin(affinity), dtype=np.intp)
            weights = np.ones(len(rows)) if links else affinity[rows]
            cell = _best_cell(placed, rows, weights) if len(rows) else _seed_cell(placed, self._seed_clearance())
        return self._keep(birth, cell)

    def _seed_clearance(self) -> float:
        """Topics that grew large so far leave room for more of the kind; a map of singles would be all sea."""
        self._seeds += 1
        if self._seeds <= _FREE_SEEDS:
            return _SEED_CLEARANCE
        nodes_a_topic = (len(self._row) + 1) / self._seeds
        return min(_MOST_SEED_CLEARANCE, max(_LEAST_SEED_CLEARANCE, _ROOM * math.sqrt(nodes_a_topic)))

    def _keep(self, birth: NewNode, cell: Floats) -> Point:
        # Whole pixels, so that the map is the same text everywhere; half a pixel is far less than the clearance.
        point = Point(float(np.rint(cell[0] * CELL_WIDTH)), float(np.rint(cell[1] * CELL_HEIGHT)))
        row = len(self._row)
        if row == len(self._cells):
            self._cells = np.concatenate([self._cells, np.empty_like(self._cells)])
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        self._cells[row] = (point.x / CELL_WIDTH, point.y / CELL_HEIGHT)
        vector = np.frombuffer(birth.vector, dtype="<f2")
        if vector.size:
            if self._vectors.shape[1] != vector.size:
                self._vectors = np.zeros((len(self._cells), vector.size), dtype=np.float32)
            self._vectors[row] = vector
        self._points[birth.id] = point
        self._row[birth.id] = row
        return point

    def _affinity(self, vector: bytes) -> Floats:
        """How much more alike each older node is than any two nodes so far, in [0, 1].

        Measured against the mean of the run, because what a cosine means differs from model to model.
        """
        own = np.frombuffer(vector, dtype="<f2").astype(np.float32)
        count = len(self._row)
        if own.size == 0 or own.size != self._vectors.shape[1] or count == 0:
            return np.zeros(count)
        cosine = np.round((self._vectors[:count] @ own).astype(np.float64), 4)
        self._similarity_sum += float(cosine.sum())
        self._similarity_count += count
        mean = self._similarity_sum / self._similarity_count
        affinity: Floats = np.clip((cosine - mean) / max(1.0 - mean, 1e-3), 0.0, 1.0)
        return affinity


def _kin(affinity: Floats) -> list[int]:
    """Rows of the most alike nodes, best first, older first among equals."""
    best = np.argsort(-affinity, kind="stable")[:_KIN]
    return [int(row) for row in best if affinity[row] >= _LEAST_AFFINITY]


@functools.cache
def _rings(first: float, last: float, step: float) -> Floats:
    """Points on rings around the origin, nearest first, about one every 0.6 cells."""
    rings = [np.zeros((1, 2))] if first == 0 else []
    for index, radius in enumerate(np.arange(first or step, last, step)):
        turns = max(8, round(2 * np.pi * radius / 0.6))
        angles = (np.arange(turns) + 0.5 * (index % 2)) * (2 * np.pi / turns)
        rings.append(radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.concatenate(rings)


_NEAR_REACH = 4.0
_NEAR = _rings(_APART, _NEAR_REACH, 0.42)
_TIGHT = _rings(0.0, _NEAR_REACH, 0.3)
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def _spiral(centre: Floats, reach: float, count: int) -> Floats:
    """`count` points spread evenly over a disc (sunflower seeds)."""
    index = np.arange(count)
    radius = reach * np.sqrt((index + 0.5) / count)
    turn = index * _GOLDEN_ANGLE
    points: Floats = centre + np.stack([radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    return points


def _around(placed: Floats, target: Floats, reach: float) -> npt.NDArray[np.intp]:
    """Rows of the nodes that a place within `reach` of `target` can feel."""
    off = np.abs(placed - target).max(axis=1)
    return np.flatnonzero(off < reach + _CLEARANCE)


def _squared_distances(candidates: Floats, placed: Floats) -> Floats:
    """(candidates, placed), in cells². By columns and without roots: this is where the time goes."""
    dx = candidates[:, 0, None] - placed[None, :, 0]
    dy = candidates[:, 1, None] - placed[None, :, 1]
    dx *= dx
    dy *= dy
    dx += dy
    return dx


def _free_cell(placed: Floats, target: Floats, beyond: float = 0.0) -> Floats:
    """The free place nearest to `target`, looked for in growing rings; none is looked for nearer than `beyond`."""
    off = placed - target
    distance = np.sqrt((off * off).sum(axis=1))
    rings, inner, outer = (
        (_rings(beyond, beyond + 2.0, 0.5), beyond, beyond + 2.0) if beyond else (_TIGHT, 0.0, _NEAR_REACH)
    )
    while True:
        candidates = target + rings
        near = placed[(distance > inner - 1.5) & (distance < outer + 1.5)]
        free = _squared_distances(candidates, near).min(axis=1, initial=np.inf) >= _APART**2
        if free.any():
            cell: Floats = candidates[int(np.argmax(free))]
            return cell
        rings, inner, outer = _rings(outer, outer + 2.0, 0.5), outer, outer + 2.0


def _best_cell(everything: Floats, rows: npt.NDArray[np.intp], weights: Floats) -> Floats:
    """The free place that suits a node drawn to the nodes at `rows`."""
    kin, centre = everything[rows], everything.mean(axis=0)
    target = (kin * weights[:, None]).sum(axis=0) / weights.sum()
    candidates = target + _NEAR
    placed = everything[_around(everything, target, _NEAR_REACH)]
    touching = placed[np.abs(placed - target).max(axis=1) < _NEAR_REACH + _APART]
    free = _squared_distances(candidates, touching).min(axis=1, initial=np.inf) >= _APART**2
    if not free.any():
        return _free_cell(everything, target, beyond=_NEAR_REACH)
    candidates = candidates[free]

    # Strangers push, within the clearance. Kin pull: to one cell when very alike, to two when less so.
    to_kin = _squared_distances(candidates, kin)
    push = _crowding(_squared_distances(candidates, placed), _CLEARANCE) - _crowding(to_kin, _CLEARANCE)
    pull = (np.abs(np.sqrt(to_kin) - (2.1 - weights)) * weights).sum(axis=1)
    cost = np.round(push + pull + _inward(candidates, centre), 6)
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
