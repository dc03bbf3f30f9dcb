"""How long does a search take among many nodes, and what does its index need (`memorybank_lab bench retrieval`)?

Nodes have 60 words, drawn from 50,000 by Zipf's law, and a unit vector of 384 dimensions; queries have 10 words drawn
by the same law and a vector near a node's. The query's embedding is left out.

Each row is measured in a process of its own. Times of a change contain the tokenizing of a text whose words were met
before.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.memory.types import Node, NodeId
from memorybank.retrieval.index import NodeIndex, Query
from memorybank.retrieval.vector import decode
from memorybank.settings.config import Settings
from memorybank_lab.bench.table import Progress, Row, p95, seconds

SIZES = (1_000, 10_000, 100_000)
WORDS, NODE_WORDS, QUERY_WORDS, DIM = 50_000, 60, 10, 384
QUERIES = 100
QUICK: dict[str, Any] = {"sizes": (30, 60)}
K, ALPHA = 5, 0.5
SCALE = CosineScale(lo=0.0, hi=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """The measurements of one index, made by one process."""

    build: float
    """Seconds from the nodes to an index that answers."""
    grown: int
    """Bytes that the process grew by beyond the nodes."""
    steady: Sequence[float]
    """Seconds of a search, one for each query."""
    changed: Sequence[float]
    """Seconds of a search behind a change of one node, the change included."""

    def row(self, size: int) -> Row:
        return {
            "nodes": f"{size:,}",
            "build s": f"{self.build:,.1f}",
            "memory MB": f"{self.grown / 1e6:,.0f}",
            "search p50 ms": f"{1e3 * median(self.steady):,.1f}",
            "p95 ms": f"{1e3 * p95(self.steady):,.1f}",
            "after a change": f"{1e3 * median(self.changed):,.1f}",
        }


def run(progress: Progress, _settings: Settings, *, sizes: Sequence[int] = SIZES, seed: int = 0) -> list[Row]:
    """Return all rows, by size. `progress` is told of each before it is measured."""
    rows: list[Row] = []
    for size in sorted(sizes):
        progress(f"{size:,} nodes")
        with multiprocessing.get_context("spawn").Pool(1) as process:
            rows.append(process.apply(measure, (size, seed)).row(size))
    return rows


# -- the material -----------------------------------------------------------------------------------------------------


class NodeSource:
    """An endless supply of nodes and queries, the same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)
        chances = 1 / np.arange(1, WORDS + 1)
        self._chances = chances / chances.sum()
        self._words = np.array([_word(number) for number in range(WORDS)], np.object_)
        self._count = 0

    def nodes(self, count: int) -> Iterator[Node]:
        for start in range(0, count, 1_000):  # in parts, so that memory holds nodes and little else
            part = min(1_000, count - start)
            texts = self._words[self._random.choice(WORDS, (part, NODE_WORDS), p=self._chances)]
            for words, vector in zip(texts, self._unit_vectors(part), strict=True):
                self._count += 1
                yield Node(
                    id=NodeId(f"n{self._count}"),
                    seq=self._count,
                    context=" ".join(words[:10]),
                    keywords=tuple(words[10:15]),
                    summary=" ".join(words[15:]),
                    vector=vector.astype("<f2").tobytes(),
                )

    def query(self, near: NDArray[np.float32]) -> Query:
        words = self._words[self._random.choice(WORDS, QUERY_WORDS, replace=False, p=self._chances)]
        vector = near + 0.5 * self._unit_vectors(1)[0]
        return Query(tuple(words), vector / np.linalg.norm(vector))

    def _unit_vectors(self, count: int) -> Matrix:
        vectors: Matrix = self._random.standard_normal((count, DIM), np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors


def _word(number: int) -> str:
    """Return a word of letters that the stemmer leaves as it is, one for each number."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aou"]
    word = ""
    number += len(syllables)
    while number:
        number, place = divmod(number, len(syllables))
        word = syllables[place] + word
    return word


# -- what is measured -------------------------------------------------------------------------------------------------


def measure(size: int, seed: int) -> Measured:
    """Measure one index of so many nodes."""
    source = NodeSource(seed)
    nodes = list(source.nodes(size))
    asked = [source.query(decode(nodes[at * size // QUERIES].vector)) for at in range(QUERIES)]
    before = peak_resident_bytes()
    index = NodeIndex(SCALE)

    def build() -> None:
        for node in nodes:
            index.put(node)
        ranked(index, asked[0])

    return Measured(
        build=seconds(build),
        grown=peak_resident_bytes() - before,
        steady=[seconds(ranked, index, query) for query in asked],
        changed=[_after_change(index, nodes, at, query) for at, query in enumerate(asked)],
    )


def _after_change(index: NodeIndex, nodes: Sequence[Node], at: int, query: Query) -> float:
    """Time a query behind a node that says, and means, something else; the node is as it was afterwards."""
    node, other = nodes[at % len(nodes)], nodes[-1 - at % len(nodes)]
    changed = replace(node, summary=other.summary, vector=other.vector)

    def change_and_ask() -> None:
        index.put(changed)
        ranked(index, query)

    took = seconds(change_and_ask)
    index.put(node)
    return took


def ranked(index: NodeIndex, query: Query) -> list[NodeId]:
    return [hit.node_id for hit in index.rank(query, k=K, alpha=ALPHA).hits]


def peak_resident_bytes() -> int:
    """Return the most that this process has held so far."""
    # Not from getrusage on Linux: there it starts at what the parent had.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource  # not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
