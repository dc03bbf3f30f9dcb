"""How close the units of a text are to each other in topic: one vector a unit, from a model or from the text alone.

Embedding every sentence of a long text would cost as much as everything else together, so only texts of up to
`MOST_EMBEDDED` units are embedded. A longer text tells by itself which of its words go together: each term gets the sum
of the sentences it stands in and of their neighbours (second-order co-occurrence: Schütze 1998, "Automatic Word Sense
Discrimination"; in few dimensions by random indexing: Sahlgren 2005), and each unit the sum of its terms.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder, Matrix
from memorybank.engines.offline.units import width
from memorybank.language.tokens import query_tokens

MOST_EMBEDDED = 300
BORDER = 1.3
"""`Cohesion.border` of vectors of meaning."""
_DIM = 256
_NEIGHBOURS = (0.5, 0.25)
"""How much of a term's company the sentences next to it are, one and two away."""
_FULL_SIZE = 160
"""Size (`units.width`) from which a unit has its full weight when it is judged by its words alone."""
_COMMON = 0.1
"""A term in more than this share of the units tells no topic from another."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cohesion:
    """What segmentation knows of a text's units."""

    vectors: Matrix
    """Shape (units, dim); the length of a row is the unit's weight."""
    weights: NDArray[np.float32]
    """Shape (units,), in [0, 1]: how much a unit can tell of its topic."""
    floor: float
    """The cosine of two units that share no topic."""
    border: float
    """What a border has to gain to be worth drawing, for vectors of this kind."""


def by_meaning(texts: Sequence[str], embedder: Embedder) -> Cohesion:
    """One call for all texts."""
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
