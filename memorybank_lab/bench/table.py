"""What all benchmarks share: taking times, rows, and how rows are shown, as an aligned table or as JSON.

A benchmark is a module with `run(progress, settings, …)`, which returns rows, and `QUICK`, the arguments of a small
run. A row is a dataclass; `cells` is what a table shows of it, by heading.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from statistics import median, quantiles
from time import perf_counter
from typing import Any, Protocol

Progress = Callable[[str], None]
"""Takes a line that says what is measured next, or what came out."""


class Row(Protocol):
    def cells(self) -> Mapping[str, str]:
        """The row's values as they stand in a table, by heading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimingRow:
    """How long one operation takes at one size, and beside it what else could do the same."""

    op: str
    size: int
    p50_ms: float
    p95_ms: float
    baseline: str = ""
    baseline_p50_ms: float | None = None
    ratio: float | None = None
    """p50_ms / baseline_p50_ms: below 1 is faster than the baseline."""
    extrapolated: bool = False
    """The baseline was timed in part and multiplied."""

    def cells(self) -> Mapping[str, str]:
        faster = self.ratio is not None and 0 < self.ratio < 1
        return {
            "op": self.op,
            "size": f"{self.size:,}",
            "p50 ms": f"{self.p50_ms:,g}",
            "p95 ms": f"{self.p95_ms:,g}",
            "baseline": self.baseline + (" (extrapolated)" if self.extrapolated else ""),
            "its p50 ms": "" if self.baseline_p50_ms is None else f"{self.baseline_p50_ms:,g}",
            "ratio": ""
            if self.ratio is None
            else f"{1 / self.ratio:,.1f}x faster"
            if faster
            else f"{self.ratio:,.2f}x as long",
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    op: str
    size: int
    bytes: int
    measured: str
    """How it was measured."""

    def cells(self) -> Mapping[str, str]:
        return {"op": self.op, "size": f"{self.size:,}", "MB": f"{self.bytes / 1e6:,.1f}", "measured": self.measured}


def timed_row(
    op: str,
    size: int,
    times: Sequence[float],
    baseline: str = "",
    baseline_times: Sequence[float] = (),
    *,
    extrapolated: bool = False,
) -> TimingRow:
    """A row from single timings in seconds; the percentiles are taken here."""
    baseline_p50 = median(baseline_times) if baseline_times else None
    return TimingRow(
        op=op,
        size=size,
        p50_ms=_significant(median(times) * 1e3),
        p95_ms=_significant(p95(times) * 1e3),
        baseline=baseline,
        baseline_p50_ms=None if baseline_p50 is None else _significant(baseline_p50 * 1e3),
        ratio=None if baseline_p50 is None else _significant(median(times) / baseline_p50),
        extrapolated=extrapolated,
    )


def p95(numbers: Sequence[float]) -> float:
    return quantiles(numbers, n=20)[-1] if len(numbers) > 1 else numbers[0]


def seconds(work: Callable[..., object], *arguments: object) -> float:
    """How long one call takes."""
    began = perf_counter()
    work(*arguments)
    return perf_counter() - began


def _significant(number: float) -> float:
    return float(f"{number:.4g}")


# -- showing ----------------------------------------------------------------------------------------------------------


def as_json(rows: Sequence[Any]) -> str:
    """Rows as a JSON list; each has its class as its `kind`."""
    return json.dumps([{"kind": type(row).__name__, **asdict(row)} for row in rows], indent=2)


def as_table(rows: Sequence[Row]) -> str:
    """Rows of one kind, as they follow each other, under one heading."""
    return "\n\n".join(aligned([row.cells() for row in group]) for _, group in groupby(rows, type))


def aligned(rows: Sequence[Mapping[str, str]]) -> str:
    """A heading and a line for each row; columns that begin with a number stand to the right."""
    table = [list(rows[0]), *(list(row.values()) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    is_text = [not cell[:1].isdigit() for cell in table[1]]
    lines = [
        "  ".join(
            cell.ljust(width) if text else cell.rjust(width)
            for cell, width, text in zip(line, widths, is_text, strict=True)
        )
        for line in table
    ]
    return "\n".join(line.rstrip() for line in lines)
