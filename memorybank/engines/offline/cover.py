"""Which sentences of a text are kept, and in which form: the greedy cover of what they say within a budget.

Budgeted maximum coverage (Takamura and Okumura 2009, "Text Summarization Model based on Maximum Coverage Problem") by
gain over cost (Lin and Bilmes 2010, "Multi-document Summarization via Budgeted Maximization of Submodular Functions").
A sentence may have shorter forms (`shortening`); what a longer one adds is then weighed against what it takes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from memorybank.engines.offline.statements import Statement

ROOM = 0.54
"""Share of the characters that may be kept at most. Most texts have said all before that: the mean is below a half."""
FILLED = 0.45
"""Up to this share sentences are taken that have content words alone to add."""

FACT: Final = "="
"""Begins the feature of a number, date or name: the share of them is what a cover is for."""
_LEAD = 1.3
"""What the first sentence of a text counts more."""
_COST_POWERS = (0.4, 0.8, 1.2)
"""Gain is divided by length to this power: a low one favours long sentences, a high one short ones. All are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    text: str
    features: dict[str, float]
    """What it says, with weights: mentions (`=key`) and content words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    statement: Statement
    forms: tuple[Form, ...]
    """From the shortest to the whole sentence; each says what the one before it says."""
    leans: bool
    """It begins with a pronoun, or answers: without the sentence before it is hard to understand."""

    @property
    def last(self) -> int:
        return len(self.forms) - 1

    @property
    def features(self) -> dict[str, float]:
        return self.forms[-1].features

    @property
    def length(self) -> int:
        return len(self.statement.text)


Chosen = dict[int, int]
"""Of a sentence, by its place, the form that is kept."""


def best_cover(given: Sequence[Sentence]) -> Chosen:
    """At most `ROOM` of the characters of what may be left out, and what must not be (headings, tables, code).

    That which says most; of shortened sentences only where whole ones leave out a fact that these say."""
    best: list[tuple[Chosen, Mapping[str, float]]] = []
    for shortened in (False, True):
        covers = [_cover(given, power, shortened=shortened) for power in _COST_POWERS]
        best.append(max(((cover, _said(given, cover)) for cover in covers), key=lambda pair: total_weight(pair[1])))
    (whole, said), (shorter, more) = best
    return shorter if _facts(more) > _facts(said) else whole


def _said(given: Sequence[Sentence], chosen: Mapping[int, int]) -> dict[str, float]:
    return {
        feature: weight
        for place, level in sorted(chosen.items())
        for feature, weight in given[place].forms[level].features.items()
    }


def _cover(given: Sequence[Sentence], power: float, *, shortened: bool) -> Chosen:
    """The sentences to keep: what adds most for its length, until there is no room, or no new fact and enough else.

    A sentence that was taken in a shorter form may be taken in a longer one later. Gains only shrink as sentences are
    taken, so an old value is a bound and few have to be computed anew (Minoux 1978); longer forms of what was taken
    have become cheaper, and are valued anew.
    """
    loose = [place for place, sentence in enumerate(given) if not sentence.statement.whole]
    total = sum(given[place].length for place in loose)
    room = ROOM * total
    chosen: Chosen = {place: 0 for place, sentence in enumerate(given) if sentence.statement.whole}
    said = set(_said(given, chosen))
    waiting = [
        (-math.inf, place, level)
        for place in loose
        for level in range(0 if shortened else given[place].last, len(given[place].forms))
    ]
    used = 0
    while waiting:
        _, place, level = heappop(waiting)
        if chosen.get(place, -1) >= level:
            continue
        taken = _with_antecedent(given, place, level, chosen, room - used, shortened=shortened)
        if not taken:
            continue
        cost = sum(_cost(given, other, at, chosen) for other, at in taken.items())
        value, fact = _value(given, taken, said, cost, power)
        if waiting and -value > waiting[0][0]:
            heappush(waiting, (-value, place, level))
        elif value > 0 and (fact or used + cost <= FILLED * total):
            for other in taken.keys() - chosen.keys():
                for longer in range(taken[other] + 1, len(given[other].forms)):
                    heappush(waiting, (-math.inf, other, longer))
            chosen |= taken
            said.update(_said(given, taken))
            used += cost
    return chosen


def _cost(given: Sequence[Sentence], place: int, level: int, chosen: Mapping[int, int]) -> int:
    """Characters more than what is taken of it already."""
    known = len(given[place].forms[chosen[place]].text) if place in chosen else 0
    return len(given[place].forms[level].text) - known


def _with_antecedent(
    given: Sequence[Sentence], place: int, level: int, chosen: Mapping[int, int], room: float, *, shortened: bool
) -> Chosen:
    """The sentence with the one it leans on, if both fit; alone, if only it fits; nothing, if it does not."""
    previous = place - 1
    length = _cost(given, place, level, chosen)
    if given[place].leans and place not in chosen and previous >= 0 and previous not in chosen:
        least = 0 if shortened else given[previous].last
        if length + len(given[previous].forms[least].text) <= room:
            return {previous: least, place: level}
    return {place: level} if length <= room else {}


def _value(
    given: Sequence[Sentence], taken: Mapping[int, int], said: set[str], cost: int, power: float
) -> tuple[float, bool]:
    """What sentences would add for their length, and whether a number, date or name is in it."""
    gain, fact = 0.0, False
    added: set[str] = set()
    for place, level in sorted(taken.items()):
        lead = _LEAD if place == 0 else 1.0
        for feature, weight in given[place].forms[level].features.items():
            if feature not in said and feature not in added:
                added.add(feature)
                gain += weight * lead
                fact = fact or feature.startswith(FACT)
    return round(gain / max(1, cost) ** power, 9), fact


def total_weight(features: Mapping[str, float]) -> float:
    return round(sum(features.values()), 6)


def _facts(features: Mapping[str, float]) -> int:
    return sum(feature.startswith(FACT) for feature in features)
