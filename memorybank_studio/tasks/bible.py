"""The bible edited by hand: an entry is added, changed or deleted at once, and that can be undone.

It is carried out as a settlement is: the whole set in the journal first, then into the stores; what a crash interrupts
is finished at the next opening. What was settled before stays in the journal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memorybank.errors import InputError
from memorybank.memory.types import Lang
from memorybank_studio.drafts import DraftItem, rekeyed
from memorybank_studio.hub.plan_rules import planned
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.hub.verbalisation import tell, tell_fact
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import BibleChanged
from memorybank_studio.relations import relation_of
from memorybank_studio.settlement.applying import Applier, changed_since, check
from memorybank_studio.settlement.comparison import marked
from memorybank_studio.settlement.edits import added, edited, shown_name, values_of
from memorybank_studio.settlement.settler import write_set
from memorybank_studio.types import (
    BY_HAND,
    HAS_STATUS,
    UNRESOLVED,
    Entity,
    EntityKey,
    EntityKind,
    Fact,
    FactKey,
    Origin,
    Plan,
    PlanKey,
    PlanStatus,
    Setting,
    normal,
)
from memorybank_studio.wording import say
from memorybank_studio.writes import Mark, Placement, Proposal, ProposalKind, StatusChange, WriteSet

Entry = Entity | Fact | Setting | Plan


class Bible:
    """Thread-safe: it waits for its turn at the hub."""

    def __init__(self, desk: Desk, hub: SharedHub, applier: Applier, lang: Lang) -> None:
        """Keep the parts it works with; `lang` is the story's language."""
        self._desk = desk
        self._hub = hub
        self._applier = applier
        self._lang = lang

    @property
    def last(self) -> BibleChanged | None:
        """Return the change that `undo` would take back."""
        return self.changes[-1] if self.changes else None

    @property
    def changes(self) -> tuple[BibleChanged, ...]:
        """Return all that can be undone, the last one last."""
        return tuple(self._desk.state.changes)

    def add(self, *entries: tuple[ProposalKind, Mapping[str, str]]) -> bool:
        """Add entries of these kinds with these fields (`settlement.edits.FIELDS`); a fact ends what it cannot stand
        beside, a hook is open from its `chapter` on. True: they are in the hub; False: they wait for a store that is
        away. Raises InputError for values that cannot be, and for an entry that is there already."""
        with self._hub.changing() as stores:
            rows: Sequence[Proposal] = ()
            every = list(entries)
            for _, values in entries:
                if values.get("kind") == EntityKind.HOOK:
                    every.append(("fact", status_of(values["name"], UNRESOLVED, values.get("chapter", ""))))
            for kind, values in every:
                rows = added(rows, kind, values, Origin(task=BY_HAND), stores)
            known = marked([DraftItem(item=row.item, turns=()) for row in rows], BY_HAND, stores, self._lang)
            for row in known:
                is_there = isinstance(row.item, Entity) and stores.facts.entity(row.item.key) is not None
                if is_there or row.mark is Mark.KNOWN:
                    raise InputError("bible.known", what=row.shown[:80])
            writes = write_set(self._desk.next_settlement(), BY_HAND, known)
            return self._write(known[-1 if len(every) == 1 else 0].shown, writes, stores, _back(writes, stores))

    def change(self, entry: Entry, values: Mapping[str, str], *, is_new_state: bool = False) -> bool:
        """Give an entry other values; fields that are not named keep theirs, and a name is changed by a rename. What
        stands of a setting is history where the values tell a new state of it. Raises as `add`, and where the entry has
        been changed meanwhile."""
        with self._hub.changing() as stores:
            self._check_there(entry, stores)
            entry = entry.states[-1] if isinstance(entry, Setting) else entry
            row = Proposal(number=1, item=entry, mark=Mark.NEW, shown="")
            kept = values_of(entry, (row,), stores)
            fixed = {"title": kept["title"]} if isinstance(entry, Plan) else {}
            changed, *more = (row.item for row in edited([row], 1, {**kept, **values, **fixed}, stores))
            writes = WriteSet(
                id=self._desk.next_settlement(),
                task=BY_HAND,
                entities=tuple(item for item in more if isinstance(item, Entity)),
            )
            match entry, changed:
                case Entity(), Entity():
                    same = replace(changed, name=entry.name, keyed_as=entry.keyed.keyed_as)
                    writes = replace(writes, entities=(same,))
                    card = stores.settings.exact(entry.name)
                    if card is not None and card.text == entry.note and same.note:  # what a card says is a setting too
                        writes = replace(writes, settings=(replace(card, text=same.note),))
                    if same.kind is not entry.kind:
                        writes = self._of_other_kind(writes, entry, same, stores)
                case Fact(), Fact():
                    writes = replace(writes, facts=(changed,), replaces=(entry.key,))
                case Setting(), Setting():
                    gone = (entry.key,) if normal(entry.key) != normal(changed.key) else ()
                    if gone and stores.settings.exact(changed.key) is not None:
                        raise InputError("bible.known", what=changed.key[:80])
                    others = _other_states(entry, stores, and_itself=is_new_state)
                    if changed.since in {state.since for state in others}:
                        raise InputError("bible.begins_there", what=changed.key[:80], chapter=changed.since)
                    note = "" if others else changed.text  # a card's text has chapters as a setting alone
                    cards = (known for known in stores.facts.named(entry.key) if known.note == entry.text)
                    writes = replace(
                        writes,
                        entities=tuple(replace(card.keyed, note=note) for card in cards),
                        settings=(changed.with_states(others),),
                        settings_gone=gone,
                    )
                case Plan(), Plan():
                    title = values.get("title", "").strip() or entry.title
                    same_plan = replace(changed, title=title, keyed_as=entry.keyed.keyed_as, after=None)
                    writes = replace(writes, plans=(same_plan,))
            told = tell_fact(entry, stores.facts.entity, self._lang) if isinstance(entry, Fact) else shown_name(entry)
            return self._write(told, writes, stores, _back(writes, stores, entry))

    def _of_other_kind(self, writes: WriteSet, entry: Entity, changed: Entity, stores: Stores) -> WriteSet:
        """Let what is on record of an entity go with it. Raises InputError where a relation cannot lead from or to what
        it becomes, and where there is one of its name and kind already."""
        if stores.facts.entity(changed.key) is not None:
            raise InputError("bible.known", what=entry.name[:80])
        facts = stores.facts.history(entry.key)
        for fact in facts:
            relation = relation_of(fact.predicate)
            for end, kinds in zip(fact.ends, (relation.subjects, relation.objects), strict=True):
                if end == entry.key and entry.kind in kinds and changed.kind not in kinds:
                    raise InputError("bible.kind", what=tell_fact(fact, stores.facts.entity, self._lang))
        moved = (rekeyed(fact, {entry.key: changed.key}) for fact in facts)
        return replace(
            writes,
            entities_gone=(entry.key,),
            facts=tuple(fact for fact in moved if isinstance(fact, Fact)),
            replaces=tuple(fact.key for fact in facts),
        )

    def delete(self, entry: Entity | Fact | Setting) -> bool:
        """Take an entry out, an entity with all facts about it, of a setting the state that is given. Raises InputError
        where it was changed meanwhile."""
        with self._hub.changing() as stores:
            self._check_there(entry, stores)
            writes = WriteSet(id=self._desk.next_settlement(), task=BY_HAND)
            match entry:
                case Entity():
                    facts = tuple(fact.key for fact in stores.facts.history(entry.key))
                    writes = replace(writes, entities_gone=(entry.key,), replaces=facts)
                case Fact():
                    writes = replace(writes, replaces=(entry.key,))
                case Setting():
                    rest = _other_states(entry, stores)
                    kept = (rest[0].with_states(rest),) if rest else ()
                    writes = replace(writes, settings=kept, settings_gone=() if rest else (entry.key,))
            told = say("deleted", self._lang, what=tell(entry, stores.facts.entity, self._lang))
            return self._write(told, writes, stores, _back(writes, stores, entry))

    def turn(self, plan: Plan, status: PlanStatus) -> bool:
        """Change a plan's status; what is above it, in it and beside it follows. Raises InputError where it has another
        one by now than the author sees."""
        with self._hub.changing() as stores:
            now = stores.plans.plan(plan.key)
            if now is None or now.status is not plan.status:
                raise InputError("plan.turned_meanwhile", title=plan.title[:80])
            return self._on_board(plan, stores, statuses=(StatusChange(plan=plan.key, status=status),))

    def place(self, step: Plan, storyline: str, before: PlanKey | None = None) -> bool:
        """Give a step another place, or another storyline; before which step of it, or behind all. Raises InputError
        for a place that there is not."""
        with self._hub.changing() as stores:
            place = Placement(plan=step.key, storyline=storyline, before=before)
            return self._on_board(step, stores, places=(place,))

    def _on_board(self, plan: Plan, stores: Stores, **changes: Any) -> bool:
        writes = WriteSet(id=self._desk.next_settlement(), task=BY_HAND, **changes)
        return self._write(plan.title, writes, stores, _back(writes, stores))

    def undo(self) -> bool:
        """Take the last change back, exactly. Raises InputError where there is none, or it was changed since."""
        with self._hub.changing() as stores:
            last = self.last
            wrote = self._desk.state.written_by_hand.get(last.settlement) if last is not None else None
            if last is None or last.back is None or wrote is None:
                raise InputError("bible.nothing")
            facts = {fact.key for fact in wrote.facts}
            about = (fact for key in last.back.entities_gone for fact in stores.facts.history(key))
            told_since = next((last.what for fact in about if fact.key not in facts), "")
            dropped = {change.plan for change in last.back.statuses} & {plan.key for plan in wrote.plans}
            added_ = filter(None, map(stores.plans.plan, dropped))
            turned = next((plan.title for plan in added_ if plan.status is not PlanStatus.PENDING), "")
            if changed := changed_since(wrote, stores) or told_since or turned:
                raise InputError("bible.changed_since", what=changed[:80])
            return self._write(last.what, replace(last.back, id=self._desk.next_settlement()), stores)

    def _check_there(self, entry: Entry, stores: Stores) -> None:
        match entry:
            case Entity():
                now: Entry | None = stores.facts.entity(entry.key)
            case Fact():
                now = next((fact for fact in stores.facts.history(entry.subject) if fact.key == entry.key), None)
            case Setting():
                whole = stores.settings.exact(entry.key)
                now = entry if whole and entry in whole.states else whole
            case Plan():
                now = stores.plans.plan(entry.key)
        if now != entry:
            raise InputError("bible.changed_since", what=shown_name(entry)[:80])

    def _write(self, what: str, writes: WriteSet, stores: Stores, back: WriteSet | None = None) -> bool:
        check(writes, stores)
        changed = BibleChanged(settlement=writes.id, what=what, back=back, at=self._desk.clock())
        return self._applier.confirm(writes, changed) is None


