"""BM25 over documents that come, change and go, with no rebuild.

`KeywordIndex` scores as `rank_bm25.BM25Okapi` does over the live documents (k1 = 1.5, b = 0.75, epsilon = 0.25), to
1e-9. What BM25 needs of the whole corpus is kept as sums: the documents, their total length, and how many tokens occur
in 1, 2, 3 … documents, which is all that the average idf (the floor of negative ones) depends on.

A document is a row. Rows only grow, so postings are sorted and a document is found in them by bisection; a removed
document leaves zeros behind until `compact`. The corpus sums do not depend on the order of what happened, and a row's
score adds up in the order of the query: the same documents get the same scores, to the bit, whatever came before.
"""

from __future__ import annotations

import math
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from sys import intern

import numpy as np
from numpy.typing import NDArray

Scores = NDArray[np.float64]
"""One score a row, of shape (rows,)."""

K1, B, EPSILON = 1.5, 0.75, 0.25
"""The parameters of `BM25Okapi` (Trotman et al., Improvements to BM25 and Language Models Examined, 2014)."""


@dataclass(slots=True)
class _Posting:
    """The occurrences of a token: rows ascending, and how often it is in each (0 once the document is removed)."""

    rows: array[int] = field(default_factory=lambda: array("i"))
    counts: array[float] = field(default_factory=lambda: array("f"))
    documents: int = 0
    """The number of live documents with the token: its document frequency."""


