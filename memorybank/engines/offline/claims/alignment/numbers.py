"""Numbers with their units or counted nouns, one of a kind in a clause; and when two exclude each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from memorybank.engines.offline.claims import values
from memorybank.engines.offline.claims.alignment.clauses import Clause
from memorybank.engines.offline.claims.alignment.frames import Frame, overlaps
from memorybank.engines.offline.claims.alignment.words import VARYING
from memorybank.engines.offline.claims.values import Quantity


def frames(clause: Clause) -> Iterator[Frame]:
    named = [(start, end) for start, end, _ in clause.names]
    found = [
        quantity
        for quantity in values.scan(clause.sentence, dates=clause.days)
        if clause.start <= quantity.start < clause.end and not overlaps(quantity.start, quantity.end, named)
    ]
    for quantity in found:
        after = clause.after(quantity.end)
        if (quantity.dimension or after) and _is_alone(quantity, after, found, clause):
            frame = clause.frame("number", quantity.start, quantity.end)
            yield replace(frame, quantity=quantity, before=clause.before(quantity.start), after=after)


def _is_alone(quantity: Quantity, after: str, found: Sequence[Quantity], clause: Clause) -> bool:
    """Whether no other number of the clause measures or counts the same."""
    if quantity.dimension:
        return sum(other.dimension == quantity.dimension for other in found) == 1
    return sum(clause.after(other.end) == after for other in found) == 1


def differ(left: Frame, right: Frame) -> bool:
    one, other = left.quantity, right.quantity
    assert one is not None
    assert other is not None
    if one.dimension != other.dimension or (
        left.before != right.before and (one.dimension or (left.before and right.before))
    ):
        return False
    if not one.dimension:
        if left.after != right.after:
            return False
    elif _measured_apart(left.after, right.after):
        return False
    varying = bool(VARYING & {*left.after.split(), left.before})
    if not (left.before or left.after) or (varying and not (left.years and right.years)):
        return False
    return _apart(one, other)  # the dearest last: most pairs end before it


def _measured_apart(left: str, right: str) -> bool:
    """Whether different words follow two measures: 35 tonnes of coal, 35 tonnes of grain."""
    return bool(left and right) and left.split()[0][:2] != right.split()[0][:2]


def _apart(one: Quantity, other: Quantity) -> bool:
    """As `values.relate`; but of two hedged values told to the same digit neither may reach the other alone."""
    verdict = values.relate(one, other)
    if verdict == "compatible" and _both_about(one, other):
        gap = abs(one.low - other.low)
        return (
            one.step == other.step
            and one.low == one.high
            and other.low == other.high
            and gap > max(2 * one.step, values.ABOUT_TOLERANCE * max(one.low, other.low))
        )
    return verdict == "different"


def _both_about(one: Quantity, other: Quantity) -> bool:
    return one.approximate and other.approximate and one.bound == other.bound == "exact" and one.unit == other.unit
