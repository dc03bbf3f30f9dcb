"""Moving about in a large run: from page to page, and along the slider."""

from __future__ import annotations

import random
from itertools import pairwise
from statistics import median, quantiles
from typing import TYPE_CHECKING

from memorybank_lab.bench.app.scale import Measured, Scale
from memorybank_lab.bench.app.serving import READY, Server, run_id, timed, window
from memorybank_lab.bench.long_run import make_long_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGES = ("graph", "conflicts", "tree", "prompt", "replay", "settings")

THERE = """(name) => location.pathname.endsWith("/" + name) && looking.atRest()"""
SLIDE = """(k) => {
  const slider = looking.find("input[type=range]");
  slider.value = String(k);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
}"""
SHOWN = """(k) => looking.find("[data-moment]")?.dataset.moment === String(k)"""


def page_switches(server: Server, chromium: Browser, scale: Scale) -> list[Measured]:
    """From the click on a page's name to the page at rest, every pair of neighbours several times."""
    name = run_id()
    make_long_run(server.storage / name, scale.nodes).close()
    times = []
    with window(chromium, server.page("settings", name), ready=READY) as page:
        for page_name in PAGES:  # each once, uncounted: a page's code is imported at its first showing
            timed(page, "(name) => looking.turn(name)", THERE, page_name)
        for _ in range(scale.rounds):
            for _, to in pairwise((PAGES[-1], *PAGES)):
                times.append(timed(page, "(name) => looking.turn(name)", THERE, to))
    return [_row("page switch", times, 250)]


def slider(server: Server, chromium: Browser, scale: Scale) -> list[Measured]:
    """From the slider's move to the graph and the texts of that moment on the screen; moments at random.

    The first few are not counted: a fresh server still imports what the other pages need, and the browser compiles.
    """
    name = run_id()
    run = make_long_run(server.storage / name, scale.nodes)
    run.close()
    places = random.Random(0).sample(range(1, run.events), scale.uncounted + scale.moves)
    with window(chromium, server.page("replay", name), ready="input[type=range]") as page:
        times = [timed(page, SLIDE, SHOWN, place) for place in places][scale.uncounted :]
    return [_row(f"slider to any of {run.events:,} events", times, 150)]


def _row(what: str, times: list[float], limit: float) -> Measured:
    return Measured(what=what, n=len(times), unit="ms", p50=median(times), p95=quantiles(times, n=20)[-1], limit=limit)
