"""A batch on a real Ray cluster of several nodes, all on this machine: one is killed; nothing is lost or done twice."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.cluster.home import Home
from memorybank.batch.cluster.scheduler import Order, RayScheduler
from memorybank.batch.plan import BatchTask
from memorybank.batch.results import TaskRow
from memorybank.batch.shared import SharedStorage, attempts
from memorybank.batch.store import BatchFolder, Job
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import JobMoved, Stopping, run_task
from memorybank.errors import InputError
from memorybank.language.text import sha256
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from tests.batch.making import HASHED, PLAN, RESERVOIR, documents, line, stages_of, task_file
from tests.batch.s3 import SECRET, serving
from tests.command_line import memorybank, typed
from tests.waiting import wait_until

ray: Any = pytest.importorskip("ray", reason="a batch on Ray: the extra ray is not installed")
pytest.importorskip("s3fs", reason="a batch on Ray: the extra ray is not installed")

NODE = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False, "include_log_monitor": False}
QUICK = {"health_check_period_ms": 1000, "health_check_failure_threshold": 3, "health_check_timeout_ms": 1000}
"""A node that is gone is known to be after 3 s; else it is 10."""
KEY = "sk-tested-only-0123456789abcdef"
GLANCE = 0.3
"""Seconds between two looks at every process of the machine: a model is there for longer."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head with one processor, whose environment has the access to an S3 server; the first test adds a node."""
    from ray.cluster_utils import Cluster

    with serving() as access, pytest.MonkeyPatch.context() as environment:
        for name, value in {**access, "RAY_USAGE_STATS_ENABLED": "0"}.items():
            environment.setenv(name, value)
        cluster = Cluster(initialize_head=True, head_node_args={**NODE, "no_monitor": True, "_system_config": QUICK})
        try:
            yield cluster
        finally:
            ray.shutdown()
            cluster.shutdown()


@pytest.fixture
def tasks(tmp_path: Path) -> tuple[BatchTask, ...]:
    documents(tmp_path)
    ferries = [line(f"f{number}", context=["corpus/ferry.md", "corpus/harbour.md"]) for number in range(5)]
    return read_tasks(task_file(tmp_path, [*ferries, line("水库", RESERVOIR, context=["corpus/水库.md"])]))


class Told:
    """What the scheduler said, and something to do when so many tasks have ended."""

    def __init__(self, at: int = -1, act: Any = None) -> None:
        self.rows: list[TaskRow] = []
        self._at, self._act = at, act

    def __call__(self, moved: JobMoved) -> None:
        if moved.row is None:
            return
        self.rows.append(moved.row)
        if len(self.rows) == self._at:
            self._act()


class Killer(threading.Thread):
    """Kills a node, all its processes at once, as soon as one of them is in the middle of a run."""

    def __init__(self, cluster: Any, node: Any, storage: Path) -> None:
        super().__init__(daemon=True)
        self.victims: list[str] = []
        self._cluster, self._node, self._storage = cluster, node, storage

    def run(self) -> None:
        raylet = next(iter(self._node.all_processes["raylet"])).process.pid
        wait_until(lambda: self._caught(raylet), 120)
        self._cluster.remove_node(self._node, allow_graceful=False)

    def _caught(self, raylet: int) -> bool:
        """Kill the node's workers once a run that one of them works on has some stages on the storage."""
        for journal in self._storage.glob("*/runs/*/0001-*/journal.jsonl"):
            if not 3 < journal.read_bytes().count(b"\n") < 30:
                continue
            name, workers = journal.parents[1].name, children(raylet)
            if name in map(_task_of, workers):
                for worker in workers:
                    with suppress(ProcessLookupError):
                        os.kill(worker, signal.SIGKILL)
                self.victims.append(name)
                return True
        return False


