"""Whether a conflict is on a point that a verdict has decided, so that the verdict stands for it too."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from memorybank.contradiction.disputes.gathering import held_by
from memorybank.contradiction.disputes.points import Point, is_one_thing, points_of, share_an_attribute
from memorybank.contradiction.same_value import same_value
from memorybank.language.text import fold_space
from memorybank.memory.types import SIDES, Claim, Conflict, Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """A point of a conflict that a verdict on another conflict decides."""

    side: Literal["left", "right"]
    """Which of its own sides holds."""
    value: str
    contradiction: int
    """The place of the point that was decided there."""
    claims: tuple[Claim, ...]
    """Its own two, left and right."""
    claims_there: tuple[Claim, ...]
    """The two that stood against each other there, left and right."""
    held_there: Literal["left", "right", "other"]
    """What holds there, in the words of that conflict's evidence."""

    def side_of(self, voice: Evidence) -> Literal["left", "right", "other"]:
        """Which of its own sides a voice of that conflict speaks for; a third value is for neither."""
        there = zip(SIDES, self.claims_there, strict=True)
        stated = next((claim for side, claim in there if side == voice.supports), None)
        if stated is None and voice.value:
            stated = replace(self.claims[0], value=voice.value)
        if stated is None:
            return self.side if voice.supports == self.held_there else "other"
        return next((side for side, own in zip(SIDES, self.claims, strict=True) if same_value(stated, own)), "other")


def standing(conflict: Conflict, verdict_on: Conflict, *, of_one_memory: bool) -> tuple[Standing, ...]:
    """How a verdict on another conflict decides the points of this one; empty where it does not decide all of them for
    one side.

    `of_one_memory`: one side of it is what the verdict made of its own, so that both are on one thing.
    """
    points, there = points_of(conflict), points_of(verdict_on)
    sentences = [claim.text for point in there for claim in point.claims]
    sentences += [evidence.quote for evidence in verdict_on.evidence]
    weighed = frozenset(map(fold_space, sentences))
    decided = [(point, held) for point in there if (held := held_by(point)) is not None]
    settled = [on for point in points if (on := _decided(point, decided, weighed, of_one_memory)) is not None]
    return tuple(settled) if len(settled) == len(points) and len({point.side for point in settled}) == 1 else ()


def _decided(
    point: Point, decided: Iterable[tuple[Point, Claim]], weighed: frozenset[str], of_one_memory: bool
) -> Standing | None:
    """How a point is decided by what a verdict decided elsewhere, which knew the sentences in `weighed`."""
    known = [fold_space(claim.text) in weighed for claim in point.claims]
    for other, held in decided:
        if not (of_one_memory or all(known) or is_one_thing(point, other)):
            continue
        alike = share_an_attribute(point, other)
        for side, claim, rival, is_known in zip(SIDES, point.claims, point.claims[::-1], known[::-1], strict=False):
            is_refuted = any(same_value(rival, refuted) for refuted in other.claims)
            if same_value(claim, held) and (alike or is_refuted or is_known):
                words = (word for word, own in zip(SIDES, other.claims, strict=True) if same_value(own, held))
                return Standing(
                    side=side,
                    value=held.value,
                    contradiction=other.number,
                    claims=point.claims,
                    claims_there=other.claims,
                    held_there=next(words, "other"),
                )
    return None
