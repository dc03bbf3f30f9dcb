"""Whether two values of one attribute exclude each other; when the wording leaves room for both, they do not.

Room is left by another scope, a rounded or hedged value, a list that may be longer, a place inside a place. Whether
they are said of the same thing is another question (`same_matter`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.entity import HARMLESS_SCOPE, is_continent, is_region, stems
from memorybank.contradiction.frame import DONE, ON_DAY, Frame, Reading, overlap
from memorybank.contradiction.keys import key
from memorybank.contradiction.phrases import Measure, Units, match_units
from memorybank.contradiction.readers.relations_en import fold
from memorybank.contradiction.same_matter import parts_differ, times_differ
from memorybank.contradiction.tokens_zh import keys as pairs_of
from memorybank.language import dates, values
from memorybank.language.han import is_han
from memorybank.memory.types import Reader


def exclude(left: Frame, right: Frame, one: Reading, other: Reading) -> bool:
    """Whether two frames of one slot, each of its own text, cannot both hold if they are said of one thing."""
    return _BY_READER[left.found_by](left, right, one, other)


def _claims(left: Frame, right: Frame, one: Reading, other: Reading) -> bool:
    if left.measure is not None:
        differ = _measures(left, right, one.keys, other.keys)
    elif left.relation == "state":
        differ = _states(left, right)
    elif left.date is not None:
        differ = _dates(left, right)
    elif left.kind == "place":
        differ = _places(left, right) and not _knows(right.sentence, left) and not _knows(left.sentence, right)
    else:
        differ = _names(left, right) and not _knows(other.text, left) and not _knows(one.text, right)
    return differ and not _said_elsewhere(left, other, right) and not _said_elsewhere(right, one, left)


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


def _relations(left: Frame, right: Frame, one: Reading, other: Reading) -> bool:
    """Whether the values differ, and neither text knows the other's: whoever writes both tells them apart."""
    return not writes(other.text, left) and not writes(one.text, right)


def writes(text: str, frame: Frame) -> bool:
    """Whether a text has the value of a relation, whatever it says of it: a telling part of the name."""
    if is_han(frame.value):
        han = "".join(frame.key)
        return any(han[at : at + 2] in text for at in range(len(han) - 1))
    low = fold(text)
    return any(re.search(rf"\b{re.escape(word)}\b", low) for word in frame.key if len(word) > 2)


# -- denials ----------------------------------------------------------------------------------------------------------


def _denials(left: Frame, right: Frame, one: Reading, other: Reading) -> bool:
    """Whether a statement has all the words of what the other side says there is not."""
    del one, other
    if left.polarity == right.polarity:
        return False
    denial, statement = (right, left) if left.polarity else (left, right)
    return denial.attribute <= statement.attribute


# -- states -----------------------------------------------------------------------------------------------------------

_GENERIC_VERBS = words_en.GENERIC_CLASSES | words_zh.GENERIC_CLASSES | {"be", "", "do"}
_HAVING = frozenset({"have", "contain", "", "need", "use", "provide"})
_OPPOSITE = frozenset(
    frozenset((one, other)) for pair in words_en.OPPOSITES for one, other in [(key(pair[0]), key(pair[1]))]
)
_OPPOSED_KEYS = frozenset(word for pair in _OPPOSITE for word in pair)


def _states(left: Frame, right: Frame) -> bool:
    """Whether one denies the other, or the two say opposite things."""
    if left.polarity == right.polarity:
        return left.polarity and _opposed(left, right)
    return _denies(right, left) if left.polarity else _denies(left, right)


