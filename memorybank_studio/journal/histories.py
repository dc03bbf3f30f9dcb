"""The histories of all tasks: queues that are checked against the journal at every use, and rebuilt from it.

A queue may be new (a start), emptied (Redis came back without its data), doubled (an answer that was lost on its way)
or written to by someone else. What its turns are tells, not only how many; then it is filled again.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Final

from pydantic import TypeAdapter, ValidationError

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.journal.desk import KEPT, Desk
from memorybank_studio.journal.events import HistoryBroughtBack, HistoryExpired
from memorybank_studio.journal.queues import HistoryQueues
from memorybank_studio.types import Task, TaskId, TaskState, Turn

_QUOTES_RE: Final = re.compile(r"\n\n\[1\] .*\Z", re.DOTALL)
_MARK_RE: Final = re.compile(r"(?:\[\d+\])+")
_EXPORT: Final = "memorybank-task-history"
_TURNS: Final = TypeAdapter(tuple[Turn, ...])


def without_quotes(answer: str) -> str:
    """An answer's own sentences; one that is nothing but quotes stays."""
    return _MARK_RE.sub("", _QUOTES_RE.sub("", answer))


class Histories:
    """Every turn of a task that is kept, and of no other."""

    def __init__(self, desk: Desk, queues: HistoryQueues, *, kept_seconds: float) -> None:
        self._desk = desk
        self._queues = queues
        self._kept_seconds = kept_seconds
        self._filling = threading.Lock()

    def added(self, task: TaskId, turn: Turn) -> None:
        """Take in a turn that is in the journal. Raises StoreUnavailableError; the turn is not lost."""
        self._queues.append(task, turn)

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """Turns `first` … `last` (None: the newest) of a task that has a history.

        Raises InputError when the history is gone, StoreUnavailableError.
        """
        for _ in range(3):  # a filling that began before the latest turn may end after it
            known = self._desk.task(task)
            self.check_kept(task)
            end = known.turns if last is None else min(last, known.turns)
            turns = self._queues.turns(task, first, end) if first <= end else ()
            if list(map(hash, turns)) == self._desk.hashes(task, first, end):
                return turns
            self._fill_all()
        raise StoreUnavailableError("redis.not_kept", task=task)

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

    def closed(self, task: TaskId) -> None:
        """The task was settled: its queue is kept for a while."""
        with suppress(StoreUnavailableError):  # the studio lets it go in time, whether or not the queue knows
            self._queues.keep(task, self._kept_seconds)

    def opened(self, task: TaskId) -> None:
        with suppress(StoreUnavailableError):  # a queue that goes all the same is filled again
            self._queues.keep(task, None)

    def dropped(self, task: TaskId) -> None:
        with suppress(StoreUnavailableError):  # nothing reads it any more
            self._queues.drop(task)

    def expired(self) -> tuple[TaskId, ...]:
        """Tasks that were settled too long ago to keep their histories."""
        now = self._desk.clock()
        return tuple(task.id for task in self._desk.tasks() if self._seconds_left(task, now) <= 0)

    def let_go(self, task: TaskId) -> None:
        """Drop the history of such a task, if it still is one. Call it with the task's lock held."""
        now = self._desk.clock()
        if self._seconds_left(self._desk.task(task), now) <= 0:
            self._desk.append(HistoryExpired(task=task, at=now))
            self.dropped(task)

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

    def _fill_all(self) -> None:
        """One reading of the journal for all queues: whatever emptied one has mostly emptied all."""
        with self._filling:
            for task, turns in self._desk.histories().items():
                if self._queues.turns(task) == turns:
                    continue
                self._queues.fill(task, turns)
                left = self._seconds_left(self._desk.task(task), self._desk.clock())
                self._queues.keep(task, None if left == float("inf") else left)

    # -- export -------------------------------------------------------------------------------------------------------

    def export(self, task: TaskId) -> str:
        """The whole history as JSON: what `bring_back` reads."""
        known = self._desk.task(task)
        turns = _TURNS.dump_python(self.turns(task), mode="json")
        written = {
            "kind": _EXPORT,
            "studio": self._desk.state.studio,
            "task": task,
            "title": known.title,
            "turns": turns,
        }
        return json.dumps(written, ensure_ascii=False, indent=1)

    def bring_back(self, exported: str) -> Task:
        """Put an exported history back for a task whose own has expired, so that it can be restarted.

        Raises InputError for a text that is no export, of another studio, or of a task that still has a history.
        """
        try:
            raw = json.loads(exported)
            kind, studio, task = raw["kind"], raw["studio"], TaskId(raw["task"])
            turns = _TURNS.validate_json(json.dumps(raw["turns"]))
        except (ValueError, KeyError, TypeError, RecursionError, ValidationError):
            raise InputError("history.not_exported") from None
        if kind != _EXPORT or [turn.number for turn in turns] != list(range(1, len(turns) + 1)):
            raise InputError("history.not_exported")
        if studio != self._desk.state.studio:
            raise InputError("history.other_studio")
        if self._desk.task(task).state is not TaskState.EXPIRED:
            raise InputError("history.still_here", task=task)
        self._desk.append(HistoryBroughtBack(task=task, turns=turns, at=self._desk.clock()))
        return self._desk.task(task)
