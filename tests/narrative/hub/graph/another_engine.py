"""A second implementation of Cypher under the layers: kglite, a property graph in this process, without Bolt.

The product does not offer it (its graph lies in memory as a whole, and one writer clones it). It is here because the
queries are to be plain Cypher: what two engines of different makers read alike is not the speech of one of them.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from kglite import KnowledgeGraph

from memorybank.narrative.hub.connection import Ask
from memorybank.narrative.hub.failures import EMBEDDED
from memorybank.narrative.hub.labels import Layer
from memorybank.narrative.hub.tables import Row

T = TypeVar("T")


class LayerInProcess:
    """One layer's graph; the methods are those of `LayerDatabase`."""

    def __init__(self, layer: Layer) -> None:
        self.layer = layer
        self._graph = KnowledgeGraph()
        self._lock = threading.RLock()

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        return self.read(lambda ask: ask(query, **parameters))

    def read(self, work: Callable[[Ask], T]) -> T:
        with self._lock, self._graph.begin_read() as transaction:
            return work(_asking(transaction))

    def write(self, work: Callable[[Ask], T]) -> T:
        with self._lock:
            transaction = self._graph.begin()
            try:
                outcome = work(_asking(transaction))
            except BaseException:  # it is raised again
                transaction.rollback()
                raise
            transaction.commit()
            return outcome

    def define(self, statements: Sequence[str]) -> None:
        with self._lock:
            for statement in statements:
                self._graph.cypher(statement)


class ConnectionInProcess:
    """Two graphs, as `GraphConnection` has two databases."""

    two_databases = True
    where = EMBEDDED

    def __init__(self) -> None:
        self.facts, self.plans = LayerInProcess(Layer.FACTS), LayerInProcess(Layer.PLANS)


def _asking(transaction: Any) -> Ask:
    def ask(query: str, **parameters: Any) -> list[Row]:
        return [dict(row) for row in transaction.cypher(query, params=parameters)]

    return ask
