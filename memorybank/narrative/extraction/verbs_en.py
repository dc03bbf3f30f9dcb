"""English verb forms as they stand in a sentence: which word can be a finite verb, and of which base.

On the inflection of the memory bank's claims; what a story needs beside it is the third person and the gerund.
"""

from __future__ import annotations

from typing import Final

from memorybank.engines.offline.claims.inflection_en import form_of, is_past, lemma_of
from memorybank.engines.offline.claims.words_en import IRREGULAR

BE: Final = frozenset({"was", "were", "is", "are", "'s", "’s"})
HAVE: Final = frozenset({"had", "has", "have"})
BASES: Final = frozenset(("be", *IRREGULAR.values()))
"""Verbs that are known without an object after them."""
_NOT_VERBS: Final = frozenset(
    """
    always perhaps besides sometimes towards afterwards upwards downwards backwards forwards onwards indeed was is his
    its as this thus less unless across plus yes upstairs downstairs outdoors indoors nevertheless nonetheless hers
    theirs ours whereas else news alas overseas red bed hundred shed sled aged sacred naked wicked need seed weed speed
    """.split()
)
"""Words in -s or -ed that are no verbs."""
_NOT_GERUNDS: Final = frozenset(
    """
    thing nothing something anything everything morning evening king ring string wing spring during ceiling building
    wedding meeting being lightning herring shilling earring darling sibling clothing offspring pudding stocking
    """.split()
)
_ADVERBS: Final = frozenset(
    """
    still then just only now also himself herself themselves again already even once first finally soon both alone
    together too never not always often ever almost nearly later twice half all merely simply
    """.split()
)
_SHORTEST: Final = 4
"""Letters of a word whose ending tells anything."""


def is_adverb(low: str) -> bool:
    return low in _ADVERBS or (low.endswith("ly") and len(low) > _SHORTEST)


def past_of(low: str) -> str | None:
    """The base of a past form; None for what is none."""
    return lemma_of(low) if low not in _NOT_VERBS and is_past(low) else None


def present_of(low: str) -> str | None:
    """The base of a third person singular."""
    if low in _NOT_VERBS or not low.endswith("s") or low.endswith("ss") or len(low) < _SHORTEST:
        return None
    if form_of(low) == "s":
        return lemma_of(low)
    if low.endswith("ies"):
        return low[:-3] + ("y" if len(low) > _SHORTEST else "ie")
    return low[:-2] if low.endswith(("sses", "shes", "ches", "xes", "zes", "oes")) else low[:-1]


def finite_of(low: str) -> str | None:
    return past_of(low) or present_of(low)


def is_participle(low: str) -> bool:
    """Whether it can follow a form of "have": given, walked."""
    return low == "been" or (low not in _NOT_VERBS and is_past(low))


def gerund_of(low: str) -> str | None:
    """The base of a form in -ing."""
    if not low.endswith("ing") or len(low) <= _SHORTEST or low in _NOT_GERUNDS:
        return None
    return lemma_of(low) if form_of(low) == "ing" else lemma_of(low[:-3] + "ed")


def base_of(low: str) -> str:
    """The base of any form, as far as its ending tells; the word itself where it tells nothing."""
    return past_of(low) or gerund_of(low) or (low if low in BASES else present_of(low)) or low
