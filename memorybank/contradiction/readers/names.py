"""Names: who did it, what it is called after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from memorybank.contradiction import words_en
from memorybank.contradiction.entity import Entity
from memorybank.contradiction.frame import Frame
from memorybank.contradiction.phrases import Name, Phrase, Predicate, match_units
from memorybank.contradiction.readers import offices
from memorybank.contradiction.readers.offices import is_namelike
from memorybank.contradiction.readers.statement import Statement
from memorybank.language.han import is_han

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
_REPEATABLE = words_en.REPEATABLE - {"buy", "film", "lead"}


def build(statement: Statement) -> Iterator[Frame]:
    yield from _agents(statement)
    yield from offices.build(statement)
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


def _agents(statement: Statement) -> Iterator[Frame]:
    predicate = statement.predicate
    if "co-found" in statement.sentence.lower():
        return
    if predicate.verb == "be" and (work := _credited(predicate)):
        yield work_frame(statement, min(predicate.subject.keys & _NOUN_WORKS), work, predicate.subject)
        return
    verb = _work(predicate)
    if verb not in words_en.AGENT_CLASSES:
        return
    patient, agent = parties(predicate)
    agent = _cleft(statement, agent)
    if agent is None or not agent.names or patient is agent or agent.measures or patient.measures or patient.indefinite:
        return
    if is_han(agent.text) and (len(agent.names) > 2 or not is_namelike(agent.names[0])):
        return
    if predicate.passive and agent.role != "by":
        return
    is_definite = patient.back or patient.possessive or _is_proper(statement, patient)
    if not is_definite and (verb in _COMMON_WORKS or not patient.keys):
        return
    yield work_frame(statement, verb, agent, patient)


def _is_proper(statement: Statement, phrase: Phrase) -> bool:
    """Whether a phrase has a name that is certainly one, or is what the text is about."""
    return any(_is_written_as_name(name) or match_units(name.units, statement.topic) == "same" for name in phrase.names)


def _is_written_as_name(name: Name) -> bool:
    return not is_han(name.text) or "·" in name.text or not name.text[0].isalpha() or name.quoted


def work_frame(statement: Statement, verb: str, agent: Phrase, patient: Phrase) -> Frame:
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


# -- what it is called after, orbits, flows into … --------------------------------------------------------------------


def _objects(statement: Statement) -> Iterator[Frame]:
    predicate = statement.predicate
    for phrase in predicate.phrases:
        functional = (predicate.verb, phrase.role) in _FUNCTIONAL
        if functional and phrase.names and not phrase.measures and not phrase.dates and not phrase.roles:
            entity = statement.entity(predicate.subject)
            yield named(statement, f"{predicate.verb}:{phrase.role}", entity, phrase, predicate.subject)
            return


def named(statement: Statement, relation: str, entity: Entity, value: Phrase, anchor: Phrase) -> Frame:
    """The fact that a phrase names somebody or something for an entity."""
    names = value.names
    frame = statement.frame("name", relation, entity, (names[0].start, names[-1].end))
    return replace(
        frame,
        names=names,
        attribute=statement.predicate_keys(value) | anchor.keys,
        verb=relation.partition(":")[2] or frame.verb,
    )
