"""The settlement: what a task came to, proposed in a table, confirmed by the author, written as one set.

Nothing reaches the hub without it (fact-planning specification, section 3.3 D). `propose` writes nothing but the table;
`confirm` journals the set first (with fsync), then applies it; what the hub cannot take now is taken when it is back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from memorybank.errors import AgentError, InputError, MemoryBankError, Notice
from memorybank.memory.types import Lang, Value
from memorybank_studio.chapters.context import running_state
from memorybank_studio.chapters.manuscript import Manuscript, StateKind, StateLine
from memorybank_studio.drafts import (
    DraftItem,
    Extract,
    Extracted,
    Unread,
    extracted,
    merged_drafts,
    signed,
    with_origin,
)
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.plans import Plans
from memorybank_studio.hub.shared import SharedHub
from memorybank_studio.hub.stores import Stores
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import SettlementTable
from memorybank_studio.names import names_in
from memorybank_studio.relations import place, statement
from memorybank_studio.settlement.applying import UNREACHABLE, Applier, check
from memorybank_studio.settlement.comparison import ever_held, marked
from memorybank_studio.types import (
    BY_HAND,
    NAMED_KINDS,
    Entity,
    EntityKind,
    Fact,
    FactKey,
    Origin,
    Plan,
    PlanKind,
    PlanStatus,
    Setting,
    SettlementId,
    TaskId,
    TaskState,
    Turn,
    normal,
)
from memorybank_studio.wording import say
from memorybank_studio.writes import Mark, Proposal, Removal, StatusChange, WriteSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmed(Value):
    problem: MemoryBankError | None
    """The reason why it is not applied yet: the set is safe in the journal, and is written when the store is back."""

    @property
    def applied(self) -> bool:
        return self.problem is None


class Settler:
    """Call it with the task's lock held."""

    def __init__(
        self, desk: Desk, hub: SharedHub, applier: Applier, extract: Extract, lang: Lang, instead: Extract | None = None
    ) -> None:
        """`instead`: reads the turns when `extract` fails, and the table says so; None: the failure is raised."""
        self._desk = desk
        self._hub = hub
        self._applier = applier
        self._extract = extract
        self._instead = instead
        self._lang = lang

    def propose(
        self, task: TaskId, turns: Sequence[Turn], chapter: Extracted | None = None, note: str = ""
    ) -> SettlementTable:
        """Return the table for the author: from the whole history, and from the chapter that was archived. What an
        earlier table of the task had of a chapter stays.

        Raises AgentError, StoreUnavailableError.
        """
        table = self._desk.state.tables.get(task)
        rows = [row for row in table.proposals if not row.turns] if table is not None else []
        there = (DraftItem(item=row.item, turns=(), ticked=row.ticked, reason=row.reason) for row in rows)
        left = tuple(line for line in table.unread if not line.turn) if table is not None else ()
        chapter = chapter or Extracted(drafts=tuple(there), unread=left)
        read, failed = self._read(turns, task)
        note = failed or note
        # What the author took out of the task's table when it was settled before is unticked.
        decided, reason = self._desk.decided(task), say("reason_left_out", self._lang)
        drafts = tuple(
            replace(draft, ticked=False, reason=reason) if draft.ticked and decided.left_out(draft) else draft
            for draft in merged_drafts((*(signed(draft, task) for draft in chapter.drafts), *read.drafts))
        )
        with self._hub.reading() as stores:
            proposals = marked(drafts, task, stores, self._lang)
            if dropped := self._dropped(task, proposals, stores):
                proposals = marked((*drafts, *dropped), task, stores, self._lang)
            unread = _not_on_record((*chapter.unread, *read.unread), task, stores)
            not_taken = _not_on_record(read.not_taken, task, stores)
        table = SettlementTable(
            task=task,
            turns=self._desk.task(task).turns,
            proposals=proposals,
            note=note,
            unread=unread,
            not_taken=not_taken,
            at=self._desk.clock(),
        )
        self._desk.append(table)
        return table

    def _read(self, turns: Sequence[Turn], task: TaskId) -> tuple[Extracted, str]:
        """Read the whole history: by the model, or where it fails what is labelled, with a note that says so."""
        try:
            return extracted(self._extract, turns, task), ""
        except AgentError as error:
            if self._instead is None:
                raise
            note = say("note_rules", self._lang, reason=error.in_language(self._lang))
            return extracted(self._instead, turns, task), note

    def _dropped(self, task: TaskId, proposals: Sequence[Proposal], stores: Stores) -> list[DraftItem]:
        """Return what the task's turns settled before and say no more: proposed to be taken back, never ticked."""
        own = self._desk.decided(task).own
        statements = {statement(row.item) for row in proposals if isinstance(row.item, Fact)}
        replaced = {key for row in proposals for key in row.replaces}
        dropped = []
        for fact in stores.facts.of_task(task):
            turns, is_said = fact.origin.turns, fact.key in replaced or statement(fact) in statements
            if turns and ever_held(fact) and not is_said and fact.key not in own:
                reason = say("reason_dropped", self._lang, turns=", ".join(map(str, turns)))
                dropped.append(DraftItem(item=Removal(fact=fact), turns=turns, ticked=False, reason=reason))
        return dropped

    def of_chapter(self, chapter: Manuscript) -> tuple[Extracted, str]:
        """Return what an archived chapter would write, and how it was read. Raises AgentError."""
        read, note = self._read((_turn_of(chapter, self._lang),), BY_HAND)
        with self._hub.reading() as stores:
            return _of_chapter(chapter, read, stores.facts, stores.plans, self._lang), note

    def remark(self, task: TaskId, proposals: Sequence[Proposal]) -> tuple[Proposal, ...]:
        """Return the rows as the author edited them, marked against the hub as it is now; their ticks stay."""
        with self._hub.reading() as stores:
            return self._remarked(task, proposals, stores)

    def confirm(self, task: TaskId, proposals: Sequence[Proposal]) -> Confirmed:
        """Write the ticked rows and close the task; what the hub cannot take now waits in the journal. Names that a
        ticked fact speaks of are written along.

        Raises InputError, with nothing written, when the table is not of the task's present history; HinderedError when
        the hub has changed under a row, or a store would refuse it. Where the hub cannot be asked, that comes out when
        it can, and the task is open again then.
        """
        known, table = self._desk.task(task), self._desk.state.tables.get(task)
        if known.state is not TaskState.OPEN:
            raise InputError("settlement.not_open", task=task, state=known.state.value)
        if any(writes.task == task for writes in self._desk.confirmed()):
            raise InputError("settlement.waits", task=task)
        if table is None:
            raise InputError("settlement.no_table", task=task)
        if table.turns != known.turns:
            raise InputError("settlement.more_turns", task=task, count=known.turns - table.turns)
        chosen = with_ends_of(chosen_rows(proposals), proposals)
        with self._hub.writing() as stores:
            if not self._hub.half_written:
                chosen = self._current(task, chosen, stores)
            writes = write_set(self._desk.next_settlement(), task, chosen)
            try:
                return Confirmed(problem=self._applier.confirm(writes))
            except InputError as error:
                if (number := _refused(writes, chosen, stores)) is not None:
                    raise HinderedError(number, error.notice) from error
                raise

    def _current(self, task: TaskId, chosen: list[Proposal], stores: Stores) -> list[Proposal]:
        """Return the rows as the hub stands now. Raises InputError for a row that is not as its author saw it."""
        try:
            fresh = self._remarked(task, chosen, stores)
        except UNREACHABLE:
            return chosen  # the author's word is taken; it is checked when it is written
        for seen, now in zip(chosen, fresh, strict=True):
            same = (seen.mark, seen.ends, seen.replaces) == (now.mark, now.ends, now.replaces)
            if not same and now.mark is not Mark.KNOWN:
                raise HinderedError(seen.number, Notice("settlement.row_changed"))
        return list(fresh)

    def _remarked(self, task: TaskId, proposals: Sequence[Proposal], stores: Stores) -> tuple[Proposal, ...]:
        drafts = [
            DraftItem(item=with_origin(row.item, task=task), turns=row.turns, ticked=row.ticked, reason=row.reason)
            for row in proposals
        ]
        fresh = marked(drafts, task, stores, self._lang)
        return tuple(
            replace(now, number=row.number, ticked=row.ticked, reason=row.reason)
            for row, now in zip(proposals, fresh, strict=True)
        )


