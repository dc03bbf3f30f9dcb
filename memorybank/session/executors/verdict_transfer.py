"""A verdict on one conflict also decides others on the same two values.

The same two values stand against each other in several pairs of memories, each in its own words, and one pair's words
may leave open what another's make plain.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from memorybank.contradiction.disputes.gathering import is_one_thing, points_of
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import SIDES, Conflict, ConflictStatus, Contradiction, Evidence


def transfer_verdicts(conflicts: Sequence[Conflict], verdicts: Sequence[StatedVerdict]) -> list[StatedVerdict]:
    """The verdicts, in their order; an inconclusive one takes over what was resolved on its matter.

    Where resolved ones disagree on a matter, nothing is taken over. A value that another conflict leaves tied with a
    third one has not won.
    """
    verdicts = [_inconclusive_if_tied(at, conflicts, verdicts) for at in range(len(conflicts))]
    resolved = [
        (conflict, verdict)
        for conflict, verdict in zip(conflicts, verdicts, strict=True)
        if verdict.status is ConflictStatus.RESOLVED
    ]
    return [_adopted(conflict, verdict, resolved) for conflict, verdict in zip(conflicts, verdicts, strict=True)]


def _inconclusive_if_tied(at: int, conflicts: Sequence[Conflict], verdicts: Sequence[StatedVerdict]) -> StatedVerdict:
    """A resolved verdict; inconclusive where its value has no more voices than a third one in an open conflict.

    1936 stands on two sources against 1950; but against 1942, which these words do not show in every source, it is two
    to two.
    """
    conflict, own = conflicts[at], verdicts[at]
    if own.status is not ConflictStatus.RESOLVED or len(conflict.contradictions) != 1:
        return own
    for other, open_one in zip(conflicts, verdicts, strict=True):
        if open_one.status is ConflictStatus.INCONCLUSIVE and _ties(own.value, conflict, other, open_one):
            return StatedVerdict(
                conflict=own.conflict,
                status=ConflictStatus.INCONCLUSIVE,
                reasoning=open_one.reasoning,
                evidence=own.evidence,
            )
    return own


def _ties(value: str, conflict: Conflict, other: Conflict, verdict: StatedVerdict) -> bool:
    """Whether `value` stands in another conflict on the same thing against a value that is not weighed in this one, and
    has no more voices there: its party's and the independent ones."""
    if len(other.contradictions) != 1 or not on_one_thing(conflict, other):
        return False
    pair, held = other.contradictions[0], value.casefold()
    left, right = pair.left.value.casefold(), pair.right.value.casefold()
    if held not in (left, right) or _values(pair) <= _values(conflict.contradictions[0]):
        return False
    voices = {
        side: {item.source for item in verdict.evidence if item.independent and item.supports == side} for side in SIDES
    }
    mine, rival = SIDES if held == left else SIDES[::-1]
    return len(voices[rival]) >= len(voices[mine])


def _values(pair: Contradiction) -> set[str]:
    return {pair.left.value.casefold(), pair.right.value.casefold()}


def _adopted(
    conflict: Conflict, own: StatedVerdict, resolved: Sequence[tuple[Conflict, StatedVerdict]]
) -> StatedVerdict:
    """An inconclusive verdict takes over the one value that was resolved for the same dispute."""
    if own.status is not ConflictStatus.INCONCLUSIVE:
        return own
    others = [verdict for other, verdict in resolved if on_one_matter(conflict, other)]
    if len({verdict.value.casefold() for verdict in others}) != 1:
        return own
    return _transferred(conflict, own, others[0])


def _transferred(conflict: Conflict, own: StatedVerdict, other: StatedVerdict) -> StatedVerdict:
    """The other's verdict, for the side of this conflict that has the value; each side keeps its own source's voice."""
    pair, held = conflict.contradictions[0], other.value.casefold()
    if held not in (pair.left.value.casefold(), pair.right.value.casefold()):
        return own
    winner: Literal["left", "right"] = "left" if held == pair.left.value.casefold() else "right"
    voices = tuple(item for item in own.evidence if not item.independent)
    heard = {voice.source for voice in voices}
    evidence = other.evidence if winner == other.winner else map(_with_sides_swapped, other.evidence)
    return StatedVerdict(
        conflict=own.conflict,
        status=other.status,
        winner=winner,
        value=other.value,
        reasoning=other.reasoning,
        evidence=voices + tuple(replace(item, independent=True) for item in evidence if item.source not in heard),
    )


def _with_sides_swapped(evidence: Evidence) -> Evidence:
    """The same evidence for a conflict whose left side is the other's right side."""
    if evidence.supports == "left":
        return replace(evidence, supports="right")
    return replace(evidence, supports="left") if evidence.supports == "right" else evidence


def on_one_matter(left: Conflict, right: Conflict) -> bool:
    """Whether two conflicts are each on one matter, and it is the same two values of one thing."""
    points = *points_of(left), *points_of(right)
    return len(points) == 2 and on_one_thing(left, right) and points[0].has_values_of(points[1])


def on_one_thing(left: Conflict, right: Conflict) -> bool:
    """Whether two conflicts are on an attribute of one entity, whatever the values."""
    return any(is_one_thing(first, second) for first in points_of(left) for second in points_of(right))
