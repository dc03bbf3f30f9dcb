"""The words that laying clauses side by side needs, stemmed as the clauses are; lists in `lexicon/alignment.yaml`."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from memorybank.engines.offline.claims import words_en, words_zh
from memorybank.engines.offline.claims.lexicon import lexicon
from memorybank.retrieval.tokens import tokenize

LISTS = lexicon("alignment")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    found = tokenize(word.partition("’")[0].partition("'")[0])
    return found[0] if found else word.lower()


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(token for word in words for token in tokenize(word))


NOT_NAMES = words_en.FUNCTION | words_en.MONTHS_AND_DAYS | words_en.DEMONYMS
GENERIC = words_en.GENERIC_NOUNS
GENERIC_STEMS = _stems(GENERIC)
GENERIC_HAN = tuple(sorted((word for word in words_zh.GENERIC if len(word) > 1), key=lambda word: (-len(word), word)))
"""Longest first."""
LIGHT_STEMS = _stems(words_en.FUNCTION | LISTS.words("light_en"))
LIGHT_HAN = LISTS.characters("light_han")
HEDGING = frozenset(map(stem, LISTS.words("hedging")))
SCOPE_STEMS = _stems(words_en.SCOPE)
VARYING = _stems(words_en.VARYING)
REPEATABLE = _stems(words_en.REPEATABLE) | LISTS.words("repeatable_stems")
REPEATABLE_HAN = LISTS.words("repeatable_han")
SHOWN = LISTS.words("shown")


def any_of(words: Iterable[str]) -> str:
    """A pattern for one of the words, in their order."""
    return "|".join(words)


def whole(words: Iterable[str]) -> str:
    """The same, for words with blanks around them."""
    return rf"\b(?:{any_of(words)})\b"
