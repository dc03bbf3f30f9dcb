"""Which rows are in question when a store tells only the nearest: all that may be among the best, and few others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from memorybank.embedding.base import Matrix
from memorybank.memory.types import Node, NodeId
from memorybank.retrieval.candidates import FETCHES
from memorybank.retrieval.index import NodeIndex, Query
from memorybank.retrieval.stored_vectors import StoredVectors
from memorybank.retrieval.vector import Vector
from tests.retrieval.places import SCALE
from tests.retrieval.test_index import asked, node

MANY = 2_500
RANDOM = np.random.default_rng(11)
COMMON = [f"word{number}" for number in range(40)]


class ExactVectors:
    """A `VectorStore` in this process that finds the nearest exactly, and keeps how many were asked for."""

    def __init__(self) -> None:
        self._kept: dict[str, Vector] = {}
        self.asked: list[int] = []

    def ids(self) -> set[str]:
        return set(self._kept)

    def count(self) -> int:
        return len(self._kept)

    def put(self, ids: Sequence[str], vectors: Matrix) -> None:
        self._kept.update(zip(ids, vectors, strict=True))

    def remove(self, ids: Sequence[str]) -> None:
        for one in ids:
            del self._kept[one]

    def nearest(self, vector: Vector, count: int) -> tuple[Sequence[str], Sequence[float]]:
        self.asked.append(count)
        names, matrix = list(self._kept), np.stack(list(self._kept.values()))
        cosines = matrix @ vector
        best = np.argsort(-cosines)[:count]
        return [names[place] for place in best], cosines[best].tolist()

    def close(self) -> None:
        pass


@pytest.fixture(scope="module")
def nodes() -> list[Node]:
    return [node(number, " ".join(RANDOM.choice(COMMON, 4))) for number in range(1, MANY + 1)]


@pytest.mark.parametrize("alpha", [0.0, 0.2, 0.5, 0.9, 1.0])
def test_of_many_nodes_the_same_are_the_best_to_the_last_digit(nodes: list[Node], alpha: float) -> None:
    store = ExactVectors()
    memory, served = NodeIndex(SCALE), NodeIndex(SCALE, StoredVectors(store))
    for one in nodes:
        memory.put(one)
        served.put(one)
    apart = {NodeId(f"n{number}") for number in range(1, 300, 7)}
    for seed in range(6):
        text = " ".join(RANDOM.choice(COMMON, seed % 4))
        query = asked(text, seed=seed * 31 + 1)  # near a node, and what it says
        for exclude in (set[NodeId](), apart):
            expected = memory.rank(query, k=5, alpha=alpha, exclude=exclude)
            assert served.rank(query, k=5, alpha=alpha, exclude=exclude) == expected
    if 0 < alpha < 0.5:
        assert min(store.asked) == FETCHES[0] < MANY
    for index in (memory, served):
        for number in range(1, MANY, 3):
            index.discard(NodeId(f"n{number}"))
    query = asked(COMMON[0], seed=2)
    assert served.rank(query, k=9, alpha=alpha) == memory.rank(query, k=9, alpha=alpha)
    nowhere = Query((COMMON[1],), np.zeros(0, np.float32))
    assert served.rank(nowhere, k=3, alpha=alpha) == memory.rank(nowhere, k=3, alpha=alpha)
