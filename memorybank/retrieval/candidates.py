"""Which rows may be among the best, when only the nearest are known from outside and the others by a bound.

A vector store tells the nearest rows of a query. Every other row is at most as near as the last of them, so its score
is bounded by its keyword score and that cosine; a row whose bound stays below what enough rows surely score is out
(Fagin's threshold algorithm). What is left is few, and is scored exactly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import CosineScale
from memorybank.retrieval.hybrid import Floats, Rows, fuse

FETCHES = (64, 512, 4_096)
"""Neighbours asked for; the next number when too many rows are left."""
MOST = 2_000
"""Rows that are worth an exact score each; above it, and after the last fetch, all rows are scanned."""
_TRIED = 32
"""Rows with the best bounds that are scored at once, to raise the line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Nearest:
    """The rows nearest to a query, as a store tells them."""

    rows: Rows
    cosines: Floats
    rest: float
    """No other row's cosine is above it."""
    is_all: bool
    """There is no other row with a vector."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One query on an index: what is known of each row without its vector, and how to learn more."""

    keyword: NDArray[np.float32]
    """Normalised keyword score by row."""
    masked: NDArray[np.bool_]
    scale: CosineScale
    alpha: float
    slack: float
    """How far a score may be off."""
    nearest: Callable[[int], Nearest]
    exact: Callable[[Rows], Floats]
    """Cosines of rows."""

    def score(self, rows: Rows, cosines: Floats) -> Floats:
        return fuse(self.keyword[rows], self.scale.stretched(cosines), self.alpha)


def contenders(question: Question, count: int) -> Rows | None:
    """Rows, ascending, that may be among the `count` best; None when so many may be that all are to be scanned."""
    if count <= 0:
        return np.zeros(0, np.intp)
    for fetched in FETCHES:
        near = question.nearest(max(fetched, 2 * count))
        rows = _left(question, near, count)
        if len(rows) <= MOST or near.is_all:
            return rows
    return None


def _left(question: Question, near: Nearest, count: int) -> Rows:
    bound = fuse(question.keyword, question.scale.stretched(np.array([near.rest])), question.alpha)
    least = question.alpha * question.keyword  # with a vector score of 0
    bound[near.rows] = least[near.rows] = question.score(near.rows, near.cosines)
    bound[question.masked] = least[question.masked] = -np.inf
    tried = _best(bound, max(_TRIED, 2 * count))
    tried = tried[~question.masked[tried]]
    bound[tried] = least[tried] = question.score(tried, question.exact(tried))
    line = float(np.partition(least, -count)[-count]) if count < len(least) else -np.inf
    return np.flatnonzero((bound >= line - 2 * question.slack) & (bound > -np.inf))


def _best(scores: Floats, count: int) -> Rows:
    if count >= len(scores):
        return np.arange(len(scores))
    return np.argpartition(scores, -count)[-count:]