def _task_of(pid: int) -> str:
    """The task that a Ray worker is at, by the title that Ray gives it."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/cmdline").read_text().partition("memorybank ")[2].rstrip("\0 ")
    return ""


def children(pid: int) -> set[int]:
    task = Path(f"/proc/{pid}/task")
    return {int(child) for path in task.glob("*/children") for child in path.read_text().split()}


def jobs_of(folder: BatchFolder, tasks: tuple[BatchTask, ...]) -> list[Job]:
    (folder.path).mkdir(parents=True, exist_ok=True)
    return [Job(task=task, system="bank", folder=folder.run_folder(task.id)) for task in tasks]


def test_a_node_is_killed_and_all_tasks_end_as_they_do_here(
    cluster: Any, tasks: tuple[BatchTask, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = cluster.add_node(**NODE)
    monkeypatch.setenv("LLM_API_KEY", KEY)
    ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    folder = BatchFolder(tmp_path / "out")
    jobs = jobs_of(folder, tasks)
    home = Home.of(folder.path, None)
    killer = Killer(cluster, lost, Path(home.place))
    killer.start()
    told = Told()
    RayScheduler(home).run(jobs, PLAN, told, Stopping())
    killer.join()

    assert sorted(row.id for row in told.rows) == sorted(task.id for task in tasks), "each once"
    assert {row.outcome for row in told.rows} == {"complete"}
    (victim,) = killer.victims
    assert len(attempts(SharedStorage(home.place), home.run(victim, "bank"))) > 1, "what was lost was gone on with"
    for job in jobs:
        alone = tmp_path / "alone" / sha256(job.task.task)
        if not alone.exists():  # five of them ask the same of the same documents
            run_task(job.task, alone, PLAN)
        assert fingerprint(state_at(load(job.folder))) == fingerprint(state_at(load(alone)))
        assert stages_of(job.folder) == stages_of(alone), "no stage twice"
    written = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert KEY.encode() not in written


def test_a_stop_lets_sessions_come_to_rest_and_the_next_batch_goes_on_over_s3(
    cluster: Any, tasks: tuple[BatchTask, ...], tmp_path: Path
) -> None:
    folder = BatchFolder(tmp_path / "out")
    tasks = tasks[-3:]
    jobs = jobs_of(folder, tasks)
    stopping = Stopping()
    told = Told(1, stopping.ask)
    home = Home.of(folder.path, f"s3://shared/{tmp_path.name}")
    RayScheduler(home).run(jobs, PLAN, told, stopping)
    ended = {row.id for row in told.rows if row.ended}
    assert 1 <= len(ended) < len(tasks)
    assert {(row.outcome, row.error) for row in told.rows} <= {("complete", ""), ("stopped", "")}
    again = Told()
    left = [job for job in jobs if job.task.id not in ended]
    RayScheduler(Home.of(folder.path, None)).run(left, PLAN, again, Stopping())
    assert {(row.outcome, row.error) for row in again.rows} == {("complete", "")}
    assert ended | {row.id for row in again.rows} == {task.id for task in tasks}
    assert not any(SECRET.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def models() -> list[str]:
    """Titles of the Ray processes of this machine that have an embedding model, once for each that they have."""
    titles = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            if b"memorybank.embedding.worker" in path.read_bytes():
                parent = path.with_name("stat").read_text().rpartition(")")[2].split()[1]
                titles.append(Path(f"/proc/{parent}/cmdline").read_text().partition("\0")[0])
    return [title for title in titles if title.startswith("ray::")]


def test_what_is_handed_to_ray_holds_no_key(
    tasks: tuple[BatchTask, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LLM_API_KEY", "AWS_SECRET_ACCESS_KEY", "TAVILY_API_KEY"):
        monkeypatch.setenv(name, KEY)
    home = Home.of(tmp_path, None)
    order = Order(
        task=tasks[0], system="bank", plan=PLAN, place=home.place, run="r", inputs="i", sent={}, embedding="e"
    )
    handed = ray.cloudpickle.dumps(order)
    assert b"f0" in handed
    assert KEY.encode() not in handed


def test_the_command_goes_to_a_cluster_that_is_there_and_loads_one_model_a_node(cluster: Any, tmp_path: Path) -> None:
    from ray._private.state import jobs  # nothing else says it without a dashboard

    if not ray.is_initialized():
        ray.init(address=cluster.address, log_to_driver=False, logging_level="error")
    before = len(jobs())
    documents(tmp_path)
    out, place = tmp_path / "out", tmp_path / "shared"
    command = ("batch", task_file(tmp_path, [line("f"), line("g")]), "--out", out, "--workers", "2", "--json")
    model = ("--embedding-model", "multilingual-e5-small")
    loaded: list[list[str]] = []
    with ThreadPoolExecutor(1) as pool:
        typing = pool.submit(typed, *command, *model, "--on", "ray", "--address", cluster.address, "--storage", place)
        while wait([typing], GLANCE).not_done:
            loaded.append(models())
    done = typing.result()
    assert done.returncode == 0, done.stderr
    assert [row["outcome"] for row in json.loads(done.stdout)["rows"]] == ["complete", "complete"]
    assert {folder.name for folder in place.glob("*/runs/*")} == {"f", "g"}
    assert len(jobs()) == before + 1, "it was a driver of this cluster"
    assert [title.partition(".")[0] for title in max(loaded, key=len)] == ["ray::NodeEmbedding"]
    assert ray.cluster_resources()["CPU"] >= 1, "and it is there for the next"


def test_the_command_begins_a_cluster_of_its_own(tmp_path: Path) -> None:
    ray.shutdown()
    documents(tmp_path)
    command = ("batch", task_file(tmp_path, [line("f")]), "--out", tmp_path / "out", *HASHED)
    done = memorybank(*command, "--on", "ray", "--workers", "1", "--storage", tmp_path / "shared", "--json")
    assert done.returncode == 0, done.stderr
    assert [row["outcome"] for row in json.loads(done.stdout)["rows"]] == ["complete"]
    assert len(list((tmp_path / "shared").glob("*/runs/f"))) == 1
    for option in ("--storage", "--address"):
        refused = memorybank(*command, option, "s3://key:secret@place")
        assert (refused.returncode, "--on ray" in refused.stderr, "secret" in refused.stderr) == (2, True, False)


def test_a_batch_keeps_its_place(tmp_path: Path) -> None:
    home = Home.of(tmp_path, "s3://shared/here")
    assert Home.of(tmp_path, None) == home == Home.of(tmp_path, "s3://shared/here/")
    with pytest.raises(InputError, match="s3://shared/here"):
        Home.of(tmp_path, "s3://shared/there")
    (tmp_path / "storage.json").write_text(json.dumps({"place": "s3://a:b@c", "batch": "x"}))
    with pytest.raises(InputError):
        Home.of(tmp_path, None)


def test_no_cluster_at_an_address_is_told(tmp_path: Path, tasks: tuple[BatchTask, ...]) -> None:
    ray.shutdown()
    scheduler = RayScheduler(Home.of(tmp_path, None), address="127.0.0.1:1")
    with pytest.raises(InputError, match="no Ray cluster"):
        scheduler.run(jobs_of(BatchFolder(tmp_path), tasks), PLAN, Told(), Stopping())
