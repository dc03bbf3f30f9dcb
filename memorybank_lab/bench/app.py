"""How quick is the app, seen from a real browser (`memorybank_lab bench app`)?

On a run of 1,000 nodes and about 2,000 events (long_run.py), in Chromium, against a server started as a person starts
it. A time ends when what was asked for is on the screen (a frame has been drawn), not when Python is done.

Needs the app's extra, Playwright and a Chromium or Chrome on the path.
"""

from __future__ import annotations

import itertools
import random
import secrets
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from memorybank.memory.events import TaskReceived
from memorybank.runs.run_folder import journal_path, load
from memorybank.runs.stages import ends_stage
from memorybank.settings.config import Settings
from memorybank_lab.bench.browser import PATIENCE, BenchError, Server, Wire, at_rest, browser, served, timed, window
from memorybank_lab.bench.long_run import LongRun, make_long_run
from memorybank_lab.bench.table import Progress, Row, as_table, p95
from memorybank_lab.scripted import ScriptedServer, scripted_agents

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """The size of the runs that are looked at, and how often each thing is measured."""

    starts: int = 4
    """Fresh servers whose first page is timed."""
    drawings: int = 7
    graphs: Mapping[int, float] = field(default_factory=lambda: {1_000: 500.0, 3_000: 1_000.0, 10_000: 3_000.0})
    """Nodes, and the milliseconds their first drawing may take."""
    nodes: int = 1_000
    """The nodes of the run whose pages, moments and changes are timed."""
    rounds: int = 10
    """The number of times that all pages are turned to."""
    moves: int = 60
    """The number of the slider's moves that are timed."""
    uncounted: int = 5
    """Moves before these: a fresh server imports what the pages need, and the browser compiles."""
    changes: int = 25
    pause: float = 2.0
    """Seconds between two changes, far enough apart to tell their bytes from each other."""
    idle: float = 6.0
    """Seconds without any change, for what the page's looks alone weigh."""
    commits: int = 500
    settle: float = 5.0
    """Seconds until nothing of the page's beginning is on its way."""
    sessions: int = 10
    """The number of sessions that run at once."""
    delay: float = 0.5
    """Seconds before each answer of their model."""


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


def _row(what: str, numbers: Sequence[float], limit: float | None, unit: str = "ms", counts: str = "p95") -> Row:
    """Return one number of the app, how often it was measured, and what it must stay under; without a limit there is
    nothing that it is held against. `counts`: which of the two is, p50 or p95."""
    found = {"p50": median(numbers), "p95": p95(numbers)}
    return {
        "what": what,
        "n": f"{len(numbers)}",
        **{name: f"{number:,.4g}" for name, number in found.items()},
        "limit": unit if limit is None else f"{limit:,g} {unit} ({counts})",
        "holds": "" if limit is None else "yes" if found[counts] <= limit else "NO",
    }


def run(progress: Progress, settings: Settings, *, scale: Scale | None = None) -> list[Row]:
    """Return all rows, each told as soon as it is measured: all of them take some ten minutes. Of the settings nothing
    is taken: the server has its own.

    Raises BenchError when there is no browser, or when the app does not answer.
    """
    del settings
    scale = scale or Scale()
    rows: list[Row] = []

    def add(found: Iterable[Row]) -> None:
        for row in found:
            rows.append(row)
            progress(as_table([row]))

    with tempfile.TemporaryDirectory(prefix="bench-app-") as folder, browser() as chromium:
        root = Path(folder)
        times = []
        for number in range(scale.starts):
            with served(root / str(number)) as server:
                times.append(_first_page(server, chromium))
                if number == scale.starts - 1:  # the last of them serves what is measured next
                    add([_row("first page of a fresh server", times, 3_000, counts="p50")])
                    for measure in (large_graphs, pages_and_moments, live_changes):
                        add(measure(server, chromium, scale))
        add(together(root / "busy", chromium, scale))
    return rows


def _first_page(server: Server, chromium: Browser) -> float:
    """Return the milliseconds from the address to the demo's button, in a browser session of its own."""
    page = chromium.new_page()
    began = time.perf_counter()
    page.goto(f"{server.address}/?lang=en")
    page.locator(".st-key-demo button").first.wait_for(timeout=PATIENCE)
    took = 1000 * (time.perf_counter() - began)
    page.close()
    return took


# -- a large run ------------------------------------------------------------------------------------------------------

