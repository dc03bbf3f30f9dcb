"""Which facts exclude each other; statuses that say whether somebody lives end each other, and no other ends them."""

from __future__ import annotations

from collections.abc import Hashable

from memorybank_studio.life import statuses_of_life
from memorybank_studio.relations import directed, relation_of
from memorybank_studio.types import HAS_STATUS, EntityKey, Fact


def place(fact: Fact) -> Hashable | None:
    """What only one fact can hold of at a time: two facts of one place exclude each other. None: it has none.

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
    """The end of the fact that has one such fact at a time."""
    subject, predicate, object_ = directed(fact)
    return object_ if relation_of(predicate).one == "subject" else subject
