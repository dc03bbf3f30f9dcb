"""Measures: how many, how long, how much. Found in a predicate, and when two of them clash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import words_en, words_zh
from memorybank.engines.offline.claims.entity import Entity, from_phrase, stems
from memorybank.engines.offline.claims.facts import Fact, Statement, overlap, times_differ, was_then
from memorybank.engines.offline.claims.keys import key
from memorybank.engines.offline.claims.phrases import Measure, Phrase, Predicate
from memorybank.engines.offline.claims.tokens_zh import keys as pairs_of
from memorybank.language import values
from memorybank.language.han import is_han
from memorybank.language.values import Quantity

_PEOPLE = frozenset({"peopl", "person", "staff", "人"})
_NOT_SAYING = frozenset({"number", "count", "total", "数量", "数目", "be", "have", "reach", ""})
_IMPLIED = {"mass": "@weight", "area": "@area", "speed": "@speed", "temperature": "@temperature", "age": "@age"}
_RARE = frozenset(
    {"energy", "power", "frequency", "voltage", "current", "pressure", "field", "computing", "data", "bandwidth"}
)
"""Dimensions that a text rarely gives two values of for one thing."""
_VARYING = (
    frozenset(map(key, words_en.VARYING))
    | frozenset("@" + name for name in words_zh.VARYING)
    | {"population", "employ"}
)
HARMLESS_SCOPE = frozenset({"total", "new", "single", "current", "record", "individual", "个", "一共"})
_IDLE = frozenset({"be", "have", ""})
_DONE = "<"
"""Before what was done to, or by, those that are counted: 11 people killed, 17 people injured."""
_COUNTING = words_en.COUNTING_EVENTS | words_zh.COUNTING_EVENTS


def build(statement: Statement) -> Iterator[Fact]:
    """The measures of a predicate, each with what it most likely measures."""
    predicate = statement.predicate
    owner = predicate.subject
    for index, phrase in enumerate((predicate.subject, *predicate.phrases)):
        if phrase.names and not phrase.measures and phrase.role in ("", ",", "called", "named"):
            owner = phrase  # "Google unveiled Willow with 105 qubits": the measure is Willow's
        for measure in phrase.measures:
            hyphened = statement.sentence[measure.quantity.end : measure.quantity.end + 1] == "-"
            attached = index == 0 or phrase.role in ("with", ",") or hyphened
            yield _fact(statement, phrase, measure, owner, attached)


def _fact(statement: Statement, phrase: Phrase, measure: Measure, owner: Phrase, attached: bool) -> Fact:
    predicate, quantity = statement.predicate, measure.quantity
    attribute = measure.near | predicate.subject.attributes
    verb = "have" if attached else predicate.verb
    if not measure.noun:
        attribute |= phrase.attributes
    if phrase.role == "with":  # "a main mirror with a diameter of 2.7 metres"
        attribute |= owner.attributes.union(*(part.attributes for part in predicate.phrases if not part.role))
    if not attached:  # where a noun says what is measured ("at an altitude of"), the verb does not matter
        named = any(word.startswith("@") for word in attribute)
        attribute |= frozenset(word for word in predicate.extra if not named or word.startswith("@"))
    attribute |= _implied(quantity, verb, attribute, measure.noun)
    attribute -= _NOT_SAYING | {measure.noun}
    if phrase is predicate.subject and measure.noun and predicate.verb not in _IDLE:
        attribute |= {_DONE + predicate.verb}
    scope = measure.scope.union(*(part.scope for part in (predicate.subject, *predicate.phrases)))
    noun = _noun(measure, verb, predicate)
    entity = _owner(statement, phrase, measure, owner, attached)
    fact = statement.fact("number", "measure", entity, (quantity.start, quantity.end))
    return replace(fact, attribute=attribute, measure=replace(measure, scope=scope, noun=noun), verb=verb)


def _owner(statement: Statement, phrase: Phrase, measure: Measure, owner: Phrase, attached: bool) -> Entity:
    """What the value belongs to: the name before it in its phrase, the thing it is attached to, the subject."""
    subject = statement.subject
    before = [name for name in phrase.names if name.end <= measure.quantity.start and not is_han(name.units[0])]
    after = [name for name in phrase.names if name.start >= measure.quantity.end]
    if before:
        return statement.entity(replace(phrase, names=tuple(before[-2:])))
    if attached and phrase.role == "with":
        return statement.entity(owner)
    if attached and after and phrase is not subject:
        return statement.entity(replace(phrase, names=tuple(after[:1])))
    if subject.names and subject.units != statement.carried:
        # "The maker put 72 qubits on the chip": of the chip, not of the maker
        back = next(
            (part for part in statement.predicate.phrases if part.back and part.role in ("on", "in", "at", "to")), None
        )
        if back is not None and back is not phrase:
            return from_phrase(replace(back, names=()), statement.topic)
    return statement.entity(subject)


def _implied(quantity: Quantity, verb: str, attribute: frozenset[str], noun: str) -> frozenset[str]:
    """ "At 1,369 kg the car is light": some units say what is measured, where nothing else does."""
    if noun or verb not in ("be", "", "weigh") or any(word.startswith("@") for word in attribute):
        return frozenset()
    return frozenset({_IMPLIED[quantity.dimension]} if quantity.dimension in _IMPLIED else ())


def _noun(measure: Measure, verb: str, predicate: Predicate) -> str:
    """What is counted, also where it stands elsewhere: "employs 500 people", "the number of qubits is 105"."""
    if verb == "employ" and measure.noun in _PEOPLE:
        return "employ"
    if measure.noun in words_zh.ATTRIBUTE_OF:
        return "@" + words_zh.ATTRIBUTE_OF[measure.noun]
    if measure.noun == "人":
        return next(
            (noun for noun in ("@employ", "@population") if noun in measure.near | predicate.subject.attributes), "人"
        )
    if measure.noun or measure.quantity.unit:
        return measure.noun
    last = predicate.subject.names[-1] if len(predicate.subject.names) > 1 and is_han(predicate.subject.text) else None
    if last is not None and not last.proper and verb in ("reach", "be", ""):
        return last.text  # 悟空的计算量子比特达到96个
    counted = predicate.subject.attributes - {"number", "count", "total"}
    if len(counted) < len(predicate.subject.attributes) and len(counted) == 1:
        return min(counted)
    return next((noun for noun in ("population", "employ") if noun in measure.near | predicate.subject.attributes), "")


# -- clash ----------------------------------------------------------------------------------------------------------


def clash(left: Fact, right: Fact, left_keys: frozenset[str], right_keys: frozenset[str]) -> bool:
    """Whether two measures of one thing cannot both hold. The keys are those of the two whole texts."""
    one, other = left.measure, right.measure
    assert one is not None
    assert other is not None
    if (one.scope ^ other.scope) - HARMLESS_SCOPE:
        return False
    counted = not one.quantity.dimension and bool(one.noun) and bool(other.noun)
    if counted and not _same_count(left, right, left_keys, right_keys):  # the cheapest first: most pairs end here
        return False
    if values.relate(one.quantity, other.quantity) != "different" or not (counted or _same_attribute(left, right)):
        return False
    if _heads_differ(left, right) or bool(left.periods) != bool(right.periods):
        return False
    if _superlative(left) != _superlative(right):
        return False  # "it has 433 qubits", "the largest chip of the company has 127 qubits"
    if one.quantity.dimension == "age" and not (left.times and right.times):
        return False  # of another year, most likely
    said = ((fact.sentence[: fact.start], bool(fact.times)) for fact in (left, right))
    if was_then(*said):
        return False
    varying = bool((left.attribute | right.attribute | {one.noun, other.noun}) & _VARYING)
    if varying and one.quantity.approximate and other.quantity.approximate and not (left.times and right.times):
        return False  # two estimates of what changes, at times that are not told
    return not times_differ(left, right, varying=varying)


def restates(fact: Fact, candidate: Fact) -> bool:
    """Whether a fact of the other text states the same value of the same kind."""
    one, other = fact.measure, candidate.measure
    if one is None or other is None:
        return False
    bare = not other.noun and not other.quantity.unit and not one.quantity.unit  # "since the upgrade it offers 521"
    if not bare and not _same_counted(one, other):
        return False
    return values.relate(one.quantity, other.quantity) == "equal"


def _same_count(left: Fact, right: Fact, left_keys: frozenset[str], right_keys: frozenset[str]) -> bool:
    one, other = left.measure, right.measure
    assert one is not None
    assert other is not None
    if not _same_counted(one, other):
        return False
    if left.verb != right.verb and (left.verb in _COUNTING or right.verb in _COUNTING):
        return False
    done, other_done = ({key for key in fact.attribute if key.startswith(_DONE)} for fact in (left, right))
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


def _heads_differ(left: Fact, right: Fact) -> bool:
    """Whether two things are only told apart by their nouns: the orchard, the vineyard at one place."""
    heads = ({fact.entity.head} - _classes({fact.entity.head}) - _NOT_SAYING for fact in (left, right))
    one, other = (fact.entity.nouns & head for fact, head in zip((left, right), heads, strict=True))
    if not one or not other or one & right.entity.nouns or other & left.entity.nouns:
        return False
    return one.isdisjoint(right.attribute | stems(right.entity)) and other.isdisjoint(
        left.attribute | stems(left.entity)
    )


_SUPERLATIVE_RE = re.compile(r"(?:the |its |their |his |her )?(?:\w+ )?(\w{3,}est)\b", re.IGNORECASE)


def _superlative(fact: Fact) -> str:
    """Largest, oldest: such a subject is another thing every year."""
    match = _SUPERLATIVE_RE.match(fact.entity.text)
    return match[1].lower() if match else ""


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


def _same_attribute(left: Fact, right: Fact) -> bool:
    assert left.measure is not None
    assert right.measure is not None
    one = left.attribute | ({left.measure.noun} if left.measure.noun else set())
    other = right.attribute | ({right.measure.noun} if right.measure.noun else set())
    classes, other_classes = _classes(one), _classes(other)
    if classes and other_classes and not classes & other_classes:
        return False
    shared_subject = left.entity.nouns & right.entity.nouns
    told = {fact.verb for fact in (left, right) if "@" + words_en.ATTRIBUTE_OF.get(fact.verb, "") in classes}
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
