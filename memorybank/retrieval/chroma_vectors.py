"""The vectors of one run's nodes on a Chroma server: a collection of names and unit vectors, no text."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from memorybank.embedding.base import Embedder, Matrix
from memorybank.retrieval.chroma import Chroma, ChromaSettings, check_url
from memorybank.retrieval.vector import Vector

__all__ = ["ChromaVectors", "check_url"]

_PAGE = 50_000
"""Names asked for at a time."""
_CONSTRUCTION = 100
"""Half of a studio's: no filter leaves neighbours out, and a million nodes are put in in half the time."""
_TIMEOUT = 60.0
"""Seconds that a call may take: a batch is put into a graph of a million in a few."""


class ChromaVectors:
    """A `VectorStore`. Connects when it is first used; raises InputError at once for a URL that is none."""

    def __init__(self, url: str, token: str, embedder: Embedder, folder: Path) -> None:
        self._chroma = Chroma(
            ChromaSettings(url=url, token=token, prefix="run", construction=_CONSTRUCTION, timeout=_TIMEOUT), embedder
        )
        own = f"{folder.resolve()}|{embedder.name}|{embedder.dim}"
        self._collection = sha256(own.encode("utf-8", "surrogateescape")).hexdigest()[:32]

    def ids(self) -> set[str]:
        def all_pages(collection: Any) -> set[str]:
            ids: set[str] = set()
            while page := collection.get(include=[], limit=_PAGE, offset=len(ids))["ids"]:
                ids.update(page)
            return ids

        return self._chroma.call(self._collection, all_pages)

    def count(self) -> int:
        return int(self._chroma.call(self._collection, lambda collection: collection.count()))

    def put(self, ids: Sequence[str], vectors: Matrix) -> None:
        self._chroma.call(self._collection, lambda collection: collection.upsert(ids=list(ids), embeddings=vectors))

    def remove(self, ids: Sequence[str]) -> None:
        self._chroma.call(self._collection, lambda collection: collection.delete(ids=list(ids)))

    def nearest(self, vector: Vector, count: int) -> tuple[Sequence[str], Sequence[float]]:
        def query(collection: Any) -> Any:
            return collection.query(query_embeddings=[vector], n_results=count, include=["distances"])

        nearest = self._chroma.call(self._collection, query)
        return nearest["ids"][0], [1.0 - distance for distance in nearest["distances"][0]]

    def drop(self) -> None:
        """Delete the collection."""
        self._chroma.drop(self._collection)

    def close(self) -> None:
        self._chroma.close()
