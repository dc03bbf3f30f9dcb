"""Which facts exclude each other; statuses that say whether somebody lives end each other, and no other ends them."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Final, get_args

from memorybank.memory.types import Lang
from memorybank.narrative.continuity.scene import words_of
from memorybank.narrative.reading.lists import words
from memorybank.narrative.types import (
    HAD_OR_LOST,
    HAS_STATUS,
    ONE_AT_A_TIME,
    ONE_OWNER,
    EntityKey,
    EntityKind,
    Fact,
    entity_key,
)

_ALIVE: Final = ("alive", "living", "revived", "resurrected", "活", "活着", "还活着", "在世", "生还", "复活")


@cache
def statuses_of_life() -> frozenset[EntityKey]:
    """Keys of the statuses with these names, in either language."""
    dead = (name for lang in get_args(Lang) for name in words(words_of(lang)["dead"]))
    return frozenset(entity_key(EntityKind.STATUS, name) for name in (*dead, *_ALIVE))


def place(fact: Fact) -> Hashable | None:
    """What only one fact can hold of at a time: two facts of one place exclude each other. None: it has none.

    Whether somebody lives is a place of its own: who is wounded or buried later is dead all the same.
    """
    if fact.predicate == HAS_STATUS and fact.object in statuses_of_life():
        return "alive or dead", fact.subject
    if fact.predicate in HAD_OR_LOST:
        return "had or lost", fact.subject, fact.object
    if fact.predicate in ONE_AT_A_TIME:
        return fact.predicate, fact.subject
    if fact.predicate in ONE_OWNER:
        return fact.predicate, fact.object
    return None


def statement(fact: Fact) -> tuple[str, str, str]:
    """What the fact says, whenever it holds."""
    return fact.subject, fact.predicate, fact.object
