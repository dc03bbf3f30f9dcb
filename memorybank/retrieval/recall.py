"""Recall: the derived reader that keeps the retrieval index in step with the graph and embeds nodes.

It is built lazily and from the graph alone; replaying a journal or moving the slider never builds it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder
from memorybank.language.tokens import query_tokens
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Hit, Node, NodeId
from memorybank.retrieval.expansion import expand
from memorybank.retrieval.index import MOST_NAMED, NodeIndex, Query
from memorybank.retrieval.passages import PassageHit, PassageIndex
from memorybank.retrieval.references import References
from memorybank.retrieval.vector import decode


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What a query brought back."""

    hits: tuple[Hit, ...]
    """Direct hits by rank, then their neighbours."""
    below: tuple[Hit, ...]
    """The best that did not make the cut."""
    left_out: tuple[Hit, ...] = ()
    """Neighbours that did not come along, best first."""


def pack(vector: NDArray[np.floating]) -> bytes:
    """Encode a vector as an event holds it: little-endian float16."""
    return vector.astype("<f2").tobytes()


EMBEDDED_TOGETHER = 64
"""Nodes a call to the embedder takes, so that filing a book shows how far it is."""


def embed_nodes(
    embedder: Embedder,
    nodes: Sequence[tuple[str, str, Sequence[str]]],
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[bytes]:
    """Embed nodes given as (summary, context, keywords); the vectors are event bytes.

    Head (context and keywords) and summary are embedded apart and mean-pooled by length, so that neither hides the
    other (a model that reads 256 pieces would never see keywords that stand after a long summary), and a rewritten head
    costs only the head: the summary's vector is remembered by the embedder.
    """
    packed: list[bytes] = []
    for start in range(0, len(nodes), EMBEDDED_TOGETHER):
        progress(start, len(nodes))
        packed.extend(_embed_together(embedder, nodes[start : start + EMBEDDED_TOGETHER]))
    return packed


def _embed_together(embedder: Embedder, nodes: Sequence[tuple[str, str, Sequence[str]]]) -> list[bytes]:
    heads = [" ".join((context, *keywords)).strip() for _, context, keywords in nodes]
    summaries = [summary for summary, _, _ in nodes]
    vectors = embedder.documents([*heads, *summaries])
    packed = []
    for place, (head, summary) in enumerate(zip(heads, summaries, strict=True)):
        pooled = vectors[place] * len(head) + vectors[len(nodes) + place] * len(summary)
        norm = float(np.linalg.norm(pooled))
        packed.append(pack(pooled / norm if norm else pooled))
    return packed


class Recall:
    """The readers of one memory; each is made when first used."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder

    @cached_property
    def index(self) -> NodeIndex:
        """The node index is made when first used: an endpoint's cosine scale costs a request, opening a run none."""
        return NodeIndex(self.embedder.scale)

    @cached_property
    def raw(self) -> PassageIndex:
        """The passage index is made when raw passages are first searched."""
        return PassageIndex(self.embedder)

    @cached_property
    def references(self) -> References:
        """The titles of documents are read when they are first needed."""
        return References()

    def sync(self, nodes: Mapping[NodeId, Node], hold_back: Collection[NodeId] = ()) -> None:
        """Bring the index to the graph, without the nodes that wait for analysis."""
        waiting = set(hold_back)
        self.index.sync({node.id: node for node in nodes.values() if node.id not in waiting} if waiting else nodes)

    def for_node(
        self,
        node: Node,
        nodes: Mapping[NodeId, Node],
        *,
        k: int,
        alpha: float,
        share: float,
        exclude: Collection[NodeId] = (),
    ) -> Recalled:
        """What the memory holds near a node (which is never among its own hits), and what names it or is named by it.

        The latter come `via` the node itself, whatever they score.
        """
        apart = {node.id, *exclude}
        ranking = self.index.rank(Query.of_node(node), k=k, alpha=alpha, exclude=apart)
        expansion = expand(ranking, nodes, exclude=apart, share=share)
        near = expansion.hits
        known = apart.union(hit.node_id for hit in near)
        naming = self.index.naming(node) if k else ()
        fresh = [node_id for node_id in naming if node_id not in known and node_id in nodes]
        via = dict.fromkeys(fresh[:MOST_NAMED], node.id)
        named = ranking.scores.neighbors(via, first_rank=len(near) + 1)
        left_out = tuple(hit for hit in expansion.left_out if hit.node_id not in via)
        return Recalled(hits=near + named, below=ranking.below, left_out=left_out)

    def for_text(
        self,
        text: str,
        nodes: Mapping[NodeId, Node],
        *,
        k: int,
        alpha: float,
        share: float,
        vector: bytes | None = None,
        further: Sequence[str] = (),
    ) -> tuple[Recalled, bytes]:
        """What the memory holds on a text, and the query's vector. A stored `vector` saves the embedding.

        `share`: of the last direct hit's score, from which its neighbours come along (`index.expand`). What it holds
        on each of the `further` texts follows, without neighbours.
        """
        if vector is None:
            vector = pack(self.embedder.queries([text])[0])
        query = Query(query_tokens(text), decode(vector))
        ranking = self.index.rank(query, k=k, alpha=alpha)
        expansion = expand(ranking, nodes, share=share)
        hits, rank = {hit.node_id: hit for hit in expansion.hits}, len(ranking.hits)
        for other in further:
            query = Query(query_tokens(other), decode(pack(self.embedder.queries([other])[0])))
            for hit in self.index.rank(query, k=k, alpha=alpha).hits:
                if hit.node_id not in hits:
                    hits[hit.node_id] = replace(hit, rank=(rank := rank + 1))
        return Recalled(hits=tuple(hits.values()), below=ranking.below, left_out=expansion.left_out), vector

    def passages(
        self,
        text: str,
        hits: Sequence[Hit],
        tree: InteractionTree,
        *,
        count: int,
        alpha: float,
        vector: bytes | None = None,
    ) -> tuple[PassageHit, ...]:
        """Return the turns and sentences behind `hits` that bear most on a text, best first; see `for_text`."""
        if count < 1:
            return ()
        query_vector = self.embedder.queries([text])[0] if vector is None else decode(vector)
        query = Query(query_tokens(text), query_vector)
        return self.raw.search(query, hits, tree, alpha=alpha, count=count)
