"""What may be asked of a thing, and the words that tell it; the lists are in `lexicon/asked.yaml`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any, Literal

from memorybank.engines.offline.claims.asked.patterns import pattern
from memorybank.engines.offline.claims.lexicon import lexicon
from memorybank.engines.offline.claims.slots.english import NAME
from memorybank.types import ClaimKind, Lang

Kind = Literal["date", "number", "place", "word", "property"]
CLAIM_KIND: dict[Kind, ClaimKind] = {
    "date": "date", "number": "number", "place": "place", "word": "text", "property": "text",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Attribute:
    name: str
    kind: Kind
    told: dict[Lang, str]
    """What it is called where a conflict is told."""
    asks: dict[Lang, re.Pattern[str]]
    tells: dict[Lang, re.Pattern[str]] = field(default_factory=dict)
    """Words beside the value; of a property, those by which it holds."""
    denies: dict[Lang, re.Pattern[str]] = field(default_factory=dict)
    reads: dict[Lang, tuple[re.Pattern[str], ...]] = field(default_factory=dict)
    """Of a place or a word: whole shapes with the value in them."""
    dimension: str = ""
    """Of a measure (`units.py`), up to a colon; empty: a plain number."""
    counted: dict[Lang, re.Pattern[str]] = field(default_factory=dict)
    """What has to follow the number."""
    verb: str = ""
    """Of what is counted: patients enrolled, people killed."""
    object: bool = False
    """Only together with the other words of the question: what is allowed, what is supported."""


@cache
def attributes() -> tuple[Attribute, ...]:
    kinds: tuple[Kind, ...] = ("date", "number", "place", "word", "property")
    return tuple(_read(name, kind, lists) for kind in kinds for name, lists in lexicon("asked").lists[kind].items())


def attribute_called(told: str, kind: ClaimKind) -> Attribute | None:
    """The attribute that a conflict calls so, in either language."""
    if known := next((one for one in attributes() if told in one.told.values()), None):
        return known
    if match := _NUMBER_OF_RE.fullmatch(told):
        return number_of(match["noun"] or match["han"], match["verb"] or "")
    if kind == "date":
        return by_words(told, "date", "")
    return by_words(told, "number", "*") if kind == "number" else None


_NUMBER_OF_RE = re.compile(r"number of (?P<noun>[a-z-]+)(?: (?P<verb>[a-z]+))?|(?P<han>[\u3400-\u9fff]+)的数量")


@lru_cache(maxsize=256)
def number_of(noun: str, verb: str = "") -> Attribute:
    """How many of something there are: a question names what is counted itself."""
    stem = re.escape(noun.removesuffix("s"))
    words = pattern(f"{stem}(?:s|es)?") if noun.isascii() else pattern(re.escape(noun))
    both: dict[Lang, re.Pattern[str]] = {"en": words, "zh": words}
    return Attribute(
        name=f"number of {noun}",
        kind="number",
        told={"en": f"number of {noun} {verb}".strip(), "zh": f"{noun}的数量"},
        asks=both,
        tells=both,
        counted=both,
        verb=verb,
    )


@lru_cache(maxsize=256)
def by_words(word: str, kind: Kind, dimension: str) -> Attribute:
    """An attribute that is in no list, by the question's own word for it: the turnout, 孵化期."""
    words = pattern(re.escape(word) + (r"\w*" if word.isascii() else ""))
    both: dict[Lang, re.Pattern[str]] = {"en": words, "zh": words}
    return Attribute(name=word, kind=kind, told={"en": word, "zh": word}, asks=both, tells=both, dimension=dimension)


def rivals(attribute: Attribute) -> Iterator[Attribute]:
    """The others that have a value of the same kind: a value belongs to the words that stand nearest to it."""
    for one in attributes():
        alike = one.kind == attribute.kind and attribute.dimension in (one.dimension, "*")
        if alike and one.name != attribute.name:
            yield one


def _read(name: str, kind: Kind, lists: dict[str, Any]) -> Attribute:
    return Attribute(
        name=name,
        kind=kind,
        told=lists["told"],
        asks=_both(lists, "asks"),
        tells=_both(lists, "tells") or _both(lists, "holds"),
        denies=_both(lists, "denies"),
        reads={
            lang: tuple(
                re.compile(one.replace("{NAME}", NAME).replace("{VALUE}", _values(lists, lang)))
                for one in lists[f"reads_{lang}"]
            )
            for lang in _LANGS
            if f"reads_{lang}" in lists
        },
        dimension=lists.get("of", ""),
        counted=_both(lists, "counted"),
        object=lists.get("needs") == "object",
    )


_LANGS: tuple[Lang, ...] = ("en", "zh")


def _both(lists: dict[str, Any], what: str) -> dict[Lang, re.Pattern[str]]:
    return {lang: pattern(lists[f"{what}_{lang}"]) for lang in _LANGS if f"{what}_{lang}" in lists}


def _values(lists: dict[str, Any], lang: Lang) -> str:
    words = sorted(lists.get(f"values_{lang}", "").split(), key=lambda word: (-len(word), word))
    return "(?i:" + "|".join(words) + ")"
