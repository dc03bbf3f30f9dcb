"""The first drawing of a large graph."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from memorybank.lab.bench.app.scale import Measured, Scale
from memorybank.lab.bench.app.serving import READY, Server, run_id, timed, window
from memorybank.lab.bench.long_run import make_long_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DRAWN = """(least) => (looking.find(".canvas")?.network?.body.nodeIndices.length ?? 0) >= least"""


def first_drawing(server: Server, chromium: Browser, scale: Scale) -> list[Measured]:
    """From the click on the page's name, in a tab that has not drawn the graph yet, to the frame that shows it."""
    rows = []
    for nodes, limit in scale.graphs.items():
        name = run_id()
        run = make_long_run(server.storage / name, nodes)
        run.close()
        times = []
        for _ in range(scale.drawings):
            with window(chromium, server.page("settings", name), ready=READY) as page:
                times.append(timed(page, "(least) => looking.turn('graph')", DRAWN, nodes))
        rows.append(
            Measured(
                what=f"graph of {nodes:,} nodes, first drawn",
                n=scale.drawings,
                unit="ms",
                p50=median(times),
                p95=max(times),
                limit=limit,
                counts="p50",
            )
        )
    return rows
