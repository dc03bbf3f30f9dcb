"""Topic segmentation and clustering of a text's units.

A segment of n unit vectors is worth the length of their sum, sqrt(sum of all their cosines): n for n equal vectors,
sqrt(n) for n unrelated ones (the content vector objective of Alemi and Ginsparg 2015, "Text Segmentation based on
Semantic Word Embeddings"). The borders that are worth most together, each for a price, are found by dynamic
programming. Cosines count from the text's own level, so that a model whose cosines are all high works the same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np
from numpy.typing import NDArray

from memorybank.engines.offline.cohesion import Cohesion
from memorybank.engines.offline.units import Before, Unit

MOST_UNITS = 32
"""Units a segment may have."""
FULL_SIZE = 2_000
"""Size (`Unit.size`) beyond which a segment pays for every further part of it as for a border."""
_SURELY_WHOLE = 5
"""Units up to which it is worth asking whether any border can pay at all; more than these always may part."""
_OWN_LEVEL = 0.9
_SURE_AT = 8
"""Units at which half of `_OWN_LEVEL` is trusted: the mean cosine of a few sentences is mostly their common topic."""
_PRICE = {Before.ATTACHED: 3.0, Before.QUESTION: 1.1, Before.SENTENCE: 1.0, Before.PARAGRAPH: 0.7, Before.SECTION: 0.35}
"""The price of a border by what stands there, times `Cohesion.border`."""

Segment = tuple[int, int]
"""Units `start` to `end` (exclusive)."""


def segments(units: Sequence[Unit], cohesion: Cohesion) -> list[Segment]:
    """The best consecutive segments, at least one; together they are all the units. Linear in the units."""
    if not may_part(units, cohesion.border):
        return [(0, len(units))]
    level = _level(cohesion)
    sums = np.vstack([np.zeros((1, cohesion.vectors.shape[1])), np.cumsum(cohesion.vectors, axis=0, dtype=np.float64)])
    weights = np.concatenate([[0.0], np.cumsum(cohesion.weights, dtype=np.float64)])
    sizes = np.concatenate([[0], np.cumsum([unit.size for unit in units])])
    prices = _prices(units) * cohesion.border
    best = np.full(len(units) + 1, -np.inf)
    best[0] = 0.0
    back = np.zeros(len(units) + 1, dtype=np.intp)
    for end in range(1, len(units) + 1):
        start = max(0, end - MOST_UNITS)
        worth = _worth(sums[end] - sums[start:end], weights[end] - weights[start:end], level)
        excess = np.maximum(0.0, (sizes[end] - sizes[start:end]) / FULL_SIZE - 1.0)
        totals = best[start:end] + worth - prices[start:end] - cohesion.border * excess
        back[end] = start + int(np.argmax(totals))
        best[end] = totals.max()
    spans: list[Segment] = []
    end = len(units)
    while end > 0:
        spans.append((int(back[end]), end))
        end = int(back[end])
    return spans[::-1]


def may_part(units: Sequence[Unit], border: float) -> bool:
    """Whether any border could be worth its price, were each part a topic of its own and unlike the others.

    A short text's never can: four sentences of a paragraph, two and two alike, are worth sqrt(8) = 2.83 together, and
    apart 4 less a border (1.3). Its topics need not be measured. It stays whole even where two and two are copies of
    one another, which the level of the text lets gain .03 more than a border costs.

    `border`: of the cohesion it would be measured by.
    """
    if len(units) > _SURELY_WHOLE or sum(unit.size for unit in units) > FULL_SIZE:
        return len(units) > 1
    prices = _prices(units) * border
    return any(
        sum(lengths) - sum(prices[start] for start in starts[1:]) > math.sqrt(sum(length**2 for length in lengths))
        for count in range(1, len(units))
        for places in combinations(range(1, len(units)), count)
        for starts in [(0, *places)]
        for lengths in [[end - start for start, end in pairwise([*starts, len(units)])]]
    )


def _worth(sums: NDArray[np.float64], weights: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    """sqrt of the sum of all (cosine - level) / (1 - level) within each segment; by weight."""
    squares = np.einsum("ij,ij->i", sums, sums)
    result: NDArray[np.float64] = np.sqrt(np.maximum(0.0, squares - level * weights * weights) / (1.0 - level))
    return result


def _level(cohesion: Cohesion) -> float:
    """The cosine that counts as none: between the model's floor and the mean of the text, surer in a long one."""
    count = len(cohesion.vectors)
    total = cohesion.vectors.sum(axis=0, dtype=np.float64)
    weight = float(cohesion.weights.sum(dtype=np.float64))
    alone = float((cohesion.weights.astype(np.float64) ** 2).sum())
    if count < 2 or weight * weight <= alone:
        return cohesion.floor
    mean = (float(total @ total) - alone) / (weight * weight - alone)
    share = _OWN_LEVEL * count / (count + _SURE_AT)
    return min(0.95, max(0.0, cohesion.floor + share * (mean - cohesion.floor)))


