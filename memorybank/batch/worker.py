"""The work on one task, by the one function that each scheduler calls: its run is begun, gone on with, or left alone.

A scheduler takes jobs in and gives rows out as they end; the one here works on one job after the other.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from memorybank.batch.plain import PlainSession
from memorybank.batch.plan import BatchPlan, BatchTask, System
from memorybank.batch.results import TaskRow, row_of
from memorybank.batch.store import Job
from memorybank.errors import InputError, LockedError, MemoryBankError, Notice
from memorybank.runs.journal import is_written, read_as_far
from memorybank.runs.run_folder import SESSION, RunFolder, load, state_at
from memorybank.runs.stages import ends_stage
from memorybank.session.assembly import assemble, reassemble
from memorybank.session.intake import file_source, read_images, split_prompt, text_source
from memorybank.session.session import Session
from memorybank.settings.config import Settings

GLANCE = 0.2
"""Seconds between two looks at whether a stop was asked for."""


class Stopping:
    """Asks a task to stop, from any thread, before or while it runs; what was answered is kept."""

    def __init__(self) -> None:
        self._asked = threading.Event()
        self._pause: Callable[[], None] = lambda: None

    @property
    def asked(self) -> bool:
        return self._asked.is_set()

    def ask(self) -> None:
        self._asked.set()
        self._pause()

    def attach(self, session: Session) -> None:
        self._pause = session.pause
        if self.asked:
            session.pause()


def run_task(
    task: BatchTask,
    folder: Path,
    plan: BatchPlan,
    *,
    system: System = "bank",
    stopping: Stopping | None = None,
    stage_ended: Callable[[], None] = lambda: None,
) -> TaskRow:
    """Begin a task's run in its folder, or go on with one that was killed; a finished one is only read.

    Keys, addresses and prices are those of the machine that this runs on. What goes wrong with the task or its folder
    is told in the row and raised nowhere; only LockedError's row says that somebody else is at work on it. A session
    that comes to rest before its end, because it was asked to stop, has the outcome `stopped`. `stage_ended` is called
    after each stage, when it is on the disk; what it raises ends the work as any other failure does.
    """
    prices = None
    stopping = stopping or Stopping()
    try:
        settings = plan.settings_of(task)
        prices = settings.llm
        kind = PlainSession if system == "plain" else Session
        error = _work(task, folder, settings, stopping, kind, stage_ended)
    except (MemoryBankError, OSError) as failure:
        return row_of(task, folder, system=system, prices=prices, error=failure)
    return row_of(task, folder, system=system, prices=prices, error=error, stopping=stopping.asked)


def _work(
    task: BatchTask,
    folder: Path,
    settings: Settings,
    stopping: Stopping,
    kind: type[Session],
    stage_ended: Callable[[], None],
) -> Notice | None:
    """Return why it has not come to its end; None when it has, or was asked to stop."""
    if stopping.asked:
        return None
    run = RunFolder(folder)
    if has_begun(run):
        if state_at(load(folder)).progress.result:
            return None
        session = kind.open(folder, lambda begun: reassemble(begun, settings, settings.corpus))
    else:
        session = _start(task, run, settings, kind)
    with session:
        stopping.attach(session)
        # A model is loaded once for many sessions: no stage of one of them shall be timed with it.
        wait: Callable[[float], bool] | None = getattr(session.parts.embedder, "wait", None)
        while wait is not None and not stopping.asked and not wait(GLANCE):
            pass
        try:
            stage_ended()  # what was received, too
            for _ in session.iterate():
                stage_ended()
        finally:
            session.export()
        return None if session.result.result or session.paused else Notice("batch.came_to_rest")


def has_begun(run: RunFolder) -> bool:
    """Whether a session stands in the folder. What a kill has left of one that never began is taken away.

    Raises LockedError where somebody is beginning it just now.
    """
    if not run.journal.exists():
        if run.path.is_dir():
            run.clear_unbegun()
        return False
    if run.journal.stat().st_size:
        journal = read_as_far(run.journal, SESSION)
        if journal.damage is not None or any(map(ends_stage, journal.records)):
            return True
    if is_written(run.journal):
        raise LockedError("journal.locked", name=run.path.name)
    run.journal.unlink()
    run.clear_unbegun()
    return False


def _start(task: BatchTask, run: RunFolder, settings: Settings, kind: type[Session]) -> Session:
    prompt = split_prompt(task.task)
    if not prompt.question:
        raise InputError("batch.task_empty")
    with run.beginning():
        sources = [text_source(prompt.context, "context")] if prompt.context else []
        sources += [file_source(path, run) for path in task.context]
        images = read_images(task.images)
        parts = assemble(settings, [prompt.question, *(source.text for source in sources)])
        return kind.start(run.path, parts, goal=prompt.question, sources=sources, images=images)


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
