"""Measures: how many, how long, how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction import words_zh
from memorybank.contradiction.entity import Entity, from_phrase
from memorybank.contradiction.frame import DONE, Frame
from memorybank.contradiction.phrases import Measure, Phrase, Predicate
from memorybank.contradiction.readers.statement import Statement
from memorybank.language.han import is_han

_PEOPLE = frozenset({"peopl", "person", "staff", "人"})
_NOT_SAYING = frozenset({"number", "count", "total", "数量", "数目", "be", "have", "reach", ""})
_IDLE = frozenset({"be", "have", ""})


def build(statement: Statement) -> Iterator[Frame]:
    """The measures of a predicate, each with what it most likely measures."""
    predicate = statement.predicate
    owner = predicate.subject
    for index, phrase in enumerate((predicate.subject, *predicate.phrases)):
        if phrase.names and not phrase.measures and phrase.role in ("", ",", "called", "named"):
            owner = phrase  # "Google unveiled Willow with 105 qubits": the measure is Willow's
        for measure in phrase.measures:
            if phrase is predicate.subject and measure.quantity.dimension == "time" and is_han(phrase.text[-1]):
                continue  # 万历二十六年: a year of a reign
            hyphened = statement.sentence[measure.quantity.end : measure.quantity.end + 1] == "-"
            attached = index == 0 or phrase.role in ("with", ",") or hyphened
            yield _frame(statement, phrase, measure, owner, attached)


def _frame(statement: Statement, phrase: Phrase, measure: Measure, owner: Phrase, attached: bool) -> Frame:
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
    attribute -= _NOT_SAYING | {measure.noun}
    if phrase is predicate.subject and measure.noun and predicate.verb not in _IDLE:
        attribute |= {DONE + predicate.verb}
    scope = measure.scope.union(*(part.scope for part in (predicate.subject, *predicate.phrases)))
    noun = _noun(measure, verb, predicate)
    entity = _owner(statement, phrase, measure, owner, attached)
    frame = statement.frame("number", "measure", entity, (quantity.start, quantity.end))
    return replace(frame, attribute=attribute, measure=replace(measure, scope=scope, noun=noun), verb=verb)


def _owner(statement: Statement, phrase: Phrase, measure: Measure, owner: Phrase, attached: bool) -> Entity:
    """What the value belongs to: the name before it in its phrase, the thing it is attached to, the subject."""
    subject = statement.subject
    before = [name for name in phrase.names if name.end <= measure.quantity.start and not is_han(name.units[0])]
    if before and not phrase.indefinite:  # "with an ERP of 5.9 kW": of the station
        return statement.entity(replace(phrase, names=tuple(before[-2:])))
    if attached and phrase.role == "with":
        return statement.entity(owner)
    if subject.names and subject.units != statement.carried:
        # "The maker put 72 qubits on the chip": of the chip, not of the maker
        back = next(
            (part for part in statement.predicate.phrases if part.back and part.role in ("on", "in", "at", "to")), None
        )
        if back is not None and back is not phrase:
            return from_phrase(replace(back, names=()), statement.topic)
    return statement.entity(subject)


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
