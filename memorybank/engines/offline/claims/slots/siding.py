"""What a sentence of a third text says on two values that exclude each other."""

from __future__ import annotations

from typing import Literal

from memorybank.engines.offline.claims.describe import is_chinese
from memorybank.engines.offline.claims.slots.comparing import is_dated, is_written, read
from memorybank.engines.offline.claims.slots.filling import Filling
from memorybank.engines.offline.claims.slots.relations import triggers
from memorybank.engines.offline.claims.slots.telling import attribute
from memorybank.language import dates
from memorybank.memory.types import Claim, Contradiction

Side = Literal["left", "right"]
Position = Literal["left", "right", "other", "neither"]


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


def stance(sentence: str, left: Filling, right: Filling) -> tuple[Position, str]:
    """Which of two disputed values a sentence that names the subject stands for, and the value as it writes it.

    What it fills the slot with decides; else which of the values it writes beside the words of the relation. A date
    that both values lie in tells neither.
    """
    stated = [one for one in read(sentence) if one.relation == left.relation]
    said = {side: one for one in reversed(stated) for side in _agreeing(one, left, right)}
    if len(said) == 1:
        side, filled_with = said.popitem()
        return side, filled_with.value
    writes = _written_of(sentence, left, right)
    if len(writes) == 1 and _names_relation(sentence, left.relation):
        return writes[0], (left if writes[0] == "left" else right).value
    another = next((one for one in stated if not _agree(one, left) and not _agree(one, right)), None)
    return ("other", another.value) if another is not None and not said and not writes else ("neither", "")


def _names_relation(sentence: str, relation: str) -> bool:
    lang: Literal["en", "zh"] = "zh" if is_chinese(sentence) else "en"
    return any(one.relation == relation and one.pattern.search(sentence) for one in triggers(lang))


def _agreeing(one: Filling, left: Filling, right: Filling) -> tuple[Side, ...]:
    """The side that a filling agrees with; none where it agrees with both."""
    found = tuple(side for side, against in _sides(left, right) if _agree(one, against))
    return found if len(found) == 1 else ()


def _written_of(sentence: str, left: Filling, right: Filling) -> list[Side]:
    """The sides whose value a sentence writes; of dates, so that it is not the other's, too."""
    if left.date is None or right.date is None:
        return [side for side, one in _sides(left, right) if is_written(one, sentence)]
    days = [day for day in dates.scan(sentence) if not day.range]
    fits = [[side for side, one in _sides(left, right) if _may_be(day, one)] for day in days]
    return sorted({sides[0] for sides in fits if len(sides) == 1})


def _may_be(day: dates.Date, one: Filling) -> bool:
    return one.date is not None and dates.relate(day, one.date) != "different"


def _sides(left: Filling, right: Filling) -> tuple[tuple[Side, Filling], tuple[Side, Filling]]:
    return ("left", left), ("right", right)


def _agree(one: Filling, other: Filling) -> bool:
    if one.date is not None and other.date is not None:
        return dates.relate(one.date, other.date) != "different"
    return is_written(other, one.value)


def writes(text: str, filling: Filling) -> bool:
    """Whether a text has the value of a filling, whatever it says of it."""
    return is_dated(filling.date, text) if filling.date is not None else is_written(filling, text)
