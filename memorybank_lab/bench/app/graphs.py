"""A large graph: its first drawing, and a search in it."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from memorybank_lab.bench.app.scale import Measured, Scale
from memorybank_lab.bench.app.serving import READY, Server, at_rest, run_id, timed, window
from memorybank_lab.bench.long_run import make_long_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

DRAWN = """(least) => (looking.find(".canvas")?.network?.body.nodeIndices.length ?? 0) >= least"""


INPUT = ".st-key-graph-search input"
SEARCH = f"(words) => looking.enter('{INPUT}', words)"
FOUND = """(words) =>
  [...looking.roots()].some((root) => root.querySelector("p")?.textContent.includes(`“${words}”`)) &&
  looking.find(".canvas")?.network?.getSelectedNodes().length === 1"""
PLACES = ("Tamar", "Orwell", "Severn", "Medway", "Tyne", "Conwy", "Humber")


def large_graphs(server: Server, chromium: Browser, scale: Scale) -> list[Measured]:
    """The first drawing: from the click on the page's name, in a tab that has not drawn the graph yet, to the frame
    that shows all its nodes. A search: from the Enter key to the first match marked on the map and all of them counted.
    """
    rows = []
    for nodes, limit in scale.graphs.items():
        name = run_id()
        run = make_long_run(server.storage / name, nodes)
        run.close()
        drawn, found = [], []
        for place in PLACES[: scale.drawings]:
            with window(chromium, server.page("settings", name), ready=READY) as page:
                drawn.append(timed(page, "(least) => looking.turn('graph')", DRAWN, nodes))
                page.locator(INPUT).wait_for()
                at_rest(page)
                found.append(timed(page, SEARCH, FOUND, place))
        rows.append(_row(f"graph of {nodes:,} nodes, first drawn", drawn, limit))
        rows.append(_row(f"search among {nodes:,} nodes", found, limit))
    return rows


def _row(what: str, times: list[float], limit: float) -> Measured:
    return Measured(what=what, n=len(times), unit="ms", p50=median(times), p95=max(times), limit=limit, counts="p50")
