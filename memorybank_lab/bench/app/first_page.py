"""The first page of a fresh server, from the address to what one presses first."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from memorybank_lab.bench.app.scale import Measured, Scale
from memorybank_lab.bench.app.serving import PATIENCE, served

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BUTTON = ".st-key-demo button"


def first_page(folder: Path, chromium: Browser, scale: Scale) -> list[Measured]:
    """Milliseconds until the demo's button is there; a server and a browser session of its own each time."""
    times = []
    for number in range(scale.starts):
        with served(folder / str(number)) as server:
            page = chromium.new_page()
            began = time.perf_counter()
            page.goto(f"{server.address}/?lang=en")
            page.locator(BUTTON).first.wait_for(timeout=PATIENCE)
            times.append(1000 * (time.perf_counter() - began))
            page.close()
    what = "first page of a fresh server"
    return [
        Measured(what=what, n=scale.starts, unit="ms", p50=median(times), p95=max(times), limit=3_000, counts="p50")
    ]
