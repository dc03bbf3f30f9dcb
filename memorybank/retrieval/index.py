"""The index of nodes that queries search: the Query Graph by keyword and by vector, kept in step with it.

`NodeIndex` holds nothing of its own: it is told which nodes were touched (`sync`), and it can be thrown away and built
again at any time. What it finds depends on the nodes, the query and the arguments, not on the order in which nodes
came, changed or went.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from heapq import nsmallest
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import CosineScale
from memorybank.errors import InputError
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.types import Hit, Node, NodeId
from memorybank.retrieval import hybrid
from memorybank.retrieval.keyword import KeywordIndex
from memorybank.retrieval.names import Name, NameIndex, stands_in, tokens_of
from memorybank.retrieval.vector import VectorIndex, decode

BELOW = 5
"""The number of nodes under the cut-off line that a ranking tells of."""

MOST_NAMED = 3
"""The most nodes that name a node, or are named by it, to look at beside those that are near it."""
COMMON_NAME = 8
"""A name that stands in more texts than these is no link."""

_BLOCK = 16_384
"""The number of rows scored at a time; few enough to stay in the cache."""

_INDEXED = attrgetter("context", "keywords", "summary", "vector")
"""Returns what is indexed of a node; its links and its time are not."""

_COMPACT_FROM = 256
"""The number of removed rows up to which they are left in place."""


@dataclass(frozen=True, slots=True, eq=False)
class Query:
    tokens: tuple[str, ...]
    """The query's distinct tokens, as `tokens.query_tokens` makes them."""
    vector: NDArray[np.float32]
    """Shape (dim,), by the model that embedded the nodes; shape (0,) to search by keyword alone."""

    @classmethod
    def of_node(cls, node: Node) -> Query:
        """Ask for what is near a node: by its keywords first, then its topic, then its summary."""
        return cls(query_tokens(f"{node.context} {node.summary}", node.keywords), decode(node.vector))


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeRanking:
    hits: tuple[Hit, ...]
    """The k best, best first."""
    below: tuple[Hit, ...]
    """The next ones, just under the cut-off line, rank counting on."""
    scores: QueryScores = field(repr=False, compare=False)
    """The scores that `expand` ranks the neighbours by."""


class NodeIndex:
    """Finds nodes by context, keywords and summary (BM25) and by embedding (cosine). One writer, no reader beside."""

    def __init__(self, scale: CosineScale) -> None:
        if not scale.lo < scale.hi:
            raise InputError("retrieval.bad_scale", lo=scale.lo, hi=scale.hi)
        self.scale = scale
        self.keyword = KeywordIndex()
        self.vector = VectorIndex()
        self.names = NameIndex()
        self.version = 0
        """Raised by every change that can move a row or a score."""
        self._row_of: dict[NodeId, int] = {}
        self._nodes: list[Node | None] = []
        """The node of each row; None where it was removed."""
        self._removed = bytearray()
        """A byte for each row; 1 where the node was removed."""

    def __len__(self) -> int:
        return len(self._row_of)

    def __contains__(self, node_id: object) -> bool:
        return node_id in self._row_of

    def put(self, node: Node) -> None:
        """Add the node, or put it in the place of the one with its id.

        Raises InputError when its vector does not fit the others; the index is then as before.
        """
        row = self._row_of.get(node.id)
        if row is not None and _INDEXED(node) == _INDEXED(self.node(row)):
            self._nodes[row] = node
            return
        try:
            self.vector.append(decode(node.vector))
        except InputError as error:
            raise InputError("retrieval.bad_node", node=node.id, error=error) from error
        if row is not None:
            self._remove(row)
        self._row_of[node.id] = self.keyword.append(document_tokens(node))
        self._nodes.append(node)
        self._removed.append(0)
        self.names.put(node)
        self._changed()

    def discard(self, node_id: NodeId) -> None:
        """Take the node out, if it is in."""
        row = self._row_of.pop(node_id, None)
        if row is not None:
            self._remove(row)
            self.names.discard(node_id)
            self._changed()

    def sync(self, nodes: Mapping[NodeId, Node], touched: Iterable[NodeId] | None = None) -> None:
        """Follow the graph. `touched`: ids that may have come, changed or gone; None: compare all, by identity."""
        if touched is None:
            touched = [*nodes, *(node_id for node_id in self._row_of if node_id not in nodes)]
        for node_id in touched:
            node, row = nodes.get(node_id), self._row_of.get(node_id)
            if node is None:
                self.discard(node_id)
            elif row is None or self._nodes[row] is not node:
                self.put(node)

    def rank(
        self, query: Query, *, k: int, alpha: float, exclude: Collection[NodeId] = (), below: int = BELOW
    ) -> NodeRanking:
        """Rank the k best nodes and the `below` next: by score, then by creation (`Node.seq`).

        Excluded nodes take no place and do not set the query's best keyword score; they do count in word frequencies.
        Raises InputError for k < 0, alpha outside [0, 1], or a query vector that does not fit.
        """
        hybrid.check_arguments(k, alpha)
        scores = QueryScores(self, query, alpha, exclude)
        hits = scores.top(k + below)
        return NodeRanking(hits=hits[:k], below=hits[k:], scores=scores)

    def naming(self, node: Node) -> list[NodeId]:
        """Return the other nodes that its text names, as they come in it, then those whose text names it, by creation.

        A name that stands in many texts is no link.
        """
        named = [
            node_id
            for node_id in self.names.named_in(tokens_of(node.summary))
            if self._holders(self.names.of(self.node(self._row_of[node_id]))) is not None
        ]
        naming = [holder.id for holder in self._holders(self.names.of(node)) or ()]
        return [node_id for node_id in dict.fromkeys([*named, *naming]) if node_id != node.id]

    def _holders(self, name: Name) -> list[Node] | None:
        """Return the nodes in whose summary the name stands, by creation; None when they are many."""
        rows = self.keyword.holding(name)
        if len(rows) > COMMON_NAME**2:
            return None  # each of its words is common: not worth reading them all
        holders = [node for row in rows if stands_in(name, tokens_of((node := self.node(row)).summary))]
        return holders if len(holders) <= COMMON_NAME else None

    def row(self, node_id: NodeId) -> int | None:
        return self._row_of.get(node_id)

    def node(self, row: int) -> Node:
        node = self._nodes[row]
        assert node is not None, "removed rows are masked"
        return node

    def mask(self, exclude: Iterable[NodeId]) -> NDArray[np.bool_]:
        """Return True for rows that no ranking may show: removed ones, and those of the nodes to exclude."""
        mask = np.frombuffer(self._removed, np.bool_).copy()
        for node_id in exclude:
            if node_id in self._row_of:
                mask[self._row_of[node_id]] = True
        return mask

    def _remove(self, row: int) -> None:
        self.keyword.remove(row)
        self._nodes[row] = None
        self._removed[row] = 1

    def _changed(self) -> None:
        """End a change. Removed rows are given back once they outnumber the others."""
        self.version += 1
        if len(self._nodes) - len(self) > max(len(self), _COMPACT_FROM):
            kept = self.keyword.compact()
            self.vector.keep(kept)
            self._nodes = [self._nodes[row] for row in kept]
            self._removed = bytearray(len(kept))
            self._row_of = {self.node(row).id: row for row in range(len(kept))}


