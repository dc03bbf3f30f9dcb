"""Conflicts that are on the same matter: what settles one settles the others, and an answer tells of it once.

The same two values stand against each other in several pairs of memories, each in its own words, and one pair's words
may leave open what another's make plain. The matter is the values, what they are values of, and, where the claims were
parsed, whose they are; a claim filled from loose prose has no reliable subject.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from memorybank.contracts import StatedVerdict
from memorybank.types import Conflict, ConflictStatus, Contradiction, Evidence

SIDES: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")
_NUMBER_RE = re.compile(r"\d+(?:[.,]\d+)*")


class Matter(NamedTuple):
    """All in lower case, of both sides."""

    values: frozenset[str]
    attributes: frozenset[str]
    subjects: frozenset[str]
    """Empty for a claim from loose prose."""


def settled_together(conflicts: Sequence[Conflict], verdicts: Sequence[StatedVerdict]) -> list[StatedVerdict]:
    """The verdicts, in their order; an inconclusive one takes over what was resolved on its matter.

    Where resolved ones disagree on a matter, nothing is taken over. A value that another conflict leaves tied with a
    third one has not won.
    """
    verdicts = [_unless_tied(at, conflicts, verdicts) for at in range(len(conflicts))]
    resolved: dict[Matter, list[StatedVerdict]] = {}
    for conflict, verdict in zip(conflicts, verdicts, strict=True):
        matter = matter_of(conflict)
        if matter is not None and verdict.status is ConflictStatus.RESOLVED:
            resolved.setdefault(matter, []).append(verdict)
    return [
        _likewise(conflict, verdict, resolved) if verdict.status is ConflictStatus.INCONCLUSIVE else verdict
        for conflict, verdict in zip(conflicts, verdicts, strict=True)
    ]


def matter_of(conflict: Conflict) -> Matter | None:
    """None for a conflict in more than one matter."""
    matters = {_matter(one) for one in conflict.contradictions}
    return matters.pop() if len(matters) == 1 else None


def _matter(contradiction: Contradiction) -> Matter:
    sides = (contradiction.left, contradiction.right)
    loose = contradiction.found_by == "relations"
    return Matter(
        values=frozenset(side.value.casefold() for side in sides),
        attributes=frozenset(side.attribute.casefold() for side in sides),
        subjects=frozenset() if loose else frozenset(side.subject.casefold() for side in sides),
    )


def _unless_tied(at: int, conflicts: Sequence[Conflict], verdicts: Sequence[StatedVerdict]) -> StatedVerdict:
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
    if len(other.contradictions) != 1 or not _on_one_thing(conflict, other):
        return False
    pair, held = other.contradictions[0], value.casefold()
    left, right = pair.left.value.casefold(), pair.right.value.casefold()
    if held not in (left, right) or _matter(pair).values <= _matter(conflict.contradictions[0]).values:
        return False
    voices = {
        side: {one.source for one in verdict.evidence if one.independent and one.supports == side} for side in SIDES
    }
    mine, rival = SIDES if held == left else SIDES[::-1]
    return len(voices[rival]) >= len(voices[mine])


def _likewise(conflict: Conflict, own: StatedVerdict, resolved: dict[Matter, list[StatedVerdict]]) -> StatedVerdict:
    matter = matter_of(conflict)
    others = resolved.get(matter, []) if matter is not None else []
    if len({one.value.casefold() for one in others}) != 1:
        return own
    return _taken_over(conflict, own, others[0])


def _taken_over(conflict: Conflict, own: StatedVerdict, other: StatedVerdict) -> StatedVerdict:
    """The other's verdict, for the side of this conflict that has the value; each side keeps its own source's voice."""
    pair, held = conflict.contradictions[0], other.value.casefold()
    if held not in (pair.left.value.casefold(), pair.right.value.casefold()):
        return own
    winner: Literal["left", "right"] = "left" if held == pair.left.value.casefold() else "right"
    voices = tuple(one for one in own.evidence if not one.independent)
    heard = {one.source for one in voices}
    told = other.evidence if winner == other.winner else map(_turned, other.evidence)
    return StatedVerdict(
        conflict=own.conflict,
        status=other.status,
        winner=winner,
        value=other.value,
        reasoning=other.reasoning,
        evidence=voices + tuple(replace(one, independent=True) for one in told if one.source not in heard),
    )


def _turned(evidence: Evidence) -> Evidence:
    """As a conflict says it whose sides stand the other way round."""
    if evidence.supports == "left":
        return replace(evidence, supports="right")
    return replace(evidence, supports="left") if evidence.supports == "right" else evidence


# -- what an answer tells of ------------------------------------------------------------------------------------------


def told_once(settled: Sequence[Conflict]) -> list[Conflict]:
    """Of settled conflicts on one matter, found in several pairs of memories, the one with the most evidence.

    The same sources were weighed for them, on values that share a number or a word ("2.4 m", "2.4-metre").
    """
    kept: list[Conflict] = []
    for one in sorted(settled, key=lambda conflict: -len(conflict.evidence)):
        if not any(_weighs_the_same(one, other) for other in kept):
            kept.append(one)
    return [one for one in settled if one in kept]


def still_open(closed: Sequence[Conflict]) -> list[Conflict]:
    """The inconclusive ones whose values no settled one has weighed: 64 against 96 is over once 72 is found to hold."""
    settled = [one for one in closed if one.status.decides]
    return [
        one
        for one in closed
        if one.status is ConflictStatus.INCONCLUSIVE
        and not any(_values(one) and _values(one) <= _weighed(other) and _on_one_thing(one, other) for other in settled)
    ]


def _on_one_thing(one: Conflict, other: Conflict) -> bool:
    """Whether an attribute of one subject is in both; a claim from loose prose has no subject to go by."""
    return any(
        first.attributes & second.attributes
        and (not first.subjects or not second.subjects or first.subjects & second.subjects)
        for first in map(_matter, one.contradictions)
        for second in map(_matter, other.contradictions)
    )


def _weighs_the_same(one: Conflict, other: Conflict) -> bool:
    sources, others = ({evidence.source for evidence in each.evidence} for each in (one, other))
    return sources <= others and bool(_values(one) & _values(other) or _numbers(one) & _numbers(other))


def _values(conflict: Conflict) -> set[tuple[str, str]]:
    """Kind and value of both sides."""
    sides = (side for pair in conflict.contradictions for side in (pair.left, pair.right))
    return {(side.kind, side.value.casefold()) for side in sides}


def _weighed(conflict: Conflict) -> set[tuple[str, str]]:
    """The values of both sides, and those that sources stated beside them."""
    kinds = {side.kind for pair in conflict.contradictions for side in (pair.left, pair.right)}
    return _values(conflict) | {(kind, one.value.casefold()) for one in conflict.evidence for kind in kinds}


def _numbers(conflict: Conflict) -> set[str]:
    return {number for _, value in _values(conflict) for number in _NUMBER_RE.findall(value)}
