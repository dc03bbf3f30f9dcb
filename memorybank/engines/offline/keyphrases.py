"""Keywords of a part of a text: the noun phrases and names it speaks of most, weighed against the rest of the text."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from memorybank.engines.offline.phrases import Term, terms
from memorybank.engines.offline.units import width
from memorybank.language.parse import Parsed

MOST: Final = 8
FEWEST: Final = 3
_LONGEST: Final = 40
"""The most characters of a keyword."""
_NAME: Final = 1.5
"""The weight of a name, beside 1 for a phrase."""
_HEAD: Final = 0.5
"""The weight of a phrase's head alone, beside 1 for the longer phrase."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Maps a term to how many parts (sentences, say) of the whole text it stands in."""

    parts: int
    spread: Counter[str]


def background(parts: Iterable[Iterable[Parsed]]) -> Background:
    """Count the terms of a text, once for all its topics. Linear in its length."""
    terms_of = [{term.key for sentence in part for term in terms(sentence)} for part in parts]
    return Background(parts=len(terms_of), spread=Counter(chain.from_iterable(terms_of)))


def keyphrases(sentences: Iterable[Parsed], known: Background) -> tuple[str, ...]:
    """Return three to eight keywords where the text has as many, best first; each is written as it stands there."""
    forms: defaultdict[str, Counter[str]] = defaultdict(Counter)
    scores: defaultdict[str, float] = defaultdict(float)
    size = 0
    for sentence in sentences:
        size += width(sentence.text)
        for term in terms(sentence):
            if len(term.text) <= _LONGEST and "\n" not in term.text:
                forms[term.key][term.text.strip()] += 1
                scores[term.key] += _weight(term, known)
    wanted = min(MOST, FEWEST + size // 100)
    chosen: list[str] = []
    for key in sorted(scores, key=lambda key: (-round(scores[key], 6), -len(key))):
        text = forms[key].most_common(1)[0][0]
        low = text.casefold()
        if len(chosen) < wanted and not any(low in other.casefold() or other.casefold() in low for other in chosen):
            chosen.append(text)
    return tuple(chosen)


def _weight(term: Term, known: Background) -> float:
    rarity = math.log(1 + known.parts / max(1, known.spread[term.key]))
    return rarity * (_NAME if term.name else 1.0) * (1.0 if term.whole else _HEAD)
