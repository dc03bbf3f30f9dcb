"""English verb forms as they stand in a sentence: which word can be a finite verb, and of which base.

Irregular forms are listed; of other words the ending tells, which is enough where a subject stands just before them.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from memorybank.narrative.extraction.lists import lists

BE: Final = frozenset({"was", "were", "is", "are", "'s", "’s"})
HAVE: Final = frozenset({"had", "has", "have"})
_SHORTEST: Final = 4
"""Letters of a word whose ending tells anything."""


@cache
def _pasts() -> dict[str, str]:
    return {past: base for base, past, _ in _irregular()}


@cache
def _participles() -> dict[str, str]:
    return {participle: base for base, _, participle in _irregular()}


@cache
def _irregular() -> tuple[tuple[str, str, str], ...]:
    rows = (entry.split("/") for entry in lists("verbs.en")["irregular"].split())
    return tuple((base, past, participle) for base, past, participle in rows)


@cache
def _bases() -> frozenset[str]:
    return frozenset(base for base, _, _ in _irregular())


@cache
def _not_verbs() -> frozenset[str]:
    return frozenset(lists("verbs.en")["not_verbs"].split())


@cache
def _not_gerunds() -> frozenset[str]:
    return frozenset(lists("verbs.en")["not_gerunds"].split())


@cache
def adverbs() -> frozenset[str]:
    return frozenset(lists("verbs.en")["adverbs"].split())


def is_adverb(low: str) -> bool:
    return low in adverbs() or (low.endswith("ly") and len(low) > _SHORTEST)


def past_of(low: str) -> str | None:
    """The base of a past form; None for what is none."""
    if low in _not_verbs():
        return None
    if low in _pasts():
        return _pasts()[low]
    return _without_ed(low) if low.endswith("ed") and len(low) >= _SHORTEST else None


def present_of(low: str) -> str | None:
    """The base of a third person singular."""
    if low in _not_verbs() or not low.endswith("s") or low.endswith("ss") or len(low) < _SHORTEST:
        return None
    if low.endswith("ies"):
        return low[:-3] + ("y" if len(low) > _SHORTEST else "ie")
    for ending in ("sses", "shes", "ches", "xes", "zes", "oes"):
        if low.endswith(ending):
            return low[:-2]
    return low[:-1]


def finite_of(low: str) -> str | None:
    return past_of(low) or present_of(low)


def is_participle(low: str) -> bool:
    """Whether it can follow a form of "have": given, walked."""
    return low in _participles() or low == "been" or (low.endswith("ed") and low not in _not_verbs())


def gerund_of(low: str) -> str | None:
    """The base of a form in -ing."""
    if not low.endswith("ing") or len(low) <= _SHORTEST or low in _not_gerunds():
        return None
    stem = low[:-3]
    if stem in ("ly", "dy", "ty"):
        return stem[:-1] + "ie"
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":  # sitting
        return stem[:-1]
    return stem + "e" if stem + "e" in _bases() or _lost_e(stem) else stem


def base_of(low: str) -> str:
    """The base of any form, as far as its ending tells; the word itself where it tells nothing."""
    inflected = past_of(low) or _participles().get(low) or gerund_of(low)
    return inflected or (low if low in _bases() else present_of(low)) or low


def _without_ed(low: str) -> str:
    if low.endswith("ied"):
        return low[:-3] + ("y" if len(low) > _SHORTEST else "ie")  # carried, tied
    stem = low[:-2]
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "lsz":  # nodded
        return stem[:-1]
    return stem + "e" if _lost_e(stem) else stem


def _lost_e(stem: str) -> bool:
    """Whether a stem cannot stand without an e: argu-e, leav-e, handl-e; of others a list tells."""
    return stem[-1:] in ("v", "u", "c") or (stem[-1:] == "l" and stem[-2:-1] in "bpdtkgfz") or stem in _silent()


@cache
def _silent() -> frozenset[str]:
    return frozenset(lists("verbs.en")["silent_e"].split())