def _prices(units: Sequence[Unit]) -> NDArray[np.float64]:
    """Scaled so that a text whose borders are all alike (a sentence a line, say) pays 1 for each."""
    prices = np.array([_PRICE[unit.before] for unit in units])
    plain = [price for unit, price in zip(units, prices, strict=True) if unit.before is not Before.SECTION]
    return prices / float(np.mean(plain)) if plain else prices


_SURE_JOIN = 0.5
"""Distant segments are joined when it costs less than this share of a border: surer than for neighbours."""
_LOOK_BACK = 60
"""Clusters a segment is compared with, the latest ones: a bound on the work."""


def clusters(units: Sequence[Unit], parts: Sequence[Segment], cohesion: Cohesion) -> list[list[Segment]]:
    """Segments of the same topic together, though other topics stand between them; in order of their first segment."""
    level = _level(cohesion)
    groups: list[_Group] = []
    for start, end in parts:
        new = _Group(
            segments=[(start, end)],
            total=cohesion.vectors[start:end].sum(axis=0, dtype=np.float64),
            weight=float(cohesion.weights[start:end].sum(dtype=np.float64)),
            length=end - start,
            size=sum(unit.size for unit in units[start:end]),
        )
        partner = _partner(new, groups[-_LOOK_BACK:], level, _SURE_JOIN * cohesion.border)
        if partner is None:
            groups.append(new)
        else:
            partner.take(new)
    return [group.segments for group in groups]


@dataclass(slots=True, kw_only=True)
class _Group:
    segments: list[Segment]
    total: NDArray[np.float64]
    weight: float
    length: int
    size: int

    def take(self, other: _Group) -> None:
        self.segments += other.segments
        self.total = self.total + other.total
        self.weight += other.weight
        self.length += other.length
        self.size += other.size


def _partner(new: _Group, groups: Sequence[_Group], level: float, tolerance: float) -> _Group | None:
    """The group that loses least by taking the new segment, if that is little and the result is no giant."""
    fits = [
        group
        for group in groups
        if group.segments[-1][1] != new.segments[0][0]  # a border was drawn between neighbours, and stands
        and group.size + new.size <= FULL_SIZE
        and group.length + new.length <= MOST_UNITS // 2
    ]
    if not fits:
        return None
    sums = np.array([[group.total, group.total + new.total] for group in fits]).reshape(-1, len(new.total))
    weights = np.array([[group.weight, group.weight + new.weight] for group in fits]).reshape(-1)
    apart, together = _worth(sums, weights, level).reshape(-1, 2).T
    alone = _worth(new.total[None, :], np.array([new.weight]), level)[0]
    losses = apart + alone - together
    place = int(np.argmin(losses))
    return fits[place] if losses[place] <= tolerance else None
