"""The chapters in a row, and who is in each: whom its text names, and whom settled facts place there.

A fact counts for the chapter from which it holds, and only where it tells of a deed (arriving, taking part, dying …),
for a state may be told of somebody who is away. Who is named after their death is told apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from memorybank_studio.hub.contracts import FactLayer
from memorybank_studio.hub.stores import Stores
from memorybank_studio.life import tells_death
from memorybank_studio.relations import relation_of
from memorybank_studio.types import HAS_STATUS, IN_CHAPTER, EntityKey, EntityKind, Link

TOOK_PART_IN = "TOOK_PART_IN"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineChapter:
    number: int
    title: str
    words: int
    """Of Chinese: characters. 0: it is not in the archive, facts alone tell of it."""
    events: tuple[str, ...]
    """Names of the events that were settled to be in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Somebody, with the numbers of the chapters."""

    key: EntityKey
    name: str
    settled: frozenset[int]
    """A fact tells that they are in it."""
    named: frozenset[int]
    """Its text names them, or means them by another of their names."""
    dead: frozenset[int]
    """Of these: they have died in an earlier one."""

    @property
    def present(self) -> frozenset[int]:
        return (self.settled | self.named) - self.dead


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    chapters: tuple[TimelineChapter, ...]
    """In the order of their numbers."""
    people: tuple[Person, ...]
    """Who is in the most chapters comes first; nobody who is in none."""


def timeline(stores: Stores) -> Timeline:
    """Raises StoreUnavailableError."""
    facts, titles, lengths = stores.facts, dict(stores.archive.chapters()), stores.archive.lengths()
    links = facts.links()
    numbers = {key: int(name) for name, key in facts.names((EntityKind.CHAPTER,)).items() if _is_number(name)}
    events: dict[EntityKey, set[int]] = defaultdict(set)
    for link in links:
        if link.predicate == IN_CHAPTER and link.object in numbers:
            events[link.subject].add(numbers[link.object])
    people = _people(stores, links, events)
    told = {number for person in people for number in person.settled} | set(numbers.values())
    named = facts.entities((*events, *numbers))
    titles = {**{numbers[key]: named[key].note for key in numbers if key in named}, **titles}
    in_chapter: dict[int, list[str]] = defaultdict(list)
    for event, where in events.items():
        for number in where:
            in_chapter[number].append(named[event].name if event in named else "")
    chapters = (
        TimelineChapter(
            number=number,
            title=titles.get(number, ""),
            words=lengths.get(number, 0),
            events=tuple(sorted(filter(None, in_chapter[number]))),
        )
        for number in sorted({*titles, *told, *in_chapter})
        if number > 0
    )
    return Timeline(chapters=tuple(chapters), people=people)


def _people(stores: Stores, links: Sequence[Link], events: Mapping[EntityKey, set[int]]) -> tuple[Person, ...]:
    facts = stores.facts
    forms: dict[EntityKey, list[str]] = defaultdict(list)
    for form, key in facts.names((EntityKind.CHARACTER,)).items():
        forms[key].append(form)
    where = stores.archive.naming(form for of_one in forms.values() for form in of_one)
    settled, died = _settled(links, events, forms), _deaths(facts, links)
    known = facts.entities(forms)
    people = []
    for key, entity in known.items():
        named = frozenset().union(*(where[form] for form in forms[key]))
        dead = {
            number
            for number in named | settled[key]
            for since, until in died.get(key, ())
            if since < number and (until is None or number < until)
        }
        person = Person(key=key, name=entity.name, settled=frozenset(settled[key]), named=named, dead=frozenset(dead))
        if person.named or person.settled:
            people.append(person)
    return tuple(sorted(people, key=lambda person: (-len(person.present), person.name, person.key)))


def _settled(
    links: Iterable[Link], events: Mapping[EntityKey, set[int]], people: Mapping[EntityKey, object]
) -> dict[EntityKey, set[int]]:
    """By person, the chapters that facts place them in."""
    settled: dict[EntityKey, set[int]] = defaultdict(set)
    for link in links:
        relation = relation_of(link.predicate)
        if not relation.is_deed:
            continue
        chapters = events.get(link.object, set()) if link.predicate == TOOK_PART_IN else set()
        for end in (link.subject, link.object):
            if end in people:
                settled[end] |= chapters or ({link.since} if link.since > 0 else set())
    return settled


def _deaths(facts: FactLayer, links: Iterable[Link]) -> dict[EntityKey, list[tuple[int, int | None]]]:
    """By person, the chapters in which, and until which, they are dead."""
    values = {key for name, key in facts.names((EntityKind.STATUS,)).items() if tells_death(name)}
    died: dict[EntityKey, list[tuple[int, int | None]]] = defaultdict(list)
    for link in links:
        if link.predicate == HAS_STATUS and link.object in values:
            died[link.subject].append((link.since, link.until))
    return died


def _is_number(name: str) -> bool:
    return name.isascii() and name.isdecimal() and len(name) < 10
