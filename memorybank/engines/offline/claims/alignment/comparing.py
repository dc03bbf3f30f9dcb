"""When two frames contradict each other: the same of the same thing, at one time, with values that cannot both hold."""

from __future__ import annotations

from collections.abc import Callable

from memorybank.engines.offline.claims import dates, values
from memorybank.engines.offline.claims.alignment import moments, negations, numbers, persons, places
from memorybank.engines.offline.claims.alignment.covering import fit
from memorybank.engines.offline.claims.alignment.frames import Frame, Kind
from memorybank.engines.offline.claims.facts import was_then

_DIFFER: dict[Kind, Callable[[Frame, Frame], bool]] = {
    "number": numbers.differ,
    "date": moments.differ,
    "place": places.differ,
    "name": persons.differ,
    "negation": negations.differ,
}


def clash(left: Frame, right: Frame) -> bool:
    """Whether two frames of one kind say the same of the same thing, with values that cannot both hold."""
    return (
        _DIFFER[left.kind](left, right)
        and not _times_differ(left, right)
        and left.scope == right.scope
        and fit(left, right)
    )


def _times_differ(left: Frame, right: Frame) -> bool:
    """Whether the sentences state other times than the disputed one, and none of them fits."""
    if left.kind == "number" and was_then(*((one.sentence[: one.start], bool(one.years)) for one in (left, right))):
        return True
    if not left.years or not right.years:
        return False
    return all(dates.relate(one, other) == "different" for one in left.years for other in right.years)


def is_restated(frame: Frame, frames: tuple[Frame, ...], against: Frame) -> bool:
    """Whether the other text also states this value: it knows both, and tells them apart."""
    return any(
        _restates(frame, candidate) for candidate in frames if candidate is not against and candidate.kind == frame.kind
    )


def _restates(frame: Frame, candidate: Frame) -> bool:
    if frame.quantity is not None and candidate.quantity is not None:
        same = candidate.after[:2] == frame.after[:2]
        return same and values.relate(frame.quantity, candidate.quantity) == "equal"
    if frame.date is not None and candidate.date is not None:
        return dates.relate(frame.date, candidate.date) == "equal" and candidate.before == frame.before
    if frame.kind == "place":
        return any(places.alike(one, other) for one in frame.place for other in candidate.place)
    return frame.kind == "name" and bool(set(frame.person) & set(candidate.person)) and frame.before == candidate.before
