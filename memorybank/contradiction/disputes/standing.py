"""Whether a conflict is on a point that a verdict has decided, so that the verdict stands for it too."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from memorybank.contradiction.disputes.gathering import held_by
from memorybank.contradiction.disputes.points import Point, is_one_thing, points_of, same_words
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
    decided = _Decided.of(verdict_on)
    points = points_of(conflict)
    settled = tuple(on for point in points if (on := decided.on(point, of_one_memory=of_one_memory)))
    return settled if len(settled) == len(points) and len({point.side for point in settled}) == 1 else ()


@dataclass(frozen=True, slots=True)
class _Decided:
    points: tuple[tuple[Point, Claim], ...]
    """What was decided, each with the claim that holds."""
    weighed: frozenset[str]
    """The sentences that the verdict knew: both sides' and those of its evidence."""

    @classmethod
    def of(cls, conflict: Conflict) -> _Decided:
        points = points_of(conflict)
        sentences = [claim.text for point in points for claim in point.claims]
        sentences += [evidence.quote for evidence in conflict.evidence]
        return cls(
            tuple((point, held) for point in points if (held := held_by(point)) is not None),
            frozenset(fold_space(sentence) for sentence in sentences),
        )

    def on(self, point: Point, *, of_one_memory: bool) -> Standing | None:
        known = [fold_space(claim.text) in self.weighed for claim in point.claims]
        for other, held in self.points:
            if not (of_one_memory or all(known) or is_one_thing(point, other)):
                continue
            alike = any(same_words(first, second) for first in point.attributes for second in other.attributes)
            for at, (side, claim) in enumerate(zip(SIDES, point.claims, strict=False)):
                refuted = any(same_value(point.claims[1 - at], refuted) for refuted in other.claims)
                if same_value(claim, held) and (alike or refuted or known[1 - at]):
                    there = (word for word, own in zip(SIDES, other.claims, strict=True) if same_value(own, held))
                    return Standing(
                        side=side,
                        value=held.value,
                        contradiction=other.number - 1,
                        claims=point.claims,
                        claims_there=other.claims,
                        held_there=next(there, "other"),
                    )
        return None