def _denies(negative: Frame, positive: Frame) -> bool:
    """Whether all that a negated statement denies is said by the positive one."""
    denied, said = negative.attribute - {negative.verb}, positive.attribute - {positive.verb}
    if not denied:
        return negative.verb == positive.verb and negative.verb not in _GENERIC_VERBS
    if denied.isdisjoint(said | positive.context) or times_differ(negative, positive, varying=False):
        return False
    covered = len(denied & said) / len(denied)
    if negative.verb in ("be", "") and positive.verb in ("be", ""):
        return covered >= 0.99 and len(said - denied) <= len(denied)
    if negative.verb == positive.verb or (negative.verb in _HAVING and positive.verb in _HAVING):
        return covered >= 0.75
    everything = positive.context | positive.attribute
    spoken_of = negative.verb in _GENERIC_VERBS or negative.verb in everything
    named = bool(negative.entity.name and positive.entity.name)
    return named and spoken_of and len(denied & everything) >= 2 and len(denied & everything) / len(denied) >= 0.7


def _opposed(left: Frame, right: Frame) -> bool:
    """Whether two statements differ in a word and its opposite, and in little else."""
    one, other = left.attribute - right.attribute, right.attribute - left.attribute
    pairs = [(a, b) for a in one & _OPPOSED_KEYS for b in other & _OPPOSED_KEYS if frozenset((a, b)) in _OPPOSITE]
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
    if any(match_units(one.units, other.units) != "different" for one in left.names for other in right.names):
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
    one, other = left.names[0], right.names[0]
    if any(match_units(one.units, name.units) != "different" for name in right.names):
        return False
    if any(match_units(other.units, name.units) != "different" for name in left.names):
        return False
    if _width(one.units) != _width(other.units) or parts_differ(left, right):
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


# -- measures ---------------------------------------------------------------------------------------------------------

_RARE = frozenset(
    {"energy", "power", "frequency", "voltage", "current", "pressure", "field", "computing", "data", "bandwidth"}
)
"""Dimensions that a text rarely gives two values of for one thing."""
_VARYING = (
    frozenset(map(key, words_en.VARYING))
    | frozenset("@" + name for name in words_zh.VARYING)
    | {"population", "employ"}
)
_COUNTING = words_en.COUNTING_EVENTS | words_zh.COUNTING_EVENTS


def _measures(left: Frame, right: Frame, left_keys: frozenset[str], right_keys: frozenset[str]) -> bool:
    """Whether two measures of one thing cannot both hold. The keys are those of the two whole texts."""
    one, other = left.measure, right.measure
    assert one is not None
    assert other is not None
    if (one.scope ^ other.scope) - HARMLESS_SCOPE:
        return False
    if not one.quantity.dimension and bool(one.noun) != bool(other.noun):
        return False  # what the one counts is not told: it may be anything
    counted = not one.quantity.dimension and bool(one.noun) and bool(other.noun)
    if counted and not _same_count(left, right, left_keys, right_keys):  # the cheapest first: most pairs end here
        return False
    if values.relate(one.quantity, other.quantity) != "different" or not (counted or _same_attribute(left, right)):
        return False
    if _heads_differ(left, right) or bool(left.periods) != bool(right.periods):
        return False
    of_its_time = one.quantity.dimension == "age" or "@weather" in left.attribute & right.attribute
    if of_its_time and not (left.times and right.times):
        return False  # of another year, most likely
    varying = bool((left.attribute | right.attribute | {one.noun, other.noun}) & _VARYING)
    if varying and one.quantity.approximate and other.quantity.approximate and not (left.times and right.times):
        return False  # two estimates of what changes, at times that are not told
    return not times_differ(left, right, varying=varying)


def restates(frame: Frame, candidate: Frame) -> bool:
    """Whether a fact of the other text states the same value of the same kind, or the same with the same polarity."""
    if frame.date is not None:
        if candidate.date is None or candidate.slot != frame.slot:
            return False
        return dates.relate(frame.date, candidate.date) == "equal"
    if frame.relation == "state":
        return candidate.slot == frame.slot and _stated(candidate) == _stated(frame)
    one, other = frame.measure, candidate.measure
    if one is None or other is None:
        return False
    bare = not other.noun and not other.quantity.unit and not one.quantity.unit  # "since the upgrade it offers 521"
    if not bare and not _same_counted(one, other):
        return False
    return values.relate(one.quantity, other.quantity) == "equal"


