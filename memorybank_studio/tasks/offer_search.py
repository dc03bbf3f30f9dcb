"""A search through all that was ever offered, by words and by meaning (`retrieval/hybrid.py`), in a task or a chapter.

Words are indexed in memory; vectors stand in a collection of the semantic store, so that no text is embedded twice.
Both are derived from the journal, and catch up with it when a search is made.
"""

from __future__ import annotations

import threading
from typing import Final

import numpy as np

from memorybank.language.tokens import query_tokens, tokenize
from memorybank.retrieval import hybrid
from memorybank.retrieval.chroma import Chroma
from memorybank.retrieval.keyword import KeywordIndex
from memorybank_studio.creativity.options import Offer
from memorybank_studio.hub.collection import Collection, Row
from memorybank_studio.journal.offers import OfferPlace, Offers
from memorybank_studio.types import TaskId

ALPHA: Final = 0.5
"""Share of the words in a score."""
CANDIDATES: Final = 60
"""Options that are looked at closely: so many by words, so many by meaning."""
_BATCH: Final = 200
"""Options read and embedded at a time."""
LEAST: Final = 0.1
"""Score below which an option has nothing to do with what is sought."""


class OfferSearch:
    """Thread-safe."""

    def __init__(self, offers: Offers, chroma: Chroma) -> None:
        self._offers = offers
        self._vectors = Collection(chroma, "offers")
        self._lock = threading.Lock()
        self._keyword = KeywordIndex()
        self._rows: dict[str, int] = {}
        """Of the texts that are indexed, by digest."""

    def search(
        self, text: str, *, task: TaskId | None = None, chapter: int | None = None, count: int = 20
    ) -> tuple[tuple[Offer, float], ...]:
        """The options that bear most on a text, best first, with scores in [0, 1]. Raises StoreUnavailableError,
        OSError."""
        with self._lock:
            places = self._offers.places()
            self._catch_up(places)
            within = [place for place in places if task in (None, place.task) and chapter in (None, place.chapter)]
            scores = self._scores(text, within) if within else {}
        best = sorted(scores, key=lambda place: (-scores[place], -place.start, place.number))[:count]
        return tuple((offer, scores[place]) for offer, place in zip(self._offers.at(best), best, strict=True))

    def _catch_up(self, places: list[OfferPlace]) -> None:
        new = places[len(self._rows) :]
        if not new:
            return
        stored = set(self._vectors.ids())
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            texts = [offer.option.draft.text for offer in self._offers.at(batch)]
            rows = [
                Row(id=place.digest, text=text, metadata={"task": place.task})
                for place, text in zip(batch, texts, strict=True)
                if place.digest not in stored
            ]
            self._vectors.put(rows, self._vectors.embedder.documents([row.text for row in rows]))
            for place, text in zip(batch, texts, strict=True):
                self._rows[place.digest] = self._keyword.append(tokenize(text))

    def _scores(self, text: str, places: list[OfferPlace]) -> dict[OfferPlace, float]:
        keyword = self._keyword.scores(query_tokens(text))
        by_words = sorted(places, key=lambda place: -keyword[self._rows[place.digest]])[:CANDIDATES]
        by_digest = {place.digest: place for place in places}
        cosines = self._cosines(text, list(by_digest), min(CANDIDATES, len(places)))
        cosines |= self._cosines(text, [place.digest for place in by_words], len(by_words))
        digests = list(cosines)
        combined = hybrid.combine(
            np.array([keyword[self._rows[digest]] for digest in digests]),
            float(keyword.max()),
            np.array([cosines[digest] for digest in digests]),
            self._vectors.embedder.scale,
            ALPHA,
        )
        scored = zip(digests, hybrid.rounded(combined.score), strict=True)
        return {by_digest[digest]: float(score) for digest, score in scored if score >= LEAST}

    def _cosines(self, text: str, digests: list[str], count: int) -> dict[str, float]:
        near = self._vectors.nearest(text, count=count, ids=digests)
        return {hit.row.id: hit.cosine for hit in near}
