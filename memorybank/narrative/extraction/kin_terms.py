"""Kinship terms as relations: 姐姐 is a sibling, "apprentice" a pupil."""

from __future__ import annotations

from functools import cache
from typing import Final

from memorybank.memory.types import Lang
from memorybank.narrative.extraction.lists import lists, words

RELATIONS: Final = ("parent", "child", "sibling", "spouse", "master", "disciple", "relative")
"""Names of the lists of kinship terms in `relations.*.yaml`."""


def kin_words(lang: Lang) -> tuple[str, ...]:
    """Every kinship term of a language, longest first."""
    listed = lists(f"relations.{lang}")["words"]
    return words([word for name in RELATIONS for word in words(listed[name])])


def pair_words(lang: Lang) -> tuple[str, ...]:
    """Every word for what two are to each other."""
    return words([word for entries in lists(f"relations.{lang}")["pairs"].values() for word in words(entries)])


@cache
def kin_of_word(word: str, lang: Lang) -> str:
    """The relation of a kinship term, one of `RELATIONS`, by the longest term that it ends in; empty for others."""
    listed = lists(f"relations.{lang}")["words"]
    low = word.lower()
    endings = [(len(entry), name) for name in RELATIONS for entry in words(listed[name]) if low.endswith(entry)]
    return max(endings, default=(0, ""))[1]


def pair_of_word(word: str, lang: Lang) -> tuple[str, ...]:
    """What each of two is to the other when both are told to be this: 夫妻, father and son."""
    pairs = lists(f"relations.{lang}")["pairs"]
    low = " ".join(word.lower().split())
    return next((tuple(relations.split()) for relations, entries in pairs.items() if low in words(entries)), ())
