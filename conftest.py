"""Shared by all tests: no test reaches a network beyond loopback, and none touches the user's state folder."""

from __future__ import annotations

import gc
import ipaddress
import itertools
import os
import shutil
import socket
import sys
from collections.abc import Generator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import hypothesis
import pluggy
import pytest
from playwright.sync_api import Browser, BrowserContext, Error, sync_playwright

from memorybank.embedding.child import same_bits
from memorybank.engines.offline import OfflineEngine
from memorybank.memory.events import MemoryImported
from memorybank.memory.types import Lang
from memorybank.session.session import Session
from memorybank_lab.bench.browser import NAMES
from memorybank_lab.evaluation.verbatim import Unsaid, unsaid
from tests.lending import borrow, lend
from tests.serving import told_by_servers
from tests.truth.corpora import FED_WITH_FALSE
from tests.truth.telling import Wrong, wrong_in

ROOT = Path(__file__).parent
BROWSED: set[Path] = set()
"""Files with tests that run in a browser."""
MAIN = sys.modules["__main__"]
"""Of the process that tests."""
_connect = socket.socket.connect

hypothesis.settings.register_profile(
    "busy", max_examples=25, deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("busy")
"""A machine that other work keeps busy draws slowly: that says nothing of what is tested. Each run draws others."""
gc.disable()  # until all tests are collected: what is imported stays, and was walked over time and again (a quarter)
CLASSES = ROOT / ".made" / "classes.jsa"
"""The graph engine's classes as a Java machine maps them (memorybank_studio/tests/class_archive.py), where made."""
_mapped = f" -XX:SharedArchiveFile={CLASSES}" if CLASSES.exists() and " " not in str(CLASSES) else ""
os.environ.setdefault("ARCADEDB_JVM_ARGS", f"-XX:TieredStopAtLevel=1{_mapped}")
"""The embedded graph engine lives for seconds here: what its second compiler would gain is less than what it costs."""
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
"""As the process of the models sets it (embedding/child.py): threads that wait leave the processor to others."""
os.environ.update(same_bits() | os.environ)


def pytest_configure(config: pytest.Config) -> None:
    """The process that begins the workers has the models, for all of them."""
    if hasattr(config, "workerinput"):
        borrow()
    elif service := lend():
        config.add_cleanup(service.close)


def _is_local(address: Any) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host.split("%")[0]).is_loopback
    except ValueError:
        return False


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What runs in a browser is marked, and its files come first: a process that has left them needs no browser."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
            BROWSED.add(item.path)
    items.sort(key=lambda item: (item.path not in BROWSED, LONGEST.get(item.path.name, len(LONGEST))))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.path not in BROWSED:
        CHROMIUM.close()  # it has an event loop, beside which none can be run


def pytest_sessionfinish() -> None:
    CHROMIUM.close()


def pytest_collection_finish() -> None:
    """What is loaded by now stays: Streamlit collects garbage after each run of a page, and need not walk over it.

    Each app of a test would look through every installed package for components: half of what such a test took.
    """
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
    gc.collect()
    gc.freeze()
    gc.enable()


LONGEST = {
    name: place
    for place, name in enumerate(
        (
            "test_ray.py",
            "test_studio_browser.py",
            "test_accessibility.py",
            "test_demo.py",
            "test_book_browser.py",
            "test_bench_app.py",
            "test_llama_session.py",
            "test_studio_hostile.py",
            "test_every_fault.py",
            "test_failing_disk.py",
            "test_killed.py",
            "test_hostile_browser.py",
            "test_chinese_states.py",
            "test_by_keys.py",
            "test_corpora.py",
            "test_truth.py",
        )
    )
}
"""Files by what they take, the longest first: none runs alone at the end while the others have nothing to do."""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport() -> Generator[None, pluggy.Result[pytest.TestReport], None]:
    """A failed test says what the app's server printed: a redrawn page shows no more of an error than that it was."""
    report = (yield).get_result()
    if report.failed:
        report.sections += [(f"server log {name}", text) for name, text in told_by_servers() if text]


@pytest.fixture(params=["en", "zh"])
def lang(request: pytest.FixtureRequest) -> Lang:
    """Each language in turn: what takes one is to hold of both."""
    chosen: Lang = request.param
    return chosen


