"""The table: what comes from outside is text and nothing else, and the means have the intervals that they say."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from memorybank.batch import means
from memorybank.batch.plan import System
from memorybank.batch.report import as_csv, as_markdown
from memorybank.batch.results import RoleTokens, TaskRow


def row(id_: str, system: System = "bank", **more: Any) -> TaskRow:
    return TaskRow(**{"id": id_, "system": system, "outcome": "complete", "answer": "240", "seconds": 1.0, **more})


def table(*rows: TaskRow) -> dict[tuple[str, System], TaskRow]:
    return {one.key: one for one in rows}


def test_an_answer_is_no_markup_and_no_formula() -> None:
    hostile = "=HYPERLINK(1) | <b>x</b> [a](http://evil.example)\n# head `code` ![](http://evil.example/p.png)"
    rows = table(row("a", answer=hostile), row("b", outcome="failed", answer="", error="@sum"))
    text = as_markdown("x|y", ["a", "b"], ("bank",), rows)
    cell = next(line for line in text.splitlines() if line.startswith("| a |"))
    for markup in ("<b>", "[a](", "http://", "![", " `code`"):
        assert markup not in cell
    assert cell.count(" | ") == next(line for line in text.splitlines() if line.startswith("| task")).count(" | ")
    assert "1 of 2 runs have ended, 1 failed" in text
    read = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert (read[0]["answer"], read[1]["error"]) == (f"'{hostile}", "'@sum")


def test_columns_without_a_number_are_left_out() -> None:
    offline = as_markdown("x", ["a"], ("bank",), table(row("a")))
    assert "tokens" not in offline
    assert "cost" not in offline
    use = {"planning": RoleTokens(input=1200, cached=200, output=30)}
    asked = table(row("a", tokens=use, cost=0.0123, conflicts={"resolved": 2, "open": 1}))
    text = as_markdown("x", ["a"], ("bank",), asked)
    assert "| tokens in | 1,200 [1,200, 1,200] |" in text
    assert "0.0123" in text
    assert "1 open, 2 resolved" in text
    (read,) = csv.DictReader(io.StringIO(as_csv(asked)))
    assert (read["planning_input"], read["planning_cached"], read["conflicts_resolved"]) == ("1200", "200", "2")


def test_the_difference_is_that_of_pairs() -> None:
    pairs = [(3.0, 1.0), (5.0, 4.0), (9.0, 6.0)]
    rows = [row(f"t{n}", seconds=bank) for n, (bank, _) in enumerate(pairs)]
    rows += [row(f"t{n}", "plain", seconds=plain) for n, (_, plain) in enumerate(pairs)]
    rows += [row("alone", seconds=100.0), row("alone", "plain", outcome="failed")]
    text = as_markdown("x", ["t0", "t1", "t2", "alone"], ("bank", "plain"), table(*rows))
    line = next(line for line in text.splitlines() if line.startswith("| seconds"))
    assert line.endswith("| +2.00 [-0.48, +4.48] |"), "without the task that ended under one alone"


def test_intervals_are_those_of_the_tables() -> None:
    for degrees, known in ((1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert means.t_quantile(degrees) == pytest.approx(known, abs=0.006)
    estimate = means.share([True] * 8 + [False] * 2)
    assert estimate is not None
    assert (estimate.low, estimate.high) == pytest.approx((0.490, 0.943), abs=0.001)
    whole = means.mean([2.0])
    assert whole is not None
    assert (whole.low, whole.high) == (2.0, 2.0)
    assert means.mean([]) is None
