"""The choice of the sentences of a text to keep: the greedy cover of what they say within a budget.

Budgeted maximum coverage (Takamura and Okumura 2009, "Text Summarization Model based on Maximum Coverage Problem") by
gain over cost (Lin and Bilmes 2010, "Multi-document Summarization via Budgeted Maximization of Submodular Functions").
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final

from memorybank.engines.offline.statements import Statement

LEAST, MOST = 0.3, 0.5
"""Shares of its text that a summary is to have, by the specification; tables and code count for neither."""
_FILLED = 0.36
"""Up to this share sentences are taken that have content words alone to add."""

FACT: Final = "="
"""Begins the feature of a number, date or name: the share of them is what a cover is for."""
_COST_POWER = 0.5
"""Gain is divided by length to this power: a low one favours long sentences, a high one short ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    statement: Statement
    features: dict[str, float]
    """The things that it says, with weights: mentions (`=key`) and content words."""
    leans: bool
    """It begins with a pronoun, or answers: without the sentence before it is hard to understand."""

    @property
    def length(self) -> int:
        return len(self.statement.plain) + len(self.statement.gap)


def best_cover(sentences: Sequence[Sentence]) -> set[int]:
    """Choose the sentences that say most, by place, in at most `MOST` of the characters; headings, tables and code stay
    in any case. What adds most for its length is taken, until there is no room, or no new fact and enough else.

    Gains only shrink as sentences are taken, so an old value is a bound and few have to be computed anew (Minoux 1978).
    """
    loose = [place for place, sentence in enumerate(sentences) if not sentence.statement.whole]
    chosen = {place for place, sentence in enumerate(sentences) if sentence.statement.whole}
    headings = sum(sentences[place].length + 2 for place in chosen if sentences[place].statement.kind == "heading")
    total = headings + sum(sentences[place].length for place in loose)
    room = MOST * total - headings
    covered = {feature for place in chosen for feature in sentences[place].features}
    waiting = [(-math.inf, place) for place in loose]
    used = 0
    while waiting:
        _, place = heappop(waiting)
        if place in chosen:
            continue
        taken = _with_antecedent(sentences, place, chosen, room - used)
        if not taken:
            continue
        cost = sum(sentences[other].length for other in taken)
        value, fact = _value(sentences, taken, covered, cost)
        if waiting and -value > waiting[0][0]:
            heappush(waiting, (-value, place))
        elif value > 0 and (fact or headings + used + cost <= _FILLED * total):
            chosen |= taken
            covered.update(*(sentences[other].features for other in taken))
            used += cost
    return chosen


def _with_antecedent(sentences: Sequence[Sentence], place: int, chosen: set[int], room: float) -> set[int]:
    """Return the sentence with the one it leans on, if both fit; alone, if only it fits; nothing, if it does not."""
    both = {place - 1} - {-1} - chosen | {place} if sentences[place].leans else {place}
    fit = (taken for taken in (both, {place}) if sum(sentences[other].length for other in taken) <= room)
    return next(fit, set())


def _value(
    sentences: Sequence[Sentence], taken: Iterable[int], covered: Container[str], cost: int
) -> tuple[float, bool]:
    """Return what sentences would add for their length, and whether a number, date or name is in it."""
    added = {
        feature: weight
        for place in sorted(taken)
        for feature, weight in sentences[place].features.items()
        if feature not in covered
    }
    fact = any(feature.startswith(FACT) for feature in added)
    return round(sum(added.values()) / max(1, cost) ** _COST_POWER, 9), fact
