"""The studio's journal and what follows from it: tasks, summaries, tables, settlements under way.

The desk holds no history: turns live in the history queues, and the journal is where a queue is rebuilt from.
All methods may be called from several threads; a write is in the journal (with fsync) before it counts.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from memorybank.errors import InputError, JournalError, Notice
from memorybank.language.text import fold_space
from memorybank.runs.clock import now
from memorybank.runs.files.plain import reading, write_whole
from memorybank.runs.journal import Journal, Record, read
from memorybank_studio.creativity.options import Offer, Option
from memorybank_studio.journal.events import (
    EVENT,
    STUDIO,
    CommandGiven,
    HistoryBroughtBack,
    SettlementConfirmed,
    SettlementProposed,
    StudioOpened,
    TaskOpened,
    TurnAdded,
)
from memorybank_studio.journal.state import Decisions, DeskState
from memorybank_studio.types import PlanKey, Role, SettlementId, Task, TaskId, TaskState, Turn
from memorybank_studio.writes import Proposal, WriteSet

JOURNAL: Final = "journal.jsonl"
Clock = Callable[[], float]
"""Seconds since the epoch."""
KEPT: Final = frozenset({TaskState.OPEN, TaskState.CLOSED})
"""States of a task that has a history."""


class Desk:
    """One studio's journal, open for writing. Raises LockedError when another process has it."""

    def __init__(self, folder: Path, *, clock: Clock = now) -> None:
        self.clock = clock
        self._path = folder / JOURNAL
        self.offers = Offers(self._path)
        self._lock = threading.RLock()
        self.state = DeskState()
        """What follows from the journal so far: to be read one value at a time, and changed by `append` alone."""
        self.written_at: float | None = None
        """When this process wrote to the journal last."""
        self._journal, records = _opened(self._path)
        try:
            _fold(self.state, records, self._path)
            if not self.state.studio:
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
                self.state.apply(record.event)
            self.written_at = self.clock()

    def open_task(self, title: str, command: Callable[[TaskId], CommandGiven], *, step: PlanKey | None = None) -> Task:
        """`command`: what opens it, once its id is known. `step`: the completed step that it settles."""
        with self._lock:
            task = TaskId(f"t{len(self.state.tasks) + 1}")
            self.append(TaskOpened(task=task, title=title, step=step, at=self.clock()), command(task))
            return self.state.tasks[task]

    def add_turn(self, task: TaskId, role: Role, text: str, *before: Any, **with_it: Any) -> Turn:
        """The turn as it was written, secrets removed. `before`: events that go into the same write, ahead of it;
        `with_it`: what else `TurnAdded` says of an answer."""
        with self._lock:
            number = self.task(task).turns + 1
            turn = Turn(number=number, role=role, text=text, at=self.clock())
            self.append(*before, TurnAdded(task=task, turn=turn, **with_it))
            return self.state.latest[task]

    # -- reading ------------------------------------------------------------------------------------------------------

    def task(self, task: TaskId) -> Task:
        """Raises InputError for an id that this studio has not given."""
        with self._lock:
            try:
                return self.state.tasks[task]
            except KeyError:
                raise InputError("task.unknown", task=str(task)[:40]) from None

    def tasks(self) -> tuple[Task, ...]:
        """In the order in which they were opened."""
        with self._lock:
            return tuple(self.state.tasks.values())

    def task_of(self, step: PlanKey) -> Task | None:
        """The latest task that was opened to settle this step and still has a history."""
        with self._lock:
            opened = [task for task, settled in self.state.steps.items() if settled == step]
            kept = [task for task in opened if self.state.tasks[task].state in KEPT]
            return self.state.tasks[kept[-1]] if kept else None

    def hashes(self, task: TaskId, first: int, last: int) -> list[int]:
        """Of the turns from `first` to `last` that the task has, by which a queue is checked."""
        with self._lock:
            return self.state.hashes.get(task, [])[first - 1 : last]

    def options(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        """What this answer offered; of those of long ago from the disk. Raises OSError."""
        with self._lock:
            options = self.state.options.get((task, turn), ())
            is_left = (task, turn) in self.state.offered
        return self.offers.of_answer(task, turn) if is_left and not options else options

    def decided(self, task: TaskId) -> Decisions:
        """What the author made of the task's tables that were settled."""
        with self._lock:
            return self.state.decided.get(task, Decisions())

    def confirmed(self) -> tuple[WriteSet, ...]:
        with self._lock:
            return tuple(self.state.confirmed.values())

    def applied(self) -> tuple[TaskId, ...]:
        with self._lock:
            return tuple(self.state.applied.values())

    def next_settlement(self) -> SettlementId:
        with self._lock:
            return SettlementId(f"s{self.state.settlements + 1}")

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
            turns_of = histories(self.records())
            return {task.id: tuple(turns_of.get(task.id, ())) for task in self.tasks() if task.state in KEPT}

    @property
    def broken(self) -> Notice | None:
        """Why the journal takes nothing more; None while it does."""
        return self._journal.broken

    def close(self) -> None:
        with self._lock:
            self._journal.close()


def histories(records: Iterable[Record[Any]]) -> dict[TaskId, list[Turn]]:
    turns_of: dict[TaskId, list[Turn]] = {}
    for record in records:
        match record.event:
            case TurnAdded(task=task, turn=turn):
                turns_of.setdefault(task, []).append(turn)
            case HistoryBroughtBack(task=task, turns=turns):
                turns_of[task] = list(turns)
    return turns_of


def _opened(path: Path) -> tuple[Journal[Any], list[Record[Any]]]:
    if path.exists():
        header = STUDIO.header()
        with reading(path) as file:
            began = file.read(len(header))
        if began == header or not header.startswith(began):
            return Journal.open(path, STUDIO)
        write_whole(path, b"")  # a header without its end is what a writer leaves that was killed in its first write
    return Journal.create(path, STUDIO), []


def _fold(state: DeskState, records: Iterable[Record[Any]], path: Path) -> None:
    for record in records:
        try:
            state.apply(record.event)
        except (KeyError, ValueError) as error:
            raise JournalError("journal.contradicts_at", name=path.name, number=record.seq, reason=error) from None


_FIRST_LINE = 4_096
"""Bytes; the event that opens a studio has about 150."""


def studio_id(folder: Path) -> str:
    """Of the studio whose journal is in `folder`; a journal is begun when there is none.

    Raises LockedError, JournalError, InputError as the journal does.
    """
    known = _id_in_first_event(folder / JOURNAL)
    if known:
        return known
    desk = Desk(folder)  # a new journal, one that was torn in its first write, or one that is none: it says which
    try:
        return desk.state.studio
    finally:
        desk.close()


def _id_in_first_event(path: Path) -> str:
    """From the first event of a journal, without reading the rest; empty when it does not say."""
    try:
        with reading(path) as file:
            header, line = file.readline(_FIRST_LINE), file.readline(_FIRST_LINE)
        if header != STUDIO.header() or not line.endswith(b"\n"):
            return ""
        event: dict[str, Any] = json.loads(line)["event"]
        return str(event["studio"]) if event["type"] == "StudioOpened" else ""
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""


# -- options that were offered -----------------------------------------------------------------------------------------


_OFFERED: Final = b'"options": [{'
"""A quotation mark inside a text is escaped, so that this stands in a line only as a part of its event."""


class Offers:
    """Thread-safe. It follows the journal, which only grows while it is open."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._end = 0
        """Bytes that were read."""
        self._answers: dict[tuple[TaskId, int], tuple[int, int]] = {}
        """Where the line of each answer with options starts, and its bytes."""

    def of_task(self, task: TaskId) -> tuple[Offer, ...]:
        """All that a task was offered, each text once, oldest first. Raises OSError."""
        offers = (offer for turn in self._turns(task) for offer in self._offers(task, turn))
        once: dict[str, Offer] = {}
        for offer in offers:
            once.setdefault(fold_space(offer.option.draft.text), offer)
        return tuple(once.values())

    def of_answer(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        """All that one answer offered, however long ago; none for one that offered nothing. Raises OSError."""
        with self._lock:
            self._follow()
            line = self._answers.get((task, turn))
        if line is None:
            return ()
        with reading(self._path) as file:
            file.seek(line[0])
            event = json.dumps(json.loads(file.read(line[1]))["event"])
        options: tuple[Option, ...] = EVENT.validate_json(event).options
        return options

    def numbered(self, task: TaskId, numbers: Sequence[int]) -> tuple[Offer, ...]:
        """The options of these numbers in the task's latest answer that has all of them; none when no answer has."""
        for turn in reversed(self._turns(task)):
            offers = self._offers(task, turn)
            if min(numbers) > 0 and max(numbers) <= len(offers):
                return tuple(offers[number - 1] for number in numbers)
        return ()

    def _turns(self, task: TaskId) -> list[int]:
        """Numbers of the task's answers with options, in their order."""
        with self._lock:
            self._follow()
            return sorted(turn for of, turn in self._answers if of == task)

    def _offers(self, task: TaskId, turn: int) -> tuple[Offer, ...]:
        return tuple(
            Offer(task=task, turn=turn, number=number, option=option)
            for number, option in enumerate(self.of_answer(task, turn), start=1)
        )

    def _follow(self) -> None:
        """Take in the lines that were written since the last look; one without its end is being written."""
        with reading(self._path) as file:
            file.seek(self._end)
            for line in filter(lambda line: line.endswith(b"\n"), file):
                if _OFFERED in line:
                    event = json.loads(line)["event"]
                    self._answers[TaskId(event["task"]), event["turn"]["number"]] = self._end, len(line)
                self._end += len(line)
