"""The stem of an English word, by Snowball's rules (Porter 2, https://snowballstem.org/algorithms/english/stemmer.html).

Words repeat, so that stems are remembered; a text's longest runs (hashes, base64) do not, and have no stem.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

LONGEST_WORD: Final = 40


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    return _stem(word) if len(word) <= LONGEST_WORD else word


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    # Imported on first use: the package loads the stemmers of thirty languages. By its full name: the package hands out
    # another implementation where PyStemmer is installed. A new one a word: it holds its word while it works, and
    # threads share this module.
    from snowballstemmer.english_stemmer import EnglishStemmer

    stemmed: str = EnglishStemmer().stemWord(word)
    return stemmed
