"""Effects before their causes: a draft that tells an event whose recorded cause has not happened by its chapter.

CAUSES and BEFORE say what has to come first. A cause has not happened when all chapters on record for it are later than
the draft's, or when none is and the planning layer still has it ahead. One of which the record says neither may have
happened; so may one that the draft itself tells first, and an effect that an earlier chapter has told stays told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from memorybank.language.numerals import number
from memorybank.language.text import Piece
from memorybank.narrative.continuity.events import narrated_events
from memorybank.narrative.continuity.findings import Finding, FindingKind
from memorybank.narrative.continuity.scene import Scene
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import tell_fact, tell_plan, word
from memorybank.narrative.types import BEFORE, CAUSES, IN_CHAPTER, EntityKey, Fact, Plan, PlanStatus, normal


def effects_before_causes(drafted: Scene, stores: Stores) -> tuple[Finding, ...]:
    """One finding for each event told, with the nearest cause that is missing. Raises StoreUnavailableError."""
    return tuple(_Timeline(drafted, drafted.record.chapter, stores).findings())


@dataclass
class _Timeline:
    """What has happened by the draft's chapter."""

    scene: Scene
    chapter: int
    stores: Stores

    def findings(self) -> Iterator[Finding]:
        told_events: set[EntityKey] = set()
        for event, piece in narrated_events(self.scene):
            if event not in told_events and not self._told_before(event):
                missing = next((cause for cause in self._first(event) if self._ahead(cause.subject, told_events)), None)
                if missing is not None:
                    yield self._finding(event, piece, missing)
            told_events.add(event)

    def _first(self, effect: EntityKey) -> Iterator[Fact]:
        """What has to come first, nearest first."""
        facts = self.stores.facts
        yield from (fact for fact in facts.causes(effect) if fact.until is None)
        yield from (fact for fact in facts.about(effect) if fact.predicate == BEFORE and fact.object == effect)

    def _told_before(self, event: EntityKey) -> bool:
        return any(chapter < self.chapter for chapter in _chapters(event, self.stores.facts))

    def _ahead(self, event: EntityKey, told_events: set[EntityKey]) -> bool:
        return event not in told_events and bool(self._when(event))

    def _when(self, event: EntityKey) -> str:
        """When it is to happen, in words; empty when it may have happened."""
        chapters = _chapters(event, self.stores.facts)
        if chapters:
            later = min(chapters) > self.chapter
            return word("when_later", self.scene.told_in, chapter=min(chapters)) if later else ""
        plan = self._ahead_by_title.get(normal(self._name(event)))
        return word("when_planned", self.scene.told_in, plan=tell_plan(plan, self.scene.told_in)) if plan else ""

    @cached_property
    def _ahead_by_title(self) -> Mapping[str, Plan]:
        return {normal(plan.title): plan for plan in self.stores.plans.all() if plan.status is not PlanStatus.COMPLETED}

    def _name(self, key: EntityKey) -> str:
        return self.scene.record.name(key)

    def _finding(self, effect: EntityKey, piece: Piece, fact: Fact) -> Finding:
        start, end, quote = self.scene.quoted(piece)
        return Finding(
            kind=FindingKind.WITHOUT_CAUSE,
            start=start,
            end=end,
            against=fact,
            chapter=min(_chapters(fact.subject, self.stores.facts), default=None),
            reason=word(
                "cause_missing" if fact.predicate == CAUSES else "before_missing",
                self.scene.told_in,
                quote=quote,
                effect=self._name(effect),
                cause=self._name(fact.subject),
                when=self._when(fact.subject),
                told=tell_fact(fact, self.stores.facts.entity, self.scene.told_in),
            ),
        )


def _chapters(event: EntityKey, facts: FactLayer) -> list[int]:
    """Chapters in which an event is on record."""
    held = (fact for fact in facts.about(event) if fact.predicate == IN_CHAPTER and fact.subject == event)
    named = facts.entities([fact.object for fact in held])
    return [chapter for entity in named.values() if (chapter := number(entity.name)) is not None]
