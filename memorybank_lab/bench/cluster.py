"""A batch on a Ray cluster of this machine: what more workers do, what stays serial, what a lost node costs.

Each node has one processor and a worker of its own; runs go over shared storage, a folder, as they would between
machines. The same tasks are worked on here first, one after the other and without Ray: every memory must have the same
fingerprint. Embedding is `hashed-ngrams`, and the engine the offline one: what is measured is the batch, not a model.
In the last row a node is killed when a third of the tasks have ended.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.batch.cluster.home import Home
from memorybank.batch.cluster.scheduler import OBJECTS, RayScheduler
from memorybank.batch.plan import BatchPlan, BatchTask
from memorybank.batch.shared import SharedStorage, attempts
from memorybank.batch.store import BatchFolder, Job
from memorybank.batch.worker import JobMoved, SerialScheduler, Stopping
from memorybank.errors import InputError
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank_lab.bench.table import Progress, aligned, as_json_by_kind

TASKS = 200
WORKERS = (1, 2, 4)
QUICK: dict[str, Any] = {"tasks": 8, "workers": (2,)}
PLAN = BatchPlan(engine="offline", embedding_model="hashed-ngrams")
_NODE = {"num_cpus": 1, "object_store_memory": OBJECTS, "include_dashboard": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterRow:
    """One way through all tasks."""

    way: str
    workers: int
    tasks: int
    seconds: float
    """From the first task that was handed over to the last row; the cluster was up and its workers had been used."""
    serial_ms: float
    """Milliseconds a task that the driver worked."""
    same: int
    """Runs whose memory has the fingerprint of the same task's without Ray."""
    twice: int
    """Tasks that had two rows."""
    taken_over: int
    """Runs that another worker went on with."""

    def cells(self) -> Mapping[str, str]:
        return {
            "": self.way,
            "workers": str(self.workers),
            "tasks/s": f"{self.tasks / self.seconds:.2f}",
            "seconds": f"{self.seconds:.1f}",
            "serial, ms a task": f"{self.serial_ms:.1f}",
            "ended": str(self.tasks),
            "same memory": str(self.same),
            "two rows": str(self.twice),
            "taken over": str(self.taken_over),
        }


