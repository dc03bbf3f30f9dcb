"""Whoever is killed takes with it what worked for it, and what that started in turn."""

from __future__ import annotations

import multiprocessing
import os
import re
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from streamlit.testing.v1 import AppTest

import memorybank
from conftest import MAIN
from memorybank_lab.bench.browser import START
from tests.waiting import wait_until

STARTERS = {
    "memorybank_lab/bench/browser.py",  # the app, which ends with its standard input
    "memorybank_lab/evaluation/registry.py",  # as batch/local.py
    "memorybank/documents/reader_process.py",  # its time and memory are bounded, its input is a file
    "memorybank/embedding/child.py",
    "memorybank/batch/local.py",  # each worker waits for the end of its parent in a thread
    "memorybank_studio/hub/connection.py",  # this and the next end with their standard input
    "memorybank_lab/bench/retrieval.py",  # a pool's worker, which ends with its pipe
}
"""Who may start a process."""
START_RE = re.compile(
    r"subprocess\.\w+\(|\bProcessPoolExecutor\(|os\.(?:fork|spawn)|"
    r"^(?:import|from) multiprocessing(?!\.connection| import (?:connection|Pipe)\b)",
    re.M,
)


def descendants(pid: int) -> dict[int, str]:
    """Running processes below one, with their command lines."""
    found: dict[int, str] = {}
    for one in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, one.read_text().split()):
            told = Path(f"/proc/{child}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            found |= {child: told, **descendants(child)}
    return found


def is_over(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_a_killed_evaluation_leaves_no_process(tmp_path: Path) -> None:
    """The command itself: workers of its own on each core, each with an embedding process."""
    line = f"-m memorybank_lab eval all --data {tmp_path} --embedding-model hashed-ngrams".split()
    parent = subprocess.Popen([sys.executable, *line], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def embedding() -> list[int]:
        return [pid for pid, told in descendants(parent.pid).items() if "embedding.worker" in told]

    try:
        wait_until(lambda: bool(embedding()), 60, lambda: descendants(parent.pid))
        below = descendants(parent.pid)
        assert any("spawn_main" in told for told in below.values())
    finally:
        parent.kill()
        parent.wait()
    wait_until(lambda: all(map(is_over, below)), 10, lambda: {pid: below[pid] for pid in below if not is_over(pid)})


def test_an_app_that_is_measured_ends_with_its_input(tmp_path: Path) -> None:
    (tmp_path / "streamlit.py").write_text(
        "import sys, threading\nprint(__name__, sys.argv[1:], flush=True)\nthreading.Event().wait()\n"
    )
    line = [sys.executable, "-c", START, "run", "app.py"]
    process = subprocess.Popen(line, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdin is not None
    assert process.stdout.readline() == "__main__ ['run', 'app.py']\n"
    process.stdin.close()  # as the system does when the process at the other end is killed
    assert process.wait(20) == 1
    process.stdout.close()


def test_a_page_becomes_the_main_script_of_this_process() -> None:
    """What the next test would meet if it were left so (conftest.py puts it back)."""
    assert not AppTest.from_string("if __name__ != '__main__': raise SystemExit(9)").run().exception
    assert sys.modules["__main__"] is not MAIN


def test_a_spawned_process_runs_no_page_that_an_earlier_test_left() -> None:
    assert sys.modules["__main__"] is MAIN
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(os.getppid).result() == os.getpid()


def test_processes_are_started_where_it_is_known_how_they_end() -> None:
    root = Path(memorybank.__file__).parents[1]
    packages = ("memorybank", "memorybank_studio", "memorybank_lab")
    paths = [path for package in packages for path in (root / package).rglob("*.py")]
    starting = {
        path.relative_to(root).as_posix()
        for path in paths
        if "tests" not in path.parts and START_RE.search(path.read_text("utf-8"))
    }
    assert starting == STARTERS
