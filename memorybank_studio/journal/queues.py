"""History queues: of each task the turns that are its own, in order (fact-planning specification, section 3.3 C).

A queue is working memory: it can be lost at any time and is rebuilt from the journal (`histories.py`).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Protocol

from memorybank_studio.types import TaskId, Turn


class HistoryQueues(Protocol):
    """One queue a task. Every method may raise StoreUnavailableError."""

    def append(self, task: TaskId, turn: Turn) -> None: ...

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        """From turn `first` to turn `last`, both included; None: to the end."""

    def fill(self, task: TaskId, turns: Sequence[Turn]) -> None:
        """Replace the whole queue at once."""

    def keep(self, task: TaskId, seconds: float | None) -> None:
        """Let the queue go after this time; None: keep it."""

    def drop(self, task: TaskId) -> None: ...

    def close(self) -> None: ...


class MemoryQueues:
    """Queues in this process. What is kept only for a time goes when the studio drops it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._queues: dict[TaskId, list[Turn]] = {}

    def append(self, task: TaskId, turn: Turn) -> None:
        with self._lock:
            self._queues.setdefault(task, []).append(turn)

    def turns(self, task: TaskId, first: int = 1, last: int | None = None) -> tuple[Turn, ...]:
        with self._lock:
            return tuple(self._queues.get(task, [])[first - 1 : last])

    def fill(self, task: TaskId, turns: Sequence[Turn]) -> None:
        with self._lock:
            self._queues[task] = list(turns)

    def keep(self, task: TaskId, seconds: float | None) -> None:
        """Nothing to do: the studio drops what has expired."""

    def drop(self, task: TaskId) -> None:
        with self._lock:
            self._queues.pop(task, None)

    def close(self) -> None:
        with self._lock:
            self._queues.clear()
