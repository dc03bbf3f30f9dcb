"""The histories of all tasks, as the journal has them: each its own turns, for as long as it is kept."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from memorybank.errors import InputError
from memorybank_studio.journal.desk import KEPT, Desk
from memorybank_studio.journal.events import HistoryExpired
from memorybank_studio.types import Task, TaskId, TaskState, Turn

_QUOTES_RE: Final = re.compile(r"\n\n\[1\] .*\Z", re.DOTALL)
_MARK_RE: Final = re.compile(r"(?:\[\d+\])+")


def without_quotes(answer: str) -> str:
    """An answer's own sentences; one that is nothing but quotes stays."""
    return _MARK_RE.sub("", _QUOTES_RE.sub("", answer))


class Histories:
    """Every turn of a task that is kept, and of no other."""

    def __init__(self, desk: Desk, *, kept_seconds: float) -> None:
        self._desk = desk
        self._kept_seconds = kept_seconds

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Turns `first` … `last` (None: the newest) of a task that has a history. Raises InputError when it is gone."""
        self.check_kept(task)
        return self._desk.turns(task, first, last)

    def standing(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """The same without answers in whose place there is another. Raises as `turns`."""
        replaced = self._desk.state.replaced.get(task, frozenset())
        return tuple(turn for turn in self.turns(task, first, last) if turn.number not in replaced)

    def told(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Those that stand, as a model is told them. Raises as `turns`."""
        return self.as_told(task, self.standing(task, first, last))

    def as_told(self, task: TaskId, turns: Iterable[Turn]) -> tuple[Turn, ...]:
        """Of an answer to a question the sentences, without the lines that it quotes: they are on record, and looked up
        anew where they matter."""
        replies = self._desk.state.replies
        return tuple(
            replace(turn, text=without_quotes(turn.text))
            if (reply := replies.get((task, turn.number))) is not None and reply.cited
            else turn
            for turn in turns
        )

    def expired(self) -> tuple[TaskId, ...]:
        """Tasks that were settled too long ago to keep their histories."""
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
