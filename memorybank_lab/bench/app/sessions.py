"""Ten browser sessions at once, each with a run of its own, on a model that answers after a fixed time.

The model computes nothing, so what a step takes beyond the model's time is the app's own: the server's threads, and
the drawing of ten pages. How long a step took stands in its run's journal.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

from memorybank.memory.events import TaskReceived
from memorybank.runs.run_folder import journal_path, load
from memorybank.runs.stages import ends_stage
from memorybank_lab.bench.app.scale import Measured, Scale
from memorybank_lab.bench.app.serving import BenchError, Server, served, window
from memorybank_lab.scripted import ScriptedServer, scripted_agents

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

TREES = ("Cedar", "Elder", "Hazel", "Juniper", "Larch", "Maple", "Poplar", "Rowan", "Spruce", "Willow")
"""One a session: what its task is about."""
DOCUMENTS = (
    "The {name} was opened in 1961. It is 335 metres long. Ferries run beside it in summer.",
    "The {name} was opened in 1981. It carries three lanes of traffic. Walkers cross it too.",
)
TASK = "When was the {name} opened?"


def together(folder: Path, chromium: Browser, scale: Scale) -> list[Measured]:
    """p95 of a step of one session alone, and of several at once. Raises BenchError when one sees another's run."""
    with ScriptedServer(scripted_agents(), delay=scale.delay) as model:
        settings = {
            "ENGINE": "llm",
            "LLM_BASE_URL": model.base_url,
            "LLM_API_KEY": "local",
            "LLM_MODEL": "scripted",
            "LLM_CACHE": "false",
        }
        with served(folder, **settings) as server:
            _steps_of(server, chromium, ["Ash Bridge"])  # the first one imports everything
            alone = _steps_of(server, chromium, ["Birch Bridge"])
            names = [f"{tree} Bridge" for tree in TREES[: scale.sessions]]
            at_once = _steps_of(server, chromium, names)
    limit = 2 * quantiles(alone, n=20)[-1]
    return [_row("step, one session", alone, limit), _row(f"step, {scale.sessions} sessions at once", at_once, limit)]


def _steps_of(server: Server, chromium: Browser, names: list[str]) -> list[float]:
    """Milliseconds of every step of the sessions that research `names`, all begun together and run to their ends."""
    with ExitStack() as opened:
        pages = [opened.enter_context(window(chromium, f"{server.address}/?lang=en")) for _ in names]
        for page, name in zip(pages, names, strict=True):
            page.locator(".st-key-new-prompt textarea").first.fill(TASK.format(name=name))
            files = [
                {"name": f"{place}.txt", "mimeType": "text/plain", "buffer": text.format(name=name).encode()}
                for place, text in enumerate(DOCUMENTS)
            ]
            with page.expect_event("requestfinished", _last_upload_of(len(files))):
                page.locator(".st-key-new-context input[type=file]").first.set_input_files(files)  # type: ignore[arg-type]
            page.get_by_text("1.txt").first.wait_for()
            page.evaluate("() => looking.still()")  # or the redrawing with the files drops the click on the button
        for page in pages:
            page.locator(".st-key-new-run button").first.click()
        for page in pages:
            page.locator(".answer-box").first.wait_for(timeout=300_000)
        for page, name in zip(pages, names, strict=True):
            _sees_its_own(page, name, names)
    return [time for name in names for time in _times(server.storage, name)]


def _last_upload_of(count: int) -> Callable[[Request], bool]:
    """Whether a request is the last of so many uploads."""
    ended = itertools.count(1)
    return lambda request: request.method == "PUT" and next(ended) == count


def _times(storage: Path, name: str) -> list[float]:
    for run in sorted(storage.iterdir()):
        if not journal_path(run).is_file():
            continue
        records = load(run)
        if any(isinstance(one.event, TaskReceived) and name in one.event.goal for one in records):
            return [one.event.ms for one in records if ends_stage(one) and one.event.ms]
    raise BenchError(f"there is no run about {name}: the session did not begin")


def _sees_its_own(page: Page, name: str, names: list[str]) -> None:
    said = page.evaluate("() => [...looking.roots()].map((root) => (root.body ?? root).textContent).join(' ')")
    others = [other for other in names if other != name and other in said]
    if name not in said or others:
        raise BenchError(f"the session of {name} shows {others or 'nothing of its own'}")


def _row(what: str, times: list[float], limit: float) -> Measured:
    return Measured(what=what, n=len(times), unit="ms", p50=median(times), p95=quantiles(times, n=20)[-1], limit=limit)
