"""A run that goes on, watched: how soon a change is on the screen, what it weighs, and what the server keeps."""

from __future__ import annotations

import time
from contextlib import closing
from statistics import median, quantiles
from typing import TYPE_CHECKING

from memorybank_lab.bench.app.scale import Measured, Scale
from memorybank_lab.bench.app.serving import Server, run_id, window
from memorybank_lab.bench.app.wire import watched
from memorybank_lab.bench.long_run import make_long_run

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FEED = ".st-key-session-view button >> nth=-1"
BREATH = 0.1
"""Seconds between two commits."""

SEEN = """() => {
  globalThis.seen = {};
  const look = () => {
    for (const root of looking.roots()) {
      for (const line of root.querySelectorAll?.(".feed li") ?? []) {
        const mark = line.textContent.match(/Change \\d+/)?.[0];
        if (mark && !(mark in seen)) seen[mark] = Date.now();
      }
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def changes(server: Server, chromium: Browser, scale: Scale) -> list[Measured]:
    """One node more, again and again, in a large run: from its commit on disk to its line in the feed."""
    name = run_id()
    delays, weights = [], []
    with (
        closing(make_long_run(server.storage / name, scale.nodes)) as run,
        watched(server) as (relayed, wire),
        window(chromium, relayed.page("", name), ready=".feed li", pressed=FEED) as page,
    ):
        page.evaluate(SEEN)
        page.wait_for_timeout(scale.settle * 1000)
        wire.take_bursts()
        page.wait_for_timeout(scale.idle * 1000)
        looks = wire.take_bursts()
        look, idle = median(looks) / 1000, sum(looks) / 1000 / scale.idle
        for number in range(scale.changes):
            run.add(f"Change {number}")
            committed = time.time()
            page.wait_for_function("(mark) => mark in globalThis.seen", arg=f"Change {number}")
            delays.append(page.evaluate("(mark) => globalThis.seen[mark]", f"Change {number}") - committed * 1000)
            page.wait_for_timeout(max(0.0, scale.pause * 1000 - max(0.0, delays[-1])))
            weights.append(max(wire.take_bursts()) / 1000)  # the redraw that brought it
    return [
        _row("event to screen, live", delays, 1_000, "ms"),
        _row("sent for one change, beyond a look that brings nothing", [one - look for one in weights], 5, "kB"),
        _row("sent for one change, with what Streamlit says at every look", weights, None, "kB"),
        Measured(what="sent by looking, a second", n=1, unit="kB", p50=idle, p95=idle, limit=10),
    ]


def memory(server: Server, chromium: Browser, scale: Scale) -> list[Measured]:
    """What the server process holds after all commits to a run that is watched, beside what it held after a tenth."""
    name = run_id()
    with (
        closing(make_long_run(server.storage / name, scale.nodes)) as run,
        window(chromium, server.page("", name), ready=".feed li", pressed=FEED) as page,
    ):
        early = 0
        for number in range(scale.commits):
            run.add(f"Change {number}")
            page.wait_for_timeout(BREATH * 1000)
            if number == scale.commits // 10:
                early = server.resident()
        page.wait_for_timeout(2_000)
        growth = 100 * (server.resident() / early - 1)
    what = f"server memory, growth over {scale.commits} steps"
    return [Measured(what=what, n=1, unit="%", p50=growth, p95=growth, limit=10)]


def _row(what: str, numbers: list[float], limit: float | None, unit: str) -> Measured:
    p95 = quantiles(numbers, n=20)[-1]
    return Measured(what=what, n=len(numbers), unit=unit, p50=median(numbers), p95=p95, limit=limit)
