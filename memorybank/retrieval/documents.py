"""Which documents bear on a question: those of the best raw sentences and those behind the best memories, in turn.

A summary says what a document is about and what it is linked to, a raw sentence what it says word for word; each finds
what the other misses. A question of several steps asks for more than the first documents say: they are followed to what
a second search finds for the rest of the question, and to what they mention by title.
Measured on MuSiQue and HotpotQA (`memorybank eval documents`), beside either alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, zip_longest
from typing import Final

from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import EntryId, Hit, Node, NodeId
from memorybank.retrieval.recall import Recall
from memorybank.retrieval.second_search import next_question

DIRECT: Final = 0.6
"""Share of a budget of documents that goes to memories found directly; their neighbours get the rest."""
RECALLED: Final = 20
"""Memories whose raw sentences are looked at, beside their neighbours."""
MOST_PASSAGES: Final = 60
"""Sentences ranked; enough that the first documents are told apart."""
SEARCHED_FROM: Final = 2
"""Documents at the top from which the rest of the question is searched for."""
MOST_NEXT: Final = 3
"""Documents that such a search adds."""
FOLLOWED: Final = 5
"""Documents at the top whose mentions of others are followed."""
NAMED: Final = 0.5
"""What a document gains by being named, as a share of the worth of the one that names it."""
DECAY: Final = 0.5
"""The document in place r (from 0) is worth 1 / (1 + DECAY · r)."""


def best_entries(
    recall: Recall,
    text: str,
    nodes: Mapping[NodeId, Node],
    tree: InteractionTree,
    *,
    count: int,
    alpha: float,
    share: float,
    links: bool = True,
) -> tuple[EntryId, ...]:
    """The `count` entries that bear most on a text, best first; fewer when the memory stands on fewer.

    `links`: whether memories one hop away from those found may bring theirs, too, and documents what they lead to.
    """
    said = of_passages(recall, text, nodes, tree, alpha=alpha, share=share, links=links)
    meant = of_memories(recall, text, nodes, tree, count=count, alpha=alpha, share=share, links=links)
    found = _in_turn(said, meant)
    if not links:
        return found[:count]
    further = (_next(entry, recall, text, nodes, tree, alpha=alpha, share=share) for entry in found[:SEARCHED_FROM])
    return _with_named(_in_turn(said, meant, *further), recall, tree)[:count]


def of_memories(
    recall: Recall,
    text: str,
    nodes: Mapping[NodeId, Node],
    tree: InteractionTree,
    *,
    count: int,
    alpha: float,
    share: float,
    links: bool,
) -> tuple[EntryId, ...]:
    """Entries in the order of the memories that stand on them."""
    k = math.ceil(DIRECT * count) if links else count
    recalled, _ = recall.for_text(text, nodes, k=k, alpha=alpha, share=share)
    hits = [*(hit for hit in recalled.hits if links or hit.via is None), *recalled.below]
    return tuple(dict.fromkeys(entry for hit in hits for entry in tree.entries_of(hit.node_id)))


def of_passages(
    recall: Recall,
    text: str,
    nodes: Mapping[NodeId, Node],
    tree: InteractionTree,
    *,
    alpha: float,
    share: float,
    links: bool,
) -> tuple[EntryId, ...]:
    """Entries in the order of their best sentence, of memories that are at all near."""
    recalled, vector = recall.for_text(text, nodes, k=RECALLED, alpha=alpha, share=share)
    hits: list[Hit] = [hit for hit in recalled.hits if links or hit.via is None]
    found = recall.passages(text, hits, tree, count=MOST_PASSAGES, alpha=alpha, vector=vector)
    return tuple(dict.fromkeys(one.entry_id for one in found))


def _next(
    entry: EntryId,
    recall: Recall,
    text: str,
    nodes: Mapping[NodeId, Node],
    tree: InteractionTree,
    *,
    alpha: float,
    share: float,
) -> tuple[EntryId, ...]:
    """What a search for the rest of the question finds beside this document."""
    asked = next_question(text, tree.entries[entry])
    found = of_passages(recall, asked, nodes, tree, alpha=alpha, share=share, links=False) if asked else ()
    return tuple(one for one in found if one != entry)[:MOST_NEXT]


def _with_named(found: Sequence[EntryId], recall: Recall, tree: InteractionTree) -> tuple[EntryId, ...]:
    """What the first ones name moves up, or comes in; all else keeps its order."""
    worth = {entry: 1 / (1 + DECAY * place) for place, entry in enumerate(found)}
    gained: dict[EntryId, float] = {}
    for entry in found[:FOLLOWED]:
        for named in recall.references.named_by(entry, tree.entries):
            gained[named] = max(gained.get(named, 0.0), NAMED * worth[entry])
    return tuple(sorted(dict.fromkeys((*found, *gained)), key=lambda one: -worth.get(one, 0.0) - gained.get(one, 0.0)))


def _in_turn(*rankings: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """Merge the rankings by taking from them in turn, each entry once."""
    turns = chain.from_iterable(zip_longest(*rankings))
    return tuple(dict.fromkeys(entry for entry in turns if entry is not None))
