"""How many sessions an hour side by side, when a language model answers after 300 ms, and what a waiting one costs.

The endpoint is a `ScriptedServer` in a process of its own, so part of the machine's CPU is its. Sessions are those of
`memorybank batch --engine llm`: the same scheduler, workers and journals; embedding is `hashed-ngrams`. A row's time
goes from the first event of its first journal to the last of its last, so starting up is not in it.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memorybank.batch.local import LocalScheduler, cores
from memorybank.batch.plan import BatchPlan
from memorybank.batch.scheduling import JobMoved
from memorybank.batch.store import BatchFolder
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import Stopping
from memorybank.runs.run_folder import load
from memorybank.settings.config import Settings
from memorybank_lab.bench.table import Progress
from memorybank_lab.lifeline import command

DELAY = 0.3
ENOUGH = 0.8
"""Share of `workers` times one session's throughput that is to be reached, or else of what the CPU allows."""
QUICK: Mapping[str, Any] = {"workers": (1, 4), "delay": 0.1, "tasks_a_worker": 1}
LOOK = 0.5
"""Seconds between two looks at the memory."""
_TEXT = (
    "# Lake {n}\n\nLake {n} is {depth} m deep. It was measured on 3 May 2020.\n\n# Other\n\nLake {n} is {other} m deep."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchBenchRow:
    workers: int
    tasks: int
    seconds: float
    tasks_a_minute: float
    share: float
    """Of `workers` times the throughput of one session."""
    cpu_a_task: float
    """Seconds of CPU, of workers, scheduler and endpoint together."""
    cpu_limit: float
    """Tasks a minute that all cores could do if none ever waited: `cores / cpu_a_task`."""
    mb_a_session: float | None
    """Memory that only the workers have (USS), by the sessions in them, at most; None where the system does not say."""

    @property
    def limited_by(self) -> str:
        """What keeps it from more."""
        if self.share >= ENOUGH:
            return "the endpoint"
        return "the CPU" if self.tasks_a_minute >= ENOUGH * self.cpu_limit else "something else"

    def cells(self) -> Mapping[str, str]:
        return {
            "workers": str(self.workers),
            "tasks": str(self.tasks),
            "s": f"{self.seconds:.1f}",
            "tasks/min": f"{self.tasks_a_minute:.1f}",
            "of N x one": f"{self.share:.2f}",
            "CPU s/task": f"{self.cpu_a_task:.2f}",
            "CPU limit/min": f"{self.cpu_limit:.1f}",
            "of it": f"{self.tasks_a_minute / self.cpu_limit:.2f}",
            "MB/session": "-" if self.mb_a_session is None else f"{self.mb_a_session:.1f}",
            "limited by": self.limited_by,
        }


def run(
    progress: Progress,
    settings: Settings,
    *,
    workers: Sequence[int] = (1, 8, 64),
    delay: float = DELAY,
    tasks_a_worker: int = 2,
) -> list[BatchBenchRow]:
    """A row for each number of workers; the first is to be 1. Of the settings nothing is taken."""
    del settings
    rows: list[BatchBenchRow] = []
    with _endpoint(delay) as (address, server):
        for count in workers:
            progress(f"{count} workers, {count * tasks_a_worker} tasks; the endpoint answers after {delay:g} s")
            alone = rows[0].tasks_a_minute if rows else None
            rows.append(_measure(count, count * tasks_a_worker, address, server, alone))
    return rows


def _measure(workers: int, count: int, address: str, server: int, alone: float | None) -> BatchBenchRow:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        given = {"LLM_PROVIDER": "local", "LLM_BASE_URL": address, "LLM_MODEL": "scripted", "LLM_CACHE": "false"}
        plan = BatchPlan(engine="llm", embedding_model="hashed-ngrams", settings=tuple(given.items()))
        jobs = BatchFolder(folder / "out").jobs(plan, read_tasks(_tasks(folder, count)))
        scheduler = LocalScheduler(workers, asks_endpoint=True)
        failed: list[str] = []

        def on_move(moved: JobMoved) -> None:
            if moved.row is not None and not moved.row.ended:
                failed.append(moved.row.error)

        before = _cpu(server)
        with _looking(workers) as seen:
            scheduler.run(jobs, plan, on_move, Stopping())
        cpu = _cpu(server) - before + sum(seen.cpu.values())
        if failed:
            raise RuntimeError(f"{len(failed)} of {count} tasks failed: {failed[0]}")
        times = [record.at for job in jobs for record in load(job.folder)]
    seconds = max(times) - min(times)
    rate = 60 * count / seconds
    return BatchBenchRow(
        workers=workers,
        tasks=count,
        seconds=seconds,
        tasks_a_minute=rate,
        share=rate / (workers * (alone or rate / workers)),
        cpu_a_task=cpu / count,
        cpu_limit=60 * cores() * count / cpu,
        mb_a_session=max(seen.memory) if seen.memory else None,
    )


def _tasks(folder: Path, count: int) -> Path:
    """Every task has a document of its own, whose two depths contradict each other."""
    lines = []
    for n in range(count):
        (folder / f"lake{n}.md").write_text(_TEXT.format(n=n, depth=40 + n, other=90 + n), "utf-8")
        lines.append(json.dumps({"id": f"lake{n}", "task": f"How deep is lake {n}?", "context": [f"lake{n}.md"]}))
    path = folder / "tasks.jsonl"
    path.write_text("\n".join(lines), "utf-8")
    return path


@contextmanager
def _endpoint(delay: float) -> Iterator[tuple[str, int]]:
    """The scripted agents in a process of their own: their address, and the process id."""
    line = command("memorybank_lab.scripted", "--port", "0", "--delay", str(delay))
    with subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        try:
            assert process.stdout is not None
            yield process.stdout.readline().strip().removeprefix("LLM_BASE_URL="), process.pid
        finally:
            process.terminate()


def _cpu(server: int) -> float:
    """Seconds of CPU so far: of this process, of children that have ended, and of the endpoint."""
    own = os.times()
    return own.user + own.system + own.children_user + own.children_system + _cpu_of(server)


def _cpu_of(pid: int) -> float:
    """Seconds of CPU of one process, without its children; 0 where the system does not say."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class _Seen:
    memory: list[float] = field(default_factory=list)
    """MB that only the workers have, by the sessions that they are for."""
    cpu: dict[int, float] = field(default_factory=dict)
    """Seconds of CPU that each worker took so far, by its process id; what the fork server imported is not in it."""


@contextmanager
def _looking(sessions: int) -> Iterator[_Seen]:
    """Look at the processes while they run."""
    seen, over = _Seen(), threading.Event()

    def look() -> None:
        while not over.wait(LOOK):
            workers = [pid for child in multiprocessing.active_children() if (pid := child.pid)]
            seen.cpu |= {pid: cpu for pid in workers if (cpu := _cpu_of(pid))}
            own = [_own_memory(pid) for pid in workers]
            if own and None not in own:
                seen.memory.append(sum(filter(None, own)) / sessions)

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield seen
    finally:
        over.set()
        thread.join()


def _own_memory(pid: int) -> float | None:
    """USS in MB: pages that no other process has; None where the system does not say."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return None
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1_024
