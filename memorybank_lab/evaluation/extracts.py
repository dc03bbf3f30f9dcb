"""Extracts of whole sentences that a summary is compared with: the lead, sentences at random, those with most facts."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Final

from memorybank.language.text import fold_space, sentences

COST_POWERS: Final = (0.4, 0.7, 1.0, 1.3)
"""Facts are divided by length to this power; the best of the covers counts."""

Found = Callable[[str], frozenset[str]]
"""What a text says, ready to compare."""


def lead(source: str, length: int) -> str:
    """The first sentences, as near to so many characters as whole sentences come."""
    given = sentences_of(source)
    return "\n".join(given[place] for place in _places(given, length))


def at_random(source: str, length: int) -> str:
    """Sentences drawn with a fixed seed, in the source's order; as many characters as `lead` takes."""
    given = sentences_of(source)
    order = random.Random(len(source)).sample(range(len(given)), len(given))  # noqa: S311 - not a secret
    chosen = _places([given[place] for place in order], length)
    return "\n".join(given[place] for place in sorted(order[at] for at in chosen))


def most_facts(source: str, length: int, wanted: Found, said: Found) -> str:
    """The whole sentences that say most of what is wanted in so many characters at most: greedy, by facts over length.

    A ceiling for extracts of whole sentences: it is told what will be asked for. Within .01 of the exact optimum (an
    integer programme) on the development sets.
    """
    given = sentences_of(source)
    asked = wanted(source)
    known = [said(sentence) & asked for sentence in given]
    covers = [_cover(given, known, length, power) for power in COST_POWERS]
    best = max(covers, key=lambda cover: len(frozenset[str]().union(*(known[place] for place in cover))))
    return "\n".join(given[place] for place in sorted(best))


def sentences_of(text: str) -> list[str]:
    return [said for start, end in sentences(text) if (said := fold_space(text[start:end]))]


def _cover(given: list[str], known: list[frozenset[str]], room: int, power: float) -> list[int]:
    chosen: list[int] = []
    told = frozenset[str]()
    while True:
        fits = [place for place in range(len(given)) if known[place] - told and len(given[place]) <= room]
        if not fits:
            return chosen
        best = max(fits, key=lambda place: (len(known[place] - told) / len(given[place]) ** power, -place))
        chosen.append(best)
        told |= known[best]
        room -= len(given[best]) + 1


def _places(given: Sequence[str], length: int) -> list[int]:
    """The first sentences that are as long as asked for, together: one more where that comes nearer."""
    places: list[int] = []
    used = 0
    for place, sentence in enumerate(given):
        if places and used + len(sentence) - length > length - used:
            break
        places.append(place)
        used += len(sentence)
    return places
