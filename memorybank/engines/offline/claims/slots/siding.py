"""What a third text says on two values that exclude each other."""

from __future__ import annotations

from typing import Literal

from memorybank.engines.offline.claims import dates
from memorybank.engines.offline.claims.slots.comparing import is_dated, is_written, read
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.engines.offline.claims.slots.telling import attribute
from memorybank.engines.offline.claims.slots.topics import mentions, same_subject, shares_contest, shares_topic
from memorybank.text import sentences
from memorybank.types import Claim, Contradiction

Side = Literal["left", "right"]
Position = Literal["left", "right", "other", "leans left", "leans right", "unclear", "neither"]


def disputed(contradiction: Contradiction) -> tuple[Filling, Filling] | None:
    """The two fillings that a contradiction was told from; None when another reader found it."""
    if contradiction.found_by != "relations":
        return None
    found = tuple(_filling_of(claim) for claim in (contradiction.left, contradiction.right))
    return (found[0], found[1]) if found[0] and found[1] and found[0].relation == found[1].relation else None


def _filling_of(claim: Claim) -> Filling | None:
    return next(
        (one for one in read(claim.text) if one.value == claim.value and attribute(one) == claim.attribute), None
    )


def filled_alike(contradiction: Contradiction) -> tuple[Filling, Filling] | None:
    """The fillings of one relation that two claims come to, though the contradiction was found in another way."""
    left, right = contradiction.left, contradiction.right
    pairs = ((one, other) for one in _with_value(left) for other in _with_value(right))
    return next(((one, other) for one, other in pairs if one.relation == other.relation), None)


def _with_value(claim: Claim) -> list[Filling]:
    return [one for one in read(claim.text) if one.value in claim.value or claim.value in one.value]


def stance(passage: str, left: Filling, right: Filling) -> tuple[Position, str, str]:
    """Which of two disputed values a passage stands for, the value as it writes it, and the sentence.

    What it fills the slot with decides; else which of the two values it mentions, where it speaks of the same thing.
    It leans to a value that it writes without naming anything else of the matter, and is unclear where it speaks of
    the matter and writes both values or none. A date that both values lie in tells neither.
    """
    stated = [one for one in read(passage) if one.relation == left.relation and _of_that(one, passage, left, right)]
    said = {side: one for one in reversed(stated) for side in _agreeing(one, left, right)}
    if len(said) == 1:
        side, told_as = said.popitem()
        return side, told_as.value, told_as.sentence
    topical = any(_topical(passage, one) for one in (left, right))
    writes = _written_of(passage, left, right)
    if topical and len(writes) == 1:
        one = left if writes[0] == "left" else right
        return writes[0], one.value, _sentence_with(passage, one)
    another = next((one for one in stated if not _agree(one, left) and not _agree(one, right)), None)
    if another is not None and not writes and another.kind != "person":
        return "other", another.value, another.sentence
    if len(writes) == 1:
        return ("leans left" if writes[0] == "left" else "leans right"), "", ""
    return ("unclear" if topical or writes or stated else "neither"), "", ""


def _agreeing(one: Filling, left: Filling, right: Filling) -> tuple[Side, ...]:
    """The side that a filling agrees with; none where it agrees with both."""
    found = tuple(side for side, against in _sides(left, right) if _agree(one, against))
    return found if len(found) == 1 else ()


def _written_of(passage: str, left: Filling, right: Filling) -> list[Side]:
    """The sides whose value a passage writes; of dates, so that it is not the other's, too."""
    if left.date is None or right.date is None:
        return [side for side, one in _sides(left, right) if is_written(one, passage)]
    days = [day for day in dates.scan(passage) if not day.range]
    fits = [[side for side, one in _sides(left, right) if _may_be(day, one)] for day in days]
    return sorted({sides[0] for sides in fits if len(sides) == 1})


def _may_be(day: dates.Date, one: Filling) -> bool:
    return one.date is not None and dates.relate(day, one.date) != "different"


def _sides(left: Filling, right: Filling) -> tuple[tuple[Side, Filling], tuple[Side, Filling]]:
    return ("left", left), ("right", right)


def _of_that(one: Filling, passage: str, left: Filling, right: Filling) -> bool:
    """Whether a filling of a passage may be one of the disputed slot: it names no other subject."""
    return not one.subjects or any(same_subject(one, side) or _topical(passage, side) for side in (left, right))


def _topical(passage: str, filling: Filling) -> bool:
    """Whether a passage names what a filling is said of, or shares its names, or the contest and its year."""
    return (
        mentions(passage, filling)
        or shares_topic(passage, filling.sentence, filling.key)
        or shares_contest(passage, filling.sentence)
    )


def _agree(one: Filling, other: Filling) -> bool:
    if one.date is not None and other.date is not None:
        return dates.relate(one.date, other.date) != "different"
    return is_written(other, one.value)


def _sentence_with(passage: str, filling: Filling) -> str:
    found = (passage[piece.start : piece.end].strip() for piece in sentences(passage))
    return next((sentence for sentence in found if _holds(filling, sentence)), "")


def _holds(filling: Filling, sentence: str) -> bool:
    return is_dated(filling.date, sentence) if filling.date is not None else is_written(filling, sentence)
