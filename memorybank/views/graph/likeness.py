"""How alike nodes are by their embeddings: measured against the run's own mean, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from memorybank.views.graph.free_places import Floats

Rows = npt.NDArray[np.intp]

_KIN = 3
"""At most so many of the most alike nodes are kin."""
_LEAST_AFFINITY = 0.25
_SCALE = 4_000
"""Length of an embedding in whole numbers. Every sum in a product of two such vectors is a whole number below 2²⁴, so
that single precision adds it exactly, in any order: all machines, and a run read whole or as it grows, get one map."""


class Likeness:
    """The embeddings of a run's nodes, row by birth."""

    def __init__(self) -> None:
        self._vectors: npt.NDArray[np.float32] = np.empty((64, 0), dtype=np.float32)
        """In whole numbers (`_whole`); grows by doubling."""
        self._sum = 0.0
        self._count = 0

    def compare(self, old: int, vectors: Sequence[bytes]) -> Iterator[Floats]:
        """Of each vector its cosines with all that are older; none for an empty one, or one of another length.

        They are the rows from `old` on.
        """
        new = list(map(_whole, vectors))
        size = next((vector.size for vector in reversed(new) if vector.size), self._vectors.shape[1])
        end = old + len(new)
        if self._vectors.shape[1] != size:
            self._vectors = np.zeros((len(self._vectors), size), dtype=np.float32)
        while end > len(self._vectors):
            self._vectors = np.concatenate([self._vectors, np.zeros_like(self._vectors)])
        for row, vector in enumerate(new, start=old):
            self._vectors[row] = vector if vector.size == size else 0
        products = self._vectors[old:end] @ self._vectors[:end].T
        for number, vector in enumerate(new):
            older = old + number if vector.size == size > 0 else 0
            yield products[number, :older].astype(np.float64) / _SCALE**2

    def kin(self, cosines: Floats) -> tuple[Rows, Floats]:
        """Rows of the most alike nodes, best first, older first among equals, and how much more alike they are than
        any two nodes so far, in [0, 1].

        Measured against the mean of the run, because what a cosine means differs from model to model.
        """
        self._sum += float(cosines.sum())
        self._count += len(cosines)
        mean = self._sum / max(1, self._count)
        spread = max(1.0 - mean, 1e-3)
        alike = np.flatnonzero(cosines >= mean + _LEAST_AFFINITY * spread)
        best = alike[np.argsort(-cosines[alike], kind="stable")[:_KIN]]
        return best, np.minimum((cosines[best] - mean) / spread, 1.0)


def _whole(vector: bytes) -> npt.NDArray[np.float32]:
    """An embedding in whole numbers, `_SCALE` long; empty for none."""
    own = np.frombuffer(vector, dtype="<f2").astype(np.float64)
    length = float(np.sqrt((own * own).sum()))
    return np.rint(own * (_SCALE / length if length else 0.0)).astype(np.float32)
