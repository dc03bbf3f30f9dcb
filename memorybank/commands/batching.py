"""batch: the tasks of a file, a run folder each, and one table of what came out."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import TextIO

from memorybank.batch.plan import BatchPlan, BatchTask, plan_settings
from memorybank.batch.report import Report
from memorybank.batch.results import ResultsFile, TaskRow
from memorybank.batch.store import BatchFolder
from memorybank.batch.tasks import BadTasksError, read_tasks
from memorybank.batch.worker import JobMoved, Scheduler, SerialScheduler, Stopping
from memorybank.commands.progress import BarOrLines, on_interrupt, say
from memorybank.embedding.service import is_served_here
from memorybank.errors import InputError, message_of
from memorybank.runs.files.names import shown


class BatchProgress(BarOrLines):
    """The counts of a batch: running, failed and left, and when it may be over, judged by those that ended so far."""

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        super().__init__(
            stream, "{percentage:3.0f}% |{bar}| {n_fmt}/{total_fmt} · {desc} [{elapsed}<{remaining}]", total
        )
        self._total = total
        self._running: set[tuple[str, str]] = set()
        self._ended = self._failed = 0
        self._began = time.monotonic()

    def moved(self, moved: JobMoved) -> None:
        if moved.state == "running":
            self._running.add(moved.job.key)
        else:
            self._running.discard(moved.job.key)
            self._count(moved)
        if self._bar is not None:
            self._bar.set_description_str(self._counts(), refresh=False)
            self._bar.update(moved.state == "ended")
            self._bar.refresh()

    def _count(self, moved: JobMoved) -> None:
        row = moved.row
        if row is None or row.outcome == "stopped":
            return
        self._ended += 1
        self._failed += not row.ended
        name = shown(row.id) if row.system == "bank" else f"{shown(row.id)} ({row.system})"
        rest = f"; {self._counts()}{self._rest()}" if self._bar is None else ""
        if not row.ended:
            self.say(f"  x {name}: {row.error}{rest}")
        elif self._bar is None:
            met = {True: ", expected", False: ", not as expected", None: ""}[row.expected]
            self.say(f"{name}: {row.outcome.replace('_', ' ')}{met}, {row.seconds:.1f} s{rest}")

    def _counts(self) -> str:
        left = self._total - self._ended - len(self._running)
        return f"{len(self._running)} running, {self._failed} failed, {left} left"

    def _rest(self) -> str:
        left = self._total - self._ended
        seconds = (time.monotonic() - self._began) / max(1, self._ended) * left
        return f", about {_duration(seconds)} to go" if left else ""


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02} min" if hours else f"{minutes} min {rest:02} s" if minutes else f"{rest} s"


WAITING = 16
"""The sessions side by side that wait for a language model, where the command does not say how many."""


def batch(arguments: argparse.Namespace) -> int:
    """Work on what is left of a batch's tasks."""
    if arguments.workers is not None and arguments.workers < 1:
        raise InputError("command.too_few", name="workers", given=arguments.workers)
    if arguments.on != "ray" and (arguments.address or arguments.storage):
        raise InputError("batch.only_on_ray", name="--address" if arguments.address else "--storage")
    plan = plan_of(arguments)
    tasks = _read(arguments)
    folder = BatchFolder(arguments.out)
    with folder.writing(plan, tasks):
        jobs = folder.jobs(plan, tasks)
        stopping = Stopping()
        report = Report(folder.path, [task.id for task in tasks], plan.systems, folder.rows)
        with ResultsFile(folder.path) as results, on_interrupt(stopping.ask), BatchProgress(len(jobs)) as progress:
            progress.say(f"{len(tasks)} tasks, {len(jobs)} runs to do")

            def on_move(moved: JobMoved) -> None:
                progress.moved(moved)
                if moved.row is not None and moved.row.outcome != "stopped":
                    try:
                        results.append(moved.row)
                        report.refresh()
                    except OSError as error:  # its folder says all the same what came of it: the next batch reads it
                        progress.say(f"memorybank: {message_of(error)}")

            _scheduler(arguments, folder, plan, tasks[0]).run(jobs, plan, on_move, stopping)
        report.write()
        return _finish(arguments, folder, tasks, plan)


def _scheduler(arguments: argparse.Namespace, folder: BatchFolder, plan: BatchPlan, task: BatchTask) -> Scheduler:
    """Choose side by side where this system can fork: one a core, or more where they wait for a network."""
    if arguments.on == "ray":
        from memorybank.batch.cluster.home import Home
        from memorybank.batch.cluster.scheduler import RayScheduler

        home = Home.of(folder.path, arguments.storage)
        return RayScheduler(home, address=arguments.address or "", workers=arguments.workers)
    workers: int | None = arguments.workers
    asks_endpoint = plan.settings_of(task).engine == "llm"
    if not is_served_here():
        return SerialScheduler()
    from memorybank.batch.local import LocalScheduler, cores

    return LocalScheduler(workers or (WAITING if asks_endpoint else cores()), asks_endpoint=asks_endpoint)


def plan_of(arguments: argparse.Namespace) -> BatchPlan:
    return BatchPlan(
        engine=arguments.engine,
        preset=arguments.preset,
        embedding_model=arguments.embedding_model or "",
        settings=plan_settings(arguments.set),
        systems=("bank", "plain") if arguments.against else ("bank",),
    )


def _read(arguments: argparse.Namespace) -> tuple[BatchTask, ...]:
    try:
        return read_tasks(arguments.tasks)
    except BadTasksError as error:
        for problem in error.problems:
            print(f"memorybank: {problem}", file=sys.stderr)
        raise


def _finish(arguments: argparse.Namespace, folder: BatchFolder, tasks: Sequence[BatchTask], plan: BatchPlan) -> int:
    """Print the result on standard output; return 0 where every task came to its end with an answer."""
    rows = folder.rows()
    known: list[TaskRow] = [
        rows[task.id, system] for task in tasks for system in plan.systems if (task.id, system) in rows
    ]
    left = len(tasks) * len(plan.systems) - sum(row.ended for row in known)
    if arguments.json:
        print(json.dumps({"out": str(folder.path), "left": left, "rows": list(map(asdict, known))}, ensure_ascii=False))
    checked = [row for row in known if row.ended and row.expected is not None]
    met = f", {sum(bool(row.expected) for row in checked)} of {len(checked)} as expected" if checked else ""
    say(f"{len(tasks) * len(plan.systems) - left} runs have ended{met}; the table: {folder.path / 'results.md'}")
    if left:
        say(f"{left} are left; the same command goes on with them")
    return 1 if left else 0
