"""A confirmed set into the stores: checked before it is confirmed, then all of it, however often it takes.

Every store writes its part in a transaction of its own, with keys that make a second writing change nothing. So a set
that was interrupted (a crash, a store that died) is simply written again from the beginning, and nobody reads the hub
in between (`hub/shared.py`). A set that a store refuses before anything of it is written is given back to its author;
one that is refused after that stays confirmed and keeps readers out, for nothing takes back what is written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from memorybank.errors import (
    InputError,
    LockedError,
    MemoryBankError,
    ModelUnavailableError,
    Notice,
    StoreUnavailableError,
)
from memorybank_studio.drafts import is_odd_hook
from memorybank_studio.hub import labels
from memorybank_studio.hub.plan_rules import planned
from memorybank_studio.hub.records import entity_properties, fact_properties, labels_of, plan_properties
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import (
    SettlementApplied,
    SettlementBegun,
    SettlementConfirmed,
    SettlementFailed,
    TaskClosed,
)
from memorybank_studio.relations import LEADS_TO
from memorybank_studio.types import BY_HAND, RESOLVED, UNRESOLVED, EntityKey, PlanKey, normal
from memorybank_studio.writes import WriteSet

_NOTHING: Final = "-"
"""A key that no store has: asking for it tells whether the store answers."""

RETRY_SECONDS: Final = 3.0
"""A store that was down is asked again after this, at the earliest."""
UNREACHABLE: Final = (StoreUnavailableError, LockedError, ModelUnavailableError)
"""A store, or the model whose vectors it keeps, that may take tomorrow what it cannot take now."""


def check(writes: WriteSet, stores: Stores) -> None:
    """Whether every store will take its part. Raises InputError naming what it would refuse, StoreUnavailableError."""
    for entity in writes.entities:
        labels_of(entity)
        entity_properties(entity)
        if not normal(entity.name):
            raise InputError("settlement.no_name", kind=entity.kind.value)
    known = {entity.key: entity for entity in writes.entities}
    for fact in writes.facts:
        fact_properties(fact)
        if fact.until is not None and fact.until <= fact.since:
            raise InputError("settlement.never_holds", since=fact.since, until=fact.until)
        ends = [known.get(end) or stores.facts.entity(end) for end in (fact.subject, fact.object)]
        if None in ends:
            raise InputError("settlement.unknown_entity")
        if ends[0] and is_odd_hook(fact, ends[0]):
            raise InputError("settlement.hook_status", name=ends[0].name[:60], unresolved=UNRESOLVED, resolved=RESOLVED)
        wanted = LEADS_TO.get(fact.predicate)
        if wanted and ends[1] and ends[1].kind is not wanted:
            raise InputError("settlement.wrong_object", name=ends[1].name[:40])
    for plan in writes.plans:
        plan_properties(plan)
    plans = (writes.plans, writes.statuses, writes.places)
    if any(plans):
        planned({plan.key: plan for plan in stores.plans.all()}, *plans)
    for setting in writes.settings:
        if not normal(setting.key) or not setting.text.strip():
            raise InputError("settlement.bad_setting", key=setting.key[:40])
        for written in (setting.key, setting.category, setting.text, setting.origin.source):
            labels.text(written, f"the setting {setting.key[:40]!r}")


def changed_since(wrote: WriteSet, stores: Stores) -> str:
    """Return the first thing that does not stand any more as the set wrote it; empty: all does."""
    for entity in wrote.entities:
        now = stores.facts.entity(entity.key)
        if now is None or replace(now, origin=entity.origin, keyed_as=entity.keyed_as) != entity:
            return entity.name
    for fact in wrote.facts:
        now_facts = {known.key: known for known in stores.facts.history(fact.subject)}
        if fact.key not in now_facts or dict(now_facts[fact.key].properties) != dict(fact.properties):
            return fact.predicate
    for plan in wrote.plans:
        known = stores.plans.plan(plan.key)
        if known is None or (known.title, known.text) != (plan.title, plan.text):
            return plan.title
    board = {plan.key: plan for plan in stores.plans.all()}
    again = planned(board, (), wrote.statuses, wrote.places)  # what still stands is not changed by that
    if turned := [plan.title for plan in board.values() if again[plan.key] != plan]:
        return turned[-1]
    for setting in wrote.settings:
        if stores.settings.exact(setting.key) != setting:
            return setting.key
    for number in dict.fromkeys(chunk.chapter_id for chunk in wrote.chunks):
        if stores.archive.chapter(number) != tuple(chunk for chunk in wrote.chunks if chunk.chapter_id == number):
            return str(number)
    return ""


class Applier:
    """Writes what was confirmed, in the order of confirmation, and closes its tasks."""

    def __init__(self, desk: Desk, hub: SharedHub) -> None:
        """Let nobody read until the set that an earlier run left confirmed, maybe half written, is whole."""
        self._desk = desk
        self._hub = hub
        self._tried = float("-inf")
        if desk.confirmed():
            hub.half_written = _half_written(Notice("settlement.interrupted"))
        hub.before_entering = self.finish

    def finish(self) -> None:
        """Write what waits, unless that failed a moment ago. What fails is told by those who confirm and who read."""
        if not self._desk.confirmed() and not self._desk.applied():
            return
        with self._hub.writing():
            now = self._desk.clock()
            if 0 <= now - self._tried < RETRY_SECONDS:
                return
            try:
                self.apply()
            except UNREACHABLE:
                self._tried = now

    def confirm(self, writes: WriteSet, *with_it: object) -> MemoryBankError | None:
        """Write a set by its author's word, `with_it` events that go into the journal ahead of it. None: it is in the
        hub; else why it waits in the journal. Raises InputError for what the hub refuses."""
        self._desk.append(*with_it, SettlementConfirmed(writes=writes, at=self._desk.clock()))
        try:
            self.apply()
        except UNREACHABLE as error:
            return error
        if failed := self._desk.state.failed.get(writes.task):
            raise InputError(failed.why)
        return None

    def apply(self) -> None:
        """Write everything that waits. A set that the hub refuses before anything of it is written waits no longer: its
        task stays open, and the reason is in the journal. Raises what is `UNREACHABLE`, StoreUnavailableError too for a
        set that is refused when a part of it is written; the set, and those after it, wait on."""
        with self._hub.writing() as stores:
            for task in self._desk.applied():  # a crash came between the two
                self._desk.append(TaskClosed(task=task, at=self._desk.clock()))
            for writes in self._desk.confirmed():
                self._apply_one(writes, stores)

    def _apply_one(self, writes: WriteSet, stores: Stores) -> None:
        is_begun = writes.id in self._desk.state.begun
        parts = _parts(writes, stores)
        try:
            for part in parts:  # so that mostly nothing is begun that cannot be ended
                part.reach()
            check(writes, stores)
            self._hub.half_written = _half_written(Notice("settlement.being_written"))
            if not is_begun:
                self._desk.append(SettlementBegun(settlement=writes.id, at=self._desk.clock()))
            for part in parts:
                part.write()
                is_begun = True
        except InputError as error:
            if is_begun:
                self._hub.half_written = _half_written(error)
                raise StoreUnavailableError("settlement.refused_late", reason=error) from None
            notice = error.notice.stored()
            self._desk.append(
                SettlementFailed(settlement=writes.id, reason=str(error), notice=notice, at=self._desk.clock())
            )
            self._hub.half_written = None
            return
        except UNREACHABLE as error:
            if self._hub.half_written:
                self._hub.half_written = _half_written(error)
            raise
        now = self._desk.clock()
        applied = SettlementApplied(settlement=writes.id, at=now)
        if writes.task == BY_HAND:
            self._desk.append(applied)
        else:
            self._desk.append(applied, TaskClosed(task=writes.task, at=now))
        self._hub.half_written = None


class _StorePart(NamedTuple):
    """The part of a set that one store gets: all of it in one transaction, or nothing."""

    items: Sequence[Sequence[object]]
    reach: Callable[[], object]
    """Asks whether the store is there."""
    write: Callable[[], None]


def _parts(writes: WriteSet, stores: Stores) -> list[_StorePart]:
    """Return the store with the strictest rules first; a store that gets nothing is not asked."""
    plans = (writes.plans, writes.statuses, writes.places)
    facts = (writes.entities, writes.facts, writes.ends, writes.replaces, writes.entities_gone)
    chunks = writes.chunks

    def settings() -> None:
        stores.settings.put(writes.settings)
        stores.settings.remove(writes.settings_gone)

    parts = (
        _StorePart(plans, lambda: stores.plans.plan(PlanKey(_NOTHING)), lambda: stores.plans.apply(*plans)),
        _StorePart(facts, lambda: stores.facts.entity(EntityKey(_NOTHING)), lambda: stores.facts.apply(*facts)),
        _StorePart((writes.settings, writes.settings_gone), lambda: stores.settings.exact(_NOTHING), settings),
        _StorePart([chunks], stores.archive.chapters, lambda: stores.archive.put(chunks)),
    )
    return [part for part in parts if any(part.items)]


def _half_written(reason: Exception | Notice) -> Notice:
    return Notice("settlement.half_written", reason=reason)
