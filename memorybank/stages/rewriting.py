"""Rewrites of topic lines and keywords, collected over a stage so that each node is embedded once."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.bank import Draft
from memorybank.embedding.base import Embedder
from memorybank.events import NodeDescribed
from memorybank.retrieval.recall import embed_nodes
from memorybank.types import NodeId

MAX_KEYWORDS = 12
"""A node's keywords are a query's first tokens (16 at most); more of them would crowd its topic out."""


class Rewrites:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._new: dict[NodeId, tuple[str, tuple[str, ...], NodeId]] = {}

    def add(self, node_id: NodeId, context: str, keywords: Sequence[str], because: NodeId) -> None:
        """Ask for a rewrite; an empty context or keyword list leaves that part. Keywords only grow within a stage."""
        node = self._draft.state.graph.nodes[node_id]
        before_context, before_keywords, _ = self._new.get(node_id, (node.context, node.keywords, because))
        merged = tuple(dict.fromkeys((*before_keywords, *keywords)))[: max(MAX_KEYWORDS, len(before_keywords))]
        context = context or before_context
        if (context, merged) != (before_context, before_keywords):
            self._new[node_id] = (context, merged, because)

    def replace(self, node_id: NodeId, context: str, keywords: Sequence[str], because: NodeId) -> None:
        """Set both parts, for a neighbour that a merge described anew."""
        self._new[node_id] = (context, tuple(keywords), because)

    def emit(self, embedder: Embedder) -> None:
        """Write the rewrites that change something, of nodes that are still there, embedded in one batch."""
        nodes = self._draft.state.graph.nodes
        real = [
            (nodes[node_id], *new)
            for node_id, new in self._new.items()
            if node_id in nodes and (nodes[node_id].context, nodes[node_id].keywords) != new[:2]
        ]
        vectors = embed_nodes(embedder, [(node.summary, context, keywords) for node, context, keywords, _ in real])
        for (node, context, keywords, because), vector in zip(real, vectors, strict=True):
            self._draft.emit(
                NodeDescribed(
                    node_id=node.id,
                    context_before=node.context,
                    context=context,
                    keywords_before=node.keywords,
                    keywords=keywords,
                    vector=vector,
                    because=because,
                )
            )
        self._new.clear()
