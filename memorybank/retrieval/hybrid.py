"""Keyword and vector scores into one ranking: pure functions on numbers.

    score = alpha · keyword + (1 − alpha) · vector

`keyword` is raw BM25 over the query's best, `vector` the cosine stretched by the model's constants; both are in [0, 1].
Arrays have one element a row.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import CosineScale
from memorybank.errors import InputError

DECIMALS = 6
"""Scores are rounded to this before they are compared, so that equal is equal on every machine."""

Rows = NDArray[np.intp]
Floats = NDArray[np.floating[Any]]


class Combined(NamedTuple):
    score: Floats
    keyword: Floats
    vector: Floats


def check_arguments(k: int, alpha: float) -> None:
    """Raise InputError unless k ≥ 0 and 0 ≤ alpha ≤ 1."""
    if k < 0:
        raise InputError("retrieval.negative_count", k=k)
    if not 0 <= alpha <= 1:
        raise InputError("retrieval.bad_alpha", alpha=alpha)


def normalise_keyword(raw: Floats, best: float) -> Floats:
    """Divide BM25 by the query's best; 0 for all when the best is not above 0, and for what is negative itself."""
    if best <= 0:
        return np.zeros_like(raw)
    shares: Floats = np.clip(raw / best, 0, 1)
    return shares


def fuse(keyword: Floats, vector: Floats, alpha: float) -> Floats:
    return alpha * keyword + (1 - alpha) * vector


def combine(keyword_raw: Floats, keyword_best: float, cosine: Floats, scale: CosineScale, alpha: float) -> Combined:
    """Apply the whole formula. `keyword_best` is given, because a part of the rows may be scored alone."""
    keyword, vector = normalise_keyword(keyword_raw, keyword_best), scale.stretched(cosine)
    return Combined(fuse(keyword, vector, alpha), keyword, vector)


def rounded(scores: Floats) -> Floats:
    return np.round(scores, DECIMALS) + 0.0  # -0.0 becomes 0.0


def contenders(scores: Floats, count: int, slack: float) -> Rows:
    """Return the rows, ascending, that may be among the `count` best, when each score may be off by `slack`.

    A row at minus infinity is masked: it takes no place and does not come. All rows level with the last place are in;
    who gets it is for the caller to decide.
    """
    if count <= 0:
        return np.zeros(0, np.intp)
    line = -np.inf
    if count < len(scores):
        line = float(np.partition(scores, -count)[-count]) - 2 * slack
    return np.flatnonzero(scores > -np.inf) if line == -np.inf else np.flatnonzero(scores >= line)
