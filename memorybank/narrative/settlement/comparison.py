"""What each drafted item is to the hub: new, known, an update, a supersession, a contradiction, both sides told.

Facts with one value at a time (`ONE_AT_A_TIME`, `ONE_OWNER`) exclude each other. Of two such facts
* the one from the same task and chapter is that task's own earlier word: it is replaced;
* the one that begins later ends the one that began before;
* when neither is said to come later, they contradict, and the author decides by ticking: a contradiction is never
  ticked beforehand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import cast

from memorybank.memory.types import Lang
from memorybank.narrative.drafts import DraftItem, Item, is_odd_hook
from memorybank.narrative.hub.contracts import FactLayer
from memorybank.narrative.hub.stores import Stores
from memorybank.narrative.hub.verbalisation import tell_entity, tell_fact, tell_plan, tell_status
from memorybank.narrative.settlement.exclusion import place, statement
from memorybank.narrative.types import (
    BEFORE_THE_STORY,
    ONE_OWNER,
    Entity,
    EntityKey,
    Fact,
    FactKey,
    Plan,
    PlanKey,
    PlanKind,
    Setting,
    TaskId,
    normal,
)
from memorybank.narrative.wording import say
from memorybank.narrative.writes import Mark, Proposal, Removal, StatusChange


@dataclass(frozen=True, slots=True, kw_only=True)
class _Marked:
    item: Item
    mark: Mark
    against: tuple[str, ...] = ()
    ends: tuple[FactKey, ...] = ()
    replaces: tuple[FactKey, ...] = ()


def marked(drafts: Sequence[DraftItem], task: TaskId, stores: Stores, lang: Lang) -> tuple[Proposal, ...]:
    """The settlement table, numbered from 1. Call it while nothing is written to the hub."""
    table = _Table(drafts, task, stores, lang)
    return tuple(table.proposal(number, draft) for number, draft in enumerate(drafts, start=1))


class _Table:
    def __init__(self, drafts: Sequence[DraftItem], task: TaskId, stores: Stores, lang: Lang) -> None:
        self._task = task
        self._lang = lang
        # Nobody writes while a table is marked, and rows by the thousand (an imported book) ask the same again.
        self._history = cache(stores.facts.history)
        self._entity_of = cache(stores.facts.entity)
        self._plan_of = cache(stores.plans.plan)
        self._setting_of = cache(stores.settings.exact)
        self._plans = {one.item.key: one.item for one in drafts if isinstance(one.item, Plan)}
        entities = {one.item.key: one.item for one in drafts if isinstance(one.item, Entity)}
        self._facts = cast(FactLayer, _Names(entities, self._entity_of))
        self._beside: dict[Hashable, list[tuple[Fact, int]]] = defaultdict(list)
        for one in drafts:
            if isinstance(one.item, Fact) and one.ticked and (of := place(one.item)) is not None:
                self._beside[of].append((one.item, max(one.turns, default=0)))

    def proposal(self, number: int, draft: DraftItem) -> Proposal:
        found = self._mark(draft.item)
        ticked, reason = draft.ticked, draft.reason
        if later := self._said_otherwise(draft):
            ticked, reason = False, say("reason_later_turn", self._lang, told=self.shown(later))
        elif found.mark is Mark.KNOWN:
            ticked, reason = False, say("reason_known", self._lang)
        elif isinstance(draft.item, Fact) and is_odd_hook(draft.item, self._facts.entity(draft.item.subject)):
            ticked, reason = False, say("reason_hook_status", self._lang)
        elif found.mark is Mark.CONTRADICTS or self._is_lost(draft.item):
            ticked = False
        return Proposal(
            number=number,
            item=found.item,
            mark=found.mark,
            against=found.against,
            ends=found.ends,
            replaces=found.replaces,
            shown=self.shown(found.item),
            turns=draft.turns,
            ticked=ticked,
            reason=reason,
        )

    def shown(self, item: Item) -> str:
        match item:
            case Entity():
                told = tell_entity(item, self._lang)
                return say("told_note", self._lang, told=told, note=item.note) if item.note else told
            case Fact():
                return tell_fact(item, self._facts, self._lang)
            case Plan():
                return self._below(item, tell_plan(item, self._lang))
            case StatusChange():
                plan = self._plan(item.plan)
                title = self._below(plan, plan.title) if plan else str(item.plan)
                return say("told_status", self._lang, plan=title, status=tell_status(item.status, self._lang))
            case Setting():
                return say("told_setting", self._lang, key=item.key, text=item.text)
            case Removal():
                return say("told_removal", self._lang, told=self.shown(item.fact))

    def _below(self, plan: Plan, told: str) -> str:
        """With the outline that it is a part of."""
        parent = self._plan(plan.parent) if plan.parent else None
        return f"{parent.title} › {told}" if parent else told

    def _mark(self, item: Item) -> _Marked:
        match item:
            case Entity():
                return self._entity(item)
            case Fact():
                return self._fact(item)
            case Plan():
                return self._of_plan(item)
            case StatusChange():
                return self._status(item)
            case Setting():
                return self._setting(item)
            case Removal():
                return self._removal(item.fact)

    def _changed(self, item: Item, known: Entity | Plan | Setting | Fact) -> _Marked:
        """Said before in other words: by the same task, or by another one."""
        mark = Mark.UPDATE if known.origin.task == self._task else Mark.SUPERSEDES
        return _Marked(item=item, mark=mark, against=(self._against(known),))

    def _against(self, known: Entity | Plan | Setting | Fact) -> str:
        return say("against_task", self._lang, told=self.shown(known), task=known.origin.task)

    # -- entities, plans, settings ------------------------------------------------------------------------------------

    def _entity(self, item: Entity) -> _Marked:
        known = self._entity_of(item.key)
        if known is None:
            return _Marked(item=item, mark=Mark.NEW)
        names = {normal(name) for name in (known.name, *known.aliases)}
        if {normal(alias) for alias in item.aliases} <= names and item.note in ("", known.note):
            return _Marked(item=item, mark=Mark.KNOWN, against=(self._against(known),))
        return self._changed(item, known)

    def _of_plan(self, item: Plan) -> _Marked:
        known = self._plan_of(item.key)
        if known is None:
            return _Marked(item=item, mark=Mark.NEW)
        told = replace(
            item,
            status=known.status,  # a plan's words never change its status
            after=item.after if item.after is not None else known.after,
            storyline=item.storyline or self._storyline_above(item) or known.storyline,
        )
        if told == replace(known, origin=told.origin):
            return _Marked(item=told, mark=Mark.KNOWN, against=(self._against(known),))
        found = self._changed(told, known)
        if told.after == known.after:
            return found
        moved = say("against_moved", self._lang, now=self._after(told), before=self._after(known))
        return replace(found, against=(*found.against, moved))

    def _after(self, plan: Plan) -> str:
        """In words: what it stands behind."""
        before = self._plan(plan.after) if plan.after else None
        return say("stands_behind", self._lang, title=before.title) if before else say("stands_first", self._lang)

    def _storyline_above(self, item: Plan) -> str:
        """Of the step's short outline, where the table gives that another one: its steps go with it."""
        above = self._plans.get(item.parent) if item.kind is PlanKind.STEP and item.parent else None
        return above.storyline if above else ""

    def _status(self, item: StatusChange) -> _Marked:
        known = self._plan(item.plan)
        if known is None:
            return _Marked(item=item, mark=Mark.NEW, against=(say("against_no_plan", self._lang),))
        if item.plan in self._plans and self._plan_of(item.plan) is None:
            return _Marked(item=item, mark=Mark.NEW)
        mark = Mark.KNOWN if known.status is item.status else Mark.SUPERSEDES
        return _Marked(item=item, mark=mark, against=(tell_plan(known, self._lang),))

    def _setting(self, item: Setting) -> _Marked:
        known = self._setting_of(item.key)
        if known is None:
            return _Marked(item=item, mark=Mark.NEW)
        if (known.text, known.category) == (item.text, item.category):
            return _Marked(item=item, mark=Mark.KNOWN, against=(self._against(known),))
        return self._changed(item, known)

    def _removal(self, fact: Fact) -> _Marked:
        """Against the fact as it stands; what it had ended holds again without it, until the next of its place."""
        known = next((one for one in self._history(fact.subject) if one.key == fact.key), None)
        if known is None:
            return _Marked(item=Removal(fact=fact), mark=Mark.KNOWN)
        others = [one for one in self._excluded(known) if one.key != known.key]
        later = [one.since for one in others if one.since > known.since]
        until = min(later, default=None)
        restores = tuple(
            replace(one, until=until)
            for one in others
            if one.until == known.since and one.since < known.since and until != known.since
        )
        told = [self._against(known), *(say("against_restores", self._lang, told=self.shown(one)) for one in restores)]
        item = Removal(fact=known, restores=restores)
        return _Marked(item=item, mark=Mark.DROPS, against=tuple(told), replaces=(known.key,))

    def _plan(self, key: PlanKey) -> Plan | None:
        return self._plan_of(key) or self._plans.get(key)

    def _is_lost(self, item: Item) -> bool:
        """Whether it would change what is not there."""
        return isinstance(item, StatusChange) and self._plan(item.plan) is None

    # -- facts --------------------------------------------------------------------------------------------------------

    def _fact(self, item: Fact) -> _Marked:
        history = self._history(item.subject)
        same = [one for one in history if statement(one) == statement(item)]
        if known := next((one for one in same if one.key == item.key), None):
            if self._adds_nothing(item, known) and item.until in (None, known.until):
                return _Marked(item=item, mark=Mark.KNOWN, against=(self._against(known),))
            kept = {} if known.origin.task == self._task else known.properties
            return self._changed(replace(item, properties={**kept, **item.properties}), known)
        item = replace(item, until=None)  # what ended it at an earlier look may be unticked or changed by now
        if own := [one for one in same if one.origin.task == self._task and _meet(one, item)]:
            return self._moved(item, own)
        if held := [one for one in same if one.holds(item.since) and not self._ended_between(one, item)]:
            if self._adds_nothing(item, held[-1]):
                return _Marked(item=item, mark=Mark.KNOWN, against=(self._against(held[-1]),))
            return self._ending(item, held)
        return self._in_place(item)

    def _ended_between(self, known: Fact, item: Fact) -> bool:
        """Whether a row of the same table ends what is known before this one begins: she left, and came back."""
        return any(
            known.since < other.since < item.since
            for other in self._beside_it(item)
            if statement(other) != statement(item)
        )

    def _adds_nothing(self, item: Fact, known: Fact) -> bool:
        """Another task's fact without its reason says less than is known, not something else; an own word is taken as
        it is, so that its author can take a reason out of it."""
        if known.origin.task == self._task:
            return dict(item.properties) == dict(known.properties)
        return item.properties.items() <= known.properties.items()

    def _moved(self, item: Fact, own: Sequence[Fact]) -> _Marked:
        """The task said the same of another chapter: that word goes, and what it had ended ends with this one."""
        begins = {one.since for one in own}
        ended = [one.key for one in self._excluded(item) if one.until in begins and one.since < item.since]
        told = tuple(self._against(one) for one in own)
        replaces = tuple(one.key for one in own)
        return _Marked(item=item, mark=Mark.UPDATE, against=told, ends=tuple(ended), replaces=replaces)

    def _in_place(self, item: Fact) -> _Marked:
        """Against the facts that it excludes."""
        others = self._excluded(item)
        follow = [one for one in (*others, *self._beside_it(item)) if one.since > item.since]
        if follow and not self._is_undated(item):
            later = min(follow, key=lambda one: one.since)
            until = later.since
            against = say("against_later", self._lang, told=self.shown(later))
            earlier = self._in_force(replace(item, until=_least(item.until, until)), others)
            return replace(earlier, against=(*earlier.against, against))
        return self._in_force(item, others)

    def _in_force(self, item: Fact, others: Sequence[Fact]) -> _Marked:
        """Against those that hold when it begins."""
        if own := [one for one in others if one.origin.task == self._task and one.since == item.since]:
            told = tuple(self._against(one) for one in own)
            return _Marked(item=item, mark=Mark.UPDATE, against=told, replaces=tuple(one.key for one in own))
        undated = self._is_undated(item)
        held = [one for one in others if (one.until is None if undated else one.holds(item.since))]
        if not held:
            return _Marked(item=item, mark=Mark.NEW)
        if undated or any(one.since == item.since for one in held):
            told = tuple(self._against(one) for one in held)
            return _Marked(item=item, mark=Mark.CONTRADICTS, against=told, ends=tuple(one.key for one in held))
        return self._ending(item, held)

    def _ending(self, item: Fact, held: Sequence[Fact]) -> _Marked:
        told = tuple(self._against(one) for one in held)
        return _Marked(item=item, mark=Mark.SUPERSEDES, against=told, ends=tuple(one.key for one in held))

    def _excluded(self, item: Fact) -> list[Fact]:
        of = place(item)
        if of is None:
            return []
        end = item.object if item.predicate in ONE_OWNER else item.subject
        return [
            one
            for one in self._history(end)
            if place(one) == of and statement(one) != statement(item) and ever_held(one)
        ]

    def _beside_it(self, item: Fact) -> list[Fact]:
        """Facts of the same table that exclude it."""
        of = place(item)
        return [one for one, _ in self._beside.get(of, ()) if one.key != item.key] if of is not None else []

    def _is_undated(self, item: Fact) -> bool:
        """Whether nothing says when it began."""
        return item.since == BEFORE_THE_STORY and item.origin.chapter is None

    def _said_otherwise(self, draft: DraftItem) -> Fact | None:
        """A fact of the same table that excludes this one from the same chapter on and was said later."""
        item = draft.item
        if not isinstance(item, Fact) or place(item) is None:
            return None
        at = max(draft.turns, default=0)
        others = (
            other
            for other, turn in self._beside.get(place(item), ())
            if turn > at and other.since == item.since and other.key != item.key
        )
        return next(others, None)


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of entities, those of the table first: all that telling a fact asks of the fact layer."""

    drafted: Mapping[EntityKey, Entity]
    known: Callable[[EntityKey], Entity | None]

    def entity(self, key: EntityKey) -> Entity | None:
        return self.drafted.get(key) or self.known(key)


def ever_held(fact: Fact) -> bool:
    """False for what was taken back by ending it where it began."""
    return fact.until is None or fact.until > fact.since


def _meet(one: Fact, other: Fact) -> bool:
    """Whether two tellings of a statement speak of one stretch of the story: neither ended before the other began."""
    return (one.until is None or one.until >= other.since) and (other.until is None or other.until >= one.since)


def _least(first: int | None, second: int) -> int:
    return second if first is None else min(first, second)
