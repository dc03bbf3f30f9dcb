"""What can be looked at of a studio's tasks: turns, options, tables, and exports."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager

from memorybank.calls import Spent
from memorybank.errors import Notice
from memorybank_studio.creativity.options import Offer, Option
from memorybank_studio.journal.context import Citation, Taken
from memorybank_studio.journal.desk import Desk
from memorybank_studio.journal.events import InputRefused, SettlementTable
from memorybank_studio.journal.histories import Histories
from memorybank_studio.types import Task, TaskId, Turn


class TaskViews:
    """The half of the gateway that reads. A history is let go or exported while nobody talks to its task."""

    def __init__(self, desk: Desk, histories: Histories) -> None:
        self._desk = desk
        self._histories = histories
        self._locks: dict[TaskId, threading.RLock] = {}

    def _locked(self, task: TaskId) -> AbstractContextManager[object]:
        """The task's own lock: calls to one task follow each other, calls to different tasks do not wait."""
        return self._locks.setdefault(task, threading.RLock())  # in one step: two callers get the same one

    @property
    def written_at(self) -> float | None:
        """When the journal was written to last, in seconds since the epoch; None: not since the studio was opened."""
        return self._desk.written_at

    @property
    def broken(self) -> Notice | None:
        """Why its journal takes no more, so that the studio has to be opened again; None while it does."""
        return self._desk.broken

    def tasks(self) -> tuple[Task, ...]:
        """All there ever were, in the order in which they were opened."""
        self.expire()
        return self._desk.tasks()

    def history(self, task: TaskId) -> tuple[Turn, ...]:
        """A task's own turns. Raises InputError when they are gone."""
        return self._histories.turns(task)

    def options(self, task: TaskId, turn: int) -> tuple[Option, ...]:
        """What this answer of a task offered; none for a turn that offered nothing."""
        return self._desk.options(task, turn)

    def offers(self, task: TaskId) -> tuple[Offer, ...]:
        """All that a task was offered, each text once, oldest first."""
        return self._desk.offers(task)

    def numbered(self, task: TaskId, numbers: Sequence[int]) -> tuple[Offer, ...]:
        """The options of these numbers that a task was offered last; none where no answer has all of them."""
        return self._desk.numbered(task, numbers)

    def taken(self, task: TaskId, turn: int) -> Taken | None:
        """What this turn of the author's was taken for; None: none of late, or of an earlier version."""
        return self._desk.state.taken.get((task, turn))

    def asked(self, task: TaskId, turn: int) -> int:
        """The number of the author's turn that this answer answers."""
        reply = self._desk.state.replies.get((task, turn))
        return reply.answers if reply is not None and reply.answers else turn - 1

    def is_replaced(self, task: TaskId, turn: int) -> bool:
        """Whether there is another answer in this one's place."""
        return turn in self._desk.state.replaced.get(task, frozenset())

    def is_unanswered(self, task: TaskId) -> bool:
        """Whether the author waits for an answer to their last turn (`Gateway.resume`)."""
        return task in self._desk.state.unanswered

    def cited(self, task: TaskId, turn: int) -> tuple[Citation, ...]:
        """Lines of the record that this answer stands on; none for one of long ago."""
        reply = self._desk.state.replies.get((task, turn))
        return reply.cited if reply is not None else ()

    def spent(self, task: TaskId, turn: int) -> Spent:
        """What the language model was asked for this answer."""
        reply = self._desk.state.replies.get((task, turn))
        return reply.spent if reply is not None else Spent()

    def table(self, task: TaskId) -> SettlementTable | None:
        """The table that waits for the author, as it was made."""
        return self._desk.state.tables.get(task)

    def waiting(self) -> tuple[TaskId, ...]:
        """Tasks whose settlement is confirmed and waits for a store."""
        return tuple(writes.task for writes in self._desk.confirmed())

    def failure(self, task: TaskId) -> Notice | None:
        """Why the hub refused the task's last settlement when it could be asked again; None: it did not."""
        failed = self._desk.state.failed.get(task)
        return failed.why if failed else None

    def refused(self, task: TaskId | None) -> InputRefused | None:
        """What was typed last in this task and could not be used, to be put back before the author."""
        return self._desk.state.refused.get(task)

    def expire(self) -> None:
        """Let go of histories that were kept long enough."""
        for task in self._histories.expired():
            with self._locked(task):
                self._histories.let_go(task)