class QueryScores:
    """The scores of one query on the nodes of an index, valid until the index changes."""

    def __init__(self, index: NodeIndex, query: Query, alpha: float, exclude: Iterable[NodeId]) -> None:
        self._index, self._alpha = index, alpha
        self._unit = index.vector.unit(query.vector)
        self._version = index.version
        self._masked = index.mask(exclude)
        self._keyword_raw = index.keyword.scores(query.tokens)
        self._keyword_raw[self._masked] = 0
        self._keyword_best = float(self._keyword_raw.max(initial=0))

    def top(self, count: int) -> tuple[Hit, ...]:
        """Return the `count` best: contenders found by a product in float32, then scored exactly."""
        scale, cosine = self._index.scale, self._index.vector.cosines(self._unit)
        score = np.empty_like(cosine)
        for start in range(0, len(score), _BLOCK):
            block = slice(start, start + _BLOCK)
            raw = self._keyword_raw[block].astype(np.float32)
            score[block] = hybrid.combine(raw, self._keyword_best, cosine[block], scale, self._alpha).score
        score[self._masked] = -np.inf
        slack = float(self._index.vector.error_bound / (scale.hi - scale.lo) + 10**-hybrid.DECIMALS)
        return self._hits(hybrid.contenders(score, count, slack), count)

    def neighbors(self, via: Mapping[NodeId, NodeId], first_rank: int = 1) -> tuple[Hit, ...]:
        """Return these nodes as hits `via` others, the masked and those the index does not hold left out."""
        if self._version != self._index.version:
            raise RuntimeError("the index changed since this ranking; rank again")
        rows = [row for node_id in via if (row := self._index.row(node_id)) is not None and not self._masked[row]]
        return self._hits(np.array(rows, np.intp), len(rows), first_rank, via)

    def _hits(
        self, rows: hybrid.Rows, count: int, first_rank: int = 1, via: Mapping[NodeId, NodeId] | None = None
    ) -> tuple[Hit, ...]:
        """Return the `count` best of these rows, ranked by their exact scores; level ones by creation."""
        raw = self._keyword_raw[rows]
        cosine = self._index.vector.exact_cosines(self._unit, rows)
        exact = hybrid.combine(raw, self._keyword_best, cosine, self._index.scale, self._alpha)
        table = hybrid.rounded(np.array([exact.score, exact.keyword, exact.vector, raw, cosine])).T.tolist()
        nodes = [self._index.node(row) for row in rows.tolist()]

        def place(at: int) -> tuple[float, int, int, str]:
            node = nodes[at]
            return -table[at][0], node.seq, len(node.id), node.id

        hits = []
        for rank, at in enumerate(nsmallest(count, range(len(nodes)), place), first_rank):
            score, keyword, vector, keyword_raw, exact_cosine = table[at]
            hits.append(
                Hit(
                    node_id=nodes[at].id,
                    score=score,
                    keyword=keyword,
                    vector=vector,
                    keyword_raw=keyword_raw,
                    cosine=exact_cosine,
                    rank=rank,
                    via=via[nodes[at].id] if via else None,
                )
            )
        return tuple(hits)


def document_tokens(node: Node) -> list[str]:
    """Return what BM25 reads of a node."""
    return tokenize("\n".join((node.context, *node.keywords, node.summary)))
