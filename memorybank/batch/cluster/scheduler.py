"""The driver of a batch on Ray: it hands tasks out as there is room, and takes rows and runs in as they end.

On its node a task's run is fetched, worked on in a folder there, and sent stage by stage. A task whose worker or node
dies is tried again by Ray, elsewhere, and goes on from the last stage that was sent. Serial is what this one process
does for each task: submit it, take its row, write it down; runs are fetched beside it.
"""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from memorybank.batch.cluster.embedding import NodeEmbeddings, embed_by_actor
from memorybank.batch.cluster.home import Home, SentInputs, received
from memorybank.batch.plan import BatchPlan, BatchTask, System
from memorybank.batch.results import TaskRow, failed, failed_row, row_of
from memorybank.batch.shared import SharedRun, SharedStorage, fetch, last_attempt
from memorybank.batch.store import Job
from memorybank.batch.worker import JobMoved, OnMove, Stopping, run_task
from memorybank.errors import InputError, MemoryBankError, Notice
from memorybank.runs.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """All that a node is told. It travels through Ray's object store, so it holds no key."""

    task: BatchTask
    system: System
    plan: BatchPlan
    place: str
    """Place of the shared storage."""
    run: str
    """The run's folder on it."""
    inputs: str
    """The folder on it of what tasks read."""
    sent: Mapping[Path, str]
    """Names there of what this task reads; empty: it is where the task says."""
    embedding: str
    """The beginning of the names of the embedding actors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The outcome of a task, and of which attempt at its run."""

    row: TaskRow
    attempt: str = ""
    """The attempt's folder on the storage; empty where it did not come so far."""


def work(order: Order) -> Outcome:
    """Work on a task. What goes wrong with it is told in its row."""
    stopping = Stopping()
    with (
        _stopping_when_cancelled(stopping),
        tempfile.TemporaryDirectory(prefix="memorybank-", ignore_cleanup_errors=True) as scratch,
    ):
        folder = Path(scratch) / "run" / order.task.id
        try:
            embed_by_actor(order.embedding)
            storage = SharedStorage(order.place)
            task = received(order.task, order.sent, storage, order.inputs, Path(scratch) / "inputs")
            run = RunFolder(folder, order.plan.settings_of(task).temp_dir)
            shared = SharedRun.take(storage, order.run, run)
        except (MemoryBankError, OSError) as error:
            return Outcome(row=row_of(order.task, folder, system=order.system, error=error))
        row = run_task(task, folder, order.plan, system=order.system, stopping=stopping, stage_ended=shared.send)
        try:
            shared.send()
        except (MemoryBankError, OSError) as error:  # what the row says is not there for anybody to read
            row = failed(row, error)
        return Outcome(row=row, attempt=shared.name)


@contextmanager
def _stopping_when_cancelled(stopping: Stopping) -> Iterator[None]:
    """Ray cancels a task by an interrupt: the session then stops at its next call, as it does for Ctrl-C."""

    def stop(number: int, frame: FrameType | None) -> None:
        stopping.ask()

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


RETRIES = 5
"""Workers or nodes that one task may lose."""
OBJECTS = 80 * 2**20
"""Bytes of the object store of a cluster that is begun here: orders and rows, a few kilobytes each."""
FETCHES = 8
"""Runs that are fetched at once."""
_PATIENCE = 10.0
"""Seconds to wait for a cluster that is to be there."""
_SHORT = 0.02
_GLANCE = 0.25
"""Seconds between two looks at whether a stop was asked for, or nodes came."""


class RayScheduler:
    def __init__(self, home: Home, *, address: str = "", workers: int | None = None) -> None:
        """`address` is that of a cluster; with an empty one, a cluster of this machine is begun, and ended.

        `workers` are sessions at once, also more than the cluster has processors, where they wait for a network; None
        for as many as it has. Raises InputError where the extra is not installed.
        """
        self._home = home
        self._storage = SharedStorage(home.place)
        self._address = address
        self._workers = workers
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            import ray  # noqa: F401
        except ImportError:
            raise InputError("integration.not_installed", name="ray", extra="ray") from None

    def run(self, jobs: Sequence[Job], plan: BatchPlan, on_move: OnMove, stopping: Stopping) -> None:
        """Run the jobs as `Scheduler.run` says. Raises InputError where no cluster answers."""
        if not jobs:
            return
        with _cluster(self._address, self._workers):
            _Round(self._home, self._storage, plan, on_move, self._workers).run(jobs, stopping)


