"""Topic segmentation and clustering of a text's units.

A segment of n unit vectors is worth the length of their sum, sqrt(sum of all their cosines): n for n equal vectors,
sqrt(n) for n unrelated ones (the content vector objective of Alemi and Ginsparg 2015, "Text Segmentation based on
Semantic Word Embeddings"). The borders that are worth most together, each for a price, are found by dynamic
programming. Cosines count from the text's own level, so that a model whose cosines are all high works the same.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder, Matrix
from memorybank.engines.offline.units import Before, Unit, width
from memorybank.language.tokens import query_tokens

MOST_UNITS = 32
"""Units a segment may have."""
FULL_SIZE = 2_000
"""Size (`Unit.size`) beyond which a segment pays for every further part of it as for a border."""
SURELY_WHOLE = 4
"""Units of one kind up to which no border can pay: where two and two are alike they are worth sqrt(8) = 2.83 together,
and apart 4 less a border."""
_OWN_LEVEL = 0.9
_SURE_AT = 8
"""Units at which half of `_OWN_LEVEL` is trusted: the mean cosine of a few sentences is mostly their common topic."""
_PRICE = {Before.ATTACHED: 3.0, Before.QUESTION: 1.1, Before.SENTENCE: 1.0, Before.PARAGRAPH: 0.7, Before.SECTION: 0.35}
"""The price of a border by what stands there, times `Cohesion.border`."""

Segment = tuple[int, int]
"""Units `start` to `end` (exclusive)."""
_WEIGHT, _SIZE, _COUNT = -3, -2, -1
"""Columns of `_sums` behind those of the vector."""


def segments(units: Sequence[Unit], cohesion: Cohesion) -> list[Segment]:
    """Return the best consecutive segments, at least one; together they are all the units. Linear in the units."""
    level, sums = _level(cohesion), _sums(units, cohesion)
    prices = _prices(units) * cohesion.border
    best = np.full(len(units) + 1, -np.inf)
    best[0] = 0.0
    back = np.zeros(len(units) + 1, dtype=np.intp)
    for end in range(1, len(units) + 1):
        start = max(0, end - MOST_UNITS)
        rows = sums[end] - sums[start:end]
        excess = np.maximum(0.0, rows[:, _SIZE] / FULL_SIZE - 1.0)
        totals = best[start:end] + _worth(rows, level) - prices[start:end] - cohesion.border * excess
        back[end] = start + int(np.argmax(totals))
        best[end] = totals.max()
    spans: list[Segment] = []
    end = len(units)
    while end > 0:
        spans.append((int(back[end]), end))
        end = int(back[end])
    return spans[::-1]


def _sums(units: Sequence[Unit], cohesion: Cohesion) -> NDArray[np.float64]:
    """Row n: the sums of vectors, weights, sizes and numbers of the first n units."""
    counted = np.array([[unit.size, 1] for unit in units])
    rows = np.hstack([cohesion.vectors, cohesion.weights[:, None], counted]).astype(np.float64)
    return np.vstack([np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0)])


def _worth(rows: NDArray[np.float64], level: float) -> NDArray[np.float64]:
    """Return the root of the sum of all (cosine - level) / (1 - level) within each segment; by weight."""
    vectors, weights = rows[:, :_WEIGHT], rows[:, _WEIGHT]
    squares = np.einsum("ij,ij->i", vectors, vectors)
    result: NDArray[np.float64] = np.sqrt(np.maximum(0.0, squares - level * weights * weights) / (1.0 - level))
    return result


def _level(cohesion: Cohesion) -> float:
    """Return the cosine that counts as none: between the model's floor and the text's mean, surer in a long one."""
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
    """Group segments of one topic, though other topics stand between them; in order of their first segment.

    A segment joins the group that loses least by taking it, if that is little and the result is no giant.
    """
    level, sums = _level(cohesion), _sums(units, cohesion)
    groups: list[list[Segment]] = []
    rows: list[NDArray[np.float64]] = []
    for start, end in parts:
        new, recent = sums[end] - sums[start], np.array(rows[-_LOOK_BACK:]).reshape(-1, sums.shape[1])
        both = recent + new
        losses = _worth(recent, level) + _worth(new[None, :], level) - _worth(both, level)
        beside = np.array([group[-1][1] == start for group in groups[-_LOOK_BACK:]], dtype=bool)
        losses[beside | (both[:, _SIZE] > FULL_SIZE) | (both[:, _COUNT] > MOST_UNITS // 2)] = np.inf  # a border stands
        if losses.min(initial=np.inf) <= _SURE_JOIN * cohesion.border:
            place = len(groups) - len(losses) + int(np.argmin(losses))
            groups[place].append((start, end))
            rows[place] = rows[place] + new
        else:
            groups.append([(start, end)])
            rows.append(new)
    return groups


# -- how close units are in topic: one vector a unit, from a model or from the text alone ------------------------------

# Embedding every sentence of a long text would cost as much as everything else together. One of over `MOST_EMBEDDED`
# units tells by itself which of its words go together: each term gets the sum of the sentences it stands in and of
# their neighbours (second-order co-occurrence: Schütze 1998, "Automatic Word Sense Discrimination"; in few dimensions
# by random indexing: Sahlgren 2005), and each unit the sum of its terms.


MOST_EMBEDDED = 300
BORDER = 1.3
"""`Cohesion.border` of vectors of meaning."""
_DIM = 256
_NEIGHBOURS = (0.5, 0.25)
"""The weights of the sentences one and two away from a term, as the company that it keeps."""
_FULL_SIZE = 160
"""Size (`units.width`) from which a unit has its full weight when it is judged by its words alone."""
_COMMON = 0.1
"""A term in more than this share of the units tells no topic from another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohesion:
    """The vectors and weights of a text's units, by which it is cut."""

    vectors: Matrix
    """Shape (units, dim); the length of a row is the unit's weight."""
    weights: NDArray[np.float32]
    """Shape (units,), in [0, 1]: how much a unit can tell of its topic."""
    floor: float
    """The cosine of two units that share no topic."""
    border: float
    """The least gain of a border that is worth drawing, for vectors of this kind."""


