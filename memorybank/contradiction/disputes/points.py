"""Points of conflicts, and when two of them are on one thing: the same attribute of the same subject."""

from __future__ import annotations

from dataclasses import dataclass

from memorybank.contradiction.same_value import same_value
from memorybank.language.names import same_name
from memorybank.language.text import fold_space
from memorybank.memory.types import Claim, Conflict, Contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One contradiction of a conflict; of a conflict without any, the conflict itself."""

    conflict: Conflict
    pair: Contradiction | None
    number: int
    """Place of the point in the conflict, from 0."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Left and right; none without a contradiction."""
        return (self.pair.left, self.pair.right) if self.pair else ()

    @property
    def name(self) -> str:
        return f"{self.conflict.id}.{self.number + 1}" if self.number else self.conflict.id

    @property
    def is_alone(self) -> bool:
        """Whether the conflict has no other."""
        return len(self.conflict.contradictions) < 2

    def has_values_of(self, other: Point) -> bool:
        left, right = self.claims
        return any(
            all(same_value(claim, another) for claim, another in zip(own, other.claims, strict=True))
            for own in ((left, right), (right, left))
        )


def points_of(conflict: Conflict) -> list[Point]:
    pairs = conflict.contradictions or (None,)
    return [Point(conflict=conflict, pair=pair, number=number) for number, pair in enumerate(pairs)]


def is_one_dispute(left: Point, right: Point) -> bool:
    """Whether two contradictions are on one matter: they have a value in common, and that is a value of one thing, or
    one and the same statement. One that names no thing counts for none, nor one whose value is the whole sentence."""
    # A value in common is asked for first: of many conflicts nearly all pairs have none, and names take longer.
    if not any(same_value(first, second) for first in left.claims for second in right.claims):
        return False
    shared = (claim for claim in left.claims if claim in right.claims and claim.kind not in ("text", "negation"))
    return any(claim.subject for claim in shared) or is_one_thing(left, right)


def is_one_thing(left: Point, right: Point) -> bool:
    """Whether two contradictions are on the same attribute of the same subject. Two values that stand against each
    other twice are values of one attribute, however the sentences word it."""
    if not any(same_name(first.subject, second.subject) for first in left.claims for second in right.claims):
        return False
    return share_an_attribute(left, right) or left.has_values_of(right)


def share_an_attribute(left: Point, right: Point) -> bool:
    attributes = ({fold_space(claim.attribute).casefold() for claim in point.claims} - {""} for point in (left, right))
    return not next(attributes).isdisjoint(next(attributes))
