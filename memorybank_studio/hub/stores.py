"""The four stores of a studio as one value, and how far the story in them has come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from memorybank_studio.hub.contracts import EpisodicArchive, FactLayer, PlanLayer, SettingBase
from memorybank_studio.types import BEFORE_THE_STORY, HAS_STATUS, Fact


@dataclass(frozen=True, slots=True, kw_only=True)
class Stores:
    """The hub, for reading."""

    facts: FactLayer
    plans: PlanLayer
    settings: SettingBase
    archive: EpisodicArchive


def foremost(facts: Sequence[Fact], most: int) -> tuple[Fact, ...]:
    """As many as may be shown of facts that stand oldest first: statuses (who is dead, what is lost), then what came
    last, each kind the newest first."""
    newest = facts[::-1]
    return tuple(sorted(newest, key=lambda fact: fact.predicate != HAS_STATUS)[:most])


def next_chapter(stores: Stores) -> int:
    """The one after the last in the archive, or a later one that facts tell of. Of a story that is not imported it is
    the one after the last that facts tell of: what is settled has happened."""
    known, latest = stores.archive.chapters(), stores.facts.latest()
    return max(known[-1][0] + 1, latest) if known else latest + 1


def last_chapter(stores: Stores) -> int:
    """The last one that is in the archive or that facts tell of; 0 without any."""
    known = stores.archive.chapters()
    return max(known[-1][0] if known else BEFORE_THE_STORY, stores.facts.latest())
