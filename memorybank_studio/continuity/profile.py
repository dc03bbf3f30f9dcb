"""All that is on record of a character as of a chapter, and where the archive's own words name them.

A character is known by every name and alias. Of two names that overlap in a text the longer one is meant, so 林家 names
nobody called 林, and "Annabel" no Ann; a name that two characters share counts for both.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from memorybank.language.text import is_han, sentences
from memorybank.memory.types import Value
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.stores import Stores
from memorybank_studio.names import Cast
from memorybank_studio.reading.mentions import written_forms
from memorybank_studio.relations import relation_of
from memorybank_studio.types import (
    BEARERS,
    HAS_TRAIT,
    IN_CHAPTER,
    KNOWS_OF,
    NAMED_KINDS,
    TOOK_PART_IN,
    UNAWARE_OF,
    Chunk,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    Link,
    Plan,
)

MOST_QUOTES = 2
"""The most quotes of a chapter."""
_LONGEST_QUOTE = 240
_SHORTEST_ASKED = 3
"""Letters of a name that the archive's list of names answers for; for a shorter one the chapters are looked through."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote(Value):
    """A sentence that names them: `text[start:end]` is the name as it stands there."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance(Value):
    """A chapter whose text names them."""

    chapter: int
    title: str
    count: int
    quotes: tuple[Quote, ...]
    """The first few."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile(Value):
    """An entity as it stands in one chapter; each group of its facts begins with the oldest."""

    entity: Entity
    traits: tuple[Fact, ...]
    knows: tuple[Fact, ...]
    unaware: tuple[Fact, ...]
    known_by: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    """All other facts that hold."""
    other: tuple[Fact, ...]
    """The facts that do not hold in this chapter: ended by then, or from a later one on."""
    hooks: tuple[Entity, ...]
    """The open hooks that have to do with them, by a fact or by name."""
    plans: tuple[Plan, ...]
    """The plans that are not completed and whose words name them."""


def story_cast(facts: Facts) -> Cast:
    """Return every name of who and what there is in the story, each with the key of whose it is. The name of a hook or
    an event is a sentence that names somebody itself."""
    entities = facts.entities(facts.names(BEARERS).values()).values()
    return Cast((form, str(entity.key)) for entity in entities for form in _forms(entity))


def _forms(entity: Entity) -> Iterator[str]:
    """Yield the names as they may stand in a text: "the Fox" begins a sentence as "The Fox"."""
    for name in (entity.name, *entity.aliases):
        yield from written_forms(name)


def profile(stores: Stores, key: EntityKey, chapter: int | None) -> Profile | None:
    """Return the profile of an entity; None for a key that is nobody's. Raises StoreUnavailableError."""
    entity = stores.facts.entity(key)
    if entity is None:
        return None
    history = stores.facts.history(key)
    holding = [fact for fact in history if fact.holds(chapter)]
    groups: dict[str, list[Fact]] = defaultdict(list)
    for fact in holding:
        groups[_group(fact, key)].append(fact)
    cast = story_cast(stores.facts)
    return Profile(
        entity=entity,
        traits=tuple(groups["traits"]),
        knows=tuple(groups["knows"]),
        unaware=tuple(groups["unaware"]),
        known_by=tuple(groups["known_by"]),
        facts=tuple(groups["facts"]),
        other=tuple(fact for fact in history if not fact.holds(chapter)),
        hooks=_hooks(stores.facts, key, chapter, cast),
        plans=tuple(
            plan
            for plan in stores.plans.all()
            if plan.is_open and str(key) in cast.names_in(f"{plan.title}\n{plan.text}")
        ),
    )


def _group(fact: Fact, key: EntityKey) -> str:
    if fact.predicate in (KNOWS_OF, UNAWARE_OF):
        if fact.subject != key:
            return "known_by"
        return "knows" if fact.predicate == KNOWS_OF else "unaware"
    return "traits" if fact.predicate == HAS_TRAIT and fact.subject == key else "facts"


def _hooks(facts: Facts, key: EntityKey, chapter: int | None, cast: Cast) -> tuple[Entity, ...]:
    tied = {end for fact in facts.about(key, chapter=chapter) for end in fact.ends}
    pairs = facts.hooks(resolved=False, chapter=chapter)
    return tuple(
        hook
        for hook, status in pairs
        if hook.key in tied or str(key) in cast.names_in(f"{hook.name}\n{hook.note}\n{status.origin.source}")
    )


def chapters_naming(stores: Stores, key: EntityKey, chapter: int | None) -> tuple[tuple[int, str], ...]:
    """Return numbers and titles of the chapters, up to this one, that may name them, the newest first."""
    entity = stores.facts.entity(key)
    forms = list(_forms(entity)) if entity is not None else []
    known = [(number, title) for number, title in stores.archive.chapters() if chapter is None or number <= chapter]
    if all(len(form) >= _SHORTEST_ASKED or is_han(form) for form in forms):
        where = frozenset[int]().union(*stores.archive.naming(forms).values())
        known = [(number, title) for number, title in known if number in where]
    return tuple(reversed(known))


