"""The relations that the studio knows: what each leads from and to, and which facts of it exclude each other.

One list for all: the forms and the settlement's prompt offer it, tables are marked by it. What a relation is called
and how it is explained is in the words of each language (`hub/words.*.yaml`, `settlement/by_model.*.yaml`). An author
may use others; of those nothing is known but their name.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from pydantic import TypeAdapter

from memorybank.prompts.lexicon import entries_of, load
from memorybank_studio.types import HAS_STATUS, NAMED_KINDS, EntityKey, EntityKind, Fact, entity_key

_ANYTHING: Final = tuple(kind for kind in NAMED_KINDS if kind is not EntityKind.HOOK)


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    subjects: tuple[EntityKind, ...] = (EntityKind.CHARACTER,)
    objects: tuple[EntityKind, ...] = (EntityKind.CHARACTER,)
    """Kinds that it leads from and to; a name that is new in the story is of the first."""
    leads_to_one_kind: bool = False
    """Its object is never of another kind: a value such as a status, or a chapter."""
    one: Literal["", "object", "subject"] = ""
    """The end of which one holds at a time: one object of a subject (a new place ends the old one), or one subject."""
    pair: str = ""
    """The name of a pair of relations of which one holds at a time between the same two."""
    both_ways: bool = False
    inverse_of: str = ""
    """The relation that says the same from the other end, and that a model is asked for."""
    is_deed: bool = False
    """It tells of what befell somebody, or what they did; others are states."""


_TABLE: Final = load(__package__, "relations")
RELATIONS: Final = TypeAdapter(dict[str, Relation]).validate_python(
    {name: {"name": name, **told} for name, told in _TABLE["relations"].items()}
)

OFFERED: Final = tuple(relation for relation in RELATIONS.values() if not relation.inverse_of)
"""The relations that a model is asked for: of two that say the same, one."""

LEADS_TO: Final[dict[str, EntityKind]] = {
    relation.name: relation.objects[0] for relation in RELATIONS.values() if relation.leads_to_one_kind
}
"""Relations whose object is always of one kind."""


def relation_of(name: str) -> Relation:
    """Return the relation of this name; one that is the author's own leads from anything to anything."""
    return RELATIONS.get(name) or Relation(name, _ANYTHING, _ANYTHING)


def directed(fact: Fact) -> tuple[EntityKey, str, EntityKey]:
    """Return where the fact leads from, by which relation, and to what: two relations that say the same give one."""
    relation = relation_of(fact.predicate)
    if relation.inverse_of:
        return fact.object, relation.inverse_of, fact.subject
    return fact.subject, fact.predicate, fact.object


def statement(fact: Fact) -> tuple[EntityKey, str, EntityKey]:
    """Return what the fact says, whenever it holds and from whichever end it is told."""
    subject, predicate, object_ = directed(fact)
    if relation_of(predicate).both_ways and object_ < subject:
        return object_, predicate, subject
    return subject, predicate, object_


@cache
def statuses_of_life() -> frozenset[EntityKey]:
    """Return keys of the statuses with exactly these names."""
    return frozenset(entity_key(EntityKind.STATUS, name) for name in (*entries_of(_TABLE["dead"]), *_TABLE["alive"]))


def place(fact: Fact) -> Hashable | None:
    """Return what only one fact can hold of at a time: two facts of one place exclude each other. None: it has none.

    Whether somebody lives is a place of its own: who is wounded or buried later is dead all the same.
    """
    subject, predicate, object_ = directed(fact)
    relation = relation_of(predicate)
    if predicate == HAS_STATUS and object_ in statuses_of_life():
        return "alive or dead", subject
    if relation.pair:
        return relation.pair, subject, object_
    return (predicate, holder(fact)) if relation.one else None


def holder(fact: Fact) -> EntityKey:
    """Return the end of the fact that has one such fact at a time."""
    subject, predicate, object_ = directed(fact)
    return object_ if relation_of(predicate).one == "subject" else subject
