"""Raw passages for a question: which turns and sentences behind the recalled memories bear on it.

A memory is the summary of a topic; what is asked is often said in one turn of it, and not in the summary. So retrieval
goes from coarse to fine: memories first, then the passages they stand on. A passage scores like a memory (`hybrid`),
and with it counts what stands around it (an answer shares few words with the question that the turn before it asked;
passage expansion by neighbours: Callan 1994, "Passage-Level Evidence in Document Retrieval") and how well its memory
fits.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder
from memorybank.language.text import sentences
from memorybank.language.tokens import tokenize
from memorybank.memory.layers.interaction_tree import InteractionTree
from memorybank.memory.types import Entry, EntryId, Hit, NodeId
from memorybank.retrieval import hybrid
from memorybank.retrieval.index import Query
from memorybank.retrieval.keyword import KeywordIndex

AROUND = (0.4, 0.2)
"""The shares of their own scores that the better passage one away, and the better one two away, add."""
TOPIC = 0.3
"""The weight with which the memory's score, over the best memory's, is added."""

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageHit:
    """A turn of a dialogue or a sentence of any other text, `entry.text[start:end]`."""

    entry_id: EntryId
    start: int
    end: int
    text: str
    node_id: NodeId
    """The best-ranked memory that stands on it."""
    score: float


@dataclass(frozen=True, slots=True)
class _Row:
    entry_id: EntryId
    start: int
    end: int
    text: str


class PassageIndex:
    """The passages of entries, which never change: each entry is read once, when a memory on it is first recalled."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._keyword = KeywordIndex()
        self._rows: list[_Row] = []
        self._of_entry: dict[EntryId, range] = {}
        self._entry_of = array("q")
        """The number of the entry that each row is of."""

    def search(
        self, query: Query, hits: Iterable[Hit], tree: InteractionTree, *, alpha: float, count: int
    ) -> tuple[PassageHit, ...]:
        """Return the `count` best passages behind the hits; equal scores stand in the order they were recorded.

        Passages are embedded when they are first looked at. `hits` come best first.
        """
        owners = self._owners(list(hits), tree)
        rows = np.array(sorted(owners), np.intp)
        if not len(rows):
            return ()
        around = self._around(self._own(rows, query, alpha))[rows]
        memory = np.array([owners[row].score for row in rows.tolist()])
        scores = hybrid.rounded(around + TOPIC * hybrid.normalise_keyword(memory, float(memory.max())))
        order = np.argsort(-scores, kind="stable")[:count]
        return tuple(self._passage(int(rows[at]), owners[int(rows[at])].node_id, float(scores[at])) for at in order)

    def _passage(self, row: int, node_id: NodeId, score: float) -> PassageHit:
        place = self._rows[row]
        return PassageHit(
            entry_id=place.entry_id, start=place.start, end=place.end, text=place.text, node_id=node_id, score=score
        )

    def _owners(self, hits: Sequence[Hit], tree: InteractionTree) -> Mapping[int, Hit]:
        """Map each row behind the hits to the best hit."""
        owners: dict[int, Hit] = {}
        for hit in hits:
            for span in tree.spans.get(hit.node_id, ()):
                for row in self._read(tree.entries[span.entry_id]):
                    if span.start <= self._rows[row].start < span.end:
                        owners.setdefault(row, hit)
        return owners

    def _read(self, entry: Entry) -> range:
        if entry.id not in self._of_entry:
            first = len(self._rows)
            for start, end in _cut(entry):
                text = entry.text[start:end].strip()
                self._rows.append(_Row(entry.id, start, end, text))
                self._keyword.append(tokenize(text))
                self._entry_of.append(len(self._of_entry))
            self._of_entry[entry.id] = range(first, len(self._rows))
        return self._of_entry[entry.id]

    def _own(self, rows: NDArray[np.intp], query: Query, alpha: float) -> Scores:
        """Return the hybrid score of `rows`, 0 for others, in shape (all rows,)."""
        raw = self._keyword.scores(query.tokens)[rows]
        vectors = self._embedder.documents([self._rows[row].text for row in rows.tolist()])
        cosine = (vectors @ query.vector).astype(np.float64)
        own = np.zeros(len(self._rows))
        own[rows] = hybrid.combine(raw, float(raw.max(initial=0)), cosine, self._embedder.scale, alpha).score
        return own

    def _around(self, own: Scores) -> Scores:
        """Add to each passage the scores of the passages before and after it in the same entry."""
        total = own.copy()
        entry = np.array(self._entry_of)
        for distance, share in enumerate(AROUND, start=1):
            same = entry[distance:] == entry[:-distance]
            before, after = np.zeros(len(own)), np.zeros(len(own))
            before[distance:] = np.where(same, own[:-distance], 0.0)
            after[:-distance] = np.where(same, own[distance:], 0.0)
            total += share * np.maximum(before, after)
        return total


def _cut(entry: Entry) -> Iterator[tuple[int, int]]:
    """Return the turns of a dialogue, which are its lines; sentences of any other text. None is white space alone."""
    pieces = _lines(entry.text) if entry.kind == "dialogue" else sentences(entry.text)
    return ((start, end) for start, end in pieces if entry.text[start:end].strip())


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1
