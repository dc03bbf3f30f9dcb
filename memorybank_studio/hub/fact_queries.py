"""Every query of the fact layer: plain Cypher that Neo4j and the embedded engine read alike.

Data comes as parameters alone; predicates in a text have passed `labels.predicate`, labels are those of `EntityKind`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memorybank_studio.hub.labels import Layer, Table, held_by, revision
from memorybank_studio.hub.records import kind_of
from memorybank_studio.types import Entity, EntityKey, EntityKind, Link

if TYPE_CHECKING:
    from memorybank_studio.hub.connection import Ask, LayerDatabase

_ORIGIN = ("task", "chapter", "source", "turns")

ENTITY_ROWS = Table(
    {"labels": "labels(entity)", **held_by("entity", *"name aliases note ranks keyed_as".split(), *_ORIGIN)}
)
FACT_ROWS = Table(
    {
        "predicate": "type(fact)",
        "subject": "startNode(fact).key",
        "object": "endNode(fact).key",
        **held_by("fact", "since", "until", "properties", *_ORIGIN),
    }
)
NAME_ROWS = Table({"labels": "labels(entity)", **held_by("entity", "key", "name", "aliases")})
LINK_ROWS = Table(
    {"subject": "subject.key", "predicate": "type(fact)", "object": "object.key", **held_by("fact", "since", "until")}
)

DEFINE = ("CREATE CONSTRAINT entity_key IF NOT EXISTS FOR (entity:Entity) REQUIRE entity.key IS UNIQUE",)

ENTITIES = f"""
UNWIND $keys AS key
MATCH (entity:Entity {{key: key}})
{ENTITY_ROWS.returned}
"""

NAMED = f"""
MATCH (entity:Entity) WHERE $name IN entity.names
{ENTITY_ROWS.returned}
"""

NAMES = f"""
MATCH (entity:Entity)
{NAME_ROWS.returned}
"""

UPDATE_ENTITIES = """
UNWIND $rows AS row
MATCH (entity:Entity {key: row.key})
SET entity = row
"""

DELETE_ENTITIES = """
UNWIND $keys AS key
MATCH (entity:Entity {key: key})
DETACH DELETE entity
"""


def create_entities(kind: EntityKind) -> str:
    return f"UNWIND $rows AS row CREATE (entity:Entity:`{kind.value}`) SET entity = row"


PREDICATES = "CALL db.relationshipTypes() YIELD relationshipType RETURN relationshipType AS predicate"


def define(predicate: str) -> tuple[str, ...]:
    name = predicate.strip("`")
    return (
        f"CREATE CONSTRAINT fact_key_{name} IF NOT EXISTS FOR ()-[fact:{predicate}]-() REQUIRE fact.key IS UNIQUE",
        f"CREATE INDEX fact_task_{name} IF NOT EXISTS FOR ()-[fact:{predicate}]-() ON (fact.task)",
    )


def create_facts(predicate: str) -> str:
    return f"""
    UNWIND $rows AS row
    MATCH (subject:Entity {{key: row.subject}})
    MATCH (object:Entity {{key: row.object}})
    CREATE (subject)-[fact:{predicate}]->(object)
    SET fact = row.properties
    """


def with_keys(predicate: str) -> str:
    """Return facts of this predicate with one of `$keys`. Ends have no label: both servers seek in the type's index."""
    return f"MATCH ()-[fact:{predicate}]->() WHERE fact.key IN $keys {FACT_ROWS.returned}"


def delete(predicate: str) -> str:
    return f"MATCH ()-[fact:{predicate}]->() WHERE fact.key IN $keys DELETE fact"


def end(predicate: str) -> str:
    return f"MATCH ()-[fact:{predicate}]->() WHERE fact.key IN $keys SET fact.until = $until"


def held(chapter: int | None) -> str:
    """Return the condition that a fact holds in `$chapter`; for None, that nothing has ended it."""
    if chapter is None:
        return "fact.until IS NULL"
    return "fact.since <= $chapter AND (fact.until IS NULL OR fact.until > $chapter)"


EVER = "true"
"""The condition for ended facts too."""

