"""Each drafted item is compared with the hub: new, known, an update, a supersession, a contradiction, in words.

Facts with one value at a time (`relations.py`) exclude each other. Of two such facts
* the one from the same task and chapter is that task's own earlier word: it is replaced;
* the one that begins later ends the one that began before;
* when neither is said to come later, they contradict, and the author decides by ticking: a contradiction is never
  ticked beforehand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, Item, is_odd_hook, rekeyed
from memorybank_studio.hub.records import merged_entity
from memorybank_studio.hub.stores import Stores
from memorybank_studio.hub.verbalisation import tell, tell_plan, tell_status
from memorybank_studio.relations import holder, place, statement
from memorybank_studio.types import (
    BEFORE_THE_STORY,
    BY_HAND,
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
from memorybank_studio.wording import say
from memorybank_studio.writes import Mark, Proposal, Removal, StatusChange


@dataclass(frozen=True, slots=True)
class Telling:
    """An item in a sentence: for the table, and for a model that is told what was read so far."""

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
        parent = self.plan_of(plan.parent) if plan.parent else None
        return f"{parent.title} › {words}" if parent else words


def marked(drafts: Sequence[DraftItem], task: TaskId, stores: Stores, lang: Lang) -> tuple[Proposal, ...]:
    """Return the settlement table, numbered from 1. Call it while nothing is written to the hub."""
    drafts = as_on_record(drafts, stores)
    table = _Table(drafts, task, stores, lang)
    return tuple(table.proposal(number, draft) for number, draft in enumerate(drafts, start=1))


class _Table:
    def __init__(self, drafts: Sequence[DraftItem], task: TaskId, stores: Stores, lang: Lang) -> None:
        self._task = task
        self._lang = lang
        # Nobody writes while a table is marked, and rows by the thousand (an imported book) ask the same again.
        self._history = cache(stores.facts.history)
        self._known_entity = cache(stores.facts.entity)
        self._plan_of = cache(stores.plans.plan)
        self.shown = Telling(self._entity, self._plan, lang)
        self._setting_of = cache(stores.settings.exact)
        self._plans = {draft.item.key: draft.item for draft in drafts if isinstance(draft.item, Plan)}
        self._entities = {draft.item.key: draft.item for draft in drafts if isinstance(draft.item, Entity)}
        self._beside: dict[Hashable, list[tuple[Fact, int]]] = defaultdict(list)
        for draft in drafts:
            if isinstance(draft.item, Fact) and draft.ticked and (of := place(draft.item)) is not None:
                self._beside[of].append((draft.item, max(draft.turns, default=0)))

    def proposal(self, number: int, draft: DraftItem) -> Proposal:
        marked = self._mark(draft.item)
        ticked, reason = draft.ticked, draft.reason
        if later := self._later_word(draft):
            ticked, reason = False, say("reason_later_turn", self._lang, told=self.shown(later))
        elif marked.mark is Mark.KNOWN:
            ticked, reason = False, say("reason_known", self._lang)
        elif isinstance(draft.item, Fact) and is_odd_hook(draft.item, self._entity(draft.item.subject)):
            ticked, reason = False, say("reason_hook_status", self._lang)
        elif marked.mark is Mark.CONTRADICTS:
            ticked = False
        elif isinstance(draft.item, StatusChange) and self._plan(draft.item.plan) is None:
            ticked = False  # it would change what is not there
        return replace(
            marked, number=number, shown=self.shown(marked.item), turns=draft.turns, ticked=ticked, reason=reason
        )

    def _mark(self, item: Item) -> Proposal:
        match item:
            case Entity():
                known = self._known_entity(item.key)
                if known is None:
                    return self._row(item)
                more = {*map(normal, item.aliases)} - {*map(normal, (known.name, *known.aliases))}
                if not more and item.note in ("", known.note) and item.ranks in ((), known.ranks):
                    return self._against(item, Mark.KNOWN, known)
                return self._changed(item, known)
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

    def _changed(self, item: Item, known: Entity | Plan | Setting | Fact) -> Proposal:
        """Return the row of what was said before in other words: by the same task, or by another one."""
        return self._against(item, Mark.UPDATE if known.origin.task == self._task else Mark.SUPERSEDES, known)

    def _against(
        self,
        item: Item,
        mark: Mark,
        *known: Entity | Plan | Setting | Fact,
        ends: Iterable[FactKey] = (),
        replaces: Iterable[FactKey] = (),
    ) -> Proposal:
        """Return the item beside what the hub knows, each told with its task and the words that it stands on."""
        sides = [self._side(side) for side in known]
        return self._row(item, mark, tuple(sides), ends=tuple(ends), replaces=tuple(replaces))

    def _row(self, item: Item, mark: Mark = Mark.NEW, against: tuple[str, ...] = (), **more: Any) -> Proposal:
        return Proposal(number=0, item=item, mark=mark, against=against, shown="", **more)

    def _side(self, known: Entity | Plan | Setting | Fact) -> str:
        key = "against_source" if known.origin.source else "against_task"
        key = "against_hand" if known.origin.task == BY_HAND else key
        told, source = self.shown(known), known.origin.source
        return say(key, self._lang, told=told, task=known.origin.task, source=source)

    def _entity(self, key: EntityKey) -> Entity | None:
        return self._entities.get(key) or self._known_entity(key)

    def _of_plan(self, item: Plan) -> Proposal:
        known = self._plan_of(item.key)
        if known is None:
            return self._row(item)
        above = self._plans.get(item.parent) if item.kind is PlanKind.STEP and item.parent else None  # it goes with it
        plan = replace(
            item,
            status=known.status,  # a plan's words never change its status
            after=item.after if item.after is not None else known.after,
            storyline=item.storyline or (above.storyline if above else "") or known.storyline,
        )
        if plan == replace(known, origin=plan.origin):
            return self._against(plan, Mark.KNOWN, known)
        marked = self._changed(plan, known)
        if plan.after == known.after:
            return marked
        moved = say("against_moved", self._lang, now=self._after(plan), before=self._after(known))
        return replace(marked, against=(*marked.against, moved))

    def _after(self, plan: Plan) -> str:
        before = self._plan(plan.after) if plan.after else None
        return say("stands_behind", self._lang, title=before.title) if before else say("stands_first", self._lang)

    def _status(self, item: StatusChange) -> Proposal:
        known = self._plan(item.plan)
        if known is None:
            return self._row(item, against=(say("against_no_plan", self._lang),))
        if item.plan in self._plans and self._plan_of(item.plan) is None:
            return self._row(item)
        mark = Mark.KNOWN if known.status is item.status else Mark.SUPERSEDES
        return self._row(item, mark, (tell_plan(known, self._lang),))

    def _setting(self, item: Setting) -> Proposal:
        known = self._setting_of(item.key)
        if known is None:
            return self._row(item)
        if not item.since and known.since:  # it says nothing of chapters: the newest state is meant
            item = replace(item, since=known.since, until=item.until or known.until)
        state = next((state for state in known.states if state.since == item.since), known.states[-1])
        item = replace(item, earlier=tuple(other for other in known.states if other.since != item.since))
        if state == replace(item, key=state.key, origin=state.origin, earlier=()):
            return self._against(item, Mark.KNOWN, state)
        return self._changed(item, state)

    def _removal(self, fact: Fact) -> Proposal:
        """Compare a removal with the fact; what it had ended holds again without it, until the next of its place."""
        known = next((other for other in self._history(fact.subject) if other.key == fact.key), None)
        if known is None:
            return self._row(Removal(fact=fact), Mark.KNOWN)
        others = [other for other in self._excluded(known) if other.key != known.key]
        until = min((other.since for other in others if other.since > known.since), default=None)
        restores = tuple(
            replace(other, until=until)
            for other in others
            if other.until == known.since and other.since < known.since and until != known.since
        )
        removal = self._against(Removal(fact=known, restores=restores), Mark.DROPS, known, replaces=[known.key])
        held_again = [say("against_restores", self._lang, told=self.shown(other)) for other in restores]
        return replace(removal, against=(*removal.against, *held_again))

    def _plan(self, key: PlanKey) -> Plan | None:
        return self._plan_of(key) or self._plans.get(key)

    def _fact(self, item: Fact) -> Proposal:
        history = self._history(item.subject)
        same = [other for other in history if statement(other) == statement(item)]
        if known := next((other for other in same if other.key == item.key), None):
            if self._adds_nothing(item, known) and item.until in (None, known.until):
                return self._against(item, Mark.KNOWN, known)
            kept = {} if known.origin.task == self._task else known.properties
            return self._changed(replace(item, properties={**kept, **item.properties}), known)
        item = replace(item, until=None)  # what ended it at an earlier look may be unticked or changed by now
        met = (other for other in same if other.until is None or other.until >= item.since)  # one stretch of the story
        own = [other for other in met if other.origin.task == self._task]
        if own and self._task != BY_HAND:  # in the bible an author changes the fact itself; one that is added goes on
            return self._moved(item, own)
        if held := [other for other in same if other.holds(item.since) and not self._ended_between(other, item)]:
            if self._adds_nothing(item, held[-1]):
                return self._against(item, Mark.KNOWN, held[-1])
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
        """Whether another task's fact says no more than is known; the task's own word is taken as it is."""
        if known.origin.task == self._task:
            return dict(item.properties) == dict(known.properties)
        return item.properties.items() <= known.properties.items()

    def _moved(self, item: Fact, own: Sequence[Fact]) -> Proposal:
        """The task said the same of another chapter: that word goes, and what it had ended ends with this one."""
        begins = {other.since for other in own}
        ended = [other.key for other in self._excluded(item) if other.until in begins and other.since < item.since]
        return self._against(item, Mark.UPDATE, *own, ends=ended, replaces=[other.key for other in own])

    def _in_place(self, item: Fact) -> Proposal:
        others = self._excluded(item)
        follow = [other for other in (*others, *self._beside_it(item)) if other.since > item.since]
        if follow and not self._is_undated(item):
            later = min(follow, key=lambda other: other.since)
            until = later.since if item.until is None else min(item.until, later.since)
            earlier = self._in_force(replace(item, until=until), others)
            against = say("against_later", self._lang, told=self.shown(later))
            return replace(earlier, against=(*earlier.against, against))
        return self._in_force(item, others)

    def _in_force(self, item: Fact, others: Sequence[Fact]) -> Proposal:
        """Compare the fact with those that hold when it begins."""
        if own := [other for other in others if other.origin.task == self._task and other.since == item.since]:
            return self._against(item, Mark.UPDATE, *own, replaces=[other.key for other in own])
        undated = self._is_undated(item)
        held = [other for other in others if (other.until is None if undated else other.holds(item.since))]
        if not held:
            return self._row(item)
        if undated or any(other.since == item.since for other in held):
            return self._against(item, Mark.CONTRADICTS, *held, ends=[other.key for other in held])
        return self._ending(item, held)

    def _ending(self, item: Fact, held: Sequence[Fact]) -> Proposal:
        return self._against(item, Mark.SUPERSEDES, *held, ends=[other.key for other in held])

    def _excluded(self, item: Fact) -> list[Fact]:
        of = place(item)
        if of is None:
            return []
        held = filter(ever_held, self._history(holder(item)))
        return [other for other in held if place(other) == of and statement(other) != statement(item)]

    def _beside_it(self, item: Fact) -> list[Fact]:
        of = place(item)
        return [other for other, _ in self._beside.get(of, ()) if other.key != item.key] if of is not None else []

    def _is_undated(self, item: Fact) -> bool:
        return item.since == BEFORE_THE_STORY and item.origin.chapter is None

    def _later_word(self, draft: DraftItem) -> Fact | None:
        """Return a fact of the same table that excludes this one from the same chapter on and was said later."""
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


def ever_held(fact: Fact) -> bool:
    """Say whether the fact ever held: not if it was taken back by ending it where it began."""
    return fact.until is None or fact.until > fact.since


def as_on_record(drafts: Sequence[DraftItem], stores: Stores) -> list[DraftItem]:
    """Return the drafts, those of renamed entities and plans as what they are. Raises StoreUnavailableError."""
    entities = {item.key: known for item in _entities(drafts) if (known := _renamed(item, stores)) is not None}
    plans = _renamed_plans(drafts, stores)
    if not entities and not plans:
        return list(drafts)
    return [replace(draft, item=_known(draft.item, entities, plans)) for draft in drafts]


def _entities(drafts: Sequence[DraftItem]) -> list[Entity]:
    return [draft.item for draft in drafts if isinstance(draft.item, Entity) and not draft.item.keyed_as]


def _renamed(entity: Entity, stores: Stores) -> Entity | None:
    for known in stores.facts.named(entity.name):
        if known.kind is entity.kind and known.keyed_as and normal(known.name) == normal(entity.name):
            return known if known.key != entity.key else None
    return None


def _renamed_plans(drafts: Sequence[DraftItem], stores: Stores) -> dict[PlanKey, Plan]:
    drafted = [draft.item for draft in drafts if isinstance(draft.item, Plan) and not draft.item.keyed_as]
    retitled = [plan for plan in stores.plans.all() if plan.keyed_as] if drafted else []
    by_title = {(plan.kind, plan.parent, normal(plan.title)): plan for plan in retitled}
    known = {plan.key: by_title.get((plan.kind, plan.parent, normal(plan.title))) for plan in drafted}
    return {key: plan for key, plan in known.items() if plan is not None and plan.key != key}


def _known(item: Item, entities: Mapping[EntityKey, Entity], plans: Mapping[PlanKey, Plan]) -> Item:
    match item:
        case Entity() if (known := entities.get(item.key)) is not None:
            return replace(merged_entity(known, item), origin=item.origin)
        case Plan() if (plan := plans.get(item.key)) is not None:
            item = replace(item, title=plan.title, keyed_as=plan.keyed_as)
    keys: dict[EntityKey | PlanKey, EntityKey | PlanKey] = {key: known.key for key, known in entities.items()}
    return rekeyed(item, keys | {key: known.key for key, known in plans.items()})