def _stated(frame: Frame) -> tuple[bool, frozenset[str]]:
    return frame.polarity, frame.attribute


def _same_count(left: Frame, right: Frame, left_keys: frozenset[str], right_keys: frozenset[str]) -> bool:
    one, other = left.measure, right.measure
    assert one is not None
    assert other is not None
    if not _same_counted(one, other):
        return False
    if left.verb != right.verb and (left.verb in _COUNTING or right.verb in _COUNTING):
        return False
    done, other_done = ({key for key in frame.attribute if key.startswith(DONE)} for frame in (left, right))
    if done and other_done and done != other_done:
        return False
    extra_left, extra_right = _modifiers(one, other), _modifiers(other, one)
    if extra_left and extra_right:
        return False
    # A part cannot be larger than its whole; a modifier the other text knows too restricts nothing.
    if extra_left and not extra_left <= right_keys:
        return one.quantity.low > other.quantity.high
    if extra_right and not extra_right <= left_keys:
        return other.quantity.low > one.quantity.high
    return True


def _heads_differ(left: Frame, right: Frame) -> bool:
    """Whether two things are only told apart by their nouns: the orchard, the vineyard at one place."""
    heads = ({frame.entity.head} - _classes({frame.entity.head}) for frame in (left, right))
    one, other = (frame.entity.nouns & head for frame, head in zip((left, right), heads, strict=True))
    if not one or not other or one & right.entity.nouns or other & left.entity.nouns:
        return False
    return one.isdisjoint(right.attribute | stems(right.entity)) and other.isdisjoint(
        left.attribute | stems(left.entity)
    )


def _same_counted(one: Measure, other: Measure) -> bool:
    """Whether the same is counted: one noun, or one measure word where a side leaves the noun out (八座)."""
    return same_noun(one.noun, other.noun) or (one.counter == other.counter and one.counter in (one.noun, other.noun))


def same_noun(left: str, right: str) -> bool:
    """Whether two counted nouns are one; a Chinese noun may carry a modifier in front (超导量子比特, 量子比特)."""
    if left == right:
        return True
    return is_han(left) and len(min(left, right, key=len)) > 1 and (left.endswith(right) or right.endswith(left))


def _modifiers(measure: Measure, other: Measure) -> frozenset[str]:
    """What restricts the counted noun on this side only: gold in "gold medals", 重症 in 重症床位."""
    if is_han(measure.noun) and measure.noun.endswith(other.noun):
        return pairs_of(measure.noun.removesuffix(other.noun))
    return measure.modifiers - other.modifiers


def _same_attribute(left: Frame, right: Frame) -> bool:
    assert left.measure is not None
    assert right.measure is not None
    one = left.attribute | ({left.measure.noun} if left.measure.noun else set())
    other = right.attribute | ({right.measure.noun} if right.measure.noun else set())
    classes, other_classes = _classes(one), _classes(other)
    if classes and other_classes and not classes & other_classes:
        return False
    shared_subject = left.entity.nouns & right.entity.nouns
    told = {frame.verb for frame in (left, right) if "@" + words_en.ATTRIBUTE_OF.get(frame.verb, "") in classes}
    plain, other_plain = one - classes - shared_subject - told, other - other_classes - shared_subject - told
    if classes & other_classes:
        return not (plain and other_plain) or bool(plain & other_plain)
    if not plain and not other_plain and classes == other_classes:
        return left.verb == right.verb and bool(shared_subject or left.entity.units)
    if left.measure.quantity.dimension in _RARE and left.entity.name and right.entity.name:
        return True
    return overlap(one - shared_subject, other - shared_subject) >= 0.5


def _classes(keys: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset(word for word in keys if word.startswith("@"))


_BY_READER: Final[Mapping[Reader, Callable[[Frame, Frame, Reading, Reading], bool]]] = {
    "claims": _claims, "denials": _denials, "relations": _relations,
}  # fmt: skip
