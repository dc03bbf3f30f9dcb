"""Ten browser sessions at once, each with a run of its own, on a model that answers after a fixed time.

The model computes nothing, so what a step takes beyond the model's time is the app's own.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from memorybank.bench.app import Measured
from memorybank.bench.app.serving import BenchError, Server, served, window
from memorybank.llm.scripted import ScriptedServer, scripted_agents

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

SESSIONS, STEPS = 10, 8
DELAY = 0.5
"""Seconds before each answer of the model."""
TASK = """Context: The {name} was opened in 1961. It is 335 metres long. Ferries run beside it in summer.
Question: When was the {name} opened?"""

STEP_ON = """(steps) => {
  globalThis.times = [];
  const button = () => looking.find(".st-key-step button");
  const ready = () => button() && !button().disabled && looking.atRest();
  (async () => {
    await looking.until(ready);
    for (let step = 0; step < steps; step += 1) {
      const began = performance.now();
      button().click();
      await looking.until(() => button()?.disabled);
      await looking.until(ready);
      times.push(performance.now() - began);
    }
  })().catch((error) => { globalThis.failed = String(error); });
}"""


def together(folder: Path, chromium: Browser) -> list[Measured]:
    """p95 of a step of one session alone, and of ten at once; also whether any saw another's run."""
    with ScriptedServer(scripted_agents(), delay=DELAY) as model:
        settings = {
            "ENGINE": "llm",
            "LLM_BASE_URL": model.base_url,
            "LLM_API_KEY": "local",
            "LLM_MODEL": "scripted",
            "LLM_CACHE": "false",
            "PARALLEL_CALLS": "4",
        }
        with served(folder, **settings) as server:
            _measure(server, chromium, 1)  # the first one imports everything
            alone = _measure(server, chromium, 1)
            at_once = _measure(server, chromium, SESSIONS)
    limit = 2 * quantiles(alone, n=20)[-1]
    return [
        _row("step, one session", alone, limit),
        _row(f"step, {SESSIONS} sessions at once", at_once, limit),
    ]


def _measure(server: Server, chromium: Browser, count: int) -> list[float]:
    with ExitStack() as opened:
        pages = [opened.enter_context(window(chromium, f"{server.address}/?lang=en")) for _ in range(count)]
        names = [f"Bridge {chr(ord('A') + number)}{count}" for number in range(count)]
        for page, name in zip(pages, names, strict=True):
            page.locator(".st-key-new-prompt textarea").first.fill(TASK.format(name=name))
            page.locator(".st-key-new-step button").first.click()
        for page in pages:
            page.evaluate(STEP_ON, STEPS)
        times = [time for page in pages for time in _times(page)]
        for page, name in zip(pages, names, strict=True):
            _sees_its_own(page, name, names)
    return times


def _times(page: Page) -> list[float]:
    page.wait_for_function("(steps) => globalThis.times.length === steps || globalThis.failed", arg=STEPS)
    failed = page.evaluate("() => globalThis.failed")
    if failed:
        raise BenchError(f"a session came to a stop: {failed}")
    found: list[float] = page.evaluate("() => globalThis.times")
    return found


def _sees_its_own(page: Page, name: str, names: list[str]) -> None:
    said = page.evaluate("() => [...looking.roots()].map((root) => (root.body ?? root).textContent).join(' ')")
    others = [other for other in names if other != name and other in said]
    if name not in said or others:
        raise BenchError(f"the session of {name} shows {others or 'nothing of its own'}")


def _row(what: str, times: list[float], limit: float) -> Measured:
    return Measured(what=what, n=len(times), unit="ms", p50=median(times), p95=quantiles(times, n=20)[-1], limit=limit)