class HinderedError(InputError):
    """The error of a row, by its number, for which a table cannot be confirmed as it is."""

    def __init__(self, row: int, why: Notice) -> None:
        super().__init__(why)
        self.row = row


def _refused(writes: WriteSet, chosen: Sequence[Proposal], stores: Stores) -> int | None:
    """Return the number of the first row that is refused together with those before it; None when none is."""
    for end, row in enumerate(chosen, start=1):
        try:
            check(write_set(writes.id, writes.task, chosen[:end]), stores)
        except InputError:
            return row.number
    return None


def _not_on_record(unread: Sequence[Unread], task: TaskId, stores: Stores) -> tuple[Unread, ...]:
    """Leave out sentences that the author wrote down by hand when the task was settled before."""
    if not unread:
        return ()
    written = {(turn, fact.origin.source) for fact in stores.facts.of_task(task) for turn in fact.origin.turns}
    return tuple(sentence for sentence in unread if (sentence.turn, sentence.line) not in written)


def chosen_rows(table: Sequence[Proposal]) -> list[Proposal]:
    """Return the ticked rows, and the names that a ticked fact speaks of, or the table could not be confirmed so."""
    numbers = [proposal.number for proposal in table]
    if len(set(numbers)) != len(numbers):
        raise InputError("settlement.row_twice")
    facts = [row.item for row in table if row.ticked and isinstance(row.item, Fact)]
    ends = {end for fact in facts for end in fact.ends}
    new = (row for row in table if row.mark is Mark.NEW and isinstance(row.item, Entity))
    along = {row.number for row in new if isinstance(row.item, Entity) and row.item.key in ends}
    return [row for row in table if row.ticked or row.number in along]