def _other_states(entry: Setting, stores: Stores, *, and_itself: bool = False) -> list[Setting]:
    """Return what is on record of a setting beside the states that are given, or with them."""
    whole = stores.settings.exact(entry.key)
    return [state for state in whole.states if and_itself or state not in entry.states] if whole else []


def status_of(name: str, status: str, chapter: str) -> dict[str, str]:
    """Return the fields of a fact that says how it stands with something."""
    return {"subject": name, "predicate": HAS_STATUS, "object": status, "chapter": chapter, "properties": ""}


def _back(writes: WriteSet, stores: Stores, entry: Entry | None = None) -> WriteSet:
    """Return the set that restores all that this one changes."""
    known = {plan.key: plan for plan in stores.plans.all()}
    after = planned(known, writes.plans, writes.statuses, writes.places)
    follower = {plan.after: plan.key for plan in known.values() if plan.after is not None}
    turned = [plan for plan in known.values() if after[plan.key].status is not plan.status]
    touched = {end for fact in writes.facts for end in fact.ends} | set(writes.entities_gone)
    touched |= {entry.subject} if isinstance(entry, Fact) else set[EntityKey]()
    facts: dict[FactKey, Fact] = {fact.key: fact for end in touched for fact in stores.facts.history(end)}
    keys = dict.fromkeys([*writes.replaces, *(key for key, _ in writes.ends), *(fact.key for fact in writes.facts)])
    before = stores.facts.entities([*(entity.key for entity in writes.entities), *writes.entities_gone])
    plans = [(plan.key, known.get(plan.key)) for plan in writes.plans]
    entries = [
        (key, stores.settings.exact(key)) for key in (*(new.key for new in writes.settings), *writes.settings_gone)
    ]
    return WriteSet(
        id=writes.id,
        task=writes.task,
        entities=tuple(entity.keyed for entity in before.values()),
        entities_gone=tuple(entity.key for entity in writes.entities if entity.key not in before),
        facts=tuple(facts[key] for key in keys if key in facts),
        replaces=tuple(keys),
        plans=tuple(replace(plan.keyed, after=None) for _, plan in plans if plan),
        statuses=(
            *(StatusChange(plan=key, status=PlanStatus.DROPPED) for key, plan in plans if plan is None),
            *(StatusChange(plan=plan.key, status=plan.status) for plan in reversed(turned)),  # what is deepest first
        ),
        places=tuple(
            Placement(plan=place.plan, storyline=known[place.plan].storyline, before=follower.get(place.plan))
            for place in writes.places
        ),
        settings=tuple(kept for _, kept in entries if kept is not None),
        settings_gone=tuple(key for key, kept in entries if kept is None),
    )
