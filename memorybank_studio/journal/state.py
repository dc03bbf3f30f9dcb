"""The state that follows from the studio's journal: tasks, summaries, tables, settlements (the fold of its events)."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Any, Final

from memorybank.memory.types import Value
from memorybank_studio.chapters.manuscript import ChapterChange, ChapterId, ChapterReworded
from memorybank_studio.chapters.manuscripts import Manuscripts
from memorybank_studio.continuity.findings import Intention
from memorybank_studio.creativity.options import Option
from memorybank_studio.drafts import DraftItem, Item, identity
from memorybank_studio.journal import events
from memorybank_studio.journal.context import BuiltContext, Taken
from memorybank_studio.types import (
    BY_HAND,
    Command,
    Entity,
    Fact,
    FactKey,
    Plan,
    Setting,
    SettlementId,
    Task,
    TaskId,
    TaskState,
    Turn,
)
from memorybank_studio.writes import Mark, Proposal, StatusChange, WriteSet


@dataclass(frozen=True, slots=True, kw_only=True)
class Decisions(Value):
    """The author's decisions on one task, from all its settlements so far; a later one counts."""

    left: Mapping[Hashable, int] = field(default_factory=dict)
    """Rows that were not written as they were proposed, by identity: how many turns the task had then."""
    own: frozenset[FactKey] = frozenset()
    """Facts that were in no row as it was proposed: the author wrote them in."""

    def after(self, proposed: Sequence[Proposal], writes: WriteSet, turns: int) -> Decisions:
        """Return these with those of one more settlement. `proposed`: the rows it decided on, as proposed."""
        items: tuple[Item, ...] = (*writes.entities, *writes.facts, *writes.plans, *writes.statuses, *writes.settings)
        written = {identity(item): item for item in items}
        left = dict(self.left)
        for row in proposed:
            key = identity(row.item)
            if key in written and _same(row.item, written[key]):
                left.pop(key, None)
            elif row.mark is not Mark.KNOWN:
                left[key] = turns
        shown = {identity(row.item) for row in proposed}
        put_in = {fact.key for fact in writes.facts if identity(fact) not in shown and fact.key not in writes.replaces}
        return Decisions(left=left, own=self.own | put_in)

    def left_out(self, draft: DraftItem) -> bool:
        """Whether the author took this out, and has not said it again since."""
        turns = self.left.get(identity(draft.item))
        return turns is not None and max(draft.turns, default=0) <= turns


def _same(proposed: Item, written: Item) -> bool:
    """Whether a row was written as proposed; what follows from other rows (an end, a place) is no change."""
    match proposed, written:
        case Entity(), Entity():
            said = attrgetter("aliases", "note", "ranks")
            return bool(said(proposed) == said(written))
        case Fact(), Fact():
            return dict(proposed.properties) == dict(written.properties)
        case Plan(), Plan():
            return replace(proposed, after=None, status=written.status, origin=written.origin) == replace(
                written, after=None
            )
        case Setting(), Setting():
            told = attrgetter("text", "category", "since", "until")
            return any(told(proposed) == told(state) for state in written.states)
        case StatusChange(), StatusChange():
            return proposed.status == written.status
        case _:
            return False


MOST_ANSWERS: Final = 300
"""Answers of which it is at hand what the engine was told for them, and what they cite."""

MOST_CHANGES: Final = 50
"""Changes of the bible that can be undone."""