CAUSES = f"""
UNWIND $keys AS key
MATCH (:Entity {{key: key}})<-[fact:CAUSES]-()
{FACT_ROWS.returned}
"""


def of_task(predicate: str) -> str:
    return f"MATCH ()-[fact:{predicate}]->() WHERE fact.task = $task {FACT_ROWS.returned}"


def about(condition: str) -> str:
    """Match undirected: the embedded engine begins an incoming pattern at its far end, with every entity there is."""
    return f"MATCH (entity:Entity {{key: $key}})-[fact]-(:Entity) WHERE {condition} {FACT_ROWS.returned}"


def matching(predicate: str, condition: str) -> str:
    return f"MATCH (:Entity {{key: $key}})-[fact:{predicate}]->(:Entity) WHERE {condition} {FACT_ROWS.returned}"


HOOK = "hook_"
"""The prefix of the hook's columns: it and its fact both have a task, a source and so on."""
HOOK_ROWS = Table({**{HOOK + name: column for name, column in ENTITY_ROWS.columns.items()}, **FACT_ROWS.columns})


def hooks(condition: str) -> str:
    """Return hooks with one of the statuses with `$keys`, with the fact that says so."""
    return f"""
    MATCH (entity:Hook)-[fact:HAS_STATUS]->(status:Status) WHERE status.key IN $keys AND {condition}
    {HOOK_ROWS.returned}
    """


COUNT = "MATCH (entity:Entity) RETURN count(entity) AS count"
COUNT_FACTS = "MATCH (:Entity)-[fact]->(:Entity) RETURN count(fact) AS count"

LINKS = f"""
MATCH (subject:Entity)-[fact]->(object:Entity)
{LINK_ROWS.returned}
"""


@dataclass(frozen=True, slots=True)
class EntityNames:
    """The names of an entity, with its key and its kind."""

    key: EntityKey
    kind: EntityKind
    name: str
    aliases: tuple[str, ...]


class Overview:
    """Keeps what was read of one layer's database until somebody has written there. Thread-safe."""

    def __init__(self, database: LayerDatabase) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._read: dict[Callable[[Ask], Any], tuple[int, Any]] = {}

    def links(self) -> tuple[Link, ...]:
        """Return all facts as links, oldest first."""
        links: tuple[Link, ...] = self._as_of_now(_links)
        return links

    def latest(self) -> int:
        """Return the last chapter from which on a fact holds; 0 without any."""
        return max((link.since for link in self.links()), default=0)

    def entity_names(self) -> tuple[EntityNames, ...]:
        """Return the names of every entity, in the order of the keys."""
        names: tuple[EntityNames, ...] = self._as_of_now(_names)
        return names

    def _as_of_now(self, read: Callable[[Ask], Any]) -> Any:
        with self._lock:
            as_of = self._database.read(_revision)  # first: what is written in between shows as another the next time
            if read not in self._read or self._read[read][0] != as_of:
                self._read[read] = as_of, self._database.read(read)
            return self._read[read][1]


_revision = revision(Layer.FACTS)


def _links(ask: Ask) -> tuple[Link, ...]:
    return tuple(sorted((Link(**row) for row in LINK_ROWS.read(ask(LINKS))), key=lambda link: link.since))


def _names(ask: Ask) -> tuple[EntityNames, ...]:
    read = (
        EntityNames(EntityKey(row["key"]), kind_of(row["labels"]), row["name"], tuple(row["aliases"] or ()))
        for row in NAME_ROWS.read(ask(NAMES))
    )
    return tuple(sorted(read, key=lambda entity: entity.key))


def keys_by_name(entities: Iterable[Entity | EntityNames], kinds: Iterable[EntityKind] = ()) -> Mapping[str, EntityKey]:
    """Map names to keys, for entities of these kinds or of all, in the order of their keys. Where two share a name, the
    one that has it as its own name, not as an alias, comes first."""
    wanted = frozenset(kinds)
    known = [entity for entity in entities if not wanted or entity.kind in wanted]
    keys: dict[str, EntityKey] = {}
    for entity in known:
        keys.setdefault(entity.name, entity.key)
    for entity in known:
        for alias in entity.aliases:
            keys.setdefault(alias, entity.key)
    return keys
