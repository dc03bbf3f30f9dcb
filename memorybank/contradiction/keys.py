"""What an English word is compared by in claims: words of one key say the same."""

from __future__ import annotations

from functools import lru_cache

from memorybank.contradiction import words_en as words
from memorybank.language.inflection import form_of, lemma_of
from memorybank.language.stemming import stem


@lru_cache(maxsize=65_536)
def key(low: str) -> str:
    """What a word is compared by: its attribute, its verb class, or its stem."""
    if low in words.NOMINAL:
        return words.NOMINAL[low]
    lemma = lemma_of(low)
    attribute = words.ATTRIBUTE_OF.get(low) or words.ATTRIBUTE_OF.get(lemma)
    return f"@{attribute}" if attribute else words.VERB_CLASS.get(lemma) or stem(lemma if form_of(low) else low)
