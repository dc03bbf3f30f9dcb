"""Who stands in which relation to whom as of a chapter: what came new in it, what ended with it.

People and factions alone: where things are and who has them is no relation of people. Of more than fit a picture the
most connected are shown, and how many are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from memorybank.memory.types import Value
from memorybank_studio.continuity.profile import story_cast
from memorybank_studio.hub.stores import Stores
from memorybank_studio.types import Entity, EntityKey, EntityKind, Link

DRAWN = (EntityKind.CHARACTER, EntityKind.FACTION)


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationMap(Value):
    entities: tuple[Entity, ...]
    """The most connected first."""
    links: tuple[Link, ...]
    """Those between them that hold in the chapter, and those that ended with it."""
    left_out: int
    """People and factions in such relations that are not shown."""
    predicates: tuple[str, ...]
    """All kinds of relation that there are in the chapter, the commonest first."""


def is_new(link: Link, chapter: int | None) -> bool:
    return chapter is not None and 0 < chapter == link.since


def is_ended(link: Link, chapter: int | None) -> bool:
    return chapter is not None and link.until == chapter


def of_storyline(stores: Stores, storyline: str) -> frozenset[EntityKey]:
    """Whom the plans of a storyline name."""
    cast = story_cast(stores.facts)
    plans = (plan for plan in stores.plans.all() if plan.storyline == storyline)
    return frozenset(EntityKey(key) for plan in plans for key in cast.names_in(f"{plan.title}\n{plan.text}"))


def relation_map(
    stores: Stores,
    chapter: int | None,
    *,
    most: int,
    predicates: Collection[str] = (),
    among: Collection[EntityKey] | None = None,
) -> RelationMap:
    """`predicates`: these kinds alone, if any are given. `among`: relations of these. Raises StoreUnavailableError."""
    drawn = frozenset(stores.facts.names(DRAWN).values())
    shown = [
        link
        for link in stores.facts.links()
        if link.subject in drawn
        and link.object in drawn
        and link.subject != link.object
        and (link.holds(chapter) or (is_ended(link, chapter) and link.since < (chapter or 0)))
        and (among is None or link.subject in among or link.object in among)
    ]
    kinds = Counter(link.predicate for link in shown)
    chosen = [link for link in shown if not predicates or link.predicate in predicates]
    degrees = Counter(end for link in chosen for end in (link.subject, link.object))
    keys = sorted(degrees, key=lambda key: (-degrees[key], key))
    first = frozenset(keys[:most])
    known = stores.facts.entities(first)
    return RelationMap(
        entities=tuple(known[key] for key in keys[:most] if key in known),
        links=tuple(link for link in chosen if link.subject in first and link.object in first),
        left_out=max(0, len(keys) - most),
        predicates=tuple(sorted(kinds, key=lambda kind: (-kinds[kind], kind))),
    )
