"""bench batch: what is measured of many workers, and what it says keeps them from more."""

from __future__ import annotations

from dataclasses import replace

from memorybank.settings.config import Settings
from memorybank_lab.bench import batch
from memorybank_lab.bench.batch import BatchBenchRow
from memorybank_lab.bench.table import as_table

ROW = BatchBenchRow(
    workers=64,
    tasks=128,
    seconds=60.0,
    tasks_a_minute=128.0,
    share=0.9,
    cpu_a_task=0.5,
    cpu_limit=240.0,
    mb_a_session=5.0,
)


def test_it_tells_what_keeps_it_from_more() -> None:
    assert ROW.limited_by == "the endpoint"
    assert replace(ROW, share=0.5, cpu_limit=150.0).limited_by == "the CPU"
    assert replace(ROW, share=0.5).limited_by == "something else"


def test_a_small_one_is_measured_whole() -> None:
    (row,) = batch.run(lambda line: None, Settings(), workers=(2,), delay=0.05, tasks_a_worker=1)
    assert (row.workers, row.tasks, row.share) == (2, 2, 1.0)
    assert row.seconds > 0.5, "some fifteen calls one after the other"
    assert 0 < row.cpu_a_task < 30
    assert row.mb_a_session is None or row.mb_a_session > 1
    assert f"  {row.limited_by}" in as_table([row])
