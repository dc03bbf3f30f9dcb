from __future__ import annotations

from memorybank_lab.bench.table import as_table


def test_rows_of_the_same_headings_stand_under_one() -> None:
    rows = [{"op": "query", "ms": "0.2"}, {"op": "add", "ms": "12.3"}, {"nodes": "1,000"}]
    assert as_table(rows) == "op       ms\nquery   0.2\nadd    12.3\n\nnodes\n1,000"
    assert as_table([]) == ""