class KeywordIndex:
    """Scores documents of tokens by row. One writer, and no reader beside it.

    `positive_idf`: that of `BM25Plus`, log((documents + 1) / frequency), which lets a word that is in most documents
    count, too (its delta is 0: a document without the word gets nothing for it).
    """

    def __init__(self, *, positive_idf: bool = False) -> None:
        self._positive_idf = positive_idf
        self._postings: dict[str, _Posting] = {}
        self._documents: list[tuple[str, ...]] = []
        """The distinct tokens of each row's document; empty for a removed one."""
        self._lengths = array("d")
        self._live = bytearray()
        self._live_count = 0
        self._total_length = 0.0
        self._tokens_by_frequency = array("q", [0])
        """The count at [f] is that of tokens that occur in exactly f live documents. [0] is not kept."""
        self._norms: Scores | None = None
        self._idf_floor: float | None = None

    def __len__(self) -> int:
        """Return the number of live documents."""
        return self._live_count

    @property
    def rows(self) -> int:
        """Return the number of rows in use, removed ones included."""
        return len(self._documents)

    def append(self, tokens: Iterable[str]) -> int:
        """Add a document; its row is returned."""
        row = len(self._documents)
        counts = Counter(tokens)
        document = tuple(map(intern, counts))
        self._tokens_by_frequency.append(0)
        for token, count in zip(document, counts.values(), strict=True):
            posting = self._postings.get(token)
            if posting is None:
                posting = self._postings[token] = _Posting()
            posting.rows.append(row)
            posting.counts.append(count)
            self._shift(posting, 1)
        self._documents.append(document)
        self._lengths.append(counts.total())
        self._live.append(1)
        self._live_count += 1
        self._total_length += self._lengths[row]
        self._norms = self._idf_floor = None
        return row

    def remove(self, row: int) -> None:
        """Take a live document out; raises IndexError for a row that holds none."""
        if not (0 <= row < self.rows and self._live[row]):
            raise IndexError(f"no document in row {row}")
        for token in self._documents[row]:
            posting = self._postings[token]
            posting.counts[bisect_left(posting.rows, row)] = 0.0
            self._shift(posting, -1)
        self._documents[row] = ()
        self._live[row] = 0
        self._live_count -= 1
        self._total_length -= self._lengths[row]
        self._lengths[row] = 0.0
        self._norms = self._idf_floor = None

    def compact(self) -> NDArray[np.intp]:
        """Drop the rows of removed documents. Returns the rows that stay, ascending; they become 0, 1, 2 …"""
        live = np.frombuffer(self._live, np.bool_)
        kept = np.flatnonzero(live)
        new_rows = np.cumsum(live, dtype=np.int32) - np.int32(1)
        self._postings = {token: posting for token, posting in self._postings.items() if posting.documents}
        for posting in self._postings.values():
            rows, counts = np.frombuffer(posting.rows, np.int32), np.frombuffer(posting.counts, np.float32)
            stays = counts > 0
            posting.rows = array("i", new_rows[rows[stays]].tobytes())
            posting.counts = array("f", counts[stays].tobytes())
        self._documents = [self._documents[row] for row in kept]
        self._lengths = array("d", np.frombuffer(self._lengths)[kept].tobytes())
        self._live = bytearray(b"\1") * len(kept)
        del self._tokens_by_frequency[len(kept) + 1 :]
        self._norms = None
        return kept

    def scores(self, query: Sequence[str]) -> Scores:
        """Return raw BM25 of every row, 0 for removed ones. A token that stands twice in the query counts twice."""
        matched = [
            (posting, times * self._idf(posting.documents) * (K1 + 1))
            for token, times in Counter(query).items()
            if (posting := self._postings.get(token)) is not None and posting.documents
        ]
        if not matched:
            return np.zeros(self.rows)
        rows = np.concatenate([np.frombuffer(posting.rows, np.int32) for posting, _ in matched], dtype=np.intp)
        counts = np.concatenate([np.frombuffer(posting.counts, np.float32) for posting, _ in matched], dtype=np.float64)
        gains = self._length_norms().take(rows)
        gains += counts
        np.divide(counts, gains, out=gains)
        start = 0
        for posting, weight in matched:
            gains[start : start + len(posting.rows)] *= weight
            start += len(posting.rows)
        return np.bincount(rows, weights=gains, minlength=self.rows).astype(np.float64, copy=False)

    def holding(self, tokens: Sequence[str]) -> list[int]:
        """Return the rows, ascending, of the live documents that have all of these tokens; none for no token."""
        postings = [self._postings.get(token) for token in dict.fromkeys(tokens)]
        common: NDArray[np.int32] | None = None
        for posting in sorted(postings, key=lambda posting: posting.documents if posting else 0):
            if posting is None or not posting.documents:
                return []
            rows = np.frombuffer(posting.rows, np.int32)[np.frombuffer(posting.counts, np.float32) > 0]
            common = rows if common is None else np.intersect1d(common, rows, assume_unique=True)
        return [] if common is None else common.tolist()

    def _shift(self, posting: _Posting, step: int) -> None:
        """Count one live document more or less for a token."""
        self._tokens_by_frequency[posting.documents] -= 1
        posting.documents += step
        self._tokens_by_frequency[posting.documents] += 1

    def _length_norms(self) -> Scores:
        """Return k1 · (1 − b + b · length / average length), by row. Called only when a document has a token."""
        if self._norms is None:
            slope = K1 * B * self._live_count / self._total_length
            self._norms = np.frombuffer(self._lengths) * slope
            self._norms += K1 * (1 - B)
        return self._norms

    def _idf(self, documents: int) -> float:
        if self._positive_idf:
            return math.log(self._live_count + 1) - math.log(documents)
        idf = math.log(self._live_count - documents + 0.5) - math.log(documents + 0.5)
        return idf if idf >= 0 else self._floor()

    def _floor(self) -> float:
        """Return epsilon times the average idf of all tokens: what a token in more than half of the documents gets."""
        if self._idf_floor is None:
            tokens = np.frombuffer(self._tokens_by_frequency, np.int64)
            documents = np.flatnonzero(tokens[1:]) + 1
            tokens = tokens[documents]
            idfs = np.log(self._live_count - documents + 0.5) - np.log(documents + 0.5)
            self._idf_floor = EPSILON * float((tokens * idfs).sum()) / int(tokens.sum())
        return self._idf_floor
