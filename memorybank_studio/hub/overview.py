"""The shape of the fact layer in memory: which entity has which relation to which, and in which chapters; no words.

For questions about all facts at once (the page's graph): a server counts the relations of 50,000 facts in seconds, this
does it in tens of milliseconds. It is of one revision of the layer, a number in the database that every write raises
within its own transaction, so a write by anyone is seen: its own writer's changes are taken in, after another's it is
read again.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memorybank_studio.hub import fact_queries as queries
from memorybank_studio.hub.fact_records import kind_of
from memorybank_studio.hub.labels import Layer
from memorybank_studio.hub.revisions import revision
from memorybank_studio.types import Entity, EntityKey, EntityKind, Fact, FactKey, Link

if TYPE_CHECKING:
    from memorybank_studio.hub.connection import Ask, LayerDatabase


@dataclass(frozen=True, slots=True)
class EntityNames:
    """What an entity is called."""

    key: EntityKey
    kind: EntityKind
    name: str
    aliases: tuple[str, ...]


@dataclass(slots=True)
class _Shape:
    """As of one revision."""

    revision: int
    links: dict[FactKey, Link]


class Overview:
    """Of one layer's database. Thread-safe. Reads it when it is first asked for something."""

    def __init__(self, database: LayerDatabase) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._links: _Shape | None = None
        self._named: tuple[int, tuple[EntityNames, ...]] | None = None

    def written(
        self,
        as_of: int,
        names: bool,
        facts: Iterable[Fact],
        ends: Sequence[tuple[FactKey, int]],
        replaces: Iterable[FactKey],
    ) -> None:
        """Take in what was written, and raised the revision to `as_of`. `names`: entities were written, too."""
        with self._lock:
            if self._named is not None and (names or self._named[0] != as_of - 1):
                self._named = None
            elif self._named is not None:
                self._named = (as_of, self._named[1])
            shape = self._links
            if shape is None or shape.revision != as_of - 1:
                self._links = shape if shape is not None and shape.revision == as_of else None
                return
            for key in replaces:
                shape.links.pop(key, None)
            for fact in facts:
                shape.links[fact.key] = _merged_link(shape.links.get(fact.key), fact)
            for key, chapter in ends:
                if key in shape.links:
                    shape.links[key] = replace(shape.links[key], until=chapter)
            shape.revision = as_of

    def busiest(self, chapter: int | None, limit: int) -> tuple[list[EntityKey], list[Link]]:
        """The entities with the most facts in the chapter, and the facts between them, oldest first."""
        with self._lock:
            held = [link for link in self._current().values() if link.holds(chapter)]
        degrees = Counter(link.subject for link in held)
        degrees.update(link.object for link in held if link.object != link.subject)
        keys = sorted(degrees, key=lambda key: (-degrees[key], key))[:limit]
        shown = set(keys)
        between = [link for link in held if link.subject in shown and link.object in shown]
        return keys, sorted(between, key=lambda link: link.since)

    def links(self) -> tuple[Link, ...]:
        """All facts, oldest first."""
        with self._lock:
            return tuple(sorted(self._current().values(), key=lambda link: link.since))

    def latest(self) -> int:
        """The last chapter from which on a fact holds; 0 without any."""
        with self._lock:
            return max((link.since for link in self._current().values()), default=0)

    def names(self) -> tuple[EntityNames, ...]:
        """What every entity is called, by key."""
        with self._lock:
            as_of = self._revision()
            if self._named is None or self._named[0] != as_of:
                rows = queries.NAME_ROWS.read(self._database.rows(queries.NAMES))
                read = (
                    EntityNames(EntityKey(row["key"]), kind_of(row["labels"]), row["name"], tuple(row["aliases"] or ()))
                    for row in rows
                )
                self._named = (as_of, tuple(sorted(read, key=lambda entity: entity.key)))
            return self._named[1]

    def _current(self) -> dict[FactKey, Link]:
        """The links of the layer as it is now: read again only if somebody else wrote since."""
        shape = self._links
        if shape is None or shape.revision != self._revision():
            shape = self._links = self._database.read(_read)
        return shape.links

    def _revision(self) -> int:
        return self._database.read(_revision)


_revision = revision(Layer.FACTS)


def _read(ask: Ask) -> _Shape:
    as_of = _revision(ask)  # first: what is written in between shows as another revision the next time
    rows = queries.LINK_ROWS.read(ask(queries.LINKS))
    links = {
        FactKey(row["key"]): Link(
            subject=EntityKey(row["subject"]),
            predicate=row["predicate"],
            object=EntityKey(row["object"]),
            since=row["since"],
            until=row["until"],
        )
        for row in rows
    }
    return _Shape(as_of, links)


def _merged_link(stored: Link | None, fact: Fact) -> Link:
    """As `fact_records.merged_fact`: an end that came later stays."""
    link = link_of(fact)
    return link if stored is None or fact.until is not None else replace(link, until=stored.until)


def keys_by_name(entities: Iterable[Entity | EntityNames], kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
    """Of entities in the order of their keys, of these kinds or of all. Where two share a name, the one that has it as
    its own name, not as an alias, comes first."""
    wanted = frozenset(kinds)
    known = [entity for entity in entities if not wanted or entity.kind in wanted]
    keys: dict[str, EntityKey] = {}
    for entity in known:
        keys.setdefault(entity.name, entity.key)
    for entity in known:
        for alias in entity.aliases:
            keys.setdefault(alias, entity.key)
    return keys


def link_of(fact: Fact) -> Link:
    return Link(subject=fact.subject, predicate=fact.predicate, object=fact.object, since=fact.since, until=fact.until)
