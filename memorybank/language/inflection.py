"""English inflection without a dictionary: a form is taken apart by its ending, with the verbs that are listed.

`form_of` and `lemma_of` are sure of little and guess little; `past_of`, `present_of` and `gerund_of` read a word that
stands where a verb of running prose would.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from memorybank.language.lexicon import lexicon

_LISTS = lexicon("en")
IRREGULAR = _LISTS.inverted("irregular_verbs")
"""Form: lemma."""
_VERBS = frozenset(IRREGULAR.values()).union(
    _LISTS.inverted("verb_classes"),
    *map(_LISTS.words, "negative_verbs stative events counting_events repeatable intransitive agent_classes".split()),
)
"""Their base forms are known; other verbs are known by their place."""
_NO_PAST = _LISTS.words("no_past")
_IRREGULAR_PLURALS = _LISTS.words("irregular_plurals")

Form = Literal["base", "s", "past", "ing", ""]

_PLURAL_RE = re.compile(r"[a-z]{2,}(?<![sui])s$")
_PLURAL_ENDING_RE = re.compile(r"(ss|x|zz|[cs]h)es$|s$")
_DOUBLED_RE = re.compile(r"([^aeiouflszc])\1$")
_LOST_E_RE = re.compile(r"(?:[cuvz]|dg|[^aeioulrsw]l)$")
"""No base form ends so: price, value, carve, seize, lodge, settle have lost their e before an ending."""
_ENDINGS: tuple[tuple[str, Form], ...] = (("ed", "past"), ("ing", "ing"), ("es", "s"), ("s", "s"))


@lru_cache(maxsize=65_536)
def _verb(low: str) -> tuple[str, Form]:
    """The base form of a verb and what form of it this is; a form that is base and past (cut) counts as past."""
    if low in IRREGULAR:
        return IRREGULAR[low], "past"
    if low in _VERBS:
        return low, "base"
    for ending, form in _ENDINGS:
        rest = low.removesuffix(ending)
        if rest == low or len(rest) < 2:
            continue
        bases = (rest + "e", rest, _DOUBLED_RE.sub(r"\1", rest), rest[:-1] + "y" if rest[-1] == "i" else rest)
        undoubled = rest[:-1] if rest[-1] == rest[-2] else rest
        listed = next((base for base in (*bases, undoubled) if base in _VERBS), "")
        if listed:
            return listed, form
        if (form == "ing" and len(low) > 5) or (form == "past" and len(low) > 4 and low not in _NO_PAST):
            bare = bases[3] if rest[-1] == "i" else bases[2]
            return bare + "e" if _LOST_E_RE.search(bare) else bare, form
    return _PLURAL_ENDING_RE.sub(r"\1", low) if is_plural(low) else low, ""


def lemma_of(low: str) -> str:
    """The base form: of listed verbs as listed, of other words by the rules of spelling."""
    return _verb(low)[0]


def form_of(low: str) -> Form:
    """Which form of a verb a word may be; only in -ed and -ing also of a verb that is not listed."""
    return _verb(low)[1]


def is_past(low: str) -> bool:
    return form_of(low) == "past"


def is_plural(low: str) -> bool:
    return low in _IRREGULAR_PLURALS or bool(_PLURAL_RE.match(low))


# -- verbs of running prose -------------------------------------------------------------------------------------------

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


def gerund_of(low: str) -> str | None:
    """The base of a form in -ing."""
    if not low.endswith("ing") or len(low) <= _SHORTEST or low in _NOT_GERUNDS:
        return None
    return lemma_of(low) if form_of(low) == "ing" else lemma_of(low[:-3] + "ed")


def base_of(low: str) -> str:
    """The base of any form, as far as its ending tells; the word itself where it tells nothing."""
    return past_of(low) or gerund_of(low) or (low if low in BASES else present_of(low)) or low
