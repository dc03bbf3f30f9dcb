"""A task on its node: its run is fetched, worked on in a folder of the node, and sent stage by stage."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from types import FrameType

from memorybank.batch.cluster.embedding import embed_by_actor
from memorybank.batch.cluster.inputs import received
from memorybank.batch.plan import BatchPlan, System
from memorybank.batch.results import TaskRow, row_of
from memorybank.batch.shared.storage import SharedStorage
from memorybank.batch.shared.syncing import SharedRun
from memorybank.batch.task import BatchTask
from memorybank.batch.worker import Stopping, run_task
from memorybank.errors import MemoryBankError, message_of
from memorybank.runs.run_folder import RunFolder


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """All that a node is told. It travels through Ray's object store, so it holds no key."""

    task: BatchTask
    system: System
    plan: BatchPlan
    place: str
    """The shared storage."""
    run: str
    """The run's folder on it."""
    inputs: str
    """The folder on it of what tasks read."""
    sent: Mapping[Path, str]
    """Names there of what this task reads; empty: it is where the task says."""
    embedding: str
    """What the names of the embedding actors begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What came of a task, and of which attempt at its run."""

    row: TaskRow
    attempt: str = ""
    """Its folder on the storage; empty where it did not come so far."""


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
            row = replace(row, outcome="failed", error=message_of(error, "en"), error_zh=message_of(error, "zh"))
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
