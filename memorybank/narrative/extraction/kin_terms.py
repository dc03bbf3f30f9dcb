"""Kinship terms as what they say: 姐姐 is a sibling, female, elder; "apprentice" is a pupil of either sex."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from memorybank.narrative.extraction.lists import lists, words
from memorybank.types import Lang

CLASSES: Final = (
    "grandparent", "grandchild", "parent", "child", "sibling", "spouse", "master", "disciple", "uncle", "cousin",
    "nephew", "inlaw",
)  # fmt: skip
INVERSE: Final = {
    "parent": "child", "child": "parent", "sibling": "sibling", "spouse": "spouse", "master": "disciple",
    "disciple": "master", "uncle": "nephew", "nephew": "uncle", "cousin": "cousin", "grandparent": "grandchild",
    "grandchild": "grandparent", "inlaw": "inlaw",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kin:
    """What someone is to another."""

    relation: str
    """One of `CLASSES`."""
    gender: str
    """`male`, `female`, or empty."""
    order: str
    """`elder`, `younger`, or empty."""


def kin_words(lang: Lang) -> tuple[str, ...]:
    """Every kinship term of a language, longest first."""
    listed = lists(f"relations.{lang}")["words"]
    return words([word for name in CLASSES for word in words(listed[name])])


def pair_words(lang: Lang) -> tuple[str, ...]:
    """Every word for what two are to each other."""
    return words([word for entries in lists(f"relations.{lang}")["pairs"].values() for word in words(entries)])


@cache
def kin_of_word(word: str, lang: Lang) -> Kin | None:
    """A kinship term as what it says; None for what is none."""
    listed = lists(f"relations.{lang}")["words"]
    low = word.lower()
    entries = {name: words(listed[name]) for name in CLASSES}
    relation = next((name for name in CLASSES if low in entries[name]), "")
    if not relation:
        endings = [(len(entry), name) for name in CLASSES for entry in entries[name] if low.endswith(entry)]
        relation = max(endings, default=(0, ""))[1]
    return Kin(relation, _gender(low, lang), _order(low, relation, lang)) if relation else None


def pair_of_word(word: str, lang: Lang) -> tuple[str, ...]:
    """What each of two is to the other when both are told to be this: 夫妻, father and son."""
    pairs = lists(f"relations.{lang}")["pairs"]
    low = " ".join(word.lower().split())
    return next((tuple(relations.split()) for relations, entries in pairs.items() if low in words(entries)), ())


def _gender(word: str, lang: Lang) -> str:
    listed = lists(f"relations.{lang}")["words"]
    ends = [
        (word.rfind(entry) + len(entry), len(entry), gender)
        for gender in ("male", "female")
        for entry in words(listed[gender])
        if entry in word
    ]
    return max(ends, default=(0, 0, ""))[2]


def _order(word: str, relation: str, lang: Lang) -> str:
    if relation != "sibling":
        return ""
    listed = lists(f"relations.{lang}")["words"]
    return next((order for order in ("elder", "younger") if any(part in word for part in words(listed[order]))), "")
