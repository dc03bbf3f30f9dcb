"""Relations with one value, and the words that open or close their slot; lists in `lexicon/slots.yaml`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Literal

from memorybank.engines.offline.claims.lexicon import lexicon

Kind = Literal["person", "name", "place", "date"]

LISTS = lexicon("slots")
KINDS: dict[str, Kind] = {relation: kind[0] for relation, kind in LISTS.classes("kinds").items()}  # type: ignore[misc]
AGAIN = LISTS.words("again")
"""Relations of what happens again: another year has another value."""


@dataclass(frozen=True, slots=True)
class Trigger:
    """Words that tell a relation; the value is on one side of them."""

    relation: str
    pattern: re.Pattern[str]
    after: bool


@cache
def triggers(lang: Literal["en", "zh"]) -> tuple[Trigger, ...]:
    found = []
    for side in ("after", "before"):
        for relation, words in LISTS.classes(f"{side}_{lang}").items():
            if words:
                found.append(Trigger(relation, _pattern(words, lang), side == "after"))
    return tuple(found)


def _pattern(words: tuple[str, ...], lang: str) -> re.Pattern[str]:
    ordered = sorted(words, key=lambda word: (-len(word), word))
    if lang == "zh":
        return re.compile("|".join(map(re.escape, ordered)))
    written = "|".join(_written(word) for word in ordered)
    return re.compile(rf"(?<![\w-])(?:{written})(?![\w-])", re.IGNORECASE)


def _written(word: str) -> str:
    """ "directed_by" also as "directed, written and produced by"."""
    found = re.escape(word).replace(r"\~", ",").replace("_", r"\s+")
    return re.sub(r"(?<=ed)\\s\+by$|(?<=en)\\s\+by$", lambda _: r"(?:(?:,|,?\s+and)\s+[a-z-]+){0,5}\s+by", found)
