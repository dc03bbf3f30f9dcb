"""The part that the evaluations of retrieval share: texts filed as a session files them, plain baselines, recall.

The baselines see the same texts whole, without a memory: BM25 (Robertson and Zaragoza 2009; `rank_bm25`'s Okapi), the
session's embedding model, and their mixture at α = .5, each score over the query's best. BM25 is given the question
without its function words, which is the stronger form of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray
from rank_bm25 import BM25Okapi

from memorybank.embedding.base import Embedder
from memorybank.language.text import detect_lang
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.state import MemoryState
from memorybank.retrieval.recall import Recall
from memorybank.session.assembly import offline_parts
from memorybank.session.stages.recording import Source
from memorybank.settings.config import Settings
from memorybank_lab.evaluation.verbatim import held_session

Scores = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Filed:
    """A memory after a session without a task, at default settings."""

    bank: MemoryState
    recall: Recall
    settings: Settings


@contextmanager
def filed(sources: Sequence[Source], embedder: Embedder) -> Iterator[Filed]:
    """Ingest as `memorybank ingest` does: classified, summarised, embedded, compared, linked and merged."""
    settings = Settings()
    parts = offline_parts(settings, detect_lang(sources[0].text), embedder)
    with held_session(parts, sources=sources) as session:
        session.run()
        parts.recall.sync(session.bank.graph.nodes)
        yield Filed(bank=session.bank, recall=parts.recall, settings=settings)


class Plain:
    """Texts, ranked for a question without any memory."""

    def __init__(self, texts: Sequence[str], embedder: Embedder) -> None:
        self._bm25 = BM25Okapi([tokenize(text) or [""] for text in texts])
        self._vectors = embedder.documents(texts)
        self._embedder = embedder
        self.model = embedder.name
        self.scores = cache(self._scores)
        """The scores by keyword and by vector, each over the best; questions come again for each number of texts."""

    def rankings(self, question: str) -> Mapping[str, list[int]]:
        """Return places of the texts by system, best first."""
        keyword, vector = self.scores(question)
        weights = {"BM25": 1.0, self.model: 0.0, "mixture": 0.5}
        mixed = {system: alpha * keyword + (1 - alpha) * vector for system, alpha in weights.items()}
        return {system: np.argsort(-scores, kind="stable").tolist() for system, scores in mixed.items()}

    def _scores(self, question: str) -> tuple[Scores, Scores]:
        keyword = np.asarray(self._bm25.get_scores(list(query_tokens(question))), dtype=np.float64)
        vector = (self._vectors @ self._embedder.queries([question])[0]).astype(np.float64)
        return over_best(keyword), over_best(vector)


def over_best(scores: Scores) -> Scores:
    best = float(scores.max(initial=0.0))
    return scores / best if best > 0 else np.zeros_like(scores)


def recall_at(k: int, ranked: Sequence[int], wanted: Collection[int]) -> float:
    """Return the share of what is wanted that is among the first k."""
    return len(set(ranked[:k]) & set(wanted)) / len(wanted)
