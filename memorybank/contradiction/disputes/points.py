"""Points of conflicts, and when two of them are on one thing.

A reader that takes claims apart gives entity, attribute and value, and these decide. Where it does not, only identical
pairs of values between the same nodes are one dispute.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from memorybank.contradiction.entity_names import same_name
from memorybank.contradiction.same_value import same_value
from memorybank.language.text import fold_space
from memorybank.language.tokens import query_tokens
from memorybank.memory.types import Claim, Conflict, Contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One contradiction of a conflict; of a conflict without any, the conflict itself."""

    conflict: Conflict
    pair: Contradiction | None
    number: int
    """Its place in the conflict, from 1."""
    alone: bool
    """The conflict has no other."""
    claims: tuple[Claim, ...]
    """Left and right; none without a contradiction."""
    names: tuple[str, ...]
    attributes: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.conflict.id if self.number == 1 else f"{self.conflict.id}.{self.number}"

    def has_values_of(self, other: Point) -> bool:
        left, right = self.claims
        return all(same_value(claim, another) for claim, another in zip(self.claims, other.claims, strict=True)) or all(
            same_value(claim, another) for claim, another in zip((right, left), other.claims, strict=True)
        )


def points_of(conflict: Conflict) -> list[Point]:
    pairs = conflict.contradictions or (None,)
    return [_point(conflict, pair, number, alone=len(pairs) < 2) for number, pair in enumerate(pairs, start=1)]


def _point(conflict: Conflict, pair: Contradiction | None, number: int, *, alone: bool) -> Point:
    claims = (pair.left, pair.right) if pair else ()
    return Point(
        conflict=conflict,
        pair=pair,
        number=number,
        alone=alone,
        claims=claims,
        names=tuple(dict.fromkeys(claim.subject for claim in claims if claim.subject)),
        attributes=tuple(dict.fromkeys(claim.attribute for claim in claims if claim.attribute)),
    )


def is_one_dispute(left: Point, right: Point) -> bool:
    """Whether two contradictions are on one matter: one and the same statement stands in both, or they are on one thing
    and have a value in common, or they are one pair of values between one pair of nodes.
    """
    if left.pair is None or right.pair is None:
        return False
    # A value in common is asked for first: of many conflicts nearly all pairs have none, and names take longer.
    if any(same_value(first, second) for first in left.claims for second in right.claims):
        return _share_a_statement(left, right) or is_one_thing(left, right) or _is_one_pair(left, right)
    return _is_one_pair(left, right) and not is_one_thing(left, right)


def _share_a_statement(left: Point, right: Point) -> bool:
    """A statement gives one value of one thing, so all that stands against it is on that, in whichever words; not one
    that names no thing, nor one whose value is the whole sentence, which may say several things."""
    return any(
        claim in right.claims and claim.subject and claim.kind not in ("text", "negation") for claim in left.claims
    )


def _is_one_pair(left: Point, right: Point) -> bool:
    """Whether two contradictions put the same two words against each other, between the same two nodes."""
    if set(left.conflict.node_ids) != set(right.conflict.node_ids):
        return False
    written = [{fold_space(claim.value).casefold() for claim in each.claims} for each in (left, right)]
    return written[0] == written[1]


def is_one_thing(left: Point, right: Point) -> bool:
    """Whether two contradictions are on the same attribute of the same entity.

    Two values that stand against each other twice are values of one attribute, however the sentences word it; and of
    one entity, where the attribute is one and loose prose does not say reliably whose it is.
    """
    if left.pair is None or right.pair is None:
        return False
    loose = any(not each.names or each.pair.found_by == "relations" for each in (left, right) if each.pair)
    if not loose and not any(same_name(first, second) for first in left.names for second in right.names):
        return False
    alike = any(same_words(first, second) for first in left.attributes for second in right.attributes)
    return alike and left.has_values_of(right) if loose else alike or left.has_values_of(right)


@lru_cache(maxsize=16_384)
def same_words(left: str, right: str) -> bool:
    """Whether one attribute has all words of the other: “capacity”, “rated capacity”."""
    first, second = set(query_tokens(left)), set(query_tokens(right))
    return bool(first and second) and (first <= second or second <= first)
