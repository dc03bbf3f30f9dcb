"""How quick the app is, seen from a real browser (`memorybank bench app`).

On a run of 1,000 nodes and about 2,000 events (long_run.py), in Chromium, against a server started as a person starts
it. A time ends when what was asked for is on the screen (a frame has been drawn), not when Python is done.

Needs the app's extra, Playwright and a Chromium or Chrome on the path.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from memorybank.bench.app.serving import BenchError, browser, served
from memorybank.bench.table import aligned
from memorybank.bench.table import as_json_by_kind as as_json

__all__ = ["BenchError", "Measured", "as_json", "as_table", "run"]

Progress = Callable[[str], None]


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


def run(progress: Progress = lambda message: None) -> list[Measured]:
    """All rows, each told as soon as it is measured: all of them take some ten minutes.

    Raises BenchError when there is no browser, or when the app does not answer.
    """
    from memorybank.bench.app import first_page, graphs, live, sessions, steps

    rows: list[Measured] = []

    def told(found: Sequence[Measured]) -> None:
        rows.extend(found)
        progress(as_table(found))

    with tempfile.TemporaryDirectory(prefix="bench-app-") as folder, browser() as chromium:
        root = Path(folder)
        told(first_page.first_page(root / "fresh", chromium))
        with served(root / "quiet") as server:
            for measure in (graphs.first_drawing, steps.page_switches, steps.slider, live.changes, live.memory):
                told(measure(server, chromium))
        told(sessions.together(root / "busy", chromium))
    return rows
