"""Rewrites of topic lines and keywords, collected over a stage so that each node is embedded once."""

from __future__ import annotations

from collections.abc import Sequence

from memorybank.embedding.base import Embedder
from memorybank.memory.events import NodeDescribed
from memorybank.memory.state import Draft
from memorybank.memory.types import NodeId
from memorybank.retrieval.recall import embed_nodes

MAX_KEYWORDS = 12
"""A node's keywords are a query's first tokens (16 at most); more of them would crowd its topic out."""


class Rewrites:
    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._new: dict[NodeId, tuple[str, tuple[str, ...], NodeId]] = {}

    def add(self, node_id: NodeId, context: str, keywords: Sequence[str], because: NodeId) -> None:
        """Ask for a rewrite: a topic line, and the whole list of keywords. What is empty leaves that part.

        All rewrites of a stage were made from the node as it was: the last line that is another one stands; what any
        list adds comes, what any drops goes. A node that has keywords keeps some.
        """
        node = self._draft.state.graph.nodes[node_id]
        context_before, keywords_before, _ = self._new.get(node_id, (node.context, node.keywords, because))
        described = (
            context_before if context.strip() in ("", node.context) else context.strip(),
            _updated(node.keywords, keywords_before, keywords) or keywords_before,
        )
        if described != (context_before, keywords_before):
            self._new[node_id] = (*described, because)

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


def _updated(own: Sequence[str], now: Sequence[str], listed: Sequence[str]) -> tuple[str, ...]:
    """The keywords as they are now in this stage, brought to a list that was made from the node's own."""
    words = tuple(dict.fromkeys(word.strip() for word in listed if word.strip()))
    if not words or tuple(now) == tuple(own):
        return words[:MAX_KEYWORDS]
    dropped = set(own) - set(words)
    kept = [word for word in now if word not in dropped]
    return tuple(dict.fromkeys((*kept, *(word for word in words if word not in own))))[:MAX_KEYWORDS]
