"""Whether two values of one attribute exclude each other; when the wording leaves room for both, they do not.

Room is left by another scope, a rounded or hedged value, a list that may be longer, a place inside a place. Whether
they are said of the same thing is another question (`same_matter`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.entity import is_continent, is_region
from memorybank.contradiction.frame import ON_DAY, Frame, Reading, overlap
from memorybank.contradiction.keys import key
from memorybank.contradiction.measure_exclusion import is_same_measure, measures_exclude
from memorybank.contradiction.phrases import Units, match_units
from memorybank.contradiction.readers.relations_en import fold
from memorybank.contradiction.same_matter import parts_differ, times_differ
from memorybank.language import dates
from memorybank.language.han import is_han
from memorybank.memory.types import Reader


def exclude(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> bool:
    """Whether two frames of one slot, each of its own text, cannot both hold if they are said of one thing."""
    return _BY_READER[left.found_by](left, right, left_reading, right_reading)


def _claims(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> bool:
    if left.measure is not None:
        differ = measures_exclude(left, right, left_reading.keys, right_reading.keys)
    elif left.relation == "state":
        differ = _states(left, right)
    elif left.date is not None:
        differ = _dates(left, right)
    elif left.kind == "place":
        differ = _places(left, right) and not _knows(right.sentence, left) and not _knows(left.sentence, right)
    else:
        differ = _names(left, right) and not _knows(right_reading.text, left) and not _knows(left_reading.text, right)
    return differ and not _said_elsewhere(left, right_reading, right) and not _said_elsewhere(right, left_reading, left)


def _knows(text: str, frame: Frame) -> bool:
    """Whether a text writes a name of the value beside the name of the thing: whoever names both tells them apart."""
    low = text.lower().replace(frame.entity.text.lower(), " ") if frame.entity.text else text.lower()
    return any(name.text.lower() in low for name in frame.names)


def _said_elsewhere(frame: Frame, reading: Reading, against: Frame) -> bool:
    """Whether the other text also states this for the same thing, beside what differs: who states both, states them of
    two times or two things.
    """
    return any(candidate is not against and restates(frame, candidate) for candidate in reading.frames)


# -- known relations --------------------------------------------------------------------------------------------------


def _relations(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> bool:
    """Whether the values differ, and neither text knows the other's: whoever writes both tells them apart."""
    return not writes(right_reading.text, left) and not writes(left_reading.text, right)


def writes(text: str, frame: Frame) -> bool:
    """Whether a text has the value of a relation, whatever it says of it: a telling part of the name."""
    if is_han(frame.value):
        han = "".join(frame.key)
        return any(han[at : at + 2] in text for at in range(len(han) - 1))
    low = fold(text)
    return any(re.search(rf"\b{re.escape(word)}\b", low) for word in frame.key if len(word) > 2)


# -- denials ----------------------------------------------------------------------------------------------------------


def _denials(left: Frame, right: Frame, left_reading: Reading, right_reading: Reading) -> bool:
    """Whether a statement has all the words of what the other side says there is not."""
    del left_reading, right_reading
    if left.polarity == right.polarity:
        return False
    denial, statement = (right, left) if left.polarity else (left, right)
    return denial.attribute <= statement.attribute


# -- states -----------------------------------------------------------------------------------------------------------

_GENERIC_VERBS = words_en.GENERIC_CLASSES | words_zh.GENERIC_CLASSES | {"be", "", "do"}
_HAVING = frozenset({"have", "contain", "", "need", "use", "provide"})
_OPPOSITE = frozenset(
    frozenset((word, opposite)) for pair in words_en.OPPOSITES for word, opposite in [(key(pair[0]), key(pair[1]))]
)
_OPPOSED_KEYS = frozenset(word for pair in _OPPOSITE for word in pair)


def _states(left: Frame, right: Frame) -> bool:
    """Whether one denies the other, or the two say opposite things."""
    if left.polarity == right.polarity:
        return left.polarity and _opposed(left, right)
    return _denies(right, left) if left.polarity else _denies(left, right)


def _denies(negative: Frame, positive: Frame) -> bool:
    """Whether all that a negated statement denies is said by the positive one."""
    denied, stated = negative.attribute - {negative.verb}, positive.attribute - {positive.verb}
    if not denied:
        return negative.verb == positive.verb and negative.verb not in _GENERIC_VERBS
    if denied.isdisjoint(stated | positive.context) or times_differ(negative, positive, varying=False):
        return False
    covered = len(denied & stated) / len(denied)
    if negative.verb in ("be", "") and positive.verb in ("be", ""):
        return covered >= 0.99 and len(stated - denied) <= len(denied)
    if negative.verb == positive.verb or (negative.verb in _HAVING and positive.verb in _HAVING):
        return covered >= 0.75
    everything = positive.context | positive.attribute
    spoken_of = negative.verb in _GENERIC_VERBS or negative.verb in everything
    named = bool(negative.entity.name and positive.entity.name)
    return named and spoken_of and len(denied & everything) >= 2 and len(denied & everything) / len(denied) >= 0.7


