"""The part of the record that a draft is set against: from the graph, by what its passages name; never the whole.

    named, or there from the passage before     facts as of the chapter, traits, notes, settings, what comes later
    a step away in the graph                    the state of their things, places and people: dead, lost, where, whose
    settings that the passages touch            by name, by the words of it, by meaning
    events and hooks near these, or told of     when, who took part or knows, and who of those here did not
    plans that name them, and where plans stand what the draft may carry out, and what is for later

Facts of the draft's own chapter are left out: they may become so before or after the sentence in question.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from memorybank.language.tokens import query_tokens, tokenize
from memorybank.memory.types import Lang
from memorybank_studio.continuity.findings import Against, Passage, RecordTeller
from memorybank_studio.hub.collection import SHARE
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.stores import Stores
from memorybank_studio.reading.mentions import Names
from memorybank_studio.relations import RELATIONS, statement
from memorybank_studio.types import (
    HAS_STATUS,
    HAS_TRAIT,
    IN_CHAPTER,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    PlanKind,
    Setting,
)

MOST_CARRIED: Final = 4
"""People of the passage before who may still be there."""


@dataclass(frozen=True, slots=True)
class Present:
    """One passage's people and things, each once, in the order in which they come."""

    named: tuple[EntityKey, ...]
    carried: tuple[EntityKey, ...]
    """People of the passage before that this one does not name."""
    told_of: tuple[EntityKey, ...]
    """Events and hooks, by the words of their names."""


def present(text: str, cut: Sequence[Passage], names: Names, facts: Facts) -> tuple[Present, ...]:
    """Return for each passage who and what is in it. Raises StoreUnavailableError."""
    names, topics = names.with_short(), _topics(facts)
    carried: tuple[EntityKey, ...] = ()
    made = []
    for passage in cut:
        words = text[passage.start : passage.end]
        named = [mention.named for mention in names.find(words)]
        people = tuple(dict.fromkeys(one.key for one in named if one.kind is EntityKind.CHARACTER))
        keys = tuple(dict.fromkeys(one.key for one in named))
        others = tuple(key for key in carried if key not in keys)
        made.append(Present(keys, others, tuple(_told_of(words, topics))))
        carried = (people or carried)[-MOST_CARRIED:]
    return tuple(made)


def _topics(facts: Facts) -> Mapping[EntityKey, frozenset[str]]:
    """Return events and hooks, which are told in words of their own, with the words of their names."""
    names = facts.names((EntityKind.EVENT, EntityKind.HOOK))
    return {key: frozenset(query_tokens(name)) for name, key in names.items()}


def _told_of(text: str, topics: Mapping[EntityKey, frozenset[str]]) -> Iterator[EntityKey]:
    words = frozenset(tokenize(text))
    for key, own in topics.items():
        if own and len(own & words) >= SHARE * len(own):
            yield key


