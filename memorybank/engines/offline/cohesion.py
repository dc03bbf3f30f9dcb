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


def of_one_topic(texts: Sequence[str]) -> Cohesion:
    """Units that are one topic whatever they say: all alike."""
    ones = np.ones(len(texts), dtype=np.float32)
    return Cohesion(vectors=ones[:, None], weights=ones, floor=0.0, border=BORDER)


def by_company(texts: Sequence[str]) -> Cohesion:
    """From the words that stand together in these texts, which are consecutive units of one text. Linear in them.

    A short unit has few words to go by, and weighs less.
    """
    sizes = np.array([width(text) for text in texts], dtype=np.float32)
    weights = (np.minimum(1.0, sizes / _FULL_SIZE) ** 0.7).astype(np.float32)
    terms = [query_tokens(text, limit=len(text) + 1) for text in texts]
    spread = Counter(term for unit in terms for term in unit)
    most = max(4, _COMMON * len(texts))
    number = {term: place for place, term in enumerate(term for term, units in spread.items() if 2 <= units <= most)}
    rows, columns, shares = list[int](), list[int](), list[float]()
    for row, unit in enumerate(terms):
        known = [term for term in unit if term in number]
        values = [math.log(1 + len(texts) / spread[term]) for term in known]
        norm = math.sqrt(sum(value * value for value in values))
        rows += [row] * len(known)
        columns += [number[term] for term in known]
        shares += [value / norm for value in values]
    if rows:
        table = (np.array(rows), np.array(columns), np.array(shares, dtype=np.float32))
        vectors = _second_order(table, len(texts), len(number))
    else:
        vectors = np.zeros((len(texts), 1), dtype=np.float32)
    return Cohesion(vectors=vectors * weights[:, None], weights=weights, floor=0.0, border=1.4)


_Table = tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float32]]
"""A sparse matrix, units by terms: row, column and weight of each entry, by rows."""


def _second_order(table: _Table, units: int, terms: int) -> Matrix:
    rows, columns, weights = table
    signs = np.random.default_rng(0).integers(0, 2, (terms, _DIM), dtype=np.int8)  # a fixed projection, no chance in it
    first = _grouped_sum((2.0 * signs - 1.0).astype(np.float32) / math.sqrt(_DIM), rows, columns, weights, units)
    company = first.copy()
    for distance, share in enumerate(_NEIGHBOURS, start=1):
        company[distance:] += share * first[:-distance]
        company[:-distance] += share * first[distance:]
    order = np.argsort(columns, kind="stable")
    meaning = unit_rows(_grouped_sum(company, columns[order], rows[order], weights[order], terms))
    return unit_rows(_grouped_sum(meaning, rows, columns, weights, units))


def _grouped_sum(
    values: Matrix, groups: NDArray[np.intp], members: NDArray[np.intp], weights: NDArray[np.float32], size: int
) -> Matrix:
    """Row g: the weighted sum of `values[members]` over the entries of group g; entries come by group."""
    result = np.zeros((size, values.shape[1]), dtype=np.float32)
    firsts = np.flatnonzero(np.r_[True, groups[1:] != groups[:-1]])
    result[groups[firsts]] = np.add.reduceat(weights[:, None] * values[members], firsts, axis=0)
    return result


def unit_rows(matrix: Matrix) -> Matrix:
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    rows: Matrix = (matrix / np.maximum(norms, 1e-9)).astype(np.float32)
    return rows