def _opposed(left: Frame, right: Frame) -> bool:
    """Whether two statements differ in a word and its opposite, and in little else."""
    left_only, right_only = left.attribute - right.attribute, right.attribute - left.attribute
    pairs = [
        (a, b) for a in left_only & _OPPOSED_KEYS for b in right_only & _OPPOSED_KEYS if frozenset((a, b)) in _OPPOSITE
    ]
    if len(pairs) != 1 or times_differ(left, right, varying=True):
        return False
    rest_left, rest_right = left.attribute - {pairs[0][0]}, right.attribute - {pairs[0][1]}
    if not rest_left and not rest_right:
        return (
            bool(left.entity.nouns & right.entity.nouns)
            or bool(left.entity.units)
            or left.entity.head == right.entity.head
        )
    return overlap(rest_left, rest_right) >= 0.7 and len(rest_left ^ rest_right) <= 2


# -- dates, names, places ---------------------------------------------------------------------------------------------


def _dates(left: Frame, right: Frame) -> bool:
    """Whether two dates of one event cannot both hold."""
    assert left.date is not None
    assert right.date is not None
    if dates.relate(left.date, right.date) != "different" or parts_differ(left, right):
        return False
    if left.relation.startswith(ON_DAY):
        return len(left.attribute) > 1 and left.attribute == right.attribute
    if left.verb in words_en.REPEATABLE or left.entity.indefinite or right.entity.indefinite:
        said_left, said_right = left.attribute - {left.verb}, right.attribute - {right.verb}
        one_time = bool(left.entity.marks) or left.date.year == right.date.year
        return one_time and (said_left == said_right or overlap(said_left, said_right) >= 0.7)
    return True


def _names(left: Frame, right: Frame) -> bool:
    """Whether two names for one thing cannot both hold; lists that share a name can."""
    if share_a_name(left, right) or parts_differ(left, right):
        return False
    if any(set(name.units) <= words_en.DEMONYMS for name in (*left.names, *right.names)):
        return False
    if left.verb in words_en.REPEATABLE - {"buy", "film", "lead"} and not _same_time_again(left, right):
        return False
    if is_region(left.names[0].units) != is_region(right.names[0].units):
        return False  # moved to Norway, to Tromso: the one may lie in the other
    return not times_differ(left, right, varying=left.relation.startswith("role:"))


def share_a_name(left: Frame, right: Frame) -> bool:
    if any(match_units(name.units, against.units) != "different" for name in left.names for against in right.names):
        return True
    return any(len(unit) > 1 for unit in {*left.key} & {*right.key})


def _same_time_again(left: Frame, right: Frame) -> bool:
    """Whether two statements of something that happens again mean the same time: by its number, year or wording."""
    if left.entity.marks & right.entity.marks or (left.times and right.times):
        return True
    said_left, said_right = left.attribute - {left.verb}, right.attribute - {right.verb}
    return left.verb == "happen" or (bool(said_left & said_right) and overlap(said_left, said_right) >= 0.7)


def _places(left: Frame, right: Frame) -> bool:
    """Whether two places of one thing cannot both hold: equally wide, and neither inside the other by its wording."""
    left_name, right_name = left.names[0], right.names[0]
    if any(match_units(left_name.units, name.units) != "different" for name in right.names):
        return False
    if any(match_units(right_name.units, name.units) != "different" for name in left.names):
        return False
    if _width(left_name.units) != _width(right_name.units) or parts_differ(left, right):
        return False
    if left.verb == "happen" and not _same_time_again(left, right):
        return False
    return not times_differ(left, right, varying=False)


def _width(units: Units) -> str:
    """How wide a place is, as far as its name tells."""
    if is_continent(units):
        return "continent"
    if (
        is_region(units)
        or units[-1] in words_en.WIDE_PLACES
        or "".join(units).endswith(("省", "自治区", "自治州", "县"))
    ):
        return "region"
    return "site" if units[-1] in words_en.SITES else "place"


# -- the same value ----------------------------------------------------------------------------------------------------


def restates(frame: Frame, candidate: Frame) -> bool:
    """Whether a fact of the other text states the same value of the same kind, or the same with the same polarity."""
    if frame.date is not None:
        if candidate.date is None or candidate.slot != frame.slot:
            return False
        return dates.relate(frame.date, candidate.date) == "equal"
    if frame.relation == "state":
        return candidate.slot == frame.slot and _stated(candidate) == _stated(frame)
    measure, against = frame.measure, candidate.measure
    return measure is not None and against is not None and is_same_measure(measure, against)


def _stated(frame: Frame) -> tuple[bool, frozenset[str]]:
    return frame.polarity, frame.attribute


_BY_READER: Final[Mapping[Reader, Callable[[Frame, Frame, Reading, Reading], bool]]] = {
    "claims": _claims, "denials": _denials, "relations": _relations,
}  # fmt: skip
