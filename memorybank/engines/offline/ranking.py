"""How much a sentence bears on a question, given what is quoted already.

By its words and its title's (idf over the sentences at hand; a word that is quoted already counts less, after Carbonell
and Goldstein 1998, "The Use of MMR"), by meaning (the session's embedding model), by whether it holds the kind of thing
asked for, and by whether its title is something that a quoted sentence names: the second step of a question that takes
two.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence, Set

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.engines.offline.asking import Question
from memorybank.engines.offline.quotable import Line
from memorybank.language.text import is_han
from memorybank.language.tokens import query_tokens, tokenize

CONSIDERED = 24
"""Sentences that the embedding model looks at, those with the most of the question's words."""
QUOTED = 0.5
"""What a word counts that is quoted already."""
WANTED = 0.4
"""Bonus of a sentence that holds the kind of thing the question asks for, or a word of what it asks."""
NAMED = 0.3
"""Bonus of a sentence under a title that a quoted sentence names and the question does not."""


class Ranking:
    def __init__(self, question: Question, lines: Sequence[Line], embedder: Embedder, about: Set[int]) -> None:
        """`about`: places of the sentences on what the question names; the best of them are looked at in any case."""
        self._lines = lines
        self._words = [sorted((line.words | line.title_words) & question.words) for line in lines]
        self._weight = _weights(question.words, lines)
        self._total = sum(self._weight.values()) or 1.0
        self._titles = [_title(line, question) for line in lines]
        self.considered = _considered(np.array(list(map(self.by_words, range(len(lines))))), lines, about)
        self._embedder = embedder
        near = self._by_meaning(question.text, [lines[place].text for place in self.considered])
        self._near = dict(zip(self.considered, near, strict=True))
        self.wanted = {place for place in self.considered if question.is_held_by(lines[place].text)}
        """Places of the sentences that get the bonus."""

    def score(self, place: int, quoted: Container[str], text: str) -> float:
        """In [0, 1] and the bonuses; 0 without a word of the question, what it wants or a link.

        `quoted`: words that count less; `text`: tokens of what is quoted.
        """
        named = self.is_linked(place, text)
        keyword = self.by_words(place, quoted)
        if keyword <= 0 and not named and place not in self.wanted:
            return 0.0
        score = 0.5 * keyword + 0.5 * self._near[place] + WANTED * (place in self.wanted) + NAMED * named
        return round(score * self._lines[place].weight, 6)

    def is_linked(self, place: int, text: str) -> bool:
        """Whether a quoted sentence names the title that a sentence stands under. `text`: tokens of what is quoted."""
        title = self._titles[place]
        return bool(title) and f" {title} " in text

    def by_words(self, place: int, quoted: Container[str] = ()) -> float:
        weights = (self._weight[word] * (QUOTED if word in quoted else 1) for word in self._words[place])
        return sum(weights) / self._total

    def nearness(self, question: Question, places: Sequence[int]) -> dict[int, float]:
        """Likeness in meaning of what is said and what is asked, whatever it is said of."""
        called = sorted({*question.names, question.subject} - {""}, key=len, reverse=True)
        name = "|".join(map(re.escape, called)) or r"(?!)"
        whole = re.compile(rf"(?:{name})(?:(?:\s*[(（][^)）]*[)）])?[:：])?")  # with the time and the colon of a turn
        it = "它" if is_han(question.own) else "it"
        texts = [whole.sub(it, self._lines[place].text) for place in places]
        return dict(zip(places, self._by_meaning(whole.sub(it, question.own), texts), strict=True))

    def _by_meaning(self, question: str, texts: Sequence[str]) -> list[float]:
        """Score the sentences, each in [0, 1]."""
        if not texts:
            return []
        embedder = self._embedder
        cosine = embedder.documents(list(texts)) @ embedder.queries([question])[0]
        return [float(nearness) for nearness in embedder.scale.stretched(cosine)]


def _weights(words: frozenset[str], lines: Sequence[Line]) -> dict[str, float]:
    """Inverse document frequency of the question's words over the sentences."""
    seen = {word: sum(word in line.words for line in lines) for word in words}
    return {word: float(np.log(1 + len(lines) / (1 + count))) for word, count in seen.items()}


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
