"""What a settled statement ends without saying so: who left a faction is its member no longer, what was found again is
lost no longer. Read from the drafts of a task and what is on record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from memorybank.narrative.extraction.facts import LEFT
from memorybank.narrative.extraction.lists import lists
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.scheduler.drafts import DraftItem
from memorybank.narrative.types import HAS_STATUS, Entity, EntityKey, EntityKind, Fact, entity_key
from memorybank.types import Lang

_LANGS: Final[tuple[Lang, ...]] = ("en", "zh")


def with_ends(drafts: Sequence[DraftItem], facts: FactLayer, lang: Lang) -> list[DraftItem]:
    """The drafts with their ends. `lang`: of the new status."""
    return [*_memberships(drafts, facts), *_found_again(drafts, facts, lang)]


# -- who left ---------------------------------------------------------------------------------------------------------


def _memberships(drafts: Sequence[DraftItem], facts: FactLayer) -> Iterator[DraftItem]:
    """Each departure with a chapter as the end of the membership it ends; one of which no beginning is known stays."""
    found = list(drafts)
    for place, draft in enumerate(found):
        left = draft.item
        if not isinstance(left, Fact) or left.predicate != LEFT or left.since == 0:
            continue
        own = next((at for at, one in enumerate(found) if _joined(one.item, left)), None)
        if own is not None and draft.ticked:
            member = found[own]
            assert isinstance(member.item, Fact)
            turns = tuple(sorted({*member.turns, *draft.turns}))
            found[own] = replace(member, item=replace(member.item, until=left.since), turns=turns)
            continue
        known = next((one for one in facts.history(left.subject) if _joined(one, left)), None)
        if known is not None:
            found[place] = replace(draft, item=replace(known, until=left.since, origin=left.origin))
    ended = {(one.item.subject, one.item.object) for one in found if isinstance(one.item, Fact) and one.item.until}
    for one in found:
        item = one.item
        if not (isinstance(item, Fact) and item.predicate == LEFT and (item.subject, item.object) in ended):
            yield one


def _joined(item: object, left: Fact) -> bool:
    """Whether it is the membership that a departure ends."""
    if not isinstance(item, Fact) or item.predicate != "MEMBER_OF" or item.until not in (None, left.since):
        return False
    return (item.subject, item.object) == (left.subject, left.object) and item.since < left.since


# -- what was found again ---------------------------------------------------------------------------------------------


def _found_again(drafts: Sequence[DraftItem], facts: FactLayer, lang: Lang) -> Iterator[DraftItem]:
    """A status that ends "lost", for each item that somebody has in a later chapter."""
    lost = {entity_key(EntityKind.STATUS, str(lists(f"reading.{one}")["lost"])) for one in _LANGS}
    name = str(lists(f"reading.{lang}")["found"])
    told: set[tuple[EntityKey, int]] = set()
    for draft in drafts:
        item = draft.item
        if not isinstance(item, Fact) or item.predicate != "OWNS" or (item.object, item.since) in told:
            continue
        states = [
            *facts.history(item.object),
            *(one.item for one in drafts if one.ticked and isinstance(one.item, Fact)),
        ]
        before = [
            one
            for one in states
            if one.subject == item.object
            and one.predicate == HAS_STATUS
            and one.since < item.since
            and one.until in (None, item.since)
        ]
        if before and max(before, key=lambda one: one.since).object in lost:
            told.add((item.object, item.since))
            status = Entity(kind=EntityKind.STATUS, name=name, origin=item.origin)
            fact = replace(item, subject=item.object, predicate=HAS_STATUS, object=status.key, properties={})
            yield replace(draft, item=status)
            yield replace(draft, item=fact)
