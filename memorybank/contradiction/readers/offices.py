"""Offices: who holds one, by the name beside the word for it or on the other side of "is"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction import words_en, words_zh
from memorybank.contradiction.entity import Entity, from_phrase
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.keys import key
from memorybank.contradiction.phrases import Name, Phrase, Role
from memorybank.contradiction.readers.statement import Statement
from memorybank.language.han import is_han

_APPOINTING = frozenset({"appoint", "make", "name", "elect", "choose", "hire", "select", "nominate", "call"})
_HOLDING = frozenset({"be", "become", "serve", "act", "work", "remain", "locate"})
_TITLE_BETWEEN = re.compile(
    r"^[\s,:：，“\"]{0,2}"
    r"(?:(?:is|was|are|were|the|a|an)\s+|(?!of\b|for\b|at\b|in\b|to\b|and\b|from\b)[a-z]+\s+){0,3}"
    r"(?:(?:Dr|Prof|Professor|Mr|Ms|Mrs|Sir|Dame)\.?\s+)?[“\"]?$"
)
"""What may stand between a role and who plays it: "director is the engineer Dr …"."""
_BEFORE_ROLE = re.compile(r"^(?:,\s*)?(?:the|a|as|as the)?\s*$")


def build(statement: Statement) -> Iterator[Frame]:
    predicate = statement.predicate
    for phrase in (predicate.subject, *predicate.phrases):
        for role in phrase.roles:
            value = _holder(statement, phrase, role)
            if value is None or (phrase.indefinite and value.start > role.start):
                continue
            entity = _office_of(statement, phrase, role, value)
            relation = _relation(role.name)
            frame = statement.frame("name", relation, entity, (value.start, value.end))
            yield replace(frame, names=(value,), verb=relation.partition(":")[2])


def _relation(role: str) -> str:
    verb = words_en.ROLE_VERBS.get(role) or words_zh.ROLE_VERBS.get(role)
    return f"by:{verb}" if verb else f"role:{role}"


def _holder(statement: Statement, phrase: Phrase, role: Role) -> Name | None:
    """Who plays the role: the name beside the word, or the other side of "is"."""
    predicate, sentence = statement.predicate, statement.sentence
    names = [name for name in phrase.names if phrase.start <= name.start < phrase.end]
    for name in names:  # "its director, Stefan Brunner"; 馆长万里云
        if name.start >= role.end and _TITLE_BETWEEN.match(sentence[role.end : name.start]):
            touches = is_han(name.text) and name.start == role.end
            return name if is_namelike(name) and (not touches or _is_person(name)) else None
    before = [name for name in names if name.end <= role.start]
    between = sentence[before[-1].end : role.start] if before else ""
    is_appointed = predicate.verb in _APPOINTING or between.lstrip().startswith(",")
    if before and is_appointed and _BEFORE_ROLE.match(between):
        return before[-1]
    if phrase is predicate.subject and predicate.verb in ("be", "become"):
        value = next((part for part in predicate.phrases if part.role in ("", ",")), None)
        return value.names[0] if value is not None and _is_bare(value) else None
    if predicate.verb in _HOLDING or phrase.role == "as":
        taken = next((part for part in predicate.phrases if part.role == "object" and part.names), None)
        holder = taken or predicate.subject
        if holder.names and not holder.roles and not holder.measures:
            return holder.names[0] if len(holder.names) == 1 or is_han(holder.text) else None
    return None


def _is_bare(value: Phrase) -> bool:
    """Whether a phrase is a name and little else."""
    plain = not value.measures and not value.dates and "的" not in value.text
    return plain and bool(value.names) and is_namelike(value.names[0])


_ASKING = frozenset({"什么", "谁", "哪里", "哪", "何人", "如何"})


def is_namelike(name: Name) -> bool:
    """Whether a run of Chinese is short enough to be a name; every Latin name is one."""
    return not is_han(name.text) or (2 <= len(name.units) <= 12 and name.text not in _ASKING)


def _is_person(name: Name) -> bool:
    """赵声良 after 院长; but not 空气质量 after 首都."""
    return name.quoted or "·" in name.text or (name.units[0] in words_zh.SURNAMES and 2 <= len(name.units) <= 4)


def _office_of(statement: Statement, phrase: Phrase, role: Role, value: Name) -> Entity:
    """What the role is played for: the other name of its phrase, else what the text speaks of."""
    others = tuple(name for name in phrase.names if name is not value and name.units != value.units)
    subject = statement.subject
    elsewhere = phrase is not subject and bool(subject.names) and subject.names[0] is not value
    if not others and elsewhere and statement.predicate.verb not in _APPOINTING | _HOLDING:
        others = subject.names
    entity = from_phrase(
        replace(phrase, names=others), statement.topic if value in statement.subject.names else statement.carried
    )
    word = statement.sentence[role.start : role.end].lower()
    nouns = phrase.attributes - {key(part) for part in word.split()} - {"&" + role.name}
    return replace(entity, nouns=nouns, head="" if nouns else entity.head, back=True)
