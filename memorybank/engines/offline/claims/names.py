"""Names: who did it, who holds the office, what it is called after. Found in a predicate, and when two clash."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from memorybank.engines.offline.claims import words_en, words_zh
from memorybank.engines.offline.claims.entity import Entity, from_phrase
from memorybank.engines.offline.claims.facts import Fact, Statement, overlap, parts_differ, times_differ
from memorybank.engines.offline.claims.phrases import Name, Phrase, Predicate, Role, is_han, match_units
from memorybank.engines.offline.claims.tokens_en import key

_FUNCTIONAL = frozenset(
    tuple(pair.split("/"))
    for pair in """name/after orbit/ flow/into flow/ flow/in belong/to marry/ marry/to replace/ originate/in
originate/from rename/ dedicate/to merge/with move/to relocate/to own/ own/in move/ move/in circle/ circle/around
name/ become/ derive/from emigrate/to""".split()
)
"""(verb, role of the phrase): has one value at a time, so that another name contradicts."""
_COMMON_WORKS = frozenset(
    {"make", "build", "develop", "publish", "write", "own", "design", "buy", "fund", "win", "create", "film", "defeat"}
)
"""Done again and again, to other things: the thing must be named for two agents to clash."""
_NOUN_WORKS = frozenset({"design", "build", "invent", "discover", "create", "found", "develop", "write", "compose"})
_APPOINTING = frozenset({"appoint", "make", "name", "elect", "choose", "hire", "select", "nominate", "call"})
_HOLDING = frozenset({"be", "become", "serve", "act", "work", "remain", "locate"})
_TITLE_BETWEEN = re.compile(
    r"^[\s,:：，“\"]{0,2}"
    r"(?:(?:is|was|are|were|the|a|an)\s+|(?!of\b|for\b|at\b|in\b|to\b|and\b|from\b)[a-z]+\s+){0,3}"
    r"(?:(?:Dr|Prof|Professor|Mr|Ms|Mrs|Sir|Dame)\.?\s+)?[“\"]?$"
)
"""What may stand between a role and who plays it: "director is the engineer Dr …"."""
_BEFORE_ROLE = re.compile(r"^(?:,\s*)?(?:the|a|as|as the)?\s*$")
_REPEATABLE = words_en.REPEATABLE - {"buy", "film", "lead"}


def build(statement: Statement) -> Iterator[Fact]:
    yield from _agents(statement)
    yield from _offices(statement)
    yield from _objects(statement)


def parties(predicate: Predicate) -> tuple[Phrase, Phrase | None]:
    """Who it happened to, and who did it: subject and by-phrase of a passive, object and subject of an active verb."""
    agent = next((phrase for phrase in predicate.phrases if phrase.role == "by"), None)
    if predicate.passive or predicate.verb in ("born", "be", "", "happen"):
        return predicate.subject, agent
    if predicate.verb in words_en.INTRANSITIVE and not _takes_object(predicate):
        return predicate.subject, agent
    direct = next(
        (
            phrase
            for phrase in predicate.phrases
            if phrase.role in ("", "object") and (phrase.names or phrase.keys or phrase.back)
        ),
        None,
    )
    return (direct, predicate.subject) if direct is not None else (predicate.subject, agent)


def _takes_object(predicate: Predicate) -> bool:
    """ "The queen opened the bridge", beside "the bridge opened"."""
    after = (phrase for phrase in predicate.phrases if phrase.start > predicate.subject.start)
    if not is_han(predicate.subject.text):
        first = next(after, None)  # what follows a preposition is no object
        return (
            first is not None
            and not first.role
            and bool(first.names or first.back or first.possessive)
            and not first.measures
        )
    return any(not phrase.role and (phrase.names or phrase.back or phrase.measures) for phrase in after)


# -- who did it -------------------------------------------------------------------------------------------------------


def _agents(statement: Statement) -> Iterator[Fact]:
    predicate = statement.predicate
    if "co-found" in statement.sentence.lower():
        return
    if predicate.verb == "be" and (work := _credited(predicate)):
        yield work_fact(statement, min(predicate.subject.keys & _NOUN_WORKS), work, predicate.subject)
        return
    verb = _work(predicate)
    if verb not in words_en.AGENT_CLASSES:
        return
    patient, agent = parties(predicate)
    agent = _cleft(statement, agent)
    if agent is None or not agent.names or patient is agent or agent.measures or patient.measures or patient.indefinite:
        return
    if is_han(agent.text) and (len(agent.names) > 2 or not _is_namelike(agent.names[0])):
        return
    if predicate.passive and agent.role != "by":
        return
    told = patient.back or patient.possessive or _is_proper(statement, patient)
    if not told and (verb in _COMMON_WORKS or not patient.keys):
        return
    yield work_fact(statement, verb, agent, patient)


def _is_proper(statement: Statement, phrase: Phrase) -> bool:
    """Whether a phrase has a name that is certainly one, or is what the text is about."""
    return any(_is_written_as_name(name) or match_units(name.units, statement.topic) == "same" for name in phrase.names)


def _is_written_as_name(name: Name) -> bool:
    return not is_han(name.text) or "·" in name.text or not name.text[0].isalpha() or name.quoted


def work_fact(statement: Statement, verb: str, agent: Phrase, patient: Phrase) -> Fact:
    entity = statement.party(patient)
    if verb in patient.keys:  # "the design of X was led by Y"
        entity = replace(entity, nouns=entity.nouns - {verb}, head="")
    return named(statement, f"by:{verb}", entity, agent, patient)


def _work(predicate: Predicate) -> str:
    """The verb; or the noun, where a general verb only says that somebody saw to it: "the design was led by"."""
    if predicate.verb in ("lead", "do", "carry", "conduct", "oversee", "perform"):
        patient, _ = parties(predicate)
        works = sorted(patient.keys & _NOUN_WORKS)
        if works:
            return works[0]
    return predicate.verb


def _credited(predicate: Predicate) -> Phrase | None:
    """ "The design of X is the work of Y"."""
    if not predicate.subject.keys & _NOUN_WORKS:
        return None
    return next(
        (phrase for phrase in predicate.phrases if phrase.names and phrase.keys & {"work", "idea", "credit"}), None
    )


def _cleft(statement: Statement, agent: Phrase | None) -> Phrase | None:
    """ "The engineer who designed X was Y": the agent is named by the next predicate."""
    if agent is None or agent.names or agent is not statement.subject:
        return agent
    for sibling in statement.siblings:
        if (
            sibling.verb == "be"
            and sibling.subject.start == agent.start
            and sibling.phrases
            and sibling.phrases[0].names
        ):
            return replace(sibling.phrases[0], role=agent.role)
    return agent


# -- who holds the office ---------------------------------------------------------------------------------------------


def _offices(statement: Statement) -> Iterator[Fact]:
    predicate = statement.predicate
    for phrase in (predicate.subject, *predicate.phrases):
        for role in phrase.roles:
            value = _holder(statement, phrase, role)
            if value is None or (phrase.indefinite and value.start > role.start):
                continue
            entity = _office_of(statement, phrase, role, value)
            relation = _relation(role.name)
            fact = statement.fact("name", relation, entity, (value.start, value.end))
            yield replace(fact, names=(value,), verb=relation.partition(":")[2])


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
            return name if _is_namelike(name) and (not touches or _is_person(name)) else None
    following = _next_name(statement, role)
    if following is not None:
        return following
    before = [name for name in names if name.end <= role.start]
    between = sentence[before[-1].end : role.start] if before else ""
    told = predicate.verb in _APPOINTING or between.lstrip().startswith(",")
    if before and told and _BEFORE_ROLE.match(between):
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


def _next_name(statement: Statement, role: Role) -> Name | None:
    """The first name of the phrase that begins right after the role: "headed by its director, Stefan Brunner"."""
    for part in statement.predicate.phrases:
        if not part.names or part.role not in (",", "") or part.names[0].start < role.end:
            continue
        between = statement.sentence[role.end : part.names[0].start]
        if len(between) <= 30 and "," in between and _TITLE_BETWEEN.match(between):
            return part.names[0]
    return None


def _is_bare(value: Phrase) -> bool:
    """Whether a phrase is a name and little else."""
    plain = not value.measures and not value.dates and "的" not in value.text
    return plain and bool(value.names) and _is_namelike(value.names[0])


_ASKING = frozenset({"什么", "谁", "哪里", "哪", "何人", "如何"})


def _is_namelike(name: Name) -> bool:
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


# -- what it is called after, orbits, flows into … --------------------------------------------------------------------


def _objects(statement: Statement) -> Iterator[Fact]:
    predicate = statement.predicate
    for phrase in predicate.phrases:
        functional = (predicate.verb, phrase.role) in _FUNCTIONAL
        if functional and phrase.names and not phrase.measures and not phrase.dates and not phrase.roles:
            entity = statement.entity(predicate.subject)
            yield named(statement, f"{predicate.verb}:{phrase.role}", entity, phrase, predicate.subject)
            return


def named(statement: Statement, relation: str, entity: Entity, value: Phrase, anchor: Phrase) -> Fact:
    """The fact that a phrase names somebody or something for an entity."""
    names = value.names
    fact = statement.fact("name", relation, entity, (names[0].start, names[-1].end))
    return replace(
        fact, names=names, attribute=statement.said(value) | anchor.keys, verb=relation.partition(":")[2] or fact.verb
    )


# -- clash ------------------------------------------------------------------------------------------------------------


def clash(left: Fact, right: Fact) -> bool:
    """Whether two names for one thing cannot both hold; lists that share a name can."""
    if share_a_name(left, right) or parts_differ(left, right):
        return False
    if any(set(name.units) <= words_en.DEMONYMS for name in (*left.names, *right.names)):
        return False
    if left.verb in _REPEATABLE and not told_apart(left, right):
        return False
    return not times_differ(left, right, varying=left.relation.startswith("role:"))


def share_a_name(left: Fact, right: Fact) -> bool:
    if any(match_units(one.units, other.units) != "different" for one in left.names for other in right.names):
        return True
    units = {unit for name in left.names for unit in name.units} & {unit for name in right.names for unit in name.units}
    return any(len(unit) > 1 for unit in units) or _written_in(left, right) or _written_in(right, left)


def _written_in(fact: Fact, other: Fact) -> bool:
    """Whether the other sentence writes this name too, wherever: then it knows both."""
    low = other.sentence.lower()
    return any(name.text.lower() in low for name in fact.names)


def told_apart(left: Fact, right: Fact) -> bool:
    """Whether two statements of something that happens again mean the same time: by its number, year or wording."""
    if left.entity.marks & right.entity.marks or (left.times and right.times):
        return True
    said_left, said_right = left.attribute - {left.verb}, right.attribute - {right.verb}
    return left.verb == "happen" or (bool(said_left & said_right) and overlap(said_left, said_right) >= 0.7)
