"""How much a sentence bears on a question, given what is quoted already.

By its words and its title's (idf over the sentences at hand; a word that is quoted already counts less, after Carbonell
and Goldstein 1998, "The Use of MMR"), by meaning (the session's embedding model), by whether it holds the kind of thing
asked for, and by whether its title is something that a quoted sentence names: the second step of a question that takes
two.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Line
from memorybank.language.tokens import query_tokens, tokenize

CONSIDERED = 24
"""Sentences that the embedding model looks at, those with the most of the question's words."""
AROUND = 0.3
"""Of a sentence's score by words, what the words of its whole passage count: a text seldom repeats its subject."""
QUOTED = 0.5
"""What a word counts that is quoted already."""
WANTED = 0.4
"""Bonus of a sentence that holds the kind of thing the question asks for."""
NAMED = 0.3
"""Bonus of a sentence under a title that a quoted sentence names and the question does not."""


class Ranking:
    def __init__(self, question: Question, lines: Sequence[Line], embedder: Embedder, about: Set[int]) -> None:
        """`about`: places of the sentences on what the question names; the best of them are looked at in any case."""
        self._lines = lines
        self._words = [(line.words | line.title_words) & question.words for line in lines]
        self._around = _together(lines, self._words)
        self._weight = _weights(question.words, lines)
        self._total = sum(self._weight.values()) or 1.0
        self._titles = [_title(line, question) for line in lines]
        keyword = np.array([self._by_words(place, frozenset()) for place in range(len(lines))])
        self.considered = _considered(keyword, lines, about)
        self._near = self._by_meaning(question, embedder)
        self._held = {place: question.is_held_by(lines[place].text) for place in self.considered}

    def score(self, place: int, quoted: frozenset[str], text: str) -> float:
        """In [0, 1] and the bonuses; 0 without a word of the question or a link. `text`: tokens of what is quoted."""
        named = self.is_linked(place, text)
        keyword = self._by_words(place, quoted)
        if keyword <= 0 and not named:
            return 0.0
        score = 0.5 * keyword + 0.5 * self._near[place] + WANTED * self._held[place] + NAMED * named
        return round(score * self._lines[place].weight, 6)

    def is_linked(self, place: int, text: str) -> bool:
        """Whether a quoted sentence names the title that a sentence stands under. `text`: tokens of what is quoted."""
        title = self._titles[place]
        return bool(title) and f" {title} " in text

    def _by_words(self, place: int, quoted: frozenset[str]) -> float:
        own = self._share(self._words[place], quoted)
        return (1 - AROUND) * own + AROUND * self._share(self._around[self._lines[place].passage], quoted)

    def _share(self, words: frozenset[str], quoted: frozenset[str]) -> float:
        return sum(self._weight[word] * (QUOTED if word in quoted else 1) for word in sorted(words)) / self._total

    def _by_meaning(self, question: Question, embedder: Embedder) -> dict[int, float]:
        vectors = embedder.documents([self._lines[place].text for place in self.considered])
        cosine = vectors @ embedder.queries([question.text])[0]
        near = np.clip((cosine - embedder.scale.lo) / (embedder.scale.hi - embedder.scale.lo), 0, 1)
        return dict(zip(self.considered, (float(nearness) for nearness in near), strict=True))


def _weights(words: frozenset[str], lines: Sequence[Line]) -> dict[str, float]:
    """Inverse document frequency of the question's words over the sentences."""
    seen = {word: sum(word in line.words for line in lines) for word in words}
    return {word: float(np.log(1 + len(lines) / (1 + count))) for word, count in seen.items()}


def _together(lines: Sequence[Line], words: Sequence[frozenset[str]]) -> dict[int, frozenset[str]]:
    """The question's words in each whole passage."""
    by_passage: dict[int, frozenset[str]] = {}
    for line, own_words in zip(lines, words, strict=True):
        by_passage[line.passage] = by_passage.get(line.passage, frozenset()) | own_words
    return by_passage


def _considered(keyword: np.ndarray, lines: Sequence[Line], about: Set[int]) -> list[int]:
    """The best by words, of all and of those on the subject, and the best of each passage."""
    order = [int(place) for place in np.argsort(-keyword, kind="stable")]
    first: dict[int, int] = {}
    for place in order:
        first.setdefault(lines[place].passage, place)
    own = [place for place in order if place in about]
    return list(dict.fromkeys([*order[:CONSIDERED], *own[:CONSIDERED], *first.values()]))


def _title(line: Line, question: Question) -> str:
    """The tokens of the title that a sentence stands under; empty where the question names it, or a single word."""
    tokens = tokenize(line.title.partition("(")[0])
    return "" if len(tokens) < 2 or question.words.issuperset(query_tokens(line.title)) else " ".join(tokens)
