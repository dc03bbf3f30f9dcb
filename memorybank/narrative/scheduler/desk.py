"""The studio's journal and what follows from it: tasks, summaries, tables, settlements under way.

The desk holds no history: turns live in the history queues, and the journal is where a queue is rebuilt from.
All methods may be called from several threads; a write is in the journal (with fsync) before it counts.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from memorybank.errors import InputError, JournalError
from memorybank.journal import Journal, Record, read
from memorybank.narrative.creativity.options import Option
from memorybank.narrative.scheduler.events import (
    STUDIO,
    CommandGiven,
    HistoryBroughtBack,
    HistoryExpired,
    InputRefused,
    SettlementApplied,
    SettlementConfirmed,
    SettlementFailed,
    SettlementProposed,
    StudioOpened,
    SummaryMade,
    TaskClosed,
    TaskDiscarded,
    TaskOpened,
    TaskRestarted,
    TurnAdded,
)
from memorybank.narrative.types import Command, PlanKey, Role, SettlementId, Task, TaskId, TaskState, Turn
from memorybank.narrative.writes import Proposal, WriteSet

JOURNAL: Final = "journal.jsonl"
Clock = Callable[[], float]
"""Seconds since the epoch."""
MOST_OFFERS: Final = 300
"""Answers whose options are at hand; older ones keep their text."""
KEPT: Final = frozenset({TaskState.OPEN, TaskState.CLOSED})
"""States of a task that has a history."""


@dataclass(slots=True)
class DeskState:
    """The fold of the journal's events."""

    studio: str = ""
    tasks: dict[TaskId, Task] = field(default_factory=dict)
    latest: dict[TaskId, Turn] = field(default_factory=dict)
    steps: dict[TaskId, PlanKey] = field(default_factory=dict)
    """Of tasks that settle a completed step: which."""
    options: dict[tuple[TaskId, int], tuple[Option, ...]] = field(default_factory=dict)
    """By task and number of the answer that offers them; the latest alone."""
    begins: dict[TaskId, Command] = field(default_factory=dict)
    """NEW or RESTART of a task that has not been answered since."""
    summaries: dict[TaskId, SummaryMade] = field(default_factory=dict)
    tables: dict[TaskId, SettlementProposed] = field(default_factory=dict)
    confirmed: dict[SettlementId, WriteSet] = field(default_factory=dict)
    """Confirmed and not yet applied, oldest first."""
    waiting: dict[SettlementId, tuple[Proposal, ...]] = field(default_factory=dict)
    """Of confirmed sets that leave rows for later: which."""
    applied: dict[SettlementId, TaskId] = field(default_factory=dict)
    """Applied, the task not yet closed."""
    settlements: int = 0
    failed: dict[TaskId, SettlementFailed] = field(default_factory=dict)
    """Of the last settlement, until there is a new table or another try."""
    refused: dict[TaskId | None, InputRefused] = field(default_factory=dict)

    def apply(self, event: Any) -> None:
        match event:
            case StudioOpened():
                self.studio = event.studio
            case TaskOpened():
                opened = Task(id=event.task, title=event.title, state=TaskState.OPEN, opened_at=event.at)
                self.tasks[event.task] = opened
                self.begins[event.task] = Command.NEW
                if event.step is not None:
                    self.steps[event.task] = event.step
            case TurnAdded():
                self._turn(event)
            case CommandGiven():
                self.refused.pop(event.context.task, None)
            case InputRefused():
                self.refused[event.task] = event
            case SummaryMade():
                self.summaries[event.task] = event
            case SettlementProposed():
                self.tables[event.task] = event
                self.failed.pop(event.task, None)
            case SettlementConfirmed() | SettlementApplied() | SettlementFailed():
                self._settlement(event)
            case _:
                self._state(event)

    def _turn(self, event: TurnAdded) -> None:
        task = self.tasks[event.task]
        if event.turn.number != task.turns + 1:
            raise ValueError(f"turn {event.turn.number} of {task.id} follows turn {task.turns}")
        self.tasks[task.id] = replace(task, turns=event.turn.number)
        self.latest[task.id] = event.turn
        if event.options:
            self.options[task.id, event.turn.number] = event.options
            while len(self.options) > MOST_OFFERS:
                del self.options[next(iter(self.options))]
        if event.turn.role == "assistant":
            self.begins.pop(task.id, None)

    def _settlement(self, event: SettlementConfirmed | SettlementApplied | SettlementFailed) -> None:
        match event:
            case SettlementConfirmed():
                self.settlements += 1
                self.confirmed[event.writes.id] = event.writes
                self.failed.pop(event.writes.task, None)
                if event.waiting:
                    self.waiting[event.writes.id] = event.waiting
            case SettlementApplied():
                self._applied(event)
            case SettlementFailed():
                self.waiting.pop(event.settlement, None)
                self.failed[self.confirmed.pop(event.settlement).task] = event

    def _applied(self, event: SettlementApplied) -> None:
        task = self.confirmed.pop(event.settlement).task
        rows = self.waiting.pop(event.settlement, ())
        if rows:
            turns = self.tasks[task].turns
            self.tables[task] = SettlementProposed(task=task, turns=turns, proposals=rows, at=event.at)
        else:
            self.applied[event.settlement] = task

    def _state(self, event: TaskClosed | TaskRestarted | TaskDiscarded | HistoryExpired | HistoryBroughtBack) -> None:
        task = self.tasks[event.task]
        match event:
            case TaskClosed():
                self.tasks[task.id] = replace(task, state=TaskState.CLOSED, closed_at=event.at)
                self.applied = {key: of for key, of in self.applied.items() if of != task.id}
                self.tables.pop(task.id, None)
            case TaskRestarted():
                self.tasks[task.id] = replace(task, state=TaskState.OPEN, closed_at=None)
                self.summaries.pop(task.id, None)
                self.begins[task.id] = Command.RESTART
            case TaskDiscarded():
                self._forget(replace(task, state=TaskState.DISCARDED, closed_at=event.at))
            case HistoryExpired():
                self._forget(replace(task, state=TaskState.EXPIRED))
            case HistoryBroughtBack():
                self.tasks[task.id] = replace(task, state=TaskState.CLOSED, closed_at=event.at, turns=len(event.turns))

    def _forget(self, task: Task) -> None:
        self.tasks[task.id] = task
        for held in (self.latest, self.summaries, self.tables, self.begins):
            held.pop(task.id, None)
        self.options = {place: offered for place, offered in self.options.items() if place[0] != task.id}