def run(*, progress: Progress, tasks: int = TASKS, workers: Sequence[int] = WORKERS) -> list[ClusterRow]:
    """Raises InputError without the extra `ray`."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    try:
        import ray
        from ray.cluster_utils import Cluster
    except ImportError:
        raise InputError("integration.not_installed", name="ray", extra="ray") from None

    with tempfile.TemporaryDirectory() as folder:
        made = make_tasks(Path(folder), tasks)
        progress(f"{tasks} tasks, one after the other")
        rows, expected = [], {}
        row, alone = _timed("here, one after the other", 1, SerialScheduler(), made, Path(folder) / "alone", {})
        expected = alone
        rows.append(row)
        for count in workers:
            progress(f"{count} nodes")
            rows.append(_on(ray, Cluster, count, made, Path(folder) / f"on{count}", expected, kill=False))
        progress(f"{max(workers) + 1} nodes, of which one is killed")
        rows.append(_on(ray, Cluster, max(workers) + 1, made, Path(folder) / "killed", expected, kill=True))
    return rows


def as_table(rows: Sequence[ClusterRow]) -> str:
    return aligned([row.cells() for row in rows])


def as_json(rows: Sequence[ClusterRow]) -> str:
    return as_json_by_kind(rows)


def make_tasks(folder: Path, count: int) -> tuple[BatchTask, ...]:
    """Questions on two documents that contradict each other, in both languages; no two tasks have the same numbers."""
    tasks = []
    for number in range(count):
        first, second = folder / f"{number}-a.md", folder / f"{number}-b.md"
        seats, ships = 100 + number, ("Aurelia", "Borealis", "Calypso", "Doris")
        ship = ships[number % len(ships)]
        if number % 4 == 3:
            first.write_text(f"# 渡轮\n\n渡轮{ship}号可载客{seats}人。该船于2019年5月3日在青岚港下水。", "utf-8")
            second.write_text(f"# 港口\n\n青岚港港务长说，渡轮{ship}号可载客{seats + 70}人。", "utf-8")
            task = f"渡轮{ship}号可载客多少人？"
        else:
            first.write_text(
                f"# Ferry\n\nThe ferry {ship} carries {seats} passengers. It was launched on 3 May 2019.", "utf-8"
            )
            second.write_text(
                f"# Harbour\n\nThe harbour master says that the ferry {ship} carries {seats + 70} passengers.",
                "utf-8",
            )
            task = f"How many passengers does the ferry {ship} carry?"
        tasks.append(BatchTask(id=f"{number:03}", task=task, context=(first, second)))
    return tuple(tasks)


def _on(
    ray: Any,
    cluster_of: Any,
    count: int,
    tasks: Sequence[BatchTask],
    out: Path,
    expected: Mapping[str, str],
    *,
    kill: bool,
) -> ClusterRow:
    cluster = cluster_of(initialize_head=True, head_node_args={**_NODE, "num_cpus": 0})
    nodes = [cluster.add_node(**_NODE) for _ in range(count)]
    cluster.wait_for_nodes()
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    try:
        warm = BatchFolder(out / "warm")
        RayScheduler(_home(warm.path)).run(_jobs(warm, tasks[: 2 * count]), PLAN, lambda moved: None, Stopping())
        home = _home(out)
        scheduler = RayScheduler(home)
        at = len(tasks) // 3 if kill else -1
        killing = threading.Thread(target=cluster.remove_node, args=(nodes[0],), kwargs={"allow_graceful": False})
        way = "a node is killed" if kill else "on Ray"
        row, _ = _timed(way, count, scheduler, tasks, out, expected, at=at, act=killing.start, home=home)
        return row
    finally:
        ray.shutdown()
        cluster.shutdown()


def _home(folder: Path) -> Home:
    folder.mkdir(parents=True, exist_ok=True)
    return Home.of(folder, None)


def _jobs(folder: BatchFolder, tasks: Sequence[BatchTask]) -> list[Job]:
    return [Job(task=task, system="bank", folder=folder.run_folder(task.id)) for task in tasks]


def _timed(
    way: str,
    workers: int,
    scheduler: RayScheduler | SerialScheduler,
    tasks: Sequence[BatchTask],
    out: Path,
    expected: Mapping[str, str],
    *,
    at: int = -1,
    act: Callable[[], object] = lambda: None,
    home: Home | None = None,
) -> tuple[ClusterRow, dict[str, str]]:
    jobs = _jobs(BatchFolder(out), tasks)
    ended: list[str] = []

    def on_move(moved: JobMoved) -> None:
        if moved.row is not None and moved.row.ended:
            ended.append(moved.row.id)
            if len(ended) == at:
                act()

    began = time.perf_counter()
    scheduler.run(jobs, PLAN, on_move, Stopping())
    seconds = time.perf_counter() - began
    found = {job.task.id: fingerprint(state_at(load(job.folder))) for job in jobs if job.task.id in ended}
    taken_over = 0
    if home is not None:
        storage = SharedStorage(home.place)
        taken_over = sum(len(attempts(storage, home.run(task.id, "bank"))) > 1 for task in tasks)
    serial = scheduler.serial_seconds if isinstance(scheduler, RayScheduler) else 0.0
    row = ClusterRow(
        way=way,
        workers=workers,
        tasks=len(set(ended)),
        seconds=seconds,
        serial_ms=1000 * serial / len(tasks),
        same=sum(found[id_] == expected.get(id_, found[id_]) for id_ in found),
        twice=len(ended) - len(set(ended)),
        taken_over=taken_over,
    )
    return row, found
