"""Moments: when something happened."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.frame import ON_DAY, Frame
from memorybank.contradiction.phrases import Phrase, Predicate
from memorybank.contradiction.readers.names import parties
from memorybank.contradiction.readers.statement import Statement
from memorybank.language.han import is_han

_EVENTS = words_en.EVENTS | words_zh.EVENTS
_LIGHT = frozenset(
    {"be", "", "happen", "have", "come", "travel", "date", "fall", "decrease", "hear", "mark", "see", "reach"}
)
"""Verbs that leave it to a noun to say what happened: "the launch took place", "its announcement came"."""
_AT = frozenset({"in", "on", "at", "", ",", "of", "during", "(", "from", "around", "about", "as", "to", "for"})


def build(statement: Statement) -> Iterator[Frame]:
    """The dates of what happened; a date beside a state is no value but a time, and stays one."""
    predicate = statement.predicate
    event = _event(statement)
    patient, agent = parties(predicate)
    is_event = bool(event) and not predicate.subject.measures and _is_one(patient, predicate)
    if not is_event and (predicate.hedges or not predicate.subject.names):
        return
    for phrase in predicate.phrases:
        if phrase.role not in _AT:
            continue
        for date in phrase.dates:
            if date.range or not (is_event or (date.year and date.first == date.last)):
                continue
            who, relation = (patient, event) if is_event else (predicate.subject, f"{ON_DAY}{predicate.verb}")
            frame = statement.frame("date", relation, statement.party(who), (date.start, date.end))
            about = statement.party(agent) if is_event and agent is not None else None
            yield replace(
                frame, date=date, about=about, verb=event or predicate.verb, attribute=statement.predicate_keys(phrase)
            )


def _is_one(patient: Phrase, predicate: Predicate) -> bool:
    """Whether what it was done to is told: not "brought out 789 papers in 2016"."""
    if patient.measures:
        return False
    return patient is predicate.subject or bool(patient.names or patient.back or patient.possessive)


def _event(statement: Statement) -> str:
    """What happened: the verb, or the noun of "the launch took place", "date of birth"; empty for a state."""
    predicate = statement.predicate
    if predicate.hedges:
        return ""
    if predicate.verb == "begin":  # 开始运营
        begun = sorted(key for phrase in predicate.phrases if not phrase.role for key in phrase.keys if key in _EVENTS)
        return begun[0] if begun else "begin"
    if predicate.verb in _LIGHT:
        events = sorted(key for key in predicate.subject.keys if key in _EVENTS)
        if events or predicate.verb != "happen":
            return events[0] if events else ""
    if predicate.verb in _EVENTS:
        return predicate.verb
    if _into_space(predicate):
        return "release"
    stative = words_zh.STATIVE if is_han(statement.sentence) else words_en.STATIVE
    return "" if predicate.verb in stative else predicate.verb


def _into_space(predicate: Predicate) -> bool:
    """ "Sent into space", "carried into orbit", 送入太空: a launch."""
    return any(
        phrase.keys & {"orbit", "space", "太空", "轨道"} and (phrase.role in ("into", "to") or is_han(phrase.text))
        for phrase in predicate.phrases
    ) and predicate.verb in ("send", "carry", "have", "lift", "bring", "take", "last", "fly", "put", "place")
