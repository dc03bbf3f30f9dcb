"""Which place suits a node: beside those it belongs to, clear of the others, and not far from the middle.

Nothing is random, and every score is rounded before it is compared, so that two machines choose the same one.
"""

from __future__ import annotations

import numpy as np

from memorybank.views.graph.free_places import APART, NEAR, Floats

SEED_CLEARANCE = 3.6
"""Cells that the first nodes of topics keep from all others: room for more of them."""
_CLEARANCE = 3.0
"""Cells that a node likes to keep from those it does not belong to."""
_GOLDEN_ANGLE = np.pi * (3 - np.sqrt(5))


def best_cell(everything: Floats, kin: Floats, weights: Floats, target: Floats) -> Floats | None:
    """The free place near `target` that suits a node drawn to `kin`; None when none is free there."""
    candidates = target + _NEARBY
    placed = _within(everything, target, NEAR + _CLEARANCE)
    touching = _within(placed, target, NEAR + APART)
    free = _squared_distances(candidates, touching).min(axis=1, initial=np.inf) >= APART**2
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


def seed_cell(placed: Floats, clearance: float) -> Floats:
    """A place apart from all, and no further out than that takes."""
    if len(placed) == 0:
        return np.zeros(2)
    centre = placed.mean(axis=0)
    reach = float(np.sqrt(((placed - centre) ** 2).sum(axis=1)).max()) + SEED_CLEARANCE
    candidates = _spiral(centre, reach, 200)
    squared = _squared_distances(candidates, placed)
    cost = np.round(_crowding(squared, clearance) + _inward(candidates, centre), 6)
    cost[squared.min(axis=1) < APART**2] = np.inf
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


# -- candidates and distances ------------------------------------------------------------------------------------------


def _ring(radius: float, turned: int) -> Floats:
    """Points on a ring around the origin, about one every 0.6 cells; every second ring is turned by half of that."""
    count = max(8, round(2 * np.pi * radius / 0.6)) if radius else 1
    angles = (np.arange(count) + 0.5 * turned) * (2 * np.pi / count)
    points: Floats = radius * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return points


_NEARBY = np.concatenate([_ring(APART + 0.42 * step, step % 2) for step in range(8)])


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