def with_ends_of(chosen: Sequence[Proposal], table: Sequence[Proposal]) -> list[Proposal]:
    """End facts that a row which is not written would end at the next row that is written."""
    written = {row.number for row in chosen}
    begin = [(place(row.item), row.item.since) for row in chosen if isinstance(row.item, Fact)]
    left = {
        (place(row.item), row.item.since) for row in table if isinstance(row.item, Fact) and row.number not in written
    }
    ended: list[Proposal] = []
    for row in chosen:
        if isinstance(fact := row.item, Fact) and place(fact) is not None and (place(fact), fact.until) in left:
            until = min((since for of, since in begin if of == place(fact) and since > fact.since), default=None)
            row = replace(row, item=replace(fact, until=until))
        ended.append(row)
    return ended


def write_set(settlement: SettlementId, task: TaskId, chosen: Sequence[Proposal]) -> WriteSet:
    """Return what the ticked rows write, without what the hub says already."""
    rows = [row for row in chosen if row.mark is not Mark.KNOWN]
    items = [with_origin(row.item, task=task) for row in rows]  # one that the author edited or added is of the task
    restored = {fact.key: fact for item in items if isinstance(item, Removal) for fact in item.restores}
    # What holds again is taken back with its end and told anew, in the same write.
    replaced = dict.fromkeys([*(key for row in rows for key in row.replaces), *restored])
    return WriteSet(
        id=settlement,
        task=task,
        entities=tuple(item for item in items if isinstance(item, Entity)),
        facts=(*restored.values(), *(item for item in items if isinstance(item, Fact))),
        ends=tuple((key, chapter) for key, chapter in _ends(rows).items() if key not in replaced),
        replaces=tuple(replaced),
        plans=tuple(item for item in items if isinstance(item, Plan)),
        statuses=tuple(item for item in items if isinstance(item, StatusChange)),
        settings=_settings(item for item in items if isinstance(item, Setting)),
    )


def _settings(told: Iterable[Setting]) -> tuple[Setting, ...]:
    """Return each entry once, with the states that all its rows tell beside those on record, one after the other."""
    entries: dict[str, Setting] = {}
    for row in told:
        known = entries.get(normal(row.key), row)
        others = (state for state in known.states if state.since != row.since)
        entries[normal(row.key)] = replace(row, earlier=()).with_states(others)
    return tuple(entries.values())


def _ends(rows: Sequence[Proposal]) -> dict[FactKey, int]:
    """A fact ends where the first that ends it begins; one that began later itself then holds in no chapter."""
    ends: dict[FactKey, int] = {}
    for row in rows:
        if isinstance(row.item, Fact):
            for key in row.ends:
                ends[key] = min(row.item.since, ends.get(key, row.item.since))
    return ends


# -- a chapter that went into the archive ------------------------------------------------------------------------------
# steps    those it was written for are completed, and the next of each storyline is in progress
# notes    what its writer noted of places, things and knowledge, each with the words of the text for it
# text     what the extractor of settlements reads in it; where that gives no row, sentences that name two on record
#          wait to be written down by hand


