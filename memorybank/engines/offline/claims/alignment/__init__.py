"""A second look at two texts, without lists of verbs: clauses that say the same in the same words, save one value.

`compare` takes clauses apart by the verbs and frames it knows. Loose prose has others. Here two clauses are laid side
by side: their names and content words (Chinese: characters in shared pairs) must cover each other, so that nothing is
left but a number, a date, a place, a person or a negation that differs. What is left over on both sides means that they
speak of different things; what is left over on one side may stand only where it narrows nothing.
"""

from __future__ import annotations

from memorybank.engines.offline.claims.alignment.comparing import clash, is_restated
from memorybank.engines.offline.claims.alignment.reading import read
from memorybank.engines.offline.claims.alignment.telling import told
from memorybank.types import Contradiction

__all__ = ["MOST", "aligned"]

MOST = 4
"""Contradictions told of one pair of texts."""


def aligned(left: str, right: str, left_topic: str = "", right_topic: str = "") -> tuple[Contradiction, ...]:
    """What two texts contradict each other in by wording alone, in the left text's order; symmetric in its verdict.

    `left_topic` and `right_topic` name what a text is about, for texts that only say "it".
    """
    one, other = read(left, left_topic), read(right, right_topic)
    found: dict[tuple[str, str], Contradiction] = {}
    for frame in one:
        for against in other:
            if frame.kind != against.kind or (frame.sentence, against.sentence) in found or not clash(frame, against):
                continue
            if is_restated(frame, other, against) or is_restated(against, one, frame):
                continue
            found[frame.sentence, against.sentence] = told(frame, against)
    return tuple(found.values())[:MOST]
