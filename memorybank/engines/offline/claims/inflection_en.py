"""English inflection without a dictionary: a form is taken apart by its ending, with the verbs that are listed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from memorybank.engines.offline.claims import words_en as words
from memorybank.language.stemming import stem

Form = Literal["base", "s", "past", "ing", ""]

_PLURAL_RE = re.compile(r"[a-z]{2,}(?<![sui])s$")
_PLURAL_ENDING_RE = re.compile(r"([sxz]|[cs]h)es$|s$")
_DOUBLED_RE = re.compile(r"([^aeiouflszc])\1$")
_LOST_E_RE = re.compile(r"(?:[cuvz]|dg|[^aeioulrsw]l)$")
"""No base form ends so: price, value, carve, seize, lodge, settle have lost their e before an ending."""
_ENDINGS: tuple[tuple[str, Form], ...] = (("ed", "past"), ("ing", "ing"), ("es", "s"), ("s", "s"))


@lru_cache(maxsize=65_536)
def _verb(low: str) -> tuple[str, Form]:
    """The base form of a verb and what form of it this is; a form that is base and past (cut) counts as past."""
    if low in words.IRREGULAR:
        return words.IRREGULAR[low], "past"
    if low in words.VERBS:
        return low, "base"
    for ending, form in _ENDINGS:
        rest = low.removesuffix(ending)
        if rest == low or len(rest) < 2:
            continue
        bases = (rest + "e", rest, _DOUBLED_RE.sub(r"\1", rest), rest[:-1] + "y" if rest[-1] == "i" else rest)
        undoubled = rest[:-1] if rest[-1] == rest[-2] else rest
        listed = next((base for base in (*bases, undoubled) if base in words.VERBS), "")
        if listed:
            return listed, form
        if (form == "ing" and len(low) > 5) or (form == "past" and len(low) > 4 and low not in words.NO_PAST):
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
    return low in words.IRREGULAR_PLURALS or bool(_PLURAL_RE.match(low))


@lru_cache(maxsize=65_536)
def key(low: str) -> str:
    """What a word is compared by: its attribute, its verb class, or its stem."""
    if low in words.NOMINAL:
        return words.NOMINAL[low]
    lemma = lemma_of(low)
    attribute = words.ATTRIBUTE_OF.get(low) or words.ATTRIBUTE_OF.get(lemma)
    return f"@{attribute}" if attribute else words.VERB_CLASS.get(lemma) or stem(lemma)
