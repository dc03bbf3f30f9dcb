"""The benchmark of a hub, on a small one: it grows step by step, and each question gets an answer."""

from __future__ import annotations

from dataclasses import replace

from memorybank.settings.config import Settings
from memorybank_lab.bench.hub import Size, run
from memorybank_lab.bench.table import as_table

SMALL = Size(facts=1_000, chapters=20, chunks=2, asked=2)


def test_a_small_hub_is_measured() -> None:
    rows = run(lambda line: None, Settings(), size=SMALL)
    assert [row.facts for row in rows] == list(range(100, 1_001, 100))
    assert rows[-1].characters > 20 * 2 * 340
    assert [row.seconds for row in rows] == sorted(row.seconds for row in rows)
    assert all(row.graph > 0 < row.archive for row in rows)
    assert all(ms > 0 for row in rows for ms in row.asked.values())
    assert as_table([replace(rows[0], asked={"state pointer": 50.1})]).endswith("NO"), "a question over the limit"
