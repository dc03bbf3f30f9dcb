"""The benchmark of a hub, on a small one: it grows step by step, and every kind of question gets an answer."""

from __future__ import annotations

import json

from memorybank.embedding.hashed import HashedNgrams
from memorybank_lab.bench.hub import STEPS, HubGrowth, Size, as_json, as_table, run
from memorybank_lab.bench.table import TimingRow

SMALL = Size(facts=1_000, chapters=20, chunks=2, asked=3, everyday=4)


def test_a_small_hub_is_measured() -> None:
    told: list[str] = []
    rows = run(told.append, HashedNgrams(), SMALL)
    assert len(told) == len(rows)
    growth = [row for row in rows if isinstance(row, HubGrowth)]
    assert [row.facts for row in growth] == list(range(100, 1_001, 100))
    assert growth[-1].characters > 20 * 2 * 340
    for measure in ("characters", "seconds", "graph", "archive"):
        values = [getattr(row, measure) for row in growth]
        assert values[0] > 0
        assert values == sorted(values) or measure in ("graph", "archive"), measure
    assert all(ms > 0 for row in growth for ms in row.everyday.values())
    asked = [row for row in rows if isinstance(row, TimingRow)]
    assert len({row.op for row in asked}) == len(asked) == 23
    table = as_table(rows)
    assert table.splitlines()[STEPS].split()[0] == "1,000"
    assert "median within 50 ms at every size" in table
    assert {one["kind"] for one in json.loads(as_json(rows))} == {"HubGrowth", "TimingRow"}


def test_a_question_over_the_limit_is_said() -> None:
    row = HubGrowth(facts=1, characters=1, seconds=1, graph=1, archive=1, everyday={"state pointer": 50.1})
    other = TimingRow(op="x", size=1, p50_ms=1, p95_ms=1)
    assert "at every size: NO" in as_table([row, other])
