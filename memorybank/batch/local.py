"""Sessions side by side on this machine, each in a process of the standard library's pool.

The processes are forked from one that has everything imported (multiprocessing's fork server). The embedding models are
a service of the process that schedules (embedding/service.py), so no worker imports torch. A pool is broken as a whole
when a process of it dies, so each worker is a pool of its own: it takes nothing along but the task that it works on.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from multiprocessing import forkserver
from multiprocessing.process import BaseProcess
from multiprocessing.synchronize import Event
from typing import Final

from memorybank.batch.plan import BatchPlan
from memorybank.batch.results import TaskRow, failed_row, row_of
from memorybank.batch.store import Job
from memorybank.batch.worker import GLANCE, JobMoved, OnMove, Stopping, run_task
from memorybank.embedding.service import EmbeddingService, serve_by
from memorybank.errors import Notice

_IMPORTED: Final = (
    "memorybank.batch.local",
    "memorybank.engines.offline.analysis",
    "memorybank.engines.offline.integration",
    "memorybank.engines.offline.structure",
    "memorybank.session.executors.researcher",
)
"""Modules that the fork server imports, so that no worker has to."""
_IMPORTED_TO_ASK: Final = (
    "memorybank.engines.llm.analysis",
    "memorybank.engines.llm.integration",
    "memorybank.engines.llm.structure",
    "memorybank.session.executors.react",
    "openai.resources.chat.completions",
    "httpcore",
    "h11",
    "anyio._backends._asyncio",
)
"""Modules that it imports besides where tasks ask a language model."""
_ENVIRONMENT: Final = {
    "PYTHONSAFEPATH": "1",  # the fork server imports what this process would, and not from the working directory
    # A session is one of many: more threads for its small matrices would only wait for each other.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "OMP_WAIT_POLICY": "PASSIVE",
    "TOKENIZERS_PARALLELISM": "false",
}


class LocalScheduler:
    """A `Scheduler` that has so many sessions side by side."""

    def __init__(self, workers: int, *, asks_endpoint: bool) -> None:
        """`asks_endpoint` tells whether the tasks' engine is a language model."""
        self._most = workers
        self._asks_endpoint = asks_endpoint

    def run(self, jobs: Sequence[Job], plan: BatchPlan, on_move: OnMove, stopping: Stopping) -> None:
        """Run the jobs as `Scheduler.run` says."""
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([*_IMPORTED, *(_IMPORTED_TO_ASK if self._asks_endpoint else ())])
        with _environment({**_ENVIRONMENT, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}):
            forkserver.ensure_running()
        left, running = deque(jobs), dict[Future[TaskRow], tuple[_Worker, Job]]()
        with EmbeddingService() as service, ExitStack() as workers:
            setting = _Setting(plan, service.address, context.Event(), dict(os.environ))
            free = [workers.enter_context(closing(_Worker(setting))) for _ in range(min(self._most, len(jobs)))]
            while running or (left and not stopping.asked):
                while left and free and not stopping.asked:
                    worker, job = free.pop(), left.popleft()
                    running[worker.submit(job)] = worker, job
                    on_move(JobMoved(job=job, state="running"))
                if stopping.asked:
                    setting.stop.set()
                for future in wait(running, GLANCE, FIRST_COMPLETED).done:
                    worker, job = running.pop(future)
                    free.append(worker)
                    on_move(JobMoved(job=job, state="ended", row=worker.row_of(job, future)))


@dataclass(frozen=True, slots=True)
class _Setting:
    """The setting that a worker begins with."""

    plan: BatchPlan
    embedding: str
    """The address of the embedding service."""
    stop: Event
    """Set when no session shall go on."""
    environment: Mapping[str, str]
    """Variables of the process that schedules; the fork server may have been started under others."""


class _Worker:
    """A pool of one process; after a death, of another one."""

    def __init__(self, setting: _Setting) -> None:
        self._setting = setting
        self._begin()

    def _begin(self) -> None:
        self._pool = ProcessPoolExecutor(
            1,
            mp_context=multiprocessing.get_context("forkserver"),
            initializer=_begin_worker,
            initargs=(self._setting,),
        )
        self._process: BaseProcess | None = None
        self._working: Future[TaskRow] | None = None

    def submit(self, job: Job) -> Future[TaskRow]:
        """Have a job carried out; the last one must have ended."""
        before = [] if self._process else multiprocessing.active_children()
        self._working = self._pool.submit(_carry_out, job)
        if self._process is None:  # the pool starts it with its first job
            self._process = next((child for child in multiprocessing.active_children() if child not in before), None)
        return self._working

    def row_of(self, job: Job, future: Future[TaskRow]) -> TaskRow:
        """Return what came of a job that has ended, be it with its worker."""
        try:
            return future.result()
        except BrokenProcessPool:
            self._pool.shutdown()
            prices = self._setting.plan.settings_of(job.task).llm
            row = row_of(job.task, job.folder, system=job.system, prices=prices, error=self._death())
            self._begin()
            return row

    def _death(self) -> Notice:
        code = (self._process.exitcode if self._process else None) or 0
        if code < 0:
            return Notice("batch.worker_killed", signal=signal.Signals(-code).name)
        return Notice("batch.worker_ended", code=code)

    def close(self) -> None:
        """End the process, at once where it is at work: the program ends by an error or a second Ctrl-C."""
        if self._process is not None and self._working is not None and not self._working.done():
            self._process.kill()
        self._pool.shutdown()


@contextmanager
def _environment(variables: Mapping[str, str]) -> Iterator[None]:
    """Have these variables in the environment for a while."""
    before = dict(os.environ)
    os.environ.update(variables)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


def cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# -- inside -----------------------------------------------------------------------------------------------------------


class _Here:
    """The plan and the stop of a worker's process."""

    plan: BatchPlan
    stopping = Stopping()


def _begin_worker(setting: _Setting) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C in the terminal is the scheduler's to answer
    os.dup2(2, 1)  # what a library prints is no result of the batch
    os.environ.clear()
    os.environ.update(setting.environment)
    scheduler = multiprocessing.parent_process()
    assert scheduler is not None
    _after(scheduler.join, lambda: os._exit(1))  # a kill of the scheduler is a kill of its workers
    _after(setting.stop.wait, _Here.stopping.ask)
    serve_by(setting.embedding)
    _Here.plan = setting.plan


def _after(wait: Callable[[], object], do: Callable[[], object]) -> None:
    """Do it, in a thread, once there is nothing to wait for any more."""
    threading.Thread(target=lambda: (wait(), do()), daemon=True).start()


def _carry_out(job: Job) -> TaskRow:
    try:
        return run_task(job.task, job.folder, _Here.plan, system=job.system, stopping=_Here.stopping)
    except Exception as error:  # noqa: BLE001 - a fault of the program in one task: told in its row, for all to see
        traceback.print_exc()
        why = Notice("batch.program_fault", kind=type(error).__name__, why=str(error)[:300])
        return failed_row(*job.key, why)
