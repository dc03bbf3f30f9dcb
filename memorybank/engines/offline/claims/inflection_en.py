"""English inflection without a dictionary: the forms of listed verbs, stems, and the key that words are compared by."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from memorybank.engines.offline.claims import words_en as words
from memorybank.language.stemming import stem

_PLURAL_RE = re.compile(r"[a-z]{2,}(?<![sui])s$")


def _inflect(base: str) -> Iterable[tuple[str, str]]:
    doubled = (
        base + base[-1]
        if re.search(r"[^aeiou][aeiou][bdgklmnprtv]$", base) and not base.endswith(("er", "en", "it", "op", "et"))
        else base
    )
    if base in words.DOUBLING:
        doubled = base + base[-1]
    yield base, "base"
    yield (
        (
            base[:-1] + "ies"
            if re.search(r"[^aeiou]y$", base)
            else base + ("es" if re.search(r"(s|x|z|ch|sh|o)$", base) else "s")
        ),
        "s",
    )
    if base.endswith("e"):
        yield base + "d", "past"
        yield base[:-1] + "ing", "ing"
    elif re.search(r"[^aeiou]y$", base):
        yield base[:-1] + "ied", "past"
        yield base + "ing", "ing"
    else:
        yield doubled + "ed", "past"
        yield doubled + "ing", "ing"


def _verb_forms() -> dict[str, tuple[str, frozenset[str]]]:
    forms: dict[str, tuple[str, set[str]]] = {}
    listed = words.VERB_CLASS.keys() | words.NEGATIVE_VERBS | words.CATENATIVE
    for base in sorted(words.REGULAR_VERBS | listed | set(words.IRREGULAR.values())):
        for form, kind in _inflect(base):
            if kind == "past" and base in words.IRREGULAR.values():
                continue
            forms.setdefault(form, (base, set()))[1].add(kind)
    for form, base in words.IRREGULAR.items():
        forms[form] = (base, {"past"} if form != base else {"past", "base"})
    return {form: (base, frozenset(kinds)) for form, (base, kinds) in forms.items()}


_FORMS = _verb_forms()


@lru_cache(maxsize=65_536)
def key(low: str) -> str:
    """What a word is compared by: its attribute, its verb class, or its stem."""
    if low in words.NOMINAL:
        return words.NOMINAL[low]
    lemma = _FORMS[low][0] if low in _FORMS else low
    for word in (low, lemma):
        if word in words.ATTRIBUTE_OF:
            return "@" + words.ATTRIBUTE_OF[word]
    return words.VERB_CLASS.get(lemma) or stem(lemma)


_LOST_E_RE = re.compile(r"(?:[cuvz]|dg|[^aeioulrsw]l)$")
"""No base form ends so: price, value, carve, seize, lodge, settle have lost their e before -d."""
_DOUBLED_RE = re.compile(r"([^aeiouflszc])\1$")


def lemma_of(low: str) -> str:
    """The base form: of listed verbs as listed, of other words in -ed by the rules of spelling."""
    if low in _FORMS:
        return _FORMS[low][0]
    if low.endswith("ied"):
        return low[:-3] + "y"
    if not low.endswith("ed"):
        return low
    bare = _DOUBLED_RE.sub(r"\1", low[:-2])
    return bare + "e" if _LOST_E_RE.search(bare) else bare


def is_past(low: str) -> bool:
    if low in _FORMS:
        return "past" in _FORMS[low][1]
    return len(low) > 4 and low.endswith("ed") and low not in words.NO_PAST


def form_kinds(low: str) -> frozenset[str]:
    return _FORMS[low][1] if low in _FORMS else frozenset({"past"} if is_past(low) else ())


def is_plural(low: str) -> bool:
    return low in words.IRREGULAR_PLURALS or bool(_PLURAL_RE.match(low))
