"""Which candidates are shown where there is no room for all: of each entity and kind in turn, the nearest first."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

import numpy as np

from memorybank.embedding.base import Embedder
from memorybank.llm.tokens import estimate
from memorybank_studio.continuity.candidates import Candidate

WEIGHED: Final = 240
"""Candidates whose closeness to the draft is measured: more than are ever shown."""
_PER_LINE: Final = 4
"""Estimated tokens of a line's number."""


def chosen(
    candidates: Sequence[Candidate], passages: Sequence[str], tokens: int, embedder: Embedder
) -> tuple[Candidate, ...]:
    """Those that fit, in the order in which they came. Raises ModelUnavailableError."""
    costs = [estimate(candidate.text) + _PER_LINE for candidate in candidates]
    if sum(costs) <= tokens:
        return tuple(candidates)
    kept: set[int] = set()
    for place in _by_turns(candidates, _near(candidates, passages, embedder)):
        if costs[place] <= tokens:
            tokens -= costs[place]
            kept.add(place)
    return tuple(candidate for place, candidate in enumerate(candidates) if place in kept)


def _near(candidates: Sequence[Candidate], passages: Sequence[str], embedder: Embedder) -> dict[int, float]:
    """The cosine with the nearest passage, of those that are weighed."""
    weighed = sorted(range(len(candidates)), key=lambda place: _order(candidates[place]))[:WEIGHED]
    lines = embedder.documents([candidates[place].text for place in weighed])
    cosines = np.max(lines @ embedder.queries(passages).T, axis=1)
    return dict(zip(weighed, map(float, cosines), strict=True))


def _by_turns(candidates: Sequence[Candidate], near: dict[int, float]) -> list[int]:
    """The first of each group, then the second of each; within a group by hop, then by closeness."""
    groups: dict[str, list[int]] = {}
    for place in near:
        groups.setdefault(candidates[place].group, []).append(place)
    for places in groups.values():
        places.sort(key=lambda place: (candidates[place].hop, not candidates[place].foremost, -near[place], place))
    ordered = sorted(groups.values(), key=min)
    return [place for turn in zip_longest(*ordered) for place in turn if place is not None]


def _order(candidate: Candidate) -> tuple[int, bool, int]:
    return candidate.hop, not candidate.foremost, -candidate.since
