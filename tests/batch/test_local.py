"""Sessions side by side: real processes, killed at any moment; what was done stays, and none is done twice."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.local import LocalScheduler
from memorybank.batch.plan import BatchPlan
from memorybank.batch.results import TaskRow, read_results
from memorybank.batch.store import BatchFolder, Job
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import JobMoved, SerialScheduler, Stopping
from memorybank.commands import batching
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank_lab.scripted import ScriptedServer, scripted_agents
from tests.batch.making import HASHED, PLAN, RESERVOIR, documents, line, on_endpoint, task_file
from tests.command_line import ROOT, memorybank
from tests.waiting import wait_until


def jobs_of(folder: Path, lines: list[dict[str, Any]], plan: BatchPlan = PLAN) -> tuple[Job, ...]:
    return BatchFolder(folder / "out").jobs(plan, read_tasks(task_file(folder, lines)))


def lines(count: int) -> list[dict[str, Any]]:
    english = [line(f"e{n}", context=["corpus/ferry.md", "corpus/harbour.md"], corpus="corpus") for n in range(count)]
    return [*english, {"id": "z", "task": RESERVOIR, "corpus": "corpus", "expect": 4200}]


def fingerprints(runs: Path) -> dict[str, str]:
    return {folder.name: fingerprint(state_at(load(folder))) for folder in sorted(runs.iterdir())}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the same tasks come to one after the other, here."""
    folder = tmp_path_factory.mktemp("undisturbed")
    documents(folder)
    rows: list[JobMoved] = []
    SerialScheduler().run(jobs_of(folder, lines(5)), PLAN, rows.append, Stopping())
    return fingerprints(folder / "out" / "runs")


def typed(folder: Path) -> subprocess.Popen[str]:
    command = ["batch", str(folder / "tasks.jsonl"), "--out", str(folder / "out"), "--workers", "2", *HASHED]
    return subprocess.Popen(
        [sys.executable, "-m", "memorybank", *command],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def descendants(pid: int) -> set[int]:
    children = Path(f"/proc/{pid}/task/{pid}/children")
    found = set(map(int, children.read_text().split())) if children.exists() else set()
    return found.union(*(descendants(child) for child in found))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="they want /proc")
def test_killed_in_the_middle_and_begun_again_it_comes_to_the_same(
    tmp_path: Path, undisturbed: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    documents(tmp_path)
    task_file(tmp_path, lines(5))
    first = typed(tmp_path)
    wait_until(lambda: len(read_results(tmp_path / "out")) >= 2, 60, lambda: first.poll())
    family = descendants(first.pid)
    first.kill()
    first.wait()
    assert len(family) >= 3
    wait_until(lambda: not any(Path(f"/proc/{pid}/exe").exists() for pid in family), 10)
    ended = {key: row for key, row in read_results(tmp_path / "out").items() if row.ended}
    files = {path: path.stat().st_mtime_ns for id_, _ in ended for path in (tmp_path / "out/runs" / id_).rglob("*")}
    assert 2 <= len(ended) < 6
    monkeypatch.setattr(batching, "_scheduler", lambda *_: SerialScheduler())
    again = memorybank("batch", tmp_path / "tasks.jsonl", "--out", tmp_path / "out", *HASHED, "--json")
    assert (again.returncode, json.loads(again.stdout)["left"]) == (0, 0), again.stderr
    assert fingerprints(tmp_path / "out" / "runs") == undisturbed
    assert files == {path: path.stat().st_mtime_ns for path in files}, "what was finished is not touched"
    written = [json.loads(row)["id"] for row in (tmp_path / "out" / "results.jsonl").read_text("utf-8").splitlines()]
    assert Counter(written) == Counter(undisturbed.keys()), "none twice"


def test_ctrl_c_stops_all_and_the_same_command_goes_on(tmp_path: Path, undisturbed: dict[str, str]) -> None:
    documents(tmp_path)
    task_file(tmp_path, lines(30))
    first = typed(tmp_path)
    wait_until(lambda: len(read_results(tmp_path / "out")) >= 1, 60, lambda: first.poll())
    first.send_signal(signal.SIGINT)
    _, err = first.communicate(timeout=30)
    assert (first.returncode, "the same command goes on" in err, "Traceback" in err) == (1, True, False), err
    assert all(row.ended for row in read_results(tmp_path / "out").values())
    jobs = BatchFolder(tmp_path / "out").jobs(PLAN, read_tasks(tmp_path / "tasks.jsonl"))
    SerialScheduler().run(jobs[:3], PLAN, lambda moved: None, Stopping())
    assert set(fingerprints(tmp_path / "out" / "runs").values()) == {undisturbed["e0"]}, "those that were stopped, too"


def ended_rows(moves: list[JobMoved]) -> dict[str, TaskRow]:
    return {moved.job.task.id: moved.row for moved in moves if moved.row is not None}


def test_a_worker_that_is_killed_takes_its_own_task_along_and_no_other(tmp_path: Path) -> None:
    documents(tmp_path)
    with ScriptedServer(scripted_agents(), delay=0.2) as server:
        plan, moves = on_endpoint(server), list[JobMoved]()
        jobs = jobs_of(tmp_path, lines(1), plan)
        scheduler = LocalScheduler(1, asks_endpoint=True)
        threading.Thread(target=_kill_first, args=(server,), daemon=True).start()
        scheduler.run(jobs, plan, moves.append, Stopping())
        rows = ended_rows(moves)
        assert (rows["e0"].outcome, rows["z"].outcome) == ("failed", "complete")
        assert "SIGKILL" in rows["e0"].error
        assert rows["e0"].calls > 0, "what it had been answered is told"
        calls = len(server.chats)
        SerialScheduler().run(jobs[:1], plan, moves.append, Stopping())
        assert ended_rows(moves)["e0"].outcome == "complete"
        assert len(server.chats) < 2 * calls, "it went on where it was killed"


def _kill_first(server: ScriptedServer) -> None:
    server.wait_for(8, 60)
    os.kill(workers()[0], signal.SIGKILL)


def workers() -> list[int]:
    return [pid for child in multiprocessing.active_children() if (pid := child.pid)]


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="they want /proc")
def test_no_worker_loads_a_model_and_a_failing_disk_is_its_tasks_own(tmp_path: Path) -> None:
    """Of one task the folder cannot be written: as where its disk is full."""
    documents(tmp_path)
    (tmp_path / "out" / "runs").mkdir(parents=True)
    (tmp_path / "out" / "runs" / "e0").symlink_to("/dev/full")
    maps: list[str] = []
    with ScriptedServer(scripted_agents(), delay=0.2) as server:
        plan, moves = on_endpoint(server), list[JobMoved]()
        scheduler = LocalScheduler(4, asks_endpoint=True)

        def look() -> None:
            server.wait_for(8, 60)
            maps.extend(Path(f"/proc/{pid}/maps").read_text() for pid in workers())

        looking = threading.Thread(target=look)
        looking.start()
        scheduler.run(jobs_of(tmp_path, lines(2), plan), plan, moves.append, Stopping())
        looking.join()
    rows = ended_rows(moves)
    assert rows.pop("e0").outcome == "failed"
    assert {row.outcome for row in rows.values()} == {"complete"}
    assert len(maps) >= 2
    assert not any("torch" in mapped for mapped in maps)
