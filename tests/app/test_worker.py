"""The worker of a run: orders, borders, pauses, parking. With the scripted engine, whose rules can be read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank.hosting.orders import Until
from memorybank.hosting.worker import Worker
from memorybank.memory.events import ConflictFound, NodesMerged
from memorybank.session.executors.base import Assignment
from memorybank.session.phase import Phase
from memorybank.session.session import Session
from tests import scripted
from tests.waiting import wait_until

ONE, OTHER = "qubits: 105\nmaker: Google", "qubits: 127\nmaker: Google"


def wait(worker: Worker, until: Callable[[], bool] | None = None) -> None:
    wait_until(until or (lambda: not worker.busy), 20, lambda: worker.phase)


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Callable[..., Worker]]:
    begun: list[Worker] = []

    def start(*texts: str, until: Until | None = None, patience: float = 60.0, **options: object) -> Worker:
        worker = Worker(
            "run",
            lambda: scripted.start(tmp_path / "run", *texts, goal="How many qubits?", **options),
            owner="tab",
            until=until,
            patience=patience,
        )
        begun.append(worker)
        return worker

    yield start
    for worker in begun:
        worker.close()


def test_a_run_goes_as_far_as_it_is_told(begin: Callable[..., Worker]) -> None:
    worker = begin(ONE, OTHER, world={"qubits": "105"})
    wait(worker)
    assert worker.phase is Phase.RESTING
    assert worker.session is not None
    ahead = [worker.session.next_stage]

    worker.go(Until.STEP)
    assert worker.busy
    wait(worker)
    ahead.append(worker.session.next_stage)

    worker.go(Until.CONFLICT)
    wait(worker)
    assert any(isinstance(record.event, ConflictFound) for record in worker.records)
    assert not any(isinstance(record.event, NodesMerged) for record in worker.records)
    ahead.append(worker.session.next_stage)
    assert ahead == ["classify", "structure", "plan"]

    worker.go(Until.MERGE)
    wait(worker)
    assert any(isinstance(record.event, NodesMerged) for record in worker.records)

    worker.go(Until.END)
    wait(worker)
    assert worker.session.result.result == "complete"
    assert [record.seq for record in worker.records] == list(range(1, len(worker.records) + 1))
    assert worker.error is None


def test_orders_are_obeyed_between_stages_and_a_bad_one_is_told(begin: Callable[..., Worker]) -> None:
    worker = begin(ONE, until=Until.END)
    wait(worker)
    worker.obey(lambda session: session.undo_merge("m7"))
    wait(worker)
    assert "merge m7" in str(worker.error)
    assert worker.phase is Phase.RESTING

    before = len(worker.records)
    worker.obey(lambda session: session.add(scripted.source(OTHER, "later.txt")), then=Until.END)
    assert worker.busy
    assert worker.error is None
    wait(worker)
    assert any(isinstance(record.event, ConflictFound) for record in worker.records[before:])


def test_a_run_that_nobody_watches_parks_and_can_be_opened_again(tmp_path: Path, begin: Callable[..., Worker]) -> None:
    stay = threading.Event()

    def slowly(given: Assignment) -> str | None:
        stay.wait(0.4)
        return None

    worker = begin(ONE, until=Until.END, patience=0.2, executor=scripted.WorldExecutor(say=slowly))
    wait(worker, lambda: worker.phase is Phase.PARKED)
    assert worker.session is not None
    kept = len(worker.records)
    with Session.open(tmp_path / "run", lambda begun: scripted.parts()) as session:  # the lock is free
        assert len(session.records) == kept + 1  # SessionResumed
        assert session.run().result == "complete"


def test_a_watched_tab_keeps_its_run(begin: Callable[..., Worker]) -> None:
    worker = begin(ONE, until=Until.END, patience=0.3)
    since = time.monotonic()

    def watched() -> bool:
        worker.see()
        return time.monotonic() > since + 0.6  # twice its patience

    wait(worker, watched)
    assert worker.phase is Phase.RESTING


def test_a_run_that_cannot_begin_says_why() -> None:
    def fail() -> Session:
        raise InputError("the corpus is empty: name another folder")

    worker = Worker("run", fail, until=Until.END)
    wait(worker)
    assert worker.phase is Phase.FAILED
    assert str(worker.error) == "the corpus is empty: name another folder"
    assert list(worker.records) == []
