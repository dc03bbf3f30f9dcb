"""Chinese tokens and what each listed word is: verb, preposition, negation, attribute, …"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memorybank.engines.offline.claims import words_zh as words
from memorybank.language.dates import Date
from memorybank.language.values import Quantity

Kind = Literal[
    "verb",
    "prep",
    "neg",
    "hedge",
    "adverb",
    "conj",
    "back",
    "attr",
    "role",
    "number",
    "date",
    "scope",
    "latin",
    "title",
    "han",
    "punct",
    "de",
    "mark",
]


@dataclass(frozen=True, slots=True)
class Token:
    kind: Kind
    text: str
    start: int
    end: int
    value: Quantity | Date | None = None
    measure: str = ""
    """Of a number: its measure word (个, 台)."""


def _kinds() -> dict[str, Kind]:
    """Every listed word with its kind; where a word is listed twice the more telling kind wins."""
    kinds: dict[str, Kind] = {}
    layers: tuple[tuple[Kind, frozenset[str]], ...] = (
        ("han", words.PLAIN),
        ("adverb", words.ADVERBS),
        ("conj", words.CONJUNCTIONS),
        ("prep", frozenset(words.PREPOSITIONS)),
        ("scope", words.RESTRICTING),
        ("verb", frozenset(words.VERB_CLASS)),
        ("attr", frozenset(words.ATTRIBUTE_OF)),
        ("role", frozenset(words.ROLE_OF)),
        ("attr", frozenset(words.PLACE_NOUNS)),
        ("han", words.NOT_NEGATIVE),
        ("hedge", words.HEDGES),
        ("neg", words.NEGATORS),
        ("back", words.BACK),
        ("de", frozenset("的")),
        ("adverb", words.MODALS),
    )
    for kind, listed in layers:
        kinds |= dict.fromkeys(listed, kind)
    return kinds


KINDS = _kinds()
LONGEST = max(map(len, KINDS))