READY = ".st-key-continue-run"
"""The selector of what says that a saved run is open."""
DRAWN = """(least) => (looking.find(".canvas")?.network?.body.nodeIndices.length ?? 0) >= least"""
INPUT = ".st-key-graph-search input"
SEARCH = f"(words) => looking.enter('{INPUT}', words)"
FOUND = """(words) =>
  [...looking.roots()].some((root) => root.querySelector("p")?.textContent.includes(`“${words}”`)) &&
  looking.find(".canvas")?.network?.getSelectedNodes().length === 1"""
PLACES = ("Tamar", "Orwell", "Severn", "Medway", "Tyne", "Conwy", "Humber")
PAGES = ("graph", "conflicts", "tree", "prompt", "replay", "settings")
TURN = "(name) => looking.turn(name)"
THERE = """(name) => location.pathname.endsWith("/" + name) && looking.atRest()"""
SLIDE = """(k) => {
  const slider = looking.find("input[type=range]");
  slider.value = String(k);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  slider.dispatchEvent(new Event("change", { bubbles: true }));
}"""
SHOWN = """(k) => looking.find("[data-moment]")?.dataset.moment === String(k)"""


def _long_run(server: Server, nodes: int) -> tuple[str, LongRun]:
    """Begin a new run of the server's; return its name, and the run, which can go on."""
    name = secrets.token_hex(16)  # as the app names them
    return name, make_long_run(server.storage / name, nodes)


def large_graphs(server: Server, chromium: Browser, scale: Scale) -> Iterator[Row]:
    """Time the first drawing: from the click on the page's name, in a tab that has not drawn the graph yet, to the
    frame that shows all its nodes. A search: from the Enter key to the first match marked on the map and all of them
    counted."""
    for nodes, limit in scale.graphs.items():
        name, made = _long_run(server, nodes)
        made.close()
        drawn, found = [], []
        for place in PLACES[: scale.drawings]:
            with window(chromium, server.page("settings", name), ready=READY) as page:
                drawn.append(timed(page, "(least) => looking.turn('graph')", DRAWN, nodes))
                page.locator(INPUT).wait_for()
                at_rest(page)
                found.append(timed(page, SEARCH, FOUND, place))
        yield _row(f"graph of {nodes:,} nodes, first drawn", drawn, limit, counts="p50")
        yield _row(f"search among {nodes:,} nodes", found, limit, counts="p50")


def pages_and_moments(server: Server, chromium: Browser, scale: Scale) -> Iterator[Row]:
    """Time the way from the click on a page's name to the page at rest, each pair of neighbours several times; then
    from the slider's move to the graph and texts of that moment on the screen, moments at random."""
    name, made = _long_run(server, scale.nodes)
    made.close()
    with window(chromium, server.page("settings", name), ready=READY) as page:
        for to in PAGES:  # each once, uncounted: a page's code is imported at its first showing
            timed(page, TURN, THERE, to)
        times = [timed(page, TURN, THERE, to) for _ in range(scale.rounds) for to in PAGES]
        yield _row("page switch", times, 250)
        places = random.Random(0).sample(range(1, made.events), scale.uncounted + scale.moves)
        timed(page, TURN, THERE, "replay")
        page.locator("input[type=range]").wait_for()
        times = [timed(page, SLIDE, SHOWN, place) for place in places][scale.uncounted :]
    yield _row(f"slider to any of {made.events:,} events", times, 150)


# -- a run that goes on, watched --------------------------------------------------------------------------------------

FEED_BUTTON = ".st-key-run-view button >> nth=-1"
FEED = ".feed li"
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


def live_changes(server: Server, chromium: Browser, scale: Scale) -> Iterator[Row]:
    """Time one node more, again and again, in a large run: from its commit on disk to its line in the feed. Then
    measure by how much the server process that watches it has grown since a tenth of many more."""
    name, made = _long_run(server, scale.nodes)
    delays, weights = [], []
    wire = Wire()
    with closing(made), window(chromium, server.page("", name), FEED, FEED_BUTTON, wire) as page:
        page.evaluate(SEEN)
        page.wait_for_timeout(scale.settle * 1000)
        wire.take_bursts()
        page.wait_for_timeout(scale.idle * 1000)
        looks = wire.take_bursts()
        look, idle = median(looks) / 1000, sum(looks) / 1000 / scale.idle
        for number in range(scale.changes):
            made.add(f"Change {number}")
            committed = time.time()
            page.wait_for_function("(mark) => mark in globalThis.seen", arg=f"Change {number}")
            delays.append(page.evaluate("(mark) => globalThis.seen[mark]", f"Change {number}") - committed * 1000)
            page.wait_for_timeout(max(0.0, scale.pause * 1000 - max(0.0, delays[-1])))
            weights.append(max(wire.take_bursts()) / 1000)  # the redraw that brought it
        growth = _growth(server, page, made, scale.commits)
    yield _row("event to screen, live", delays, 1_000)
    yield _row("sent for one change, beyond a look that brings nothing", [one - look for one in weights], 5, "kB")
    yield _row("sent for one change, with what Streamlit says at every look", weights, None, "kB")
    yield _row("sent by looking, a second", [idle], 10, "kB")
    yield _row(f"server memory, growth over {scale.commits} steps", [growth], 10, "%")


