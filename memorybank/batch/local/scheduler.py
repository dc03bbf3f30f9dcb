"""The local scheduler: at most so many sessions at once; a worker that dies takes nothing but a task of its own along.

Sessions that wait for a language model share a worker, for most of a process' memory is pages that it had to write to,
not what a session keeps. When such a worker dies, nobody knows whose fault it was: its tasks go on, each in a worker
of its own, and only what dies there has failed.
"""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from typing import Any

from memorybank.batch.local.forked import STOP, Setting
from memorybank.batch.local.nursery import Nursery
from memorybank.batch.plan import BatchPlan, System
from memorybank.batch.results import TaskRow, row_of
from memorybank.batch.scheduling import JobMoved, OnMove
from memorybank.batch.store import Job
from memorybank.batch.worker import GLANCE, Stopping
from memorybank.embedding.service import EmbeddingService
from memorybank.errors import Notice

SESSIONS = 8
"""The most that share a worker."""
_LAST_WORD = 2.0
"""Seconds to wait for word of how a worker ended whose socket has ended."""


@dataclass(slots=True, eq=False)
class _Worker:
    connection: Connection
    room: int
    """How many sessions it may run at once."""
    jobs: dict[tuple[str, System], Job] = field(default_factory=dict)
    """Those that it works on."""
    begun: int = 0
    pid: int = 0

    @property
    def is_used_up(self) -> bool:
        """It gets no more: a process that has worked on as many as fit at once gives its memory back."""
        return self.begun >= self.room


class LocalScheduler:
    def __init__(self, workers: int, *, asks_endpoint: bool) -> None:
        """`workers` sessions side by side; `asks_endpoint`: the tasks' engine is a language model."""
        self._most = workers
        self._asks_endpoint = asks_endpoint
        self.pids: list[int] = []
        """Process ids of the workers that run now."""
        self.nursery_pid = 0

    @property
    def _room(self) -> int:
        """Sessions a worker: one that computes has a process of its own, and each core has a process."""
        if not self._asks_endpoint:
            return 1
        processes = max(cores(), -(-self._most // SESSIONS))
        return -(-self._most // processes)

    def run(self, jobs: Sequence[Job], plan: BatchPlan, on_move: OnMove, stopping: Stopping) -> None:
        """See `Scheduler.run`. Raises NurseryGoneError where no more workers can be had."""
        if not jobs:
            return
        nursery = Nursery(asks_endpoint=self._asks_endpoint)
        self.nursery_pid = nursery.pid
        try:
            with EmbeddingService() as service:
                setting = Setting(plan=plan, embedding=service.address)
                _Round(nursery, setting, on_move, stopping, self.pids).run(jobs, self._most, self._room)
        finally:
            nursery.close()


class _Round:
    """One run over the jobs."""

    def __init__(
        self, nursery: Nursery, setting: Setting, on_move: OnMove, stopping: Stopping, pids: list[int]
    ) -> None:
        self._nursery = nursery
        self._setting = setting
        self._on_move = on_move
        self._stopping = stopping
        self._pids = pids
        self._workers: dict[Connection, _Worker] = {}
        self._alone: deque[Job] = deque()
        """Jobs whose worker died while it had others, too."""
        self._statuses: dict[int, int] = {}
        """How workers ended that are not told of yet, by process id."""

    def run(self, jobs: Sequence[Job], most: int, room: int) -> None:
        left = deque(jobs)
        asked = False
        while self._running or ((left or self._alone) and not self._stopping.asked):
            while (left or self._alone) and self._running < most and not self._stopping.asked:
                if self._alone:
                    self._begin(self._alone.popleft(), self._fork(1))
                else:
                    self._begin(left.popleft(), self._with_room() or self._fork(room))
            if self._stopping.asked and not asked:
                asked = True
                for worker in self._workers.values():
                    _send(worker, STOP)
            self._listen()

    @property
    def _running(self) -> int:
        return sum(len(worker.jobs) for worker in self._workers.values())

    def _with_room(self) -> _Worker | None:
        return next((worker for worker in self._workers.values() if not worker.is_used_up), None)

    def _fork(self, room: int) -> _Worker:
        connection = Connection(self._nursery.fork().detach())
        worker = self._workers[connection] = _Worker(connection=connection, room=room)
        _send(worker, self._setting)
        return worker

    def _begin(self, job: Job, worker: _Worker) -> None:
        worker.jobs[job.key] = job
        worker.begun += 1
        _send(worker, job)
        self._on_move(JobMoved(job=job, state="running"))

    def _listen(self) -> None:
        for ready in wait([*self._workers, self._nursery.control], GLANCE):
            if isinstance(ready, Connection):
                self._hear(self._workers[ready])
            else:
                self._statuses |= self._nursery.ended()

    def _hear(self, worker: _Worker) -> None:
        try:
            message: Any = worker.connection.recv()
        except (EOFError, OSError):
            self._died(worker)
            return
        if not isinstance(message, TaskRow):
            worker.pid = message
            self._pids.append(message)
            self._statuses.pop(message, None)  # of one that had its number before
            return
        job = worker.jobs.pop(message.key)
        if worker.is_used_up and not worker.jobs:
            self._release(worker)
        self._on_move(JobMoved(job=job, state="ended", row=message))

    def _died(self, worker: _Worker) -> None:
        self._release(worker)
        if len(worker.jobs) > 1:
            self._alone.extend(worker.jobs.values())
            for job in worker.jobs.values():
                self._on_move(JobMoved(job=job, state="waiting"))
            return
        for job in worker.jobs.values():
            prices = self._setting.plan.settings_of(job.task).llm
            row = row_of(job.task, job.folder, system=job.system, prices=prices, error=self._death_of(worker.pid))
            self._on_move(JobMoved(job=job, state="ended", row=row))

    def _release(self, worker: _Worker) -> None:
        """It ends with its socket."""
        del self._workers[worker.connection]
        worker.connection.close()
        if worker.pid in self._pids:
            self._pids.remove(worker.pid)

    def _death_of(self, pid: int) -> Notice:
        """Why a worker has ended; the word of it may come a little later than its socket's end."""
        deadline = time.monotonic() + _LAST_WORD
        while pid and pid not in self._statuses and time.monotonic() < deadline:
            if wait([self._nursery.control], GLANCE):
                self._statuses |= self._nursery.ended()
        status = self._statuses.pop(pid, 0)
        if os.WIFSIGNALED(status):
            return Notice("batch.worker_killed", signal=signal.Signals(os.WTERMSIG(status)).name)
        return Notice("batch.worker_ended", code=os.waitstatus_to_exitcode(status))


def _send(worker: _Worker, message: object) -> None:
    with suppress(OSError):  # it has just died: the end of its socket is read next
        worker.connection.send(message)


def cores() -> int:
    """Those that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