class Desk:
    """One studio's journal, open for writing. Raises LockedError when another process has it."""

    def __init__(self, folder: Path, *, clock: Clock = time.time) -> None:
        self.clock = clock
        self._path = folder / JOURNAL
        self._lock = threading.RLock()
        self._state = DeskState()
        self._journal, records = _opened(self._path)
        try:
            _fold(self._state, records, self._path)
            if not self._state.studio:
                self.append(StudioOpened(studio=secrets.token_hex(8), at=clock()))
        except BaseException:  # a Ctrl-C too; it is raised again, and the lock is let go
            self._journal.close()
            raise

    # -- writing ------------------------------------------------------------------------------------------------------

    def append(self, *events: Any) -> None:
        if not events:
            return
        with self._lock:
            for record in self._journal.append(events, durable=True):
                self._state.apply(record.event)

    def open_task(self, title: str, command: Callable[[TaskId], CommandGiven], *, step: PlanKey | None = None) -> Task:
        """`command`: what opens it, once its id is known. `step`: the completed step that it settles."""
        with self._lock:
            task = TaskId(f"t{len(self._state.tasks) + 1}")
            self.append(TaskOpened(task=task, title=title, step=step, at=self.clock()), command(task))
            return self._state.tasks[task]

    def add_turn(self, task: TaskId, role: Role, text: str, *before: Any, options: tuple[Option, ...] = ()) -> Turn:
        """The turn as it was written, secrets removed. `before`: events that go into the same write, ahead of it."""
        with self._lock:
            number = self.task(task).turns + 1
            turn = Turn(number=number, role=role, text=text, at=self.clock())
            self.append(*before, TurnAdded(task=task, turn=turn, options=options))
            return self._state.latest[task]

    # -- reading ------------------------------------------------------------------------------------------------------

    @property
    def studio(self) -> str:
        return self._state.studio

    def task(self, task: TaskId) -> Task:
        """Raises InputError for an id that this studio has not given."""
        with self._lock:
            try:
                return self._state.tasks[task]
            except KeyError:
                raise InputError(f"there is no task {str(task)[:40]!r}: open one with /new and a title") from None

    def tasks(self) -> tuple[Task, ...]:
        """In the order in which they were opened."""
        with self._lock:
            return tuple(self._state.tasks.values())

    def step(self, task: TaskId) -> PlanKey | None:
        """The completed step that the task settles; None for an author's own task."""
        with self._lock:
            return self._state.steps.get(task)

    def task_of(self, step: PlanKey) -> Task | None:
        """The latest task that was opened to settle this step and still has a history."""
        with self._lock:
            found = [task for task, settled in self._state.steps.items() if settled == step]
            kept = [task for task in found if self._state.tasks[task].state in KEPT]
            return self._state.tasks[kept[-1]] if kept else None

    def latest(self, task: TaskId) -> Turn | None:
        with self._lock:
            return self._state.latest.get(task)

    def options(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        with self._lock:
            return self._state.options.get((task, turn), ())

    def begins(self, task: TaskId) -> Command | None:
        """NEW or RESTART as long as the task has not been answered since; None: it goes on."""
        with self._lock:
            return self._state.begins.get(task)

    def summary(self, task: TaskId) -> SummaryMade | None:
        with self._lock:
            return self._state.summaries.get(task)

    def table(self, task: TaskId) -> SettlementProposed | None:
        with self._lock:
            return self._state.tables.get(task)

    def confirmed(self) -> tuple[WriteSet, ...]:
        with self._lock:
            return tuple(self._state.confirmed.values())

    def leaves_rows(self, settlement: SettlementId) -> bool:
        """Whether rows of its table wait on, so that its task stays open."""
        with self._lock:
            return settlement in self._state.waiting

    def applied(self) -> tuple[TaskId, ...]:
        with self._lock:
            return tuple(self._state.applied.values())

    def failed(self, task: TaskId) -> SettlementFailed | None:
        with self._lock:
            return self._state.failed.get(task)

    def next_settlement(self) -> SettlementId:
        with self._lock:
            return SettlementId(f"s{self._state.settlements + 1}")

    def refused(self, task: TaskId | None) -> InputRefused | None:
        with self._lock:
            return self._state.refused.get(task)

    def records(self) -> list[Record[Any]]:
        """The whole journal, from the disk."""
        with self._lock:
            return read(self._path, STUDIO)[0]

    def unwritten(self, task: TaskId) -> tuple[Proposal, ...]:
        """Rows of the task's last confirmed table that were not written: what was only planned then, for the most."""
        proposed: tuple[Proposal, ...] = ()
        left: tuple[Proposal, ...] = ()
        for record in self.records():
            match record.event:
                case SettlementProposed(task=of, proposals=rows) if of == task:
                    proposed = rows
                case SettlementConfirmed(writes=writes) if writes.task == task:
                    written: set[str] = {fact.key for fact in writes.facts}
                    written |= {entity.key for entity in writes.entities}
                    left = tuple(row for row in proposed if getattr(row.item, "key", None) not in written)
        return left

    def histories(self) -> dict[TaskId, tuple[Turn, ...]]:
        """Turns of every task that has a history, from the journal."""
        with self._lock:
            found = histories(self.records())
            return {task.id: tuple(found.get(task.id, ())) for task in self.tasks() if task.state in KEPT}

    def close(self) -> None:
        with self._lock:
            self._journal.close()


def histories(records: Iterable[Record[Any]]) -> dict[TaskId, list[Turn]]:
    found: dict[TaskId, list[Turn]] = {}
    for record in records:
        match record.event:
            case TurnAdded(task=task, turn=turn):
                found.setdefault(task, []).append(turn)
            case HistoryBroughtBack(task=task, turns=turns):
                found[task] = list(turns)
    return found


def _opened(path: Path) -> tuple[Journal[Any], list[Record[Any]]]:
    if path.exists():
        header = STUDIO.header()
        with path.open("rb") as file:
            began = file.read(len(header))
        if began == header or not header.startswith(began):
            return Journal.open(path, STUDIO)
        path.write_bytes(b"")  # a header without its end is what a writer leaves that was killed in its first write
    return Journal.create(path, STUDIO), []


def _fold(state: DeskState, records: Iterable[Record[Any]], path: Path) -> None:
    for record in records:
        try:
            state.apply(record.event)
        except (KeyError, ValueError) as error:
            raise JournalError(
                f"{path.name} contradicts itself at record {record.seq} ({error}): restore the file from a copy"
            ) from None
