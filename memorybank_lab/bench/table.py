"""What a benchmark hands back, and how it is shown: as an aligned table, or as JSON rows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from statistics import median, quantiles
from typing import Any

Progress = Callable[[str], None]
"""Told, in a line, what is measured or what came out. A benchmark is `run(progress, …)` and its `QUICK` the arguments
of a small one."""


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


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRow:
    op: str
    size: int
    bytes: int
    measured: str
    """How."""


def timed_row(
    op: str,
    size: int,
    seconds: Sequence[float],
    baseline: str = "",
    baseline_seconds: Sequence[float] = (),
    *,
    extrapolated: bool = False,
) -> TimingRow:
    """A row from single timings; the percentiles are taken here."""
    p50 = median(seconds)
    baseline_p50 = median(baseline_seconds) if baseline_seconds else None
    return TimingRow(
        op=op,
        size=size,
        p50_ms=_significant(p50 * 1e3),
        p95_ms=_significant((quantiles(seconds, n=20)[-1] if len(seconds) > 1 else p50) * 1e3),
        baseline=baseline,
        baseline_p50_ms=None if baseline_p50 is None else _significant(baseline_p50 * 1e3),
        ratio=None if baseline_p50 is None else _significant(p50 / baseline_p50),
        extrapolated=extrapolated,
    )


def as_json(rows: Sequence[TimingRow | MemoryRow]) -> str:
    return json.dumps([asdict(row) for row in rows], indent=2)


def as_json_by_kind(rows: Sequence[Any]) -> str:
    """As JSON with each row's class as its `kind`, for a benchmark of several kinds of rows (dataclasses)."""
    return json.dumps([{"kind": type(row).__name__, **asdict(row)} for row in rows], indent=2)


def as_table(rows: Sequence[TimingRow | MemoryRow]) -> str:
    """Rows of one kind under one heading; numbers to the right."""
    return "\n\n".join(aligned([_cells(row) for row in group]) for _, group in groupby(rows, type))


def _cells(row: TimingRow | MemoryRow) -> Mapping[str, str]:
    if isinstance(row, MemoryRow):
        return {"op": row.op, "size": f"{row.size:,}", "MB": f"{row.bytes / 1e6:,.1f}", "measured": row.measured}
    return {
        "op": row.op,
        "size": f"{row.size:,}",
        "p50 ms": f"{row.p50_ms:,g}",
        "p95 ms": f"{row.p95_ms:,g}",
        "baseline": row.baseline + (" (extrapolated)" if row.extrapolated else ""),
        "its p50 ms": "" if row.baseline_p50_ms is None else f"{row.baseline_p50_ms:,g}",
        "ratio": "" if row.ratio is None else _in_words(row.ratio),
    }


def _in_words(ratio: float) -> str:
    return f"{1 / ratio:,.1f}x faster" if 0 < ratio < 1 else f"{ratio:,.2f}x as long"


def _significant(number: float) -> float:
    return float(f"{number:.4g}")


def aligned(rows: Sequence[Mapping[str, str]]) -> str:
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