class _Round:
    """One run over the jobs, on a cluster."""

    def __init__(
        self, home: Home, storage: SharedStorage, plan: BatchPlan, on_move: OnMove, workers: int | None
    ) -> None:
        import ray

        self._ray: Any = ray
        self._work: Any = self._ray.remote(work)
        self._home, self._storage, self._plan, self._on_move, self._workers = home, storage, plan, on_move, workers
        self._inputs = SentInputs(storage, home.inputs)
        self._embedding = f"memorybank-{home.batch}-{secrets.token_hex(4)}"
        self._embeddings = NodeEmbeddings(self._embedding)
        self._running: dict[Any, Job] = {}
        self._fetching: dict[Future[MemoryBankError | OSError | None], tuple[Job, TaskRow]] = {}

    def run(self, jobs: Sequence[Job], stopping: Stopping) -> None:
        try:
            with ThreadPoolExecutor(FETCHES) as self._pool:
                self._run(jobs, stopping)
        finally:
            self._embeddings.end()

    def _run(self, jobs: Sequence[Job], stopping: Stopping) -> None:
        left = deque(jobs)
        asked = False
        while self._running or self._fetching or (left and not stopping.asked):
            self._embeddings.look()
            while left and len(self._running) < self._room() and not stopping.asked:
                self._submit(left.popleft())
            if stopping.asked and not asked:
                asked = True
                for reference in self._running:
                    self._ray.cancel(reference, force=False)
            for reference in self._wait():
                job = self._running.pop(reference)
                outcome = self._outcome(job, reference)
                self._fetching[self._pool.submit(self._fetch, job, outcome.attempt)] = job, outcome.row
            for fetching in [future for future in self._fetching if future.done()]:
                (job, row), error = self._fetching.pop(fetching), fetching.result()
                self._on_move(JobMoved(job=job, state="ended", row=row if error is None else failed(row, error)))

    def _wait(self) -> list[Any]:
        """Return tasks that have ended; comes back after a glance where none has, or where a run was fetched."""
        if self._running:
            glance = _SHORT if self._fetching else _GLANCE
            return list(self._ray.wait(list(self._running), num_returns=1, timeout=glance)[0])
        futures.wait(self._fetching, timeout=_GLANCE, return_when=futures.FIRST_COMPLETED)
        return []

    def _room(self) -> int:
        return self._workers or max(1, int(self._processors()))

    def _processors(self) -> float:
        return float(self._ray.cluster_resources().get("CPU", 1))

    def _submit(self, job: Job) -> None:
        run = self._home.run(job.task.id, job.system)
        try:
            # A run that was begun here and not there is sent, on this machine alone, so that it is gone on with.
            if job.folder.is_dir() and not last_attempt(self._storage, run):
                here = RunFolder(job.folder)
                if here.journal.exists():
                    here.check_plain()
                    SharedRun(self._storage, run, here).send()
            sent = {} if self._storage.is_folder else self._inputs.send(job.task)
        except (MemoryBankError, OSError) as error:
            self._on_move(JobMoved(job=job, state="ended", row=failed_row(*job.key, error)))
            return
        order = Order(
            task=job.task,
            system=job.system,
            plan=self._plan,
            place=self._home.place,
            run=run,
            inputs=self._home.inputs,
            sent=sent,
            embedding=self._embedding,
        )
        share = min(1.0, int(10_000 * self._processors() / self._room()) / 10_000)
        remote = self._work.options(num_cpus=share, max_retries=RETRIES, name=f"memorybank {job.task.id}")
        self._running[remote.remote(order)] = job
        self._on_move(JobMoved(job=job, state="running"))

    def _fetch(self, job: Job, attempt: str) -> MemoryBankError | OSError | None:
        """Runs beside the driver: a server answers many requests at once. Answers with why it failed."""
        try:
            fetch(self._storage, self._home.run(job.task.id, job.system), job.folder, attempt)
        except (MemoryBankError, OSError) as error:
            return error
        return None

    def _outcome(self, job: Job, reference: Any) -> Outcome:
        errors = self._ray.exceptions
        try:
            outcome: Outcome = self._ray.get(reference)
        except errors.TaskCancelledError:
            return Outcome(row=TaskRow(id=job.task.id, system=job.system, outcome="stopped"))
        except errors.RayTaskError as error:
            why = Notice("batch.program_fault", kind=type(error.cause).__name__, why=str(error.cause)[:300])
            return Outcome(row=failed_row(*job.key, why))
        except errors.RayError as error:
            lost = Notice("batch.node_lost", kind=type(error).__name__, count=RETRIES)
            return Outcome(row=failed_row(*job.key, lost))
        return outcome


@contextmanager
def _cluster(address: str, workers: int | None) -> Iterator[None]:
    """Keep a connection to a cluster as long as the batch runs; one that the caller has already is used, and kept.

    Raises InputError where none answers.
    """
    import ray

    if ray.is_initialized():
        yield
        return
    begun: dict[str, Any] = {
        "num_cpus": workers,
        "object_store_memory": OBJECTS,
        "include_dashboard": False,
        "_node_ip_address": "127.0.0.1",
    }
    try:
        # This raises OSError where nobody listens: Ray itself would try for minutes, and then end the process.
        host, colon, port = address.rpartition(":")
        if colon and port.isdecimal() and "/" not in host:
            socket.create_connection((host, int(port)), timeout=_PATIENCE).close()
        ray.init(
            address=address or "local",
            namespace=f"memorybank-{secrets.token_hex(8)}",
            log_to_driver=False,
            logging_level=logging.ERROR,
            **({} if address else begun),
        )
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError("batch.no_cluster", address=address or "local", reason=str(error)[:200]) from None
    try:
        yield
    finally:
        ray.shutdown()
