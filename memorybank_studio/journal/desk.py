"""The studio's journal and what follows from it: tasks, summaries, tables, settlements under way.

All methods may be called from several threads; a write is in the journal (with fsync) before it counts.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from memorybank.errors import InputError, JournalError, Notice
from memorybank.language.text import fold_space
from memorybank.runs.clock import now
from memorybank.runs.files.plain import reading, write_whole
from memorybank.runs.journal import Journal, Record
from memorybank_studio.creativity.options import Offer
from memorybank_studio.journal.events import STUDIO, CommandGiven, HistoryExpired, StudioOpened, TaskOpened, TurnAdded
from memorybank_studio.journal.state import Decisions, DeskState
from memorybank_studio.types import Role, SettlementId, Task, TaskId, TaskState, Turn
from memorybank_studio.writes import WriteSet

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
        self._lock = threading.RLock()
        self.state = DeskState()
        """The state that follows from the journal so far: to be read value by value, and changed by `append` alone."""
        self.written_at: float | None = None
        """The time of this process's last write to the journal, in seconds since the epoch; None: there was none."""
        self._journal, records = _opened(self._path)
        try:
            for record in records:
                try:
                    self.state.apply(record.event)
                except (KeyError, ValueError) as error:
                    name, number = self._path.name, record.seq
                    raise JournalError("journal.contradicts_at", name=name, number=number, reason=error) from None
            if not self.state.studio:
                self.append(StudioOpened(studio=secrets.token_hex(8), at=clock()))
        except BaseException:  # a Ctrl-C too; it is raised again, and the lock is let go
            self._journal.close()
            raise

    def append(self, *events: Any) -> None:
        if not events:
            return
        with self._lock:
            for record in self._journal.append(events, durable=True):
                self.state.apply(record.event)
            self.written_at = self.clock()

    def open_task(self, title: str, command: Callable[[TaskId], CommandGiven]) -> Task:
        """Open a task. `command`: what opens it, once its id is known."""
        with self._lock:
            task = TaskId(f"t{len(self.state.tasks) + 1}")
            self.append(TaskOpened(task=task, title=title, at=self.clock()), command(task))
            return self.state.tasks[task]

    def add_turn(self, task: TaskId, role: Role, text: str, *before: Any, **with_it: Any) -> Turn:
        """Add the turn and return it as written, secrets removed. `before`: events that go into the same write, ahead
        of it; `with_it`: what else `TurnAdded` says of an answer."""
        with self._lock:
            number = self.task(task).turns + 1
            turn = Turn(number=number, role=role, text=text, at=self.clock())
            self.append(*before, TurnAdded(task=task, turn=turn, **with_it))
            return self.state.turns[task][-1]

    def task(self, task: TaskId) -> Task:
        """Raises InputError for an id that this studio has not given."""
        with self._lock:
            try:
                return self.state.tasks[task]
            except KeyError:
                raise InputError("task.unknown", task=str(task)[:40]) from None

    def tasks(self) -> tuple[Task, ...]:
        """Return the tasks in the order in which they were opened."""
        with self._lock:
            return tuple(self.state.tasks.values())

    def turns(self, task: TaskId, first: int, last: int | None) -> tuple[Turn, ...]:
        """Return the turns of a task with a history from one to another, both included; None: to the newest."""
        with self._lock:
            return tuple(self.state.turns.get(task, ())[first - 1 : last])

    def offers(self, task: TaskId) -> tuple[Offer, ...]:
        """Return all that a task was offered, each text once, oldest first."""
        once: dict[str, Offer] = {}
        for offer in (offer for answer in self._answers(task) for offer in answer):
            once.setdefault(fold_space(offer.option.draft.text), offer)
        return tuple(once.values())

    def numbered(self, task: TaskId, numbers: Sequence[int]) -> tuple[Offer, ...]:
        """Return the options of these numbers in the task's latest answer that has all of them; none when none has."""
        for offers in reversed(self._answers(task)):
            if min(numbers) > 0 and max(numbers) <= len(offers):
                return tuple(offers[number - 1] for number in numbers)
        return ()

    def _answers(self, task: TaskId) -> list[tuple[Offer, ...]]:
        """Return what each answer with options offered, in their order."""
        with self._lock:
            answers = [(turn, options) for (of, turn), options in self.state.options.items() if of == task]
        return [
            tuple(
                Offer(task=task, turn=turn, number=number, option=option)
                for number, option in enumerate(options, start=1)
            )
            for turn, options in answers
        ]

    def decided(self, task: TaskId) -> Decisions:
        """Return what the author made of the task's tables that were settled."""
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

    @property
    def broken(self) -> Notice | None:
        """Return why the journal takes nothing more; None while it does."""
        return self._journal.broken

    def close(self) -> None:
        with self._lock:
            self._journal.close()


def _opened(path: Path) -> tuple[Journal[Any], list[Record[Any]]]:
    if path.exists():
        header = STUDIO.header()
        with reading(path) as file:
            began = file.read(len(header))
        if began == header or not header.startswith(began):
            return Journal.open(path, STUDIO)
        write_whole(path, b"")  # a header without its end is what a writer leaves that was killed in its first write
    return Journal.create(path, STUDIO), []


_QUOTES_RE: Final = re.compile(r"\n\n\[1\] .*\Z", re.DOTALL)
_MARK_RE: Final = re.compile(r"(?:\[\d+\])+")


class Histories:
    """Every turn of a task that is kept, and of no other."""

    def __init__(self, desk: Desk, *, kept_seconds: float) -> None:
        self._desk = desk
        self._kept_seconds = kept_seconds

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Return turns `first` … `last` (None: the newest) of a task. Raises InputError when its history is gone."""
        self.check_kept(task)
        return self._desk.turns(task, first, last)

    def told(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Return the turns as a model is told them: without answers in whose place there is another, and of an answer
        to a question the sentences, without the lines that it quotes (they are on record, and looked up anew where they
        matter). Raises as `turns`."""
        state = self._desk.state
        replaced = state.replaced.get(task, frozenset())
        standing = (turn for turn in self.turns(task, first, last) if turn.number not in replaced)
        return tuple(
            replace(turn, text=_MARK_RE.sub("", _QUOTES_RE.sub("", turn.text)))
            if (reply := state.replies.get((task, turn.number))) is not None and reply.cited
            else turn
            for turn in standing
        )

    def expired(self) -> tuple[TaskId, ...]:
        """Return tasks that were settled too long ago to keep their histories."""
        now = self._desk.clock()
        return tuple(task.id for task in self._desk.tasks() if self._seconds_left(task, now) <= 0)

    def let_go(self, task: TaskId) -> None:
        """Drop the history of such a task, if it still is one. Call it with the task's lock held."""
        now = self._desk.clock()
        if self._seconds_left(self._desk.task(task), now) <= 0:
            self._desk.append(HistoryExpired(task=task, at=now))

    def _seconds_left(self, task: Task, now: float) -> float:
        if task.state is not TaskState.CLOSED or task.closed_at is None:
            return float("inf")
        return task.closed_at + self._kept_seconds - now

    def check_kept(self, task: TaskId) -> None:
        """Raises InputError, with the way out, for a task whose history is gone."""
        known = self._desk.task(task)
        if known.state is TaskState.EXPIRED:
            raise InputError("history.gone", task=known.id, title=known.title[:60], hours=self._kept_seconds / 3600)
        if known.state not in KEPT:
            raise InputError("history.discarded", task=known.id, title=known.title[:60])