MOST_NAMED: Final = 40
"""People and things that are looked up for one request, those in most passages first."""
MOST_NEIGHBOURS: Final = 24
MOST_EVENTS: Final = 16
MOST_PLANS: Final = 40
MOST_SETTINGS: Final = 12
"""The most entries of the setting base that no name of a person or thing leads to."""
MOST_FACTS: Final = 60
"""The most facts of one entity that are weighed against each other."""
STATE: Final = frozenset({HAS_TRAIT}).union(
    relation.name
    for relation in RELATIONS.values()
    if relation.one or (relation.inverse_of and RELATIONS[relation.inverse_of].one)
)
"""The relations that are told of an entity which a draft does not name itself."""
_NEAR: Final = (EntityKind.ITEM, EntityKind.CHARACTER, EntityKind.LOCATION, EntityKind.FACTION, EntityKind.ABILITY)
_TOPICS: Final = (EntityKind.EVENT, EntityKind.HOOK)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One line of the record, and what it stands for."""

    item: Against
    text: str
    group: str
    """The heading that it stands below: an entity, or a kind of lines."""
    hop: int
    """Steps in the graph from what the draft names."""
    foremost: bool = False
    """It stands between two that the draft names, or is a status: it goes before others of its group."""
    since: int = 0


@dataclass
class Gathering:
    """The candidates for some passages of a draft."""

    stores: Stores
    names: Names
    chapter: int
    lang: Lang
    passages: Sequence[Present]
    texts: Sequence[str]
    _facts: dict[EntityKey, tuple[Fact, ...]] = field(default_factory=dict)
    _entities: dict[EntityKey, Entity] = field(default_factory=dict)

    def candidates(self) -> tuple[Candidate, ...]:
        """Return each line once, those of a heading together. Raises StoreUnavailableError."""
        named = self._named()
        # What stands a step away in the graph: things before people before places.
        keys = dict.fromkeys(
            end
            for key in named
            for fact in self._held(key)
            for end in fact.ends
            if end not in named and fact.predicate not in (HAS_STATUS, HAS_TRAIT)
        )
        self._know(keys)
        near = [key for key in keys if key in self._entities and self._entities[key].kind in _NEAR]
        neighbours = tuple(sorted(near, key=lambda key: _NEAR.index(self._entities[key].kind))[:MOST_NEIGHBOURS])
        facts = [fact for key in (*named, *neighbours) for fact in self._history(key)]
        self._know((*named, *neighbours, *self._told_of(), *(end for fact in facts for end in fact.ends)))
        told = RecordTeller(self._entities.get, self.lang)
        every = (
            *(line for key in named for line in self._of_named(key, set(named), told)),
            *(line for key in neighbours for line in self._of_neighbour(key, told)),
            *self._topics(named, told),
            *self._plans(set(named), told),
            *self._later(named, told),
            *self._settings(told),
        )
        once: dict[str, Candidate] = {}
        for line in every:
            once.setdefault(line.text, line)
        return tuple(sorted(once.values(), key=_by_first([line.group for line in every])))

    def _named(self) -> tuple[EntityKey, ...]:
        """Return who and what the passages are about, in the order of the draft; at most MOST_NAMED."""
        counted = Counter(key for passage in self.passages for key in (*passage.named, *passage.carried))
        most = {key for key, _ in counted.most_common(MOST_NAMED)}
        return tuple(key for key in counted if key in most)

    def _told_of(self) -> dict[EntityKey, None]:
        return dict.fromkeys(key for passage in self.passages for key in passage.told_of)

    def _know(self, keys: Iterable[EntityKey]) -> None:
        missing = [key for key in dict.fromkeys(keys) if key not in self._entities]
        self._entities |= self.stores.facts.entities(missing) if missing else {}

    def _history(self, key: EntityKey) -> tuple[Fact, ...]:
        """Return the latest facts about it, those that have ended too."""
        if key not in self._facts:
            every = self.stores.facts.history(key)
            state = [fact for fact in every if fact.predicate in STATE][-MOST_FACTS:]
            others = [fact for fact in every if fact.predicate not in STATE][-MOST_FACTS:]
            self._facts[key] = (*state, *others)
        return self._facts[key]

    def _held(self, key: EntityKey) -> tuple[Fact, ...]:
        return tuple(fact for fact in self._history(key) if fact.since < self.chapter and fact.holds(self.chapter))

    def _of_named(self, key: EntityKey, named: set[EntityKey], told: RecordTeller) -> Iterator[Candidate]:
        entity = self._entities.get(key)
        if entity is None:
            return
        yield from self._described(entity, 0, told)
        group, held = told.name(entity), {statement(fact) for fact in self._held(key)}
        for fact in self._history(key):
            holds = fact.holds(self.chapter)
            if fact.since >= self.chapter or fact.predicate == IN_CHAPTER or (not holds and statement(fact) in held):
                continue
            close = {fact.subject, fact.object} <= named or fact.predicate in STATE
            yield Candidate(fact, told.fact(fact), group, 0 if holds else 1, foremost=holds and close, since=fact.since)

    def _described(self, entity: Entity, hop: int, told: RecordTeller) -> Iterator[Candidate]:
        """Yield what is noted of the entity, and its entry in the setting base."""
        if entity.note or entity.ranks:
            yield Candidate(entity, told.text(entity), told.name(entity), hop, foremost=True)
        entry = self.stores.settings.exact(entity.name)
        for state in self._states(entry) if entry is not None else ():
            yield Candidate(state, told.text(state), told.name(entity), hop)

    def _states(self, entry: Setting) -> Iterator[Setting]:
        """Yield an entry as the draft begins and as it ends: what changes in the chapter may do so at any sentence."""
        before, after = entry.as_of(self.chapter - 1), entry.as_of(self.chapter)
        yield from (state for state in dict.fromkeys((before, after)) if state is not None)

    def _of_neighbour(self, key: EntityKey, told: RecordTeller) -> Iterator[Candidate]:
        yield from self._described(self._entities[key], 1, told)
        for fact in self._held(key):
            if fact.predicate in STATE:
                yield Candidate(fact, told.fact(fact), told.name(self._entities[key]), 1, since=fact.since)

    def _later(self, named: Sequence[EntityKey], told: RecordTeller) -> Iterator[Candidate]:
        """Yield the facts that begin to hold in later chapters: in this one they do not hold yet."""
        for key in named:
            for fact in sorted(self._history(key), key=lambda fact: fact.since):
                if fact.since > self.chapter:
                    yield Candidate(fact, told.fact(fact), told.heading("later"), 1, since=-fact.since)

    def _topics(self, named: Sequence[EntityKey], told: RecordTeller) -> Iterator[Candidate]:
        near = dict.fromkeys(end for key in named for fact in self._history(key) for end in fact.ends)
        told_of = self._told_of()
        topics = [
            self._entities[key]
            for key in (*told_of, *(key for key in near if key not in told_of))
            if key in self._entities and self._entities[key].kind in _TOPICS
        ]
        here = [key for key in named if key in self._entities and self._entities[key].kind is EntityKind.CHARACTER]
        for topic in topics[:MOST_EVENTS]:
            facts = self._history(topic.key)
            self._know(end for fact in facts for end in fact.ends)
            line, item = told.topic(topic, facts, here, self.chapter)
            hop = 0 if topic.key in told_of else 1
            yield Candidate(item, line, told.heading("topics"), hop, foremost=topic.key in told_of)

    def _settings(self, told: RecordTeller) -> Iterator[Candidate]:
        """Yield entries of the setting base that the passages touch, most of them first."""
        entries = Counter(entry for text in self.texts for entry in self.stores.settings.touched(text))
        for entry, _ in entries.most_common(MOST_SETTINGS):
            for state in self._states(entry):
                yield Candidate(state, told.text(state), told.heading("settings"), 0)

    def _plans(self, named: set[EntityKey], told: RecordTeller) -> Iterator[Candidate]:
        pointers = self.stores.plans.pointer(chapter=self.chapter)
        due = {plan.key for pointer in pointers if (plan := pointer.current or pointer.next) is not None}
        ahead = (plan for plan in self.stores.plans.all(kind=PlanKind.STEP) if plan.is_open)
        told_of = ((plan, self.names.find(f"{plan.title}\n{plan.text}")) for plan in ahead)
        shared = [(plan, len({mention.named.key for mention in mentions} & named)) for plan, mentions in told_of]
        bearing = [(plan, count) for plan, count in shared if count or plan.key in due]
        for plan, count in sorted(bearing, key=lambda pair: -pair[1])[:MOST_PLANS]:
            heading = told.heading("due" if plan.key in due or 0 < (plan.due or 0) <= self.chapter else "planned")
            yield Candidate(plan, told.text(plan), heading, 0, foremost=count > 1)


def _by_first(groups: Sequence[str]) -> Callable[[Candidate], int]:
    """Return a key by which the lines of a group stand where its first line does."""
    first = {group: place for place, group in reversed(list(enumerate(groups)))}
    return lambda line: first[line.group]
