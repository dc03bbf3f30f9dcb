"""All that can be searched and read in a session: the corpus folder and every document that was ingested.

Passages are ranked by keyword (`retrieval/keyword.py`), the best of them again with the embedding model. The index is
made when it is first asked for, and again when documents came in.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log

import numpy as np
from numpy.typing import NDArray

from memorybank.embedding.base import Embedder
from memorybank.language.text import sentences, sha256
from memorybank.language.tokens import query_tokens, tokenize
from memorybank.retrieval.hybrid import fuse, normalise_keyword, rounded
from memorybank.retrieval.keyword import KeywordIndex
from memorybank.tools.base import Original
from memorybank.tools.pictures import Pictures, no_pictures

PASSAGE_CHARS = 400
RERANKED = 20
"""Passages that the embedding model looks at; more cost time and bring little."""
RELEVANT = 0.45
"""A document counts as found when its best passage has this share of the best one's score."""


CLOSE = 0.6
"""A passage that shares no word with the query must be at least so near in meaning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readable:
    """A document of the corpus, or one that was ingested."""

    name: str
    """The name that the session gives to it, and to no other document."""
    text: str
    sha256: str
    original: Callable[[], Original | None] = field(default=lambda: None, compare=False)
    """Puts the document's original into the formal store; asked for only when it is read."""
    pictures: Pictures = field(default=no_pictures, compare=False)
    path: str = ""
    """The path in the corpus: it is found by that too, unless another document is called so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceHit:
    document: Readable
    excerpt: str
    """The passage that answers the query, as far as its words tell."""
    score: float


class Sources:
    """Search and look-up over a changing list of documents."""

    def __init__(self, documents: Callable[[], Iterable[Readable]], embedder: Embedder) -> None:
        self._documents = documents
        self._embedder = embedder
        self._key: tuple[str, ...] = ()
        self._index: _Passages | None = None

    def all(self) -> list[Readable]:
        """Return each text once, under its first name."""
        return list({document.sha256: document for document in reversed(list(self._documents()))}.values())[::-1]

    def get(self, name: str) -> Readable | None:
        called = (document for document in self._documents() if document.name == name)
        lying_there = (document for document in self._documents() if document.path == name)
        return next(called, None) or next(lying_there, None)

    def search(self, query: str, limit: int) -> list[SourceHit]:
        """Return the documents whose best passage fits the query, best first; none when nothing fits."""
        documents = self.all()
        key = tuple(document.sha256 for document in documents)
        if self._index is None or key != self._key:
            self._index, self._key = _Passages(documents), key
        return self._index.search(query, limit, self._embedder)


@functools.lru_cache(maxsize=16_384)
def _words(name: str, text: str) -> list[str]:
    """Tokenize a passage. It is cached: each round of a session has tools of its own, on the same documents."""
    return tokenize(f"{name} {text}")


class _Passages:
    def __init__(self, documents: Sequence[Readable]) -> None:
        self._documents = documents
        self._owner: list[int] = []
        self._texts: list[str] = []
        for place, document in enumerate(documents):
            for text in passages(document.text):
                self._owner.append(place)
                self._texts.append(text)
        self._words = [
            _words(documents[owner].name, text) for owner, text in zip(self._owner, self._texts, strict=True)
        ]
        # In a corpus of three documents on one topic, Okapi's idf would say that the topic's own name tells nothing.
        self._keyword = KeywordIndex(positive_idf=True)
        for words in self._words:
            self._keyword.append(words)

    def search(self, query: str, limit: int, embedder: Embedder) -> list[SourceHit]:
        tokens = query_tokens(query)
        if not any(self._words) or not tokens:
            return []
        raw = self._keyword.scores(tokens)
        keyword = normalise_keyword(raw, float(raw.max()))
        chosen = np.argsort(-keyword, kind="stable")[:RERANKED]
        vectors = embedder.documents([self._texts[place] for place in chosen])
        cosine = vectors @ embedder.queries([query])[0]
        near = embedder.scale.stretched(cosine)
        scores = rounded(fuse(keyword[chosen], near, 0.5)).astype(np.float64)
        scores[(keyword[chosen] <= 0) & (near < CLOSE)] = 0
        return self._by_document(tokens, chosen, scores, limit)

    def _by_document(
        self, tokens: Sequence[str], chosen: NDArray[np.intp], scores: NDArray[np.float64], limit: int
    ) -> list[SourceHit]:
        best: dict[int, tuple[float, int]] = {}
        for place, score in zip(chosen.tolist(), scores.tolist(), strict=True):
            owner = self._owner[place]
            if owner not in best or (score, -place) > (best[owner][0], -best[owner][1]):
                best[owner] = (score, place)
        ordered = sorted(best.items(), key=lambda item: (-item[1][0], item[0]))[:limit]
        top = ordered[0][1][0] if ordered else 0.0
        found = {owner: score for owner, (score, _) in ordered if score > 0 and score >= RELEVANT * top}
        near = dict(zip(chosen.tolist(), scores.tolist(), strict=True))
        places = self._answering(tokens, list(found), near)
        return [
            SourceHit(document=self._documents[owner], excerpt=self._texts[places[owner]].strip(), score=score)
            for owner, score in found.items()
        ]

    def _answering(self, tokens: Iterable[str], owners: Sequence[int], near: Mapping[int, float]) -> dict[int, int]:
        """Choose of each document found the passage that says most of what is asked for.

        A word counts by how few of the documents found have it: their common subject, which each of them names at its
        beginning, decides nothing. Among equals it is the passage by which the document was found.
        """
        asked = frozenset(tokens)
        held: dict[int, dict[int, frozenset[str]]] = {owner: {} for owner in owners}
        for place, owner in enumerate(self._owner):
            if owner in held:
                held[owner][place] = asked.intersection(self._words[place])
        counts = Counter(word for places in held.values() for word in frozenset[str]().union(*places.values()))
        weight = {word: log(1 + (len(owners) - count + 0.5) / (count + 0.5)) for word, count in counts.items()}

        def worth(place: int, words: Iterable[str]) -> tuple[float, float, int]:
            return round(sum(weight[word] for word in sorted(words)), 6), near.get(place, 0.0), -place

        return {owner: max(places, key=lambda place: worth(place, places[place])) for owner, places in held.items()}


def passages(text: str) -> list[str]:
    """Split into runs of whole sentences of at most PASSAGE_CHARS characters (a longer sentence stands alone)."""
    parts: list[str] = []
    start = end = 0
    for piece in sentences(text):
        if end > start and piece.end - start > PASSAGE_CHARS:
            parts.append(text[start:end])
            start = piece.start
        end = piece.end
    if text[start:end].strip():
        parts.append(text[start:end])
    return parts


def readable(name: str, text: str) -> Readable:
    return Readable(name=name, text=text, sha256=sha256(text))
