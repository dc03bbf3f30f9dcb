"""The documents that bear on a question: those of the best raw sentences and those behind the best memories, in turn.

A summary says what a document is about and what it is linked to, a raw sentence what it says word for word; each finds
what the other misses. A question of several steps asks for more than the first documents say: they are followed to what
a second search finds for the rest of the question, and to what they mention by title.
Measured on MuSiQue and HotpotQA (`python -m memorybank_lab eval documents`), beside either alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Final

from memorybank.language.text import HAN, one_form
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Entry, EntryId, Node, NodeId
from memorybank.retrieval.recall import Recall, Recalled, title_of

DIRECT: Final = 0.6
"""Share of a budget of documents that goes to memories found directly; their neighbours get the rest."""
RECALLED: Final = 20
"""The number of memories whose raw sentences are looked at, beside their neighbours."""
MOST_PASSAGES: Final = 60
"""The most sentences that are ranked; enough that the first documents are told apart."""
SEARCHED_FROM: Final = 2
"""The number of documents at the top from which the rest of the question is searched for."""
MOST_NEXT: Final = 3
"""The most documents that such a search adds."""
FOLLOWED: Final = 5
"""The number of documents at the top whose mentions of others are followed."""
NAMED: Final = 0.5
"""The gain of a document by being named, as a share of the worth of the one that names it."""
DECAY: Final = 0.5
"""The document in place r (from 0) is worth 1 / (1 + DECAY · r)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EntrySearch:
    """Searches the entries of one memory; `share` is the neighbours' least score (`index.expand`)."""

    recall: Recall
    nodes: Mapping[NodeId, Node]
    tree: InteractionTree
    alpha: float
    share: float

    def best(self, text: str, *, count: int, links: bool = True) -> tuple[EntryId, ...]:
        """Return the `count` entries that bear most on a text, best first; fewer when the memory stands on fewer.

        `links`: memories one hop away bring their entries too, and documents those that they lead to.
        """
        by_passage = self.by_passages(text, links=links)
        by_memory = self.by_memories(text, count=count, links=links)
        entries = _in_turn(by_passage, by_memory)
        if not links:
            return entries[:count]
        further = (self._next(entry, text) for entry in entries[:SEARCHED_FROM])
        return _with_named(_in_turn(by_passage, by_memory, *further), self.recall, self.tree)[:count]

    def by_memories(self, text: str, *, count: int, links: bool) -> tuple[EntryId, ...]:
        """Return the entries in the order of the memories that stand on them."""
        recalled = self._recalled(text, math.ceil(DIRECT * count) if links else count)[0]
        hits = [*(hit for hit in recalled.hits if links or hit.via is None), *recalled.below]
        return tuple(dict.fromkeys(entry for hit in hits for entry in self.tree.entries_of(hit.node_id)))

    def by_passages(self, text: str, *, links: bool) -> tuple[EntryId, ...]:
        """Return the entries in the order of their best sentence, of memories that are at all near."""
        recalled, vector = self._recalled(text, RECALLED)
        hits = [hit for hit in recalled.hits if links or hit.via is None]
        passages = self.recall.passages(text, hits, self.tree, count=MOST_PASSAGES, alpha=self.alpha, vector=vector)
        return tuple(dict.fromkeys(passage.entry_id for passage in passages))

    def _recalled(self, text: str, k: int) -> tuple[Recalled, bytes]:
        return self.recall.for_text(text, self.nodes, k=k, alpha=self.alpha, share=self.share)

    def _next(self, entry: EntryId, text: str) -> tuple[EntryId, ...]:
        """Return what a search for the rest of the question finds beside this document."""
        rest = next_question(text, self.tree.entries[entry])
        entries = self.by_passages(rest, links=False) if rest else ()
        return tuple(other for other in entries if other != entry)[:MOST_NEXT]


def _with_named(ranked: Sequence[EntryId], recall: Recall, tree: InteractionTree) -> tuple[EntryId, ...]:
    """Move up, or bring in, what the first documents name; all else keeps its order."""
    worth = {entry: 1 / (1 + DECAY * place) for place, entry in enumerate(ranked)}
    gained: dict[EntryId, float] = {}
    for entry in ranked[:FOLLOWED]:
        for named in recall.references.named_by(entry, tree.entries):
            gained[named] = max(gained.get(named, 0.0), NAMED * worth[entry])
    gain = {entry: worth.get(entry, 0.0) + gained.get(entry, 0.0) for entry in (*ranked, *gained)}
    return tuple(sorted(gain, key=lambda entry: -gain[entry]))


def _in_turn(*rankings: Iterable[EntryId]) -> tuple[EntryId, ...]:
    """Merge the rankings by taking from them in turn, each entry once."""
    turns = chain.from_iterable(zip_longest(*rankings))
    return tuple(dict.fromkeys(entry for entry in turns if entry is not None))


# -- what is searched for next ----------------------------------------------------------------------------------------

_UNSPACED = re.compile(rf"[{HAN}]+")


def next_question(question: str, entry: Entry) -> str:
    """Return the document's title and what the question asks beyond it; empty for a document without a title.

    Without a title nothing short says what the document is about, and without that the rest of a question leads astray.
    Queries from what is found and what is still uncovered: Yadav, Bethard and Surdeanu 2020, "Unsupervised
    Alignment-based Iterative Evidence Retrieval for Multi-hop Question Answering"; nothing is trained.
    """
    title = title_of(entry)
    return f"{title} {unsaid(question, one_form(entry.text))}" if title else ""


def unsaid(question: str, text: str) -> str:
    """Return the words of a question that a text does not have, in their order; of Chinese, the character pairs."""
    known = frozenset(tokenize(text))
    remaining = (_unsaid_word(word, text, known) for word in question.split())
    return " ".join(word for word in remaining if word)


def _unsaid_word(word: str, text: str, known: frozenset[str]) -> str:
    if _UNSPACED.search(word):
        return _UNSPACED.sub(lambda run: _unsaid_run(run[0], text), word)
    return "" if known.intersection(query_tokens(word)) else word


def _unsaid_run(run: str, text: str) -> str:
    new = [run[place : place + 2] not in text for place in range(len(run) - 1)] or [run not in text]
    return "".join(char for place, char in enumerate(run) if any(new[max(0, place - 1) : place + 1]))
