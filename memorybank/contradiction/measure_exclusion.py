"""Whether two measures of one thing exclude each other: the same counted or measured, in one scope, at one time."""

from __future__ import annotations

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.entity import HARMLESS_SCOPE, stems
from memorybank.contradiction.frame import DONE, Frame, overlap
from memorybank.contradiction.keys import key
from memorybank.contradiction.phrases import Measure
from memorybank.contradiction.same_matter import times_differ
from memorybank.contradiction.tokens_zh import keys as pairs_of
from memorybank.language import values
from memorybank.language.han import is_han

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


def measures_exclude(left: Frame, right: Frame, left_keys: frozenset[str], right_keys: frozenset[str]) -> bool:
    """Whether two measures of one thing cannot both hold. The keys are those of the two whole texts."""
    left_measure, right_measure = left.measure, right.measure
    assert left_measure is not None
    assert right_measure is not None
    if (left_measure.scope ^ right_measure.scope) - HARMLESS_SCOPE:
        return False
    if not left_measure.quantity.dimension and bool(left_measure.noun) != bool(right_measure.noun):
        return False  # what the one counts is not told: it may be anything
    counted = not left_measure.quantity.dimension and bool(left_measure.noun) and bool(right_measure.noun)
    if counted and not _same_count(left, right, left_keys, right_keys):  # the cheapest first: most pairs end here
        return False
    if values.relate(left_measure.quantity, right_measure.quantity) != "different" or not (
        counted or _same_attribute(left, right)
    ):
        return False
    if _heads_differ(left, right) or bool(left.periods) != bool(right.periods):
        return False
    of_its_time = left_measure.quantity.dimension == "age" or "@weather" in left.attribute & right.attribute
    if of_its_time and not (left.times and right.times):
        return False  # of another year, most likely
    varying = bool((left.attribute | right.attribute | {left_measure.noun, right_measure.noun}) & _VARYING)
    if (
        varying
        and left_measure.quantity.approximate
        and right_measure.quantity.approximate
        and not (left.times and right.times)
    ):
        return False  # two estimates of what changes, at times that are not told
    return not times_differ(left, right, varying=varying)


def is_same_measure(measure: Measure, against: Measure) -> bool:
    """Whether two measures are of one count or dimension and of one value."""
    bare = not against.noun and not against.quantity.unit and not measure.quantity.unit
    if not bare and not _same_counted(measure, against):  # bare: "since the upgrade it offers 521"
        return False
    return values.relate(measure.quantity, against.quantity) == "equal"


def _same_count(left: Frame, right: Frame, left_keys: frozenset[str], right_keys: frozenset[str]) -> bool:
    left_measure, right_measure = left.measure, right.measure
    assert left_measure is not None
    assert right_measure is not None
    if not _same_counted(left_measure, right_measure):
        return False
    if left.verb != right.verb and (left.verb in _COUNTING or right.verb in _COUNTING):
        return False
    done, other_done = ({key for key in frame.attribute if key.startswith(DONE)} for frame in (left, right))
    if done and other_done and done != other_done:
        return False
    extra_left, extra_right = _modifiers(left_measure, right_measure), _modifiers(right_measure, left_measure)
    if extra_left and extra_right:
        return False
    # A part cannot be larger than its whole; a modifier the other text knows too restricts nothing.
    if extra_left and not extra_left <= right_keys:
        return left_measure.quantity.low > right_measure.quantity.high
    if extra_right and not extra_right <= left_keys:
        return right_measure.quantity.low > left_measure.quantity.high
    return True


def _heads_differ(left: Frame, right: Frame) -> bool:
    """Whether two things are only told apart by their nouns: the orchard, the vineyard at one place."""
    heads = ({frame.entity.head} - _classes({frame.entity.head}) for frame in (left, right))
    left_nouns, right_nouns = (frame.entity.nouns & head for frame, head in zip((left, right), heads, strict=True))
    if not left_nouns or not right_nouns or left_nouns & right.entity.nouns or right_nouns & left.entity.nouns:
        return False
    return left_nouns.isdisjoint(right.attribute | stems(right.entity)) and right_nouns.isdisjoint(
        left.attribute | stems(left.entity)
    )


def _same_counted(left: Measure, right: Measure) -> bool:
    """Whether the same is counted: one noun, or one measure word where a side leaves the noun out (八座)."""
    return same_noun(left.noun, right.noun) or (
        left.counter == right.counter and left.counter in (left.noun, right.noun)
    )


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
    left_keys = left.attribute | ({left.measure.noun} if left.measure.noun else set())
    right_keys = right.attribute | ({right.measure.noun} if right.measure.noun else set())
    classes, other_classes = _classes(left_keys), _classes(right_keys)
    if classes and other_classes and not classes & other_classes:
        return False
    shared_subject = left.entity.nouns & right.entity.nouns
    attribute_verbs = {
        frame.verb for frame in (left, right) if "@" + words_en.ATTRIBUTE_OF.get(frame.verb, "") in classes
    }
    plain, other_plain = (
        left_keys - classes - shared_subject - attribute_verbs,
        right_keys - other_classes - shared_subject - attribute_verbs,
    )
    if classes & other_classes:
        return not (plain and other_plain) or bool(plain & other_plain)
    if not plain and not other_plain and classes == other_classes:
        return left.verb == right.verb and bool(shared_subject or left.entity.units)
    if left.measure.quantity.dimension in _RARE and left.entity.name and right.entity.name:
        return True
    return overlap(left_keys - shared_subject, right_keys - shared_subject) >= 0.5


def _classes(keys: frozenset[str] | set[str]) -> frozenset[str]:
    return frozenset(word for word in keys if word.startswith("@"))