_states = itertools.count()


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(self: socket.socket, address: Any) -> None:
        if not _is_local(address):
            raise AssertionError(f"a test tried to reach {address!r}")
        _connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)


@pytest.fixture(autouse=True)
def _own_main() -> Iterator[None]:
    """Streamlit leaves each page it runs (AppTest) as `__main__`, which a process that is spawned later runs again."""
    yield
    sys.modules["__main__"] = MAIN


@pytest.fixture(autouse=True)
def _own_state(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    # It is seldom made at all: pytest's own way would make each, and look through all before.
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.getbasetemp() / f"state{next(_states)}"))


UNSAID: list[Unsaid] = []
"""What nodes of finished offline sessions say and none of their entries does."""
_close = Session.close


FALSE: list[Wrong] = []
"""What finished sessions say of their sources that is not so (tests/truth)."""


def _close_and_compare(self: Session) -> None:
    FALSE.extend(wrong_in(self.records, self.bank))
    imported = any(isinstance(record.event, MemoryImported) for record in self.records)  # as another engine left it
    if isinstance(self.parts.engine, OfflineEngine) and not imported:
        UNSAID.extend(unsaid(self.bank))
    _close(self)


Session.close = _close_and_compare  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _verbatim() -> Iterator[None]:
    """Every session of every test on the offline engine says only what its sources say, in their words."""
    yield
    found, UNSAID[:] = list(UNSAID), []
    assert not found, f"no source says it: {found[:5]}"


@pytest.fixture(autouse=True)
def _truthful(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every session of every test says of its sources what they say, but where a test feeds it what is false."""
    yield
    found, FALSE[:] = list(FALSE), []
    is_marked = any(request.node.nodeid.startswith(name) for name in FED_WITH_FALSE)
    assert is_marked or not found, "\n".join(map(str, found[:20]))


@pytest.fixture
def run_dir(tmp_path: Path) -> Path:
    return tmp_path / "run"


QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-quic",
    "--host-resolver-rules=MAP evil.example 127.0.0.1,MAP named.example 127.0.0.1",  # test_foreign_hosts.py
)


SOCKET_TIMES = """(() => {
  window.socketTimes = { sent: 0, heard: 0 };
  const send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...given) {
    if (!this.isTimed) this.addEventListener("message", () => { window.socketTimes.heard = performance.now(); });
    this.isTimed = true;
    window.socketTimes.sent = performance.now();
    return send.apply(this, given);
  };
})();"""
"""When a page last sent something to its server, and when it last heard from it."""
PATIENT = 60_000
"""Milliseconds of whatever a test waits for: Playwright's own 30,000 are too few for three browsers on two cores."""


def _patient(browser: Browser) -> Browser:
    """The same browser; each window of it is patient and keeps `SOCKET_TIMES`.

    Its reader wants nothing to move, where a test does not say otherwise: what waits and blinks is drawn sixty times a
    second by the processors that it waits for.
    """
    new_context = browser.new_context

    def opened(**given: Any) -> BrowserContext:
        context = new_context(**{"reduced_motion": "reduce", **given})
        context.set_default_timeout(PATIENT)
        context.add_init_script(SOCKET_TIMES)
        return context

    browser.new_context = opened  # type: ignore[method-assign]
    browser.new_page = lambda **given: opened(**given).new_page()  # type: ignore[method-assign]
    return browser


class Chromium:
    """The browser of this process, begun by the first test that wants it: the system's, its headless shell first, else
    Playwright's."""

    def __init__(self) -> None:
        self._ends = ExitStack()
        self._begun: Browser | None = None

    def begun(self) -> Browser:
        if self._begun is None:
            playwright = self._ends.enter_context(sync_playwright())
            system = next(filter(None, map(shutil.which, NAMES)), None)
            running = playwright.chromium.launch(executable_path=system, args=list(QUIET))
            self._ends.callback(running.close)
            self._begun = _patient(running)
        return self._begun

    def close(self) -> None:
        self._begun = None
        self._ends.close()


CHROMIUM = Chromium()


@pytest.fixture(scope="module")
def browser() -> Browser:
    """Chromium; without any the test is skipped."""
    try:
        return CHROMIUM.begun()
    except Error as error:
        # `make test` finds or installs a browser first, and says so when there is none.
        pytest.skip(f"they want Chromium: {str(error).splitlines()[0]}")
