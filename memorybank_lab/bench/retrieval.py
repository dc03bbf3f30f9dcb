"""How fast retrieval is, beside what it replaces, in one run (`memorybank_lab bench retrieval`).

Nodes have 60 words, drawn from 50,000 by Zipf's law, and a unit vector of 384 dimensions; queries have 10 words drawn
by the same law and a vector near a node's. The query's embedding is left out. Beside each other, alternating so that
noise hits both:

- a query after a change, and a keyword index of `rank_bm25` rebuilt after each change (building, one `get_scores`, the
  product and the top k; its tokens are ready made);
- a steady query, and the bare matrix–vector product with top-k by `argpartition`;
- a steady query, and the final specification's 6.1 to the letter: `get_scores` twice for every node. Above the smallest
  size one `get_scores` is timed and multiplied;
- add, update, remove, and the same at the smallest size;
- where VECTOR_STORE_URL names a Chroma server, the same queries with the vectors there, and the share of the hits in
  memory that it finds. Random vectors are like nothing but themselves, the worst there is for its graph of neighbours.

Times of add and update contain the tokenizing of a text whose words were met before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.hashed import HashedNgrams
from memorybank.memory.types import Node, NodeId
from memorybank.retrieval.chroma_vectors import ChromaVectors
from memorybank.retrieval.hybrid import combine
from memorybank.retrieval.index import NodeIndex, Query, document_tokens
from memorybank.retrieval.stored_vectors import StoredVectors
from memorybank.retrieval.vector import decode
from memorybank.settings.config import Settings, VectorStorePlace
from memorybank_lab.bench.table import MemoryRow, Progress, Row, TimingRow, seconds, timed_row
from memorybank_lab.lifeline import spawned

SIZES = (1_000, 10_000, 100_000)
WORDS, NODE_WORDS, QUERY_WORDS, DIM = 50_000, 60, 10, 384
CHANGES, QUERIES = 200, 100
QUICK: dict[str, Any] = {"sizes": (30, 60)}
K, ALPHA = 5, 0.5
SCALE = CosineScale(lo=0.0, hi=1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerRow:
    """The vectors of one index on a Chroma server."""

    size: int
    build_s: float
    """Seconds from the nodes to an index that answers, on a server that held none of them."""
    same: float
    """Share of the hits in memory that are found."""

    def cells(self) -> Mapping[str, str]:
        return {"on the server": f"{self.size:,}", "build s": f"{self.build_s:,.1f}", "same hits": f"{self.same:.2f}"}


def run(progress: Progress, settings: Settings, *, sizes: Sequence[int] = SIZES, seed: int = 0) -> list[Row]:
    """All rows, by size. `progress` is told of each part before it starts.

    Raises StoreUnavailableError when the server of the settings cannot be reached.
    """
    rows: list[Row] = []
    smallest: Subject | None = None
    for size in sorted(sizes):
        progress(f"{size:,} nodes: building the index")
        subject = Subject(size, seed)
        smallest = smallest or subject
        progress(f"{size:,} nodes: changes and queries")
        rows += changes(subject, smallest)
        rows += queries(subject, literally=subject is smallest)
        if settings.vector_store.url:
            progress(f"{size:,} nodes: the same with the vectors on the server")
            rows += on_server(subject, settings.vector_store)
    for size in sorted(sizes):
        progress(f"{size:,} nodes: memory, in a process of its own")
        rows += memory(size, seed)
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
    """A word of letters that the stemmer leaves as it is, one for each number."""
    syllables = [consonant + vowel for consonant in "bdfgklmnprtvz" for vowel in "aou"]
    word = ""
    number += len(syllables)
    while number:
        number, place = divmod(number, len(syllables))
        word = syllables[place] + word
    return word


class Subject:
    """A graph of nodes and its index."""

    def __init__(self, size: int, seed: int) -> None:
        self.size = size
        self.source = NodeSource(seed)
        self.nodes = list(self.source.nodes(size))
        self.index = NodeIndex(SCALE)
        for node in self.nodes:
            self.index.put(node)

    def queries(self, count: int) -> list[Query]:
        """Each near another node, all over the graph."""
        return [self.source.query(decode(self.nodes[at * self.size // count].vector)) for at in range(count)]


# -- what is timed ----------------------------------------------------------------------------------------------------


def changes(subject: Subject, smallest: Subject) -> list[TimingRow]:
    """Add, update and remove the same number of nodes here and in the smallest graph, in turn."""
    both = [subject] if subject is smallest else [subject, smallest]
    added = [list(each.source.nodes(CHANGES)) for each in both]
    texts = list(subject.source.nodes(CHANGES))
    for node in [*texts, *(node for nodes in added for node in nodes)]:
        document_tokens(node)  # so that no word is met for the first time
    operations: dict[str, Callable[[NodeIndex, Node, Node], None]] = {
        "add": lambda index, node, text: index.put(node),
        "update": lambda index, node, text: index.put(replace(text, id=node.id, seq=node.seq)),
        "remove": lambda index, node, text: index.discard(node.id),
    }
    rows = []
    for op, change in operations.items():
        times: list[list[float]] = [[] for _ in both]
        for at, text in enumerate(texts):
            for each, nodes, taken in zip(both, added, times, strict=True):
                taken.append(seconds(change, each.index, nodes[at], text))
        if len(both) == 1:
            rows.append(timed_row(op, subject.size, times[0]))
        else:
            rows.append(timed_row(op, subject.size, times[0], f"{op} at {smallest.size:,}", times[1]))
    return rows


def queries(subject: Subject, *, literally: bool) -> list[TimingRow]:
    asked = subject.queries(QUERIES)
    corpus = [document_tokens(node) for node in subject.nodes]
    matrix = np.stack([decode(node.vector) for node in subject.nodes])
    return [
        _query_after_change(subject, asked, corpus, matrix),
        *_steady_query(subject, asked, corpus, matrix, literally=literally),
    ]


def _query_after_change(subject: Subject, asked: Sequence[Query], corpus: list[list[str]], matrix: Matrix) -> TimingRow:
    index, ours, rebuilt = subject.index, list[float](), list[float]()
    turns = 2 if subject.size > 10_000 else 10
    for turn in range(turns):
        rebuilt.append(seconds(rebuilt_query, corpus, matrix, asked[turn]))
        for at in range(turn, len(asked), turns):
            index.put(replace(subject.nodes[at % subject.size], keywords=(f"change{at}",)))
            ours.append(seconds(ranked, index, asked[at]))
    for node in subject.nodes[: len(asked)]:
        index.put(node)  # as it was
    return timed_row("query after a change", subject.size, ours, "rank_bm25 rebuilt", rebuilt)


def _steady_query(
    subject: Subject, asked: Sequence[Query], corpus: list[list[str]], matrix: Matrix, *, literally: bool
) -> list[TimingRow]:
    ours, bare, literal = list[float](), list[float](), list[float]()
    for query in asked:
        bare.append(seconds(bare_query, matrix, query))
        ours.append(seconds(ranked, subject.index, query))
    bm25 = BM25Okapi(corpus)
    for query in asked[:2]:
        if literally:
            literal.append(seconds(specified_query, bm25, matrix, query))
        else:
            literal.append(seconds(bm25.get_scores, query.tokens) * 2 * subject.size)
    return [
        timed_row("steady query", subject.size, ours, "bare product and top k", bare),
        timed_row("steady query", subject.size, ours, "final specification 6.1", literal, extrapolated=not literally),
    ]


def on_server(subject: Subject, place: VectorStorePlace) -> list[Row]:
    """Each query in memory and with the vectors on the server, as things stand and after a change."""
    asked = subject.queries(QUERIES)
    with TemporaryDirectory() as folder:
        store = ChromaVectors(place.url, place.token, _MadeUp(), Path(folder))
        try:
            index = NodeIndex(SCALE, StoredVectors(store))

            def build() -> None:
                for node in subject.nodes:
                    index.put(node)
                ranked(index, asked[0])  # a store is filled by the first question

            built = seconds(build)
            steady = [[seconds(ranked, each, query) for query in asked] for each in (index, subject.index)]
            hits = [(set(ranked(index, query)), set(ranked(subject.index, query))) for query in asked]
            changed = [[_after_change(subject, each, at, query) for at, query in enumerate(asked)]
                       for each in (index, subject.index)]  # fmt: skip
        finally:
            store.drop()
            store.close()
    same = sum(len(found & known) for found, known in hits) / sum(len(known) for _, known in hits)
    return [
        timed_row("steady query, server", subject.size, steady[0], "in memory", steady[1]),
        timed_row("query after a change, server", subject.size, changed[0], "in memory", changed[1]),
        ServerRow(size=subject.size, build_s=built, same=same),
    ]


def _after_change(subject: Subject, index: NodeIndex, at: int, query: Query) -> float:
    """A query behind a node that says, and means, something else; the node is as it was afterwards."""
    node, other = subject.nodes[at % subject.size], subject.nodes[-1 - at % subject.size]
    changed = replace(node, summary=other.summary, vector=other.vector)

    def change_and_ask() -> None:
        index.put(changed)
        ranked(index, query)

    took = seconds(change_and_ask)
    index.put(node)
    return took


class _MadeUp(HashedNgrams):
    """Names the vectors of made-up nodes; it embeds nothing."""

    name = "made-up"
    dim = DIM


# -- what is compared -------------------------------------------------------------------------------------------------


def ranked(index: NodeIndex, query: Query) -> list[NodeId]:
    return [hit.node_id for hit in index.rank(query, k=K, alpha=ALPHA).hits]


def bare_query(matrix: Matrix, query: Query) -> list[int]:
    return _top(matrix @ query.vector)


def rebuilt_query(corpus: list[list[str]], matrix: Matrix, query: Query) -> list[int]:
    """The same ranking by an index that any change makes void."""
    raw = BM25Okapi(corpus).get_scores(query.tokens)
    return _top(combine(raw, float(raw.max()), matrix @ query.vector, SCALE, ALPHA).score)


def specified_query(bm25: BM25Okapi, matrix: Matrix, query: Query) -> list[int]:
    """Final specification 6.1, steps 1 and 2, as they are written down there."""
    scored = []
    for row, vector in enumerate(matrix):
        keyword = bm25.get_scores(query.tokens)[row]
        keyword = keyword / max(bm25.get_scores(query.tokens))
        scored.append((row, ALPHA * keyword + (1 - ALPHA) * np.dot(query.vector, vector)))
    scored.sort(key=lambda pair: pair[1], reverse=True)
    return [row for row, _ in scored[:K]]


def _top(scores: NDArray[np.floating[Any]]) -> list[int]:
    """Rows of the K best, best first."""
    rows = np.argpartition(scores, -K)[-K:]
    best: list[int] = rows[np.argsort(-scores[rows])].tolist()
    return best


# -- memory -----------------------------------------------------------------------------------------------------------


def memory(size: int, seed: int) -> list[MemoryRow]:
    """Of a new process that makes the nodes and then the index. Empty where the system does not tell."""
    if sys.platform == "win32":
        return []
    with spawned(1) as process:
        before, after = process.submit(_memory_taken, size, seed).result()
    measured = "peak resident set of a new process"
    return [
        MemoryRow(op="index", size=size, bytes=after - before, measured=f"growth of the {measured}"),
        MemoryRow(op="nodes, index, interpreter", size=size, bytes=after, measured=measured),
    ]


def _memory_taken(size: int, seed: int) -> tuple[int, int]:
    """Peak bytes with the nodes alone, and with their index."""
    nodes = list(NodeSource(seed).nodes(size))
    before = peak_resident_bytes()
    index = NodeIndex(SCALE)
    for node in nodes:
        index.put(node)
    return before, peak_resident_bytes()


def peak_resident_bytes() -> int:
    """The most that this process has held so far."""
    # Not from getrusage on Linux: there it starts at what the parent had.
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    import resource  # not on every system

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
