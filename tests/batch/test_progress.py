"""What a batch says of itself while it runs: what is running, failed and left, and when it may be over."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Literal

import pytest

from memorybank.batch.plan import BatchTask
from memorybank.batch.results import TaskRow
from memorybank.batch.store import Job
from memorybank.batch.worker import JobMoved
from memorybank.commands import batching
from memorybank.commands.batching import BatchProgress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def moved(id_: str, state: Literal["running", "ended"], outcome: str = "", error: str = "") -> JobMoved:
    job = Job(task=BatchTask(id=id_, task="?"), system="bank", folder=Path(id_))
    row = TaskRow(id=id_, outcome=outcome, error=error, seconds=2) if state == "ended" else None
    return JobMoved(job=job, state=state, row=row)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(batching.time, "monotonic", lambda: now[0])
    return now


def go_on(progress: BatchProgress, clock: list[float]) -> None:
    for id_ in ("a", "b"):
        progress.moved(moved(id_, "running"))
    clock[0] += 60
    progress.moved(moved("a", "ended", "complete"))
    progress.moved(moved("c", "running"))
    clock[0] += 60
    progress.moved(moved("b", "ended", "failed", "no room on the disk"))


def test_a_line_a_task_says_what_is_left_and_for_how_long(clock: list[float]) -> None:
    stream = io.StringIO()
    with BatchProgress(5, stream) as progress:
        go_on(progress, clock)
    first, failed = stream.getvalue().splitlines()
    assert first == "a: complete, 2.0 s; 1 running, 0 failed, 3 left, about 4 min 00 s to go"
    assert failed == "  x b: no room on the disk; 1 running, 1 failed, 2 left, about 3 min 00 s to go"


def test_a_bar_says_the_same_on_a_terminal(clock: list[float]) -> None:
    stream = Terminal()
    with BatchProgress(5, stream) as progress:
        go_on(progress, clock)
    last = stream.getvalue().rpartition("\r")[2]
    assert "2/5 · 1 running, 1 failed, 2 left [" in last
    assert "  x b: no room on the disk" in stream.getvalue()
