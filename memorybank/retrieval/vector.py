"""Cosines of a query with every node: one matrix–vector product over unit rows in float32.

The product finds who is near; how near exactly is told by `exact_cosines` in float64, row by row. A BLAS product may
round a row differently at another place in the matrix or with another number of threads; a score shall not depend on
that.
"""

from __future__ import annotations

import math
from time import perf_counter

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memorybank.errors import InputError

Vector = NDArray[np.float32]
"""One vector, of shape (dim,)."""

_FIRST_CAPACITY = 256
"""The rows that are allocated at first; doubled when full."""
_BLOCK = 4_096
"""The number of rows turned to float64 at a time."""
_UNTHREADED = 9_216
"""OpenBLAS multiplies matrices of fewer numbers on the calling thread."""
_WORTH_THREADS, _ALWAYS_THREADS = 2_000_000, 8_000_000
"""Numbers in a matrix (about 5,000 and 20,000 nodes of 384 dimensions): from the first on, more cores help when they
are idle; from the second on, they help anyhow."""
_WAITED = 0.004
"""Seconds. A threaded product between the two that takes longer has waited for a core that was busy …"""
_PAUSE = 50
"""… and so many products after it are made on this thread."""


def decode(data: bytes) -> Vector:
    """Decode the vector in `Node.vector`: little-endian float16. No bytes give shape (0,): no vector, cosine 0."""
    if len(data) % 2:
        raise InputError("retrieval.not_float16", count=len(data))
    return np.frombuffer(data, "<f2").astype(np.float32)


def unit_of(vector: ArrayLike, dim: int = 0) -> Vector:
    """Return the vector at length 1; zero, and one of no dimensions, stays as it is. `dim`: what it must have, if any.

    Raises InputError for another number of dimensions or a number that is not finite.
    """
    given = np.asarray(vector, np.float64)
    if given.ndim != 1 or (given.size and dim and given.size != dim):
        raise InputError("retrieval.other_shape", shape=given.shape, dim=dim)
    length = math.sqrt(given @ given)
    if not math.isfinite(length):
        raise InputError("retrieval.not_finite")
    return (given / length if length else given).astype(np.float32)


class VectorIndex:
    """Holds unit vectors by row. The first vector that has dimensions sets how many all have."""

    def __init__(self) -> None:
        self._matrix = np.zeros((_FIRST_CAPACITY, 0), np.float32)
        self._rows = 0
        self._pause = 0
        """Products still to make on this thread."""

    @property
    def rows(self) -> int:
        return self._rows

    @property
    def dim(self) -> int:
        """Return the dimension; 0 until the first vector with dimensions came."""
        return self._matrix.shape[1]

    @property
    def error_bound(self) -> float:
        """Return how far `cosines` may be from the exact ones (dim · epsilon of float32, twice to be safe)."""
        return 2 * self.dim * 2**-23

    def append(self, vector: ArrayLike) -> int:
        """Add a vector of shape (dim,), or (0,) for none; its row is returned. Its length does not matter.

        Raises InputError for another number of dimensions or a number that is not finite.
        """
        unit = self.unit(vector)
        if unit.size and not self.dim:
            self._matrix = np.zeros((len(self._matrix), unit.size), np.float32)
        if self._rows == len(self._matrix):
            grown = np.zeros((2 * self._rows, self.dim), np.float32)
            grown[: self._rows] = self._matrix
            self._matrix = grown
        row = self._rows
        self._matrix[row] = unit if unit.size else 0
        self._rows += 1
        return row

    def keep(self, rows: NDArray[np.intp]) -> None:
        """Drop all other rows; those kept (ascending) become 0, 1, 2 …"""
        capacity = max(_FIRST_CAPACITY, 1 << (len(rows) - 1).bit_length())  # a power of two, as growing makes it
        kept = np.zeros((capacity, self.dim), np.float32)
        np.take(self._matrix, rows, axis=0, out=kept[: len(rows)])
        self._matrix, self._rows = kept, len(rows)

    def unit(self, vector: ArrayLike) -> Vector:
        return unit_of(vector, self.dim)

    def cosines(self, unit: Vector) -> NDArray[np.float32]:
        """Return a query's cosine with every row, shape (rows,), within `error_bound`; 0 where either is zero."""
        if not (unit.size and self.dim):
            return np.zeros(self._rows, np.float32)
        if not self._threads_help():
            return self._product_on_this_thread(unit)
        start = perf_counter()
        products: NDArray[np.float32] = self._matrix[: self._rows] @ unit
        if perf_counter() - start > _WAITED:
            self._pause = _PAUSE
        return products

    def exact_cosines(self, unit: Vector, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return a query's cosine with these rows: the same for the same two vectors, wherever the row stands."""
        exact = np.zeros(len(rows))
        if unit.size and self.dim:
            query = unit.astype(np.float64)
            for start in range(0, len(rows), _BLOCK):
                block = self._matrix[rows[start : start + _BLOCK]]
                exact[start : start + _BLOCK] = (block * query).sum(axis=1)
        return exact

    def _threads_help(self) -> bool:
        """Whether to let BLAS use its threads.

        It waits for the last of them: where the cores are busy (embedding, say), a product of half a millisecond takes
        ten.
        """
        numbers = self._rows * self.dim
        if numbers < _WORTH_THREADS or numbers >= _ALWAYS_THREADS:
            return numbers >= _ALWAYS_THREADS
        self._pause = max(0, self._pause - 1)
        return not self._pause

    def _product_on_this_thread(self, unit: Vector) -> NDArray[np.float32]:
        """Multiply in blocks that BLAS does not find worth its threads."""
        height = _block_height(self.dim)
        blocks = self._matrix[: -(-self._rows // height) * height].reshape(-1, height, self.dim)
        products: NDArray[np.float32] = (blocks @ unit).reshape(-1)[: self._rows]
        return products


def _block_height(dim: int) -> int:
    """Return the rows of a block that is not threaded; a power of two, so that it divides every capacity."""
    height = _FIRST_CAPACITY
    while height > 1 and height * dim >= _UNTHREADED:
        height //= 2
    return height
