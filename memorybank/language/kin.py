"""Kinship terms as relations: 姐姐 is a sibling, "apprentice" a pupil. The words are in `lexicon/kin.*.yaml`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Final

from memorybank.language.lexicon import entries_of, lexicon
from memorybank.memory.types import Lang

RELATIONS: Final = ("parent", "child", "sibling", "spouse", "master", "disciple", "relative")


def kin_words(lang: Lang) -> tuple[str, ...]:
    """Every kinship term of a language, longest first."""
    return _longest_first(word for entries in _terms(lang).values() for word in entries)


def pair_words(lang: Lang) -> tuple[str, ...]:
    """Every word for what two are to each other."""
    return _longest_first(word for entries in _pairs(lang).values() for word in entries)


def own_people(lang: Lang) -> frozenset[str]:
    """Words for who is somebody's, kin or not: each is written without a blank, and with two Chinese characters."""
    listed = (*kin_words(lang), *lexicon(f"kin.{lang}").entries("others"))
    return frozenset(word for word in listed if " " not in word and len(word) > 1)


@cache
def kin_of_word(word: str, lang: Lang) -> str:
    """The relation of a kinship term, one of `RELATIONS`, by the longest term that it ends in; empty for others."""
    low = word.lower()
    endings = [(len(entry), name) for name, entries in _terms(lang).items() for entry in entries if low.endswith(entry)]
    return max(endings, default=(0, ""))[1]


def pair_of_word(word: str, lang: Lang) -> tuple[str, ...]:
    """What each of two is to the other when both are told to be this: 夫妻, father and son."""
    low = " ".join(word.lower().split())
    return next((tuple(relations.split()) for relations, entries in _pairs(lang).items() if low in entries), ())


@cache
def _terms(lang: Lang) -> Mapping[str, tuple[str, ...]]:
    listed = lexicon(f"kin.{lang}")
    return {relation: listed.entries(relation) for relation in RELATIONS}


@cache
def _pairs(lang: Lang) -> Mapping[str, tuple[str, ...]]:
    listed = lexicon(f"kin.{lang}").lists["pairs"]
    return {relations: entries_of(entries) for relations, entries in listed.items()}


def _longest_first(listed: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(listed, key=lambda word: (-len(word), word)))
