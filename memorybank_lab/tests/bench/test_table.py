from __future__ import annotations

import json

from memorybank_lab.bench.table import MemoryRow, as_json, as_table, timed_row

ROWS = [
    timed_row("query", 10_000, [0.002, 0.0021, 0.009], "rebuilt", [0.4, 0.42]),
    timed_row("query", 100_000, [0.03], "bare", [0.02], extrapolated=True),
    timed_row("add", 1_000, [0.0002]),
    MemoryRow(op="index", size=1_000, bytes=12_345_678, measured="peak"),
]


def test_json_has_the_promised_fields() -> None:
    first, second, third, memory = json.loads(as_json(ROWS))
    fields = ["kind", "op", "size", "p50_ms", "p95_ms", "baseline", "baseline_p50_ms", "ratio", "extrapolated"]
    assert list(first) == list(third) == fields
    assert (first["p50_ms"], first["baseline_p50_ms"], first["ratio"]) == (2.1, 410.0, 0.005122)
    assert first["p50_ms"] < first["p95_ms"]
    assert second["extrapolated"]
    assert (third["baseline"], third["ratio"]) == ("", None)
    assert memory == {"kind": "MemoryRow", "op": "index", "size": 1_000, "bytes": 12_345_678, "measured": "peak"}


def test_the_table_says_it_in_words() -> None:
    times, memory = as_table(ROWS).split("\n\n")
    heading, first, second, third = times.splitlines()
    assert heading.split()[:3] == ["op", "size", "p50"]
    assert "195.2x faster" in first
    assert "bare (extrapolated)" in second
    assert "1.50x as long" in second
    assert third.split() == ["add", "1,000", "0.2", "0.2"]
    assert "12.3" in memory
    assert as_table([]) == ""