@dataclass(slots=True)
class DeskState:
    """The fold of the journal's events."""

    studio: str = ""
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    asked: dict[TaskId, Turn] = field(default_factory=dict)
    """The author's latest turn."""
    unanswered: set[TaskId] = field(default_factory=set)
    """Tasks whose author waits for an answer to it, or for another one than there is."""
    turns: dict[TaskId, list[Turn]] = field(default_factory=dict)
    """Maps each task that has a history to its turns."""
    options: dict[tuple[TaskId, int], tuple[Option, ...]] = field(default_factory=dict)
    """Maps a task and the number of an answer to what it offers."""
    taken: dict[tuple[TaskId, int], Taken] = field(default_factory=dict)
    """Maps a task and the number of the author's turn to how it was taken; the latest alone."""
    replies: dict[tuple[TaskId, int], events.TurnAdded] = field(default_factory=dict)
    """Answers by task and number, for what they cite and cost; the latest alone."""
    replaced: dict[TaskId, frozenset[int]] = field(default_factory=dict)
    """Numbers of answers in whose place there is another: they stay in the history, and nothing is drawn from them."""
    contexts: dict[tuple[TaskId, int], BuiltContext] = field(default_factory=dict)
    """The latest context by task and number of the author's turn that was answered, without the words of turns."""
    begins: dict[TaskId, Command] = field(default_factory=dict)
    """The command, NEW or RESTART, of each task that has not been answered since."""
    summaries: dict[TaskId, events.SummaryMade] = field(default_factory=dict)
    tables: dict[TaskId, events.SettlementTable] = field(default_factory=dict)
    confirmed: dict[SettlementId, WriteSet] = field(default_factory=dict)
    """The sets that are confirmed and not yet applied, oldest first."""
    begun: set[SettlementId] = field(default_factory=set)
    """Confirmed sets of which a store may hold a part."""
    applied: dict[SettlementId, TaskId] = field(default_factory=dict)
    """The sets that are applied while their task is not yet closed."""
    settlements: int = 0
    decided: dict[TaskId, Decisions] = field(default_factory=dict)
    """The author's decisions on the tables of tasks that were settled."""
    deciding: dict[SettlementId, Decisions] = field(default_factory=dict)
    """The decisions that a task's become when its confirmed set is applied, by that set."""
    settled: dict[TaskId, float] = field(default_factory=dict)
    """The time at which a settlement of the task was last applied, in seconds since the epoch."""
    failed: dict[TaskId, events.SettlementFailed] = field(default_factory=dict)
    """The failure of each task's last settlement, until there is a new table or another try."""
    refused: dict[TaskId | None, events.InputRefused] = field(default_factory=dict)
    intended: set[Intention] = field(default_factory=set)
    """The words that the author lets stand in chapters, and what they stand against."""
    changes: list[events.BibleChanged] = field(default_factory=list)
    """Changes of the bible that can be undone, the last one last."""
    written_by_hand: dict[SettlementId, WriteSet] = field(default_factory=dict)
    """The writes of each of these: it is undone only where all of that still stands."""
    renamed: events.Renamed | None = None
    """The last rename that was not undone."""
    renamed_to: WriteSet | None = None
    """The writes of the last rename: it is undone only where all of that still stands."""
    reworded: dict[ChapterId, ChapterReworded] = field(default_factory=dict)
    """The texts of each chapter in writing as a rename last left them."""
    chapters: Manuscripts = field(default_factory=Manuscripts)

    def apply(self, event: Any) -> None:
        match event:
            case events.StudioOpened():
                self.studio = event.studio
            case events.TaskOpened():
                opened = Task(id=event.task, title=event.title, state=TaskState.OPEN, opened_at=event.at)
                self.tasks[event.task] = opened
                self.begins[event.task] = Command.NEW
            case events.TurnAdded():
                self._turn(event)
            case events.TurnTaken():
                self.taken[event.task, event.turn] = event.taken
                _trim(self.taken)
                self.unanswered.add(event.task)
            case events.CommandGiven():
                self.refused.pop(event.context.task, None)
            case events.ContextBuilt():
                if event.turn:
                    self.contexts.pop((event.task, event.turn), None)
                    self.contexts[event.task, event.turn] = event.context
                    _trim(self.contexts)
            case events.ImportBegun() | events.ChapterImported() | events.ByHandFailed() | events.OfBefore():
                pass  # for whoever reads the log: what they changed is in the stores
            case events.Renamed():
                self.renamed, self.renamed_to = (event, None) if event.back is not None else (None, None)
            case events.BibleChanged(back=None):
                self.changes.pop()
            case events.BibleChanged():
                self.changes = [*self.changes[1 - MOST_CHANGES :], event]
            case events.FindingIntended():
                change = self.intended.add if event.stands else self.intended.discard
                change(Intention(event.words, event.against))
            case events.InputRefused():
                self.refused[event.task] = event
            case events.SummaryMade():
                self.summaries[event.task] = event
            case events.SettlementTable():
                self.tables[event.task] = event
                self.failed.pop(event.task, None)
            case events.SettlementBegun():
                self.begun.add(event.settlement)
            case events.SettlementConfirmed():
                self._confirmed(event)
            case events.SettlementApplied():
                self._applied(event)
            case events.SettlementFailed():
                self.deciding.pop(event.settlement, None)
                self.begun.discard(event.settlement)
                self.failed[self.confirmed.pop(event.settlement).task] = event
                self.changes = [change for change in self.changes if change.settlement != event.settlement]
            case ChapterChange():
                if isinstance(event, ChapterReworded):
                    self.reworded[event.chapter] = event
                self.chapters.apply(event)
            case _:
                self._change(self.tasks[event.task], event)

    def _turn(self, event: events.TurnAdded) -> None:
        task = self.tasks[event.task]
        if event.turn.number != task.turns + 1:
            raise ValueError(f"turn {event.turn.number} of {task.id} follows turn {task.turns}")
        self.tasks[task.id] = replace(task, turns=event.turn.number)
        self.turns.setdefault(task.id, []).append(event.turn)
        if event.options:
            self.options[task.id, event.turn.number] = event.options
        if event.turn.role == "author":
            self.asked[task.id] = event.turn
            self.unanswered.add(task.id)
        else:
            self._answers(event)

    def _answers(self, event: events.TurnAdded) -> None:
        task = event.task
        self.begins.pop(task, None)
        self.unanswered.discard(task)
        self.replies[task, event.turn.number] = event
        _trim(self.replies)
        if event.answers:  # only the author's latest turn is answered again, so that what lies between are its answers
            earlier = range(event.answers + 1, event.turn.number)
            self.replaced[task] = self.replaced.get(task, frozenset()) | frozenset(earlier)

    def _confirmed(self, event: events.SettlementConfirmed) -> None:
        writes = event.writes
        self.settlements += 1
        self.confirmed[writes.id] = writes
        if self.renamed is not None and self.renamed.task == writes.task:
            self.renamed_to = writes
        if any(change.settlement == writes.id for change in self.changes):
            self.written_by_hand[writes.id] = writes
        self.failed.pop(writes.task, None)
        if (table := self.tables.get(writes.task)) is not None:
            decided = self.decided.get(writes.task, Decisions())
            self.deciding[writes.id] = decided.after(table.proposals, writes, table.turns)

    def _applied(self, event: events.SettlementApplied) -> None:
        task = self.confirmed.pop(event.settlement).task
        self.settled[task] = event.at
        if event.settlement in self.deciding:
            self.decided[task] = self.deciding.pop(event.settlement)
        self.begun.discard(event.settlement)
        if task != BY_HAND:
            self.applied[event.settlement] = task

    def _change(
        self, task: Task, event: events.TaskClosed | events.TaskRestarted | events.TaskDiscarded | events.HistoryExpired
    ) -> None:
        match event:
            case events.TaskClosed():
                self.tasks[task.id] = replace(task, state=TaskState.CLOSED, closed_at=event.at)
                self.applied = {key: of for key, of in self.applied.items() if of != task.id}
                self.tables.pop(task.id, None)
            case events.TaskRestarted():
                self.tasks[task.id] = replace(task, state=TaskState.OPEN, closed_at=None)
                self.summaries.pop(task.id, None)
                self.begins[task.id] = Command.RESTART
            case events.TaskDiscarded():
                self._forget(replace(task, state=TaskState.DISCARDED, closed_at=event.at))
            case events.HistoryExpired():
                self._forget(replace(task, state=TaskState.EXPIRED))

    def _forget(self, task: Task) -> None:
        self.tasks[task.id] = task
        for held in (self.asked, self.turns, self.summaries, self.tables, self.begins, self.decided):
            held.pop(task.id, None)
        self.unanswered.discard(task.id)
        for by_turn in (self.options, self.taken, self.replies, self.contexts):
            for place in [place for place in by_turn if place[0] == task.id]:
                del by_turn[place]


def _trim(held: dict[tuple[TaskId, int], Any]) -> None:
    while len(held) > MOST_ANSWERS:
        del held[next(iter(held))]
