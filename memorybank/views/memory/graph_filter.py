"""Which nodes of the graph are shown, which of them a search finds, and in what order they are listed."""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from memorybank.memory.types import Node, NodeId
from memorybank.views.graph.style import EdgeKind, NodeState
from memorybank.views.memory.edges import NodeLink


def kept(
    nodes: Iterable[NodeId], wanted: frozenset[NodeState], states: Mapping[NodeId, frozenset[NodeState]]
) -> list[NodeId]:
    """Those in one of the states that are wanted, or all where none is, oldest first."""
    return [node_id for node_id in nodes if not wanted or not wanted.isdisjoint(states[node_id])]


def search(nodes: Iterable[Node], words: str) -> list[NodeId]:
    """Nodes that hold every word of a search, in topic, keywords, summary or id. Best first.

    Best: its id; then all words in the topic; then in topic and keywords; then anywhere. Among these, the newest.
    """
    wanted = fold(words).split()
    if not wanted:
        return []
    matches: list[tuple[int, int, NodeId]] = []
    for node in nodes:
        place = _place(node, wanted)
        if place is not None:
            matches.append((place, -node.seq, node.id))
    return [node_id for _, _, node_id in sorted(matches)]


def _place(node: Node, wanted: Sequence[str]) -> int | None:
    if [fold(node.id)] == list(wanted):
        return 0
    text = ""
    for place, part in enumerate((node.context, " ".join(node.keywords), node.summary, node.id), start=1):
        text = f"{text}\n{fold(part)}"
        if all(word in text for word in wanted):
            return place
    return None


@functools.lru_cache(maxsize=8_192)
def fold(text: str) -> str:
    """For comparing: width and compatibility forms, and upper and lower case, count as the same."""
    return unicodedata.normalize("NFKC", text).casefold()


def ordered_edges(edges: Iterable[NodeLink], nodes: Mapping[NodeId, Node]) -> list[NodeLink]:
    """Edges as a list shows them: contested ones first, the newest first among each."""

    def seqs(edge: NodeLink) -> tuple[int, int]:
        return nodes[edge.ends[1]].seq, nodes[edge.ends[0]].seq

    newest = sorted(edges, key=seqs, reverse=True)
    return sorted(newest, key=lambda edge: list(EdgeKind).index(edge.kind))