def appearances(
    stores: Stores, key: EntityKey, chapters: Sequence[tuple[int, str]], most: int
) -> tuple[tuple[Appearance, ...], int]:
    """Return the first so many chapters that name them, and how many were looked through for it."""
    cast = story_cast(stores.facts)
    appearing: list[Appearance] = []
    for looked, (number, title) in enumerate(chapters):
        if len(appearing) == most:
            return tuple(appearing), looked
        quotes = list(_quotes(stores.archive, number, str(key), cast))
        if quotes:
            by_sentence = {quote.text: quote for quote in reversed(quotes)}
            first = tuple(by_sentence.values())[::-1][:MOST_QUOTES]
            appearing.append(Appearance(chapter=number, title=title, count=len(quotes), quotes=first))
    return tuple(appearing), len(chapters)


def _quotes(archive: Archive, chapter: int, key: str, cast: Cast) -> Iterator[Quote]:
    for chunk in archive.chapter(chapter):
        mentions = [mention for mention in cast.mentions(chunk.text) if key in mention.names]
        if mentions:
            pieces = sentences(chunk.text)
            for mention in mentions:
                piece = next(piece for piece in pieces if piece.start <= mention.start < piece.end)
                yield _quote(chunk, piece.start, max(piece.end, mention.end), mention.start, mention.end)


def _quote(chunk: Chunk, start: int, end: int, name_start: int, name_end: int) -> Quote:
    """Return the sentence as a quote; a long one is cut to what is near the name."""
    if end - start > _LONGEST_QUOTE:
        start = max(start, name_start - _LONGEST_QUOTE // 2)
        end = max(name_end, min(end, start + _LONGEST_QUOTE))
    text = chunk.text[start:end]
    lead = len(text) - len(text.lstrip())
    return Quote(text=text.strip(), start=name_start - start - lead, end=name_end - start - lead)


def others_named(profile_: Profile) -> Mapping[EntityKey, None]:
    """Return every end of the facts, to be asked for at once."""
    groups = (profile_.traits, profile_.knows, profile_.unaware, profile_.known_by, profile_.facts, profile_.other)
    return dict.fromkeys(end for group in groups for fact in group for end in fact.ends)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationMap(Value):
    entities: tuple[Entity, ...]
    """The most connected first."""
    states: tuple[Entity, ...]
    """The states they are in: ends of their links that are not drawn."""
    links: tuple[Link, ...]
    """The links of them that hold in the chapter, and those that ended with it."""
    left_out: int
    """Entities in such relations that are not shown."""


def is_new(link: Link, chapter: int | None) -> bool:
    return chapter is not None and 0 < chapter == link.since


def is_ended(link: Link, chapter: int | None) -> bool:
    return chapter is not None and link.until == chapter


def relation_map(stores: Stores, chapter: int | None, *, most: int) -> RelationMap:
    """Return the `most` connected entities with their links in the chapter. Raises StoreUnavailableError."""
    drawn = frozenset(stores.facts.names(NAMED_KINDS).values())
    held = [
        link
        for link in stores.facts.links()
        if link.subject in drawn
        and link.subject != link.object
        and (link.holds(chapter) or (link.object in drawn and is_ended(link, chapter) and link.since < (chapter or 0)))
    ]
    degrees = Counter(end for link in held for end in link.ends if end in drawn)
    keys = sorted(degrees, key=lambda key: (-degrees[key], key))
    first = frozenset(keys[:most])
    away = drawn - first
    links = tuple(link for link in held if link.subject in first and link.object not in away)
    known = stores.facts.entities({*first, *(link.object for link in links)})
    return RelationMap(
        entities=tuple(known[key] for key in keys[:most] if key in known),
        states=tuple(entity for key, entity in known.items() if key not in first),
        links=links,
        left_out=max(0, len(keys) - most),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineChapter:
    number: int
    title: str
    words: int
    """The chapter's words (of Chinese: characters). 0: it is not in the archive, facts alone tell of it."""
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

    @property
    def present(self) -> frozenset[int]:
        return self.settled | self.named


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    chapters: tuple[TimelineChapter, ...]
    people: tuple[Person, ...]
    """The people, those in the most chapters first; nobody who is in none."""


def timeline(stores: Stores) -> Timeline:
    """Return who is in which chapter, and what happens there. Raises StoreUnavailableError."""
    facts, titles, lengths = stores.facts, dict(stores.archive.chapters()), stores.archive.lengths()
    links = facts.links()
    named_so = facts.names((EntityKind.CHAPTER,)).items()
    numbers = {key: int(name) for name, key in named_so if name.isascii() and name.isdecimal() and len(name) < 10}
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
    settled = _settled(links, events, forms)
    known = facts.entities(forms)
    people = []
    for key, entity in known.items():
        named = frozenset().union(*(where[form] for form in forms[key]))
        person = Person(key=key, name=entity.name, settled=frozenset(settled[key]), named=named)
        if person.named or person.settled:
            people.append(person)
    return tuple(sorted(people, key=lambda person: (-len(person.present), person.name, person.key)))


def _settled(
    links: Iterable[Link], events: Mapping[EntityKey, set[int]], people: Mapping[EntityKey, object]
) -> dict[EntityKey, set[int]]:
    """Return for each person the chapters that facts place them in."""
    settled: dict[EntityKey, set[int]] = defaultdict(set)
    for link in links:
        relation = relation_of(link.predicate)
        if not relation.is_deed:
            continue
        chapters = events.get(link.object, set()) if link.predicate == TOOK_PART_IN else set()
        for end in link.ends:
            if end in people:
                settled[end] |= chapters or ({link.since} if link.since > 0 else set())
    return settled
