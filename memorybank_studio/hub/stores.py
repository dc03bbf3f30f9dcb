"""The four stores of a studio as one value, and how far the story in them has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.collection import Settings
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.types import BEFORE_THE_STORY, HAS_STATUS, Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The four stores of the hub, for reading."""

    facts: Facts
    plans: Plans
    settings: Settings
    archive: Archive


def foremost(facts: Sequence[Fact], most: int) -> tuple[Fact, ...]:
    """Return at most `most` of facts that stand oldest first: statuses, then the others, each kind the newest first."""
    newest = facts[::-1]
    return tuple(sorted(newest, key=lambda fact: fact.predicate != HAS_STATUS)[:most])


def next_chapter(stores: Stores) -> int:
    """Return the chapter after the last in the archive: what a fact says of a later one is not written yet."""
    return last_chapter(stores) + 1


def last_chapter(stores: Stores) -> int:
    """Return the last chapter in the archive; 0 without any."""
    known = stores.archive.chapters()
    return known[-1][0] if known else BEFORE_THE_STORY
