"""The nodes' vectors in a store outside, behind the same index: an address book of them, kept equal to the records.

The truth is what the run's own records say, whose vectors the nodes hold; the store has copies, each named by its node
and by what it says. So whatever the store has lost, kept of before or got from elsewhere is seen by the names alone and
mended before anything is searched.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from hashlib import blake2b
from math import inf
from time import monotonic
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from memorybank.embedding.base import Matrix
from memorybank.errors import StoreUnavailableError
from memorybank.memory.types import Node
from memorybank.retrieval.candidates import Nearest
from memorybank.retrieval.vector import Vector, decode, unit_of

_TOGETHER = 2_000
"""Vectors of one request."""
_BLOCK = 16_384
_TRUSTED = 30.0
"""Seconds for which a count is believed: of a million names it takes the server as long as several searches."""
_INEXACT = 1e-5
"""How far a store's cosines may be off, beyond what float32 costs."""


class VectorStore(Protocol):
    """A collection of named unit vectors. Every call raises StoreUnavailableError when the store cannot be reached."""

    def ids(self) -> set[str]: ...

    def count(self) -> int: ...

    def put(self, ids: Sequence[str], vectors: Matrix) -> None:
        """Add them, or put them in the place of those of their names."""

    def remove(self, ids: Sequence[str]) -> None: ...

    def nearest(self, vector: Vector, count: int) -> tuple[Sequence[str], Sequence[float]]:
        """Names and cosines, the nearest first; fewer than asked for where there are no more."""
        ...

    def close(self) -> None: ...


class StoredVectors:
    """Holds no vectors of its own: by row the bytes of the node, which its graph holds anyway, and its name."""

    def __init__(self, store: VectorStore, *, trusted: float = _TRUSTED) -> None:
        """`trusted`: seconds after which the store is counted anew."""
        self._store = store
        self._trusted = trusted
        self._counted = -inf
        """When the store held as many as it should."""
        self._held: list[bytes] = []
        self._names: list[str] = []
        """By row; empty where there is no vector."""
        self._row_of: dict[str, int] = {}
        self._new: set[str] = set()
        self._gone: set[str] = set()
        self._is_settled = False
        self.dim = 0

    @property
    def rows(self) -> int:
        return len(self._held)

    @property
    def error_bound(self) -> float:
        return 2 * self.dim * 2**-23 + _INEXACT

    def add(self, node: Node) -> None:
        """Raises InputError as `VectorIndex.append` does. The store is told before the next search."""
        unit = self.unit(decode(node.vector))
        name = _name(node) if unit.any() else ""
        if unit.size and not self.dim:
            self.dim = unit.size
        if name:
            if name not in self._row_of:
                self._new.add(name)
                self._gone.discard(name)
            self._row_of[name] = len(self._held)
        self._held.append(node.vector)
        self._names.append(name)

    def remove(self, row: int) -> None:
        """Forget the row's vector; the row lies until `keep`."""
        name = self._names[row]
        if name and self._row_of.get(name) == row:  # another row may say the same by now
            del self._row_of[name]
            self._new.discard(name)
            self._gone.add(name)
        self._held[row], self._names[row] = b"", ""

    def keep(self, rows: NDArray[np.intp]) -> None:
        self._held = [self._held[row] for row in rows.tolist()]
        self._names = [self._names[row] for row in rows.tolist()]
        self._row_of = {name: row for row, name in enumerate(self._names) if name}

    def unit(self, vector: ArrayLike) -> Vector:
        return unit_of(vector, self.dim)

    def nearest(self, unit: Vector, count: int) -> Nearest:
        """Ask the store, which is first made equal to the records. Raises StoreUnavailableError."""
        if not (unit.any() and self._row_of):
            return Nearest(rows=np.zeros(0, np.intp), cosines=np.zeros(0), rest=0.0, is_all=True)
        self._settle()
        names, cosines = self._store.nearest(unit, count)
        if len(names) < min(count, len(self._row_of)) or not self._row_of.keys() >= set(names):
            self._settle(again=True)
            names, cosines = self._store.nearest(unit, count)
        rows = np.array([self._row_of[name] for name in names], np.intp)
        is_all = len(rows) == len(self._row_of)
        last = min(cosines, default=1.0) + self.error_bound
        return Nearest(rows=rows, cosines=np.array(cosines), rest=0.0 if is_all else max(last, 0.0), is_all=is_all)

    def cosines(self, unit: Vector) -> NDArray[np.float32]:
        """Return the cosine with every row, from the nodes' own bytes: slow, for the rare query that needs all."""
        cosines = np.zeros(self.rows, np.float32)
        if not (unit.size and self.dim):
            return cosines
        nothing = bytes(2 * self.dim)
        for start in range(0, self.rows, _BLOCK):
            held = b"".join(vector or nothing for vector in self._held[start : start + _BLOCK])
            block = np.frombuffer(held, "<f2").reshape(-1, self.dim).astype(np.float32)
            lengths = np.linalg.norm(block, axis=1)
            cosines[start : start + len(block)] = (block @ unit) / np.where(lengths > 0, lengths, 1)
        return cosines

    def exact_cosines(self, unit: Vector, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return what `VectorIndex.exact_cosines` does, to the last digit."""
        exact = np.zeros(len(rows))
        if unit.size and self.dim:
            query = unit.astype(np.float64)
            for place, row in enumerate(rows.tolist()):
                own = self.unit(decode(self._held[row]))
                exact[place] = (own * query).sum() if own.size else 0.0
        return exact

    def close(self) -> None:
        """Let go of the store; it is reached anew when it is next asked."""
        self._store.close()
        self._is_settled, self._counted = False, -inf

    # -- keeping the store equal ---------------------------------------------------------------------------------------

    def _settle(self, *, again: bool = False) -> None:
        """Send what is new, and compare all names when it is the first time, or when the count is not right."""
        if not self._is_settled or again:
            self._compare()
        self._send()
        if again or monotonic() - self._counted >= self._trusted:
            self._count()

    def _count(self) -> None:
        if self._store.count() != len(self._row_of):
            self._compare()
            self._send()
            if self._store.count() != len(self._row_of):
                raise StoreUnavailableError("retrieval.store_differs")
        self._counted = monotonic()

    def _compare(self) -> None:
        there = self._store.ids()
        self._new = self._row_of.keys() - there
        self._gone = there - self._row_of.keys()
        self._is_settled = True

    def _send(self) -> None:
        for names in _parts(self._gone):
            self._store.remove(names)
            self._gone.difference_update(names)
        for names in _parts(self._new):
            units = [self.unit(decode(self._held[self._row_of[name]])) for name in names]
            self._store.put(names, np.stack(units))
            self._new.difference_update(names)


def _name(node: Node) -> str:
    return f"{node.id}-{blake2b(node.vector, digest_size=12).hexdigest()}"


def _parts(names: Collection[str]) -> Iterable[list[str]]:
    listed = sorted(names)
    return (listed[start : start + _TOGETHER] for start in range(0, len(listed), _TOGETHER))
