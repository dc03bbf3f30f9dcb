"""How quick the app is, seen from a real browser (`memorybank bench app`).

On a run of 1,000 nodes and about 2,000 events (long_run.py), in Chromium, against a server started as a person starts
it. A time ends when what was asked for is on the screen (a frame has been drawn), not when Python is done.

Needs the app's extra, Playwright and a Chromium or Chrome on the path.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memorybank.lab.bench.app.serving import BenchError, browser, served
from memorybank.lab.bench.table import Progress, aligned
from memorybank.lab.bench.table import as_json_by_kind as as_json

__all__ = ["QUICK", "BenchError", "Measured", "Scale", "as_json", "as_table", "run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """How large the runs are that are looked at, and how often a thing is measured."""

    starts: int
    """Of a fresh server."""
    drawings: int
    graphs: Mapping[int, float]
    """Nodes, and the milliseconds their first drawing may take."""
    nodes: int
    """Of the run whose pages, moments and changes are timed."""
    rounds: int
    moves: int
    uncounted: int
    changes: int
    pause: float
    idle: float
    """Seconds between two changes, far enough apart to tell their bytes from each other; and seconds without any, for
    what the page's looks alone weigh."""
    commits: int
    settle: float
    """Seconds until nothing of the page's beginning is on its way."""
    sessions: int
    """At once."""
    delay: float
    """Seconds before each answer of their model."""


FULL = Scale(
    starts=4,
    drawings=7,
    graphs={1_000: 1_000.0, 3_000: 2_000.0},
    nodes=1_000,
    rounds=10,
    moves=60,
    uncounted=5,
    changes=25,
    pause=2.0,
    idle=6.0,
    commits=500,
    settle=5.0,
    sessions=10,
    delay=0.5,
)
QUICK: dict[str, Any] = {
    "scale": Scale(
        starts=1,
        drawings=1,
        graphs={50: 1_000.0},
        nodes=50,
        rounds=1,
        moves=2,
        uncounted=1,
        changes=2,
        pause=0.5,
        idle=1.5,
        commits=10,
        settle=0.5,
        sessions=1,
        delay=0.02,
    )
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """One number of the app, beside what it must stay under."""

    what: str
    n: int
    """Times it was measured."""
    unit: str
    p50: float
    p95: float
    limit: float | None
    """None: told without being held against anything."""
    counts: str = "p95"
    """Which of the two is held against the limit."""

    @property
    def holds(self) -> bool:
        return self.limit is None or (self.p95 if self.counts == "p95" else self.p50) <= self.limit


def as_table(rows: Sequence[Measured]) -> str:
    return aligned(
        [
            {
                "what": row.what,
                "n": f"{row.n}",
                "p50": f"{row.p50:,.4g}",
                "p95": f"{row.p95:,.4g}",
                "limit": f"{row.limit:,g} {row.unit} ({row.counts})" if row.limit is not None else row.unit,
                "holds": "" if row.limit is None else "yes" if row.holds else "NO",
            }
            for row in rows
        ]
    )


def run(progress: Progress, *, scale: Scale = FULL) -> list[Measured]:
    """All rows, each told as soon as it is measured: all of them take some ten minutes.

    Raises BenchError when there is no browser, or when the app does not answer.
    """
    from memorybank.lab.bench.app import first_page, graphs, live, sessions, steps

    rows: list[Measured] = []

    def told(found: Sequence[Measured]) -> None:
        rows.extend(found)
        progress(as_table(found))

    with tempfile.TemporaryDirectory(prefix="bench-app-") as folder, browser() as chromium:
        root = Path(folder)
        told(first_page.first_page(root / "fresh", chromium, scale))
        with served(root / "quiet") as server:
            for measure in (graphs.first_drawing, steps.page_switches, steps.slider, live.changes, live.memory):
                told(measure(server, chromium, scale))
        told(sessions.together(root / "busy", chromium, scale))
    return rows
