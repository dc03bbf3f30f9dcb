"""Which documents bear on a question: those of the best raw sentences and those behind the best memories, in turn.

A summary says what a document is about and what it is linked to, a raw sentence what it says word for word; each finds
what the other misses. Measured on MuSiQue and HotpotQA (`memorybank eval documents`), beside either alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import chain, zip_longest
from typing import Final

from memorybank.layers.interaction_tree import InteractionTree
from memorybank.retrieval.recall import Recall
from memorybank.types import EntryId, Hit, Node, NodeId

DIRECT: Final = 0.6
"""Share of a budget of documents that goes to memories found directly; their neighbours get the rest."""
RECALLED: Final = 20
"""Memories whose raw sentences are looked at, beside their neighbours."""
MOST_PASSAGES: Final = 60
"""Sentences ranked; enough that the first documents are told apart."""


def best_entries(
    recall: Recall,
    text: str,
    nodes: Mapping[NodeId, Node],
    tree: InteractionTree,
    *,
    count: int,
    alpha: float,
    links: bool = True,
) -> tuple[EntryId, ...]:
    """The `count` entries that bear most on a text, best first; fewer when the memory stands on fewer.

    `links`: whether memories one hop away from those found may bring theirs, too.
    """
    said = of_passages(recall, text, nodes, tree, alpha=alpha, links=links)
    meant = of_memories(recall, text, nodes, tree, count=count, alpha=alpha, links=links)
    return _first(count, said, meant)


def of_memories(
    recall: Recall,
    text: str,
    nodes: Mapping[NodeId, Node],
    tree: InteractionTree,
    *,
    count: int,
    alpha: float,
    links: bool,
) -> tuple[EntryId, ...]:
    """Entries in the order of the memories that stand on them."""
    k = math.ceil(DIRECT * count) if links else count
    recalled, _ = recall.for_text(text, nodes, k=k, alpha=alpha)
    hits = [*(hit for hit in recalled.hits if links or hit.via is None), *recalled.below]
    return tuple(dict.fromkeys(entry for hit in hits for entry in tree.entries_of(hit.node_id)))


def of_passages(
    recall: Recall, text: str, nodes: Mapping[NodeId, Node], tree: InteractionTree, *, alpha: float, links: bool
) -> tuple[EntryId, ...]:
    """Entries in the order of their best sentence, of memories that are at all near."""
    recalled, vector = recall.for_text(text, nodes, k=RECALLED, alpha=alpha)
    hits: list[Hit] = [hit for hit in recalled.hits if links or hit.via is None]
    found = recall.passages(text, hits, tree, count=MOST_PASSAGES, alpha=alpha, vector=vector)
    return tuple(dict.fromkeys(one.entry_id for one in found))


def _first(count: int, *rankings: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """The rankings taken in turn, each entry once."""
    turns = chain.from_iterable(zip_longest(*rankings))
    return tuple(dict.fromkeys(entry for entry in turns if entry is not None))[:count]