_RELATIONS: Final[Mapping[StateKind, tuple[str, tuple[EntityKind, ...]]]] = {
    StateKind.PLACE: ("LOCATED_IN", (EntityKind.LOCATION,)),
    StateKind.POSSESSION: ("OWNS", (EntityKind.ITEM,)),
    StateKind.KNOWLEDGE: ("KNOWS_OF", NAMED_KINDS),
}
"""The relation that each kind of noted line becomes as a fact, with the kinds that its object may be of."""


def _turn_of(chapter: Manuscript, lang: Lang) -> Turn:
    heading = say("chapter_turn", lang, number=chapter.number, title=chapter.title)
    return Turn(number=1, role="author", text=f"{heading}\n\n{chapter.text}", at=0.0)


def _of_chapter(chapter: Manuscript, read: Extracted, facts: Facts, plans: Plans, lang: Lang) -> Extracted:
    """Return the rows of a chapter, with `read` from `_turn_of(chapter)`. Raises StoreUnavailableError."""
    number = chapter.number
    new = {draft.item.name: draft.item for draft in read.drafts if isinstance(draft.item, Entity)}
    noted = [(line, _noted(line, number, new, facts, lang)) for line in running_state(chapter.pieces)]
    facts_noted = (draft for _, draft in noted if draft is not None)
    left = [
        Unread(
            turn=0,
            line=line.quote,
            why=say("unread_noted", lang, who=line.who, what=line.what),
            names=(line.who,),
            chapter=number,
        )
        for line, draft in noted
        if draft is None
    ]
    left += [replace(line, turn=0, chapter=number) for line in read.unread if len(line.names) > 1]
    steps = _steps(chapter, read, plans, lang)
    drafts = merged_drafts((*steps, *facts_noted, *_dated(read, number)))
    return Extracted(drafts=drafts, unread=tuple(left))


def _steps(chapter: Manuscript, read: Extracted, plans: Plans, lang: Lang) -> list[DraftItem]:
    """Return its steps, and those it is read to bring about, as completed, and what comes next as in progress."""
    told = [draft.item for draft in read.drafts if draft.ticked and isinstance(draft.item, StatusChange)]
    done = {change.plan for change in told if change.status is PlanStatus.COMPLETED}.union(chapter.plans)
    of_it = (plan for plan in plans.all() if plan.key in done and plan.is_open)
    ended = [plan for plan in of_it if plan.kind is PlanKind.STEP or plan.key in chapter.plans]
    pending = plans.all(kind=PlanKind.STEP, status=PlanStatus.PENDING)
    changes = [StatusChange(plan=plan.key, status=PlanStatus.COMPLETED) for plan in ended]
    for storyline in dict.fromkeys(plan.storyline for plan in ended):
        later = (plan for plan in pending if plan.storyline == storyline and plan not in ended)
        changes += [StatusChange(plan=plan.key, status=PlanStatus.IN_PROGRESS) for plan in islice(later, 1)]
    reason = say("reason_written", lang, number=chapter.number)
    return [DraftItem(item=change, turns=(), reason=reason) for change in changes]


def _noted(line: StateLine, number: int, new: Mapping[str, Entity], facts: Facts, lang: Lang) -> DraftItem | None:
    """Return a line of the writer's as a fact between two on record, or `new` in the text; None where it names nobody
    else of them."""
    predicate, kinds = _RELATIONS[line.kind]
    named = [*facts.named(line.who), *(entity for name, entity in new.items() if name == line.who)]
    subject = named[0].key if named else None
    known = {name: entity.key for name, entity in new.items() if entity.kind in kinds} | dict(facts.names(kinds))
    object_ = next((known[name] for name in names_in(line.what, tuple(known)) if known[name] != subject), None)
    if subject is None or object_ is None:
        return None
    fact = Fact(
        subject=subject,
        predicate=predicate,
        object=object_,
        properties={"what": line.what} if line.kind is StateKind.KNOWLEDGE else {},
        since=number,
        origin=Origin(task=BY_HAND, chapter=number, source=line.quote),
    )
    return DraftItem(item=fact, turns=(), reason=say("reason_noted", lang, words=line.quote))


def _dated(read: Extracted, number: int) -> Iterator[DraftItem]:
    """Yield the drafts with the chapter and without turns; what is only planned is left out."""
    for draft in read.drafts:
        if isinstance(item := draft.item, Plan | StatusChange):
            continue
        if isinstance(item, Fact) and item.origin.chapter is None:
            item = replace(item, since=number)
        yield replace(draft, item=with_origin(item, chapter=number, turns=()), turns=())