def by_meaning(texts: Sequence[str], embedder: Embedder) -> Cohesion:
    """Tell cohesion by the vectors of the texts, in one call for all of them."""
    weights = np.ones(len(texts), dtype=np.float32)
    return Cohesion(vectors=embedder.documents(texts), weights=weights, floor=embedder.scale.lo, border=BORDER)


def by_company(texts: Sequence[str]) -> Cohesion:
    """Tell cohesion by the words that stand together in these texts, which are consecutive units of one text.

    A short unit has few words to go by, and weighs less.
    """
    sizes = np.array([width(text) for text in texts], dtype=np.float32)
    weights = (np.minimum(1.0, sizes / _FULL_SIZE) ** 0.7).astype(np.float32)
    units = [query_tokens(text, limit=len(text) + 1) for text in texts]
    spread = Counter(term for unit in units for term in unit)
    most = max(4, _COMMON * len(texts))
    number = {term: at for at, term in enumerate(term for term, count in spread.items() if 2 <= count <= most)}
    shares = np.zeros((len(texts), max(1, len(number))), dtype=np.float32)
    for row, unit in zip(shares, units, strict=True):
        for term in number.keys() & unit:
            row[number[term]] = math.log(1 + len(texts) / spread[term])
    shares = unit_rows(shares)
    signs = np.random.default_rng(0).integers(0, 2, (shares.shape[1], _DIM), dtype=np.int8)  # fixed: no chance in it
    said = shares @ (2.0 * signs - 1.0).astype(np.float32)
    company = said.copy()
    for distance, share in enumerate(_NEIGHBOURS, start=1):
        company[distance:] += share * said[:-distance]
        company[:-distance] += share * said[distance:]
    vectors = unit_rows(shares @ unit_rows(shares.T @ company))
    return Cohesion(vectors=vectors * weights[:, None], weights=weights, floor=0.0, border=1.4)


def unit_rows(matrix: Matrix) -> Matrix:
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    rows: Matrix = (matrix / np.maximum(norms, 1e-9)).astype(np.float32)
    return rows
