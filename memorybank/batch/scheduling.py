"""What every scheduler is: jobs in, rows out as they end. This one works on one job after the other, here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from memorybank.batch.plan import BatchPlan
from memorybank.batch.results import TaskRow
from memorybank.batch.store import Job
from memorybank.batch.worker import Stopping, run_task


@dataclass(frozen=True, slots=True, kw_only=True)
class JobMoved:
    """A job has begun, or has ended with its row."""

    job: Job
    state: Literal["running", "ended"]
    row: TaskRow | None = None


OnMove = Callable[[JobMoved], None]


class Scheduler(Protocol):
    def run(self, jobs: Sequence[Job], plan: BatchPlan, on_move: OnMove, stopping: Stopping) -> None:
        """Come back when every job has ended, or, where `stopping` was asked, when none runs any more.

        `on_move` is called from this thread. A job that was not begun when the stop was asked for is not told of.
        """


class SerialScheduler:
    def run(self, jobs: Sequence[Job], plan: BatchPlan, on_move: OnMove, stopping: Stopping) -> None:
        for job in jobs:
            if stopping.asked:
                return
            on_move(JobMoved(job=job, state="running"))
            row = run_task(job.task, job.folder, plan, system=job.system, stopping=stopping)
            on_move(JobMoved(job=job, state="ended", row=row))
