"""What an index of many nodes costs: in memory, and with its vectors on a server (`memorybank_lab bench index`).

Nodes and queries are those of `bench retrieval`: texts of 60 words, unit vectors of 384 dimensions that are like
nothing but themselves, which is the worst there is for a store that looks through a graph of neighbours. Each size and
place is measured in a process of its own, that makes the nodes and then the index. The server is the one that
VECTOR_STORE_URL names; without it the index in memory is measured alone.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from memorybank.embedding.base import Embedder
from memorybank.embedding.hashed import HashedNgrams
from memorybank.embedding.models import PACKAGED, resolve
from memorybank.embedding.process import shared
from memorybank.errors import ModelUnavailableError
from memorybank.memory.types import Node, NodeId
from memorybank.retrieval.chroma_vectors import ChromaVectors
from memorybank.retrieval.index import NodeIndex, Query
from memorybank.retrieval.recall import embed_nodes
from memorybank.retrieval.stored_vectors import StoredVectors
from memorybank.retrieval.vector import decode
from memorybank.settings.config import VectorStorePlace
from memorybank_lab.bench.retrieval import ALPHA, DIM, SCALE, K, NodeSource, peak_resident_bytes
from memorybank_lab.bench.table import Progress, aligned, as_json_by_kind
from memorybank_lab.lifeline import spawned

SIZES = (10_000, 100_000, 1_000_000)
QUERIES = 100
EMBEDDED = 512
QUICK: dict[str, Any] = {"sizes": (300,), "queries": 5, "embedded": 16, "models": ("hashed-ngrams",)}

Hits = list[list[NodeId]]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingRow:
    """How fast nodes are embedded."""

    model: str
    nodes: int
    nodes_a_second: float


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexRow:
    size: int
    where: str
    build_s: float
    """From the nodes to an index that answers; on a server that held none of them."""
    memory: int
    """Bytes by which the process's peak grew beyond the nodes. What a server takes is not in it."""
    p50_ms: float
    p95_ms: float
    change_p50_ms: float
    """Of a query after a node was changed."""
    same: float
    """Share of the hits in memory that are found."""


def run(
    progress: Progress,
    place: VectorStorePlace,
    *,
    sizes: Sequence[int] = SIZES,
    queries: int = QUERIES,
    embedded: int = EMBEDDED,
    models: Sequence[str] = PACKAGED,
) -> list[EmbeddingRow | IndexRow]:
    """Embedding first, then each size. Raises StoreUnavailableError when the server cannot be reached."""
    rows: list[EmbeddingRow | IndexRow] = [*_embedding(progress, embedded, models)]
    for size in sizes:
        known: Hits = []
        for at in (VectorStorePlace(), place) if place.url else (place,):
            progress(f"{size:,} nodes, {_where(at)}")
            with spawned(1) as process:
                row, hits = process.submit(_measured, size, queries, at.url, at.token).result()
            known = known or hits
            rows.append(replace(row, same=_same(known, hits)))
    return rows


def _where(place: VectorStorePlace) -> str:
    return "server" if place.url else "memory"


def _same(known: Hits, hits: Hits) -> float:
    found = sum(len(set(own) & set(others)) for own, others in zip(known, hits, strict=True))
    return found / max(1, sum(map(len, known)))


def _embedding(progress: Progress, count: int, models: Sequence[str]) -> list[EmbeddingRow]:
    """The models that are installed; 60 made-up words a node."""
    rows = []
    texts = [(node.summary, node.context, node.keywords) for node in NodeSource(0).nodes(count)]
    for name in models:
        progress(f"embedding with {name}")
        try:
            embedder: Embedder = HashedNgrams() if name == HashedNgrams.name else shared(resolve(name, ["a"]))
            embed_nodes(embedder, [("one to begin with", "", ())])
        except ModelUnavailableError:
            continue
        start = perf_counter()
        embed_nodes(embedder, texts)
        rows.append(EmbeddingRow(model=name, nodes=count, nodes_a_second=round(count / (perf_counter() - start), 1)))
    return rows


def _measured(size: int, queries: int, url: str, token: str) -> tuple[IndexRow, Hits]:
    source = NodeSource(0)
    nodes = list(source.nodes(size))
    asked = [source.query(decode(nodes[at * size // queries].vector)) for at in range(queries)]
    before = peak_resident_bytes() if sys.platform != "win32" else 0
    with TemporaryDirectory() as folder:
        store = ChromaVectors(url, token, _Made(), Path(folder)) if url else None
        try:
            start = perf_counter()
            index = NodeIndex(SCALE, StoredVectors(store) if store else None)
            for node in nodes:
                index.put(node)
            index.rank(asked[0], k=K, alpha=ALPHA)  # a store is filled by the first question
            built = perf_counter() - start
            grown = (peak_resident_bytes() if sys.platform != "win32" else 0) - before
            hits, seconds = _steady(index, asked)
            changed = _after_changes(index, nodes, asked)
        finally:
            if store is not None:
                store.drop()
                store.close()
    row = IndexRow(
        size=size,
        where=_where(VectorStorePlace(url=url)),
        build_s=round(built, 2),
        memory=grown,
        p50_ms=round(median(seconds) * 1e3, 2),
        p95_ms=round(quantiles(seconds, n=20)[-1] * 1e3, 2),
        change_p50_ms=round(median(changed) * 1e3, 2),
        same=1.0,
    )
    return row, hits


def _steady(index: NodeIndex, asked: Sequence[Query]) -> tuple[Hits, list[float]]:
    hits, seconds = Hits(), list[float]()
    for query in asked:
        start = perf_counter()
        ranking = index.rank(query, k=K, alpha=ALPHA)
        seconds.append(perf_counter() - start)
        hits.append([hit.node_id for hit in ranking.hits])
    return hits, seconds


def _after_changes(index: NodeIndex, nodes: Sequence[Node], asked: Sequence[Query]) -> list[float]:
    """Each question with a node before it that says, and means, something else."""
    seconds = []
    for place, query in enumerate(asked):
        node, other = nodes[place], nodes[-1 - place]
        start = perf_counter()
        index.put(replace(node, summary=other.summary, vector=other.vector))
        index.rank(query, k=K, alpha=ALPHA)
        seconds.append(perf_counter() - start)
    return seconds


class _Made(HashedNgrams):
    """Names the vectors of made-up nodes; it embeds nothing."""

    name = "made-up"
    dim = DIM


def as_json(rows: Sequence[EmbeddingRow | IndexRow]) -> str:
    return as_json_by_kind(rows)


def as_table(rows: Sequence[EmbeddingRow | IndexRow]) -> str:
    embedding = [
        {
            "embedding": row.model,
            "nodes / s": f"{row.nodes_a_second:,}",
            "a million at that rate": f"{1e6 / row.nodes_a_second / 3600:.1f} h",
        }
        for row in rows
        if isinstance(row, EmbeddingRow)
    ]
    index = [
        {
            "nodes": f"{row.size:,}",
            "vectors": row.where,
            "build s": f"{row.build_s:,.1f}",
            "memory MB": f"{row.memory / 1e6:,.0f}",
            "search p50 ms": f"{row.p50_ms:.1f}",
            "p95 ms": f"{row.p95_ms:.1f}",
            "after a change": f"{row.change_p50_ms:.1f}",
            "same hits": f"{row.same:.2f}",
        }
        for row in rows
        if isinstance(row, IndexRow)
    ]
    return "\n\n".join(map(aligned, filter(None, (embedding, index))))