def _growth(server: Server, page: Page, made: LongRun, commits: int) -> float:
    early = 0
    for number in range(commits):
        made.add(f"Commit {number}")
        page.wait_for_timeout(BREATH * 1000)
        if number == commits // 10:
            early = server.resident()
    page.wait_for_timeout(2_000)
    return 100 * (server.resident() / early - 1)


# -- sessions at once -------------------------------------------------------------------------------------------------

TREES = ("Cedar", "Elder", "Hazel", "Juniper", "Larch", "Maple", "Poplar", "Rowan", "Spruce", "Willow")
"""The trees, one a session: what its task is about."""
DOCUMENTS = (
    "The {name} was opened in 1961. It is 335 metres long. Ferries run beside it in summer.",
    "The {name} was opened in 1981. It carries three lanes of traffic. Walkers cross it too.",
)


def together(folder: Path, chromium: Browser, scale: Scale) -> Iterator[Row]:
    """Time a step of one session, and of several at once, each in a browser session and with a run of its own.

    The model answers after a fixed time, so what a step takes beyond that is the app's own. Raises BenchError when a
    session sees another's run.
    """
    with ScriptedServer(scripted_agents(), delay=scale.delay) as model:
        settings = {"LLM_BASE_URL": model.base_url, "LLM_API_KEY": "local", "LLM_MODEL": "scripted"}
        with served(folder, ENGINE="llm", LLM_CACHE="false", **settings) as server:
            _steps_of(server, chromium, ["Ash Bridge"][: scale.sessions - 1])  # imports all, where two are compared
            alone = _steps_of(server, chromium, ["Birch Bridge"])
            trees = [f"{tree} Bridge" for tree in TREES[: scale.sessions]]
            at_once = _steps_of(server, chromium, trees) if len(trees) > 1 else alone
    yield _row("step, one session", alone, 2 * p95(alone))
    yield _row(f"step, {scale.sessions} sessions at once", at_once, 2 * p95(alone))


def _steps_of(server: Server, chromium: Browser, names: list[str]) -> list[float]:
    """Return the milliseconds of each step of sessions that research `names`, begun together and run to their ends."""
    with ExitStack() as opened:
        pages = [opened.enter_context(window(chromium, f"{server.address}/?lang=en")) for _ in names]
        for page, name in zip(pages, names, strict=True):
            page.locator(".st-key-new-prompt textarea").first.fill(f"When was the {name} opened?")
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
            _is_begun(page)
        for page in pages:
            page.locator(".answer-box").first.wait_for(timeout=300_000)
        for page, name in zip(pages, names, strict=True):
            _sees_its_own(page, name, names)
    return [ms for name in names for ms in _times(server.storage, name)]


def _is_begun(page: Page) -> None:
    """Wait until the session has begun. A click that a redrawing took away is made again."""
    from playwright.sync_api import TimeoutError as NothingCame

    button = page.locator(".st-key-new-run button").first
    try:
        button.wait_for(state="detached", timeout=PATIENCE / 6)
    except NothingCame:
        button.click()


def _last_upload_of(count: int) -> Callable[[Request], bool]:
    """Whether a request is the last of so many uploads."""
    ended = itertools.count(1)
    return lambda request: request.method == "PUT" and next(ended) == count


def _times(storage: Path, name: str) -> list[float]:
    """Return milliseconds of each step of the run on `name`, as its journal has them."""
    for run_folder in filter(lambda folder: journal_path(folder).is_file(), sorted(storage.iterdir())):
        records = load(run_folder)
        if any(isinstance(one.event, TaskReceived) and name in one.event.goal for one in records):
            return [one.event.ms for one in records if ends_stage(one) and one.event.ms]
    raise BenchError(f"there is no run about {name}: the session did not begin")


def _sees_its_own(page: Page, name: str, names: list[str]) -> None:
    said = page.evaluate("() => [...looking.roots()].map((root) => (root.body ?? root).textContent).join(' ')")
    others = [other for other in names if other != name and other in said]
    if name not in said or others:
        raise BenchError(f"the session of {name} shows {others or 'nothing of its own'}")
