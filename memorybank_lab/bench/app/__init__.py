"""How quick the app is, seen from a real browser (`memorybank_lab bench app`).

On a run of 1,000 nodes and about 2,000 events (long_run.py), in Chromium, against a server started as a person starts
it. A time ends when what was asked for is on the screen (a frame has been drawn), not when Python is done.

Needs the app's extra, Playwright and a Chromium or Chrome on the path.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memorybank_lab.bench.app.scale import Measured, Scale
from memorybank_lab.bench.app.serving import BenchError, browser, served
from memorybank_lab.bench.table import Progress, aligned
from memorybank_lab.bench.table import as_json_by_kind as as_json

__all__ = ["QUICK", "BenchError", "Measured", "Scale", "as_json", "as_table", "run"]


FULL = Scale(
    starts=4,
    drawings=7,
    graphs={1_000: 500.0, 3_000: 1_000.0, 10_000: 3_000.0},
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
        graphs={50: 500.0},
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
    from memorybank_lab.bench.app import first_page, graphs, live, sessions, steps

    rows: list[Measured] = []

    def add_rows(found: Sequence[Measured]) -> None:
        rows.extend(found)
        progress(as_table(found))

    with tempfile.TemporaryDirectory(prefix="bench-app-") as folder, browser() as chromium:
        root = Path(folder)
        add_rows(first_page.first_page(root / "fresh", chromium, scale))
        with served(root / "quiet") as server:
            for measure in (graphs.large_graphs, steps.page_switches, steps.slider, live.changes, live.memory):
                add_rows(measure(server, chromium, scale))
        add_rows(sessions.together(root / "busy", chromium, scale))
    return rows
