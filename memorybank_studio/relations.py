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

from memorybank_studio.types import (
    BEFORE,
    CAUSES,
    HAS_STATUS,
    HAS_TRAIT,
    IN_CHAPTER,
    EntityKey,
    EntityKind,
    Fact,
    entity_key,
)

_C, _L, _I, _F = EntityKind.CHARACTER, EntityKind.LOCATION, EntityKind.ITEM, EntityKind.FACTION
_A, _E, _H = EntityKind.ABILITY, EntityKind.EVENT, EntityKind.HOOK
_ANYTHING: Final = (_C, _L, _I, _F, _A, _E)


@dataclass(frozen=True, slots=True)
class Relation:
    name: str
    subjects: tuple[EntityKind, ...] = (_C,)
    objects: tuple[EntityKind, ...] = (_C,)
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


RELATIONS: Final[dict[str, Relation]] = {
    relation.name: relation
    for relation in (
        Relation(HAS_STATUS, _ANYTHING, (EntityKind.STATUS,), leads_to_one_kind=True, one="object", is_deed=True),
        Relation(HAS_TRAIT, objects=(EntityKind.TRAIT,), leads_to_one_kind=True),
        Relation("AGE", objects=(EntityKind.STATUS,), one="object"),
        Relation("OWNS", (_C, _F), (_I,), one="subject"),
        Relation("OWNED_BY", (_I,), (_C, _F), inverse_of="OWNS"),
        Relation("LOCATED_IN", (_C, _I, _F, _L), (_L,), one="object", is_deed=True),
        Relation("FOUND_IN", (_I, _C), (_L,), is_deed=True),
        Relation("BORN_IN", objects=(_L,), one="object"),
        Relation("HAS_ABILITY", objects=(_A,), pair="ability"),
        Relation("LOST_ABILITY", objects=(_A,), pair="ability"),
        Relation("LACKS_ABILITY", objects=(_A,), pair="ability"),
        Relation("MEMBER_OF", objects=(_F,), pair="membership"),
        Relation("LEFT", objects=(_F,), pair="membership"),
        Relation("LEADS", objects=(_F,), one="subject"),
        Relation("LED_BY", (_F,), inverse_of="LEADS"),
        Relation("KNOWS"),
        Relation("KNOWS_OF", objects=(_E, _C, _I, _L, _F, _A, _H), pair="knowledge"),
        Relation("UNAWARE_OF", objects=(_E, _C, _I, _L, _F, _A, _H), pair="knowledge"),
        Relation("LOVES"),
        Relation("HATES", (_C, _F), (_C, _F)),
        Relation("FRIEND_OF", both_ways=True),
        Relation("ENEMY_OF", (_C, _F), (_C, _F), both_ways=True),
        Relation("BETRAYED", objects=(_C, _F), is_deed=True),
        Relation("MARRIED_TO", one="object", both_ways=True),
        Relation("PARENT_OF"),
        Relation("CHILD_OF", inverse_of="PARENT_OF"),
        Relation("SIBLING_OF", both_ways=True),
        Relation("GRANDPARENT_OF"),
        Relation("AUNT_OF"),
        Relation("KIN_OF"),
        Relation("MASTER_OF"),
        Relation("KILLED", (_C, _F), is_deed=True),
        Relation("TOOK_PART_IN", objects=(_E,), is_deed=True),
        Relation(CAUSES, (_E,), (_E,)),
        Relation(BEFORE, (_E,), (_E,)),
        Relation(IN_CHAPTER, (_E,), (EntityKind.CHAPTER,), leads_to_one_kind=True),
    )
}

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


_DEAD: Final = (
    "dead death died fatally killed slain deceased murdered perished drowned executed hanged assassinated beheaded "
    "strangled poisoned suicide 死 亡 去世 殒 遇害 身故 故去 牺牲 辞世 丧命 毙命 阵亡 死去 过世 病逝 逝世 仙逝 "
    "病故 自尽 自杀 圆寂 驾崩 薨 殉 咽气 断气 归西 处决 枪毙 被杀 被害 淹死 亡故"
).split()
_ALIVE: Final = ("alive", "living", "revived", "resurrected", "活", "活着", "还活着", "在世", "生还", "复活")


@cache
def statuses_of_life() -> frozenset[EntityKey]:
    """Return keys of the statuses with exactly these names."""
    return frozenset(entity_key(EntityKind.STATUS, name) for name in (*_DEAD, *_ALIVE))


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
