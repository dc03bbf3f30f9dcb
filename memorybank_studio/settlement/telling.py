"""An item of a settlement in a sentence: for its table, and for a model that is told what was read so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from memorybank.memory.types import Lang
from memorybank_studio.drafts import Item
from memorybank_studio.hub.verbalisation import tell, tell_plan, tell_status
from memorybank_studio.types import Entity, EntityKey, Plan, PlanKey
from memorybank_studio.wording import say
from memorybank_studio.writes import Removal, StatusChange


@dataclass(frozen=True, slots=True)
class Telling:
    entity_of: Callable[[EntityKey], Entity | None]
    plan_of: Callable[[PlanKey], Plan | None]
    lang: Lang

    def __call__(self, item: Item) -> str:
        match item:
            case Plan():
                return self._below(item, tell_plan(item, self.lang))
            case StatusChange():
                plan = self.plan_of(item.plan)
                title = self._below(plan, plan.title) if plan else str(item.plan)
                return say("told_status", self.lang, plan=title, status=tell_status(item.status, self.lang))
            case Removal():
                return say("told_removal", self.lang, told=self(item.fact))
            case _:
                return tell(item, self.entity_of, self.lang)

    def _below(self, plan: Plan, words: str) -> str:
        """With the outline that it is a part of."""
        parent = self.plan_of(plan.parent) if plan.parent else None
        return f"{parent.title} › {words}" if parent else words
