"""What benchmarks share: rows as a table, and bytes of a page's connection as bursts."""

from __future__ import annotations

import pytest

from memorybank_lab.bench import browser
from memorybank_lab.bench.table import as_table


def test_rows_of_the_same_headings_stand_under_one() -> None:
    rows = [{"op": "query", "ms": "0.2"}, {"op": "add", "ms": "12.3"}, {"nodes": "1,000"}]
    assert as_table(rows) == "op       ms\nquery   0.2\nadd    12.3\n\nnodes\n1,000"
    assert as_table([]) == ""


def test_what_silence_parts_is_a_burst_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    wire, now = browser.Wire(), [10.0]
    monkeypatch.setattr(browser.time, "monotonic", lambda: now[0])
    for after, count in ((0.0, 5), (0.1, 7), (0.5, 11), (0.01, 13)):
        now[0] += after
        wire.add(count)
    assert wire.take_bursts() == [12, 24]
    assert wire.take_bursts() == []
