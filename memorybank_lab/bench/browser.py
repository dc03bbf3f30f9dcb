"""The app as a person starts it, and a browser to look at it with, which counts what it is sent."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import memorybank
from memorybank.errors import InputError

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

APP = Path(memorybank.__file__).parents[1] / "app.py"
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")
START = """
import os, runpy, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
runpy.run_module("streamlit", run_name="__main__", alter_sys=True)
"""
"""Streamlit as a program that ends when its standard input does, as that of a killed benchmark does."""
PATIENCE = 180_000
"""Milliseconds after which a measurement gives up."""
_SILENCE = 0.12
"""Seconds that part two bursts: a redraw is one, and the page looks every half second."""


class BenchError(InputError):
    """The app, or a browser to look at it with, is not to be had."""


@dataclass(frozen=True, slots=True)
class Server:
    address: str
    storage: Path
    process: subprocess.Popen[bytes]

    def resident(self) -> int:
        """Return bytes of memory that the server process holds (Linux)."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))

    def page(self, name: str, run: str) -> str:
        return f"{self.address}/{name}?run={run}&lang=en"


@contextmanager
def served(folder: Path, **environment: str) -> Iterator[Server]:
    """Open a server on a free port of loopback, its runs below `folder`. Raises BenchError when it does not come up."""
    if not APP.is_file():
        raise BenchError("the app runs from its repository: start the benchmark there")
    folder.mkdir(parents=True, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    own = {"STORAGE_DIR": folder / "runs", "XDG_STATE_HOME": folder / "state", "EMBEDDING_MODEL": "hashed-ngrams"}
    with (folder / "log.txt").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-c", START, "run", str(APP), "--server.port", str(port)],
            cwd=APP.parent,
            env={**os.environ, **{name: str(value) for name, value in own.items()}, **environment},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    try:
        address = f"http://127.0.0.1:{port}"
        _wait_for(f"{address}/_stcore/health", process)
        yield Server(address, folder / "runs", process)
    finally:
        process.terminate()
        process.communicate(timeout=60)


def _wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(1_200):
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except (urllib.error.URLError, OSError):
            if process.poll() is not None:
                break
            time.sleep(0.1)
    raise BenchError("the app did not come up: try `make demo`")


# -- the browser ------------------------------------------------------------------------------------------------------


@contextmanager
def browser() -> Iterator[Browser]:
    """Open a headless browser of this machine. Raises BenchError when there is none."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise BenchError('the benchmark of the app needs Playwright: pip install -e ".[lab]"') from None
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise BenchError(f"no browser was found ({', '.join(NAMES)}): install Chromium")
    options = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"]
    with sync_playwright() as playwright, playwright.chromium.launch(executable_path=path, args=options) as opened:
        yield opened


class Wire:
    """Bytes from the server to a page since they were taken last: one number for each burst of messages."""

    def __init__(self) -> None:
        self._bursts: list[int] = []
        self._last = 0.0

    def add(self, count: int) -> None:
        now = time.monotonic()
        if not self._bursts or now - self._last > _SILENCE:
            self._bursts.append(0)
        self._bursts[-1] += count
        self._last = now

    def take_bursts(self) -> list[int]:
        bursts, self._bursts = self._bursts, []
        return bursts


@contextmanager
def window(
    chromium: Browser, address: str, ready: str = "", pressed: str = "", wire: Wire | None = None
) -> Iterator[Page]:
    """Open a browser session of its own on a page of the app, once it is at rest (and shows `ready`, a selector).

    `pressed`: the selector of what is pressed before. `wire`: told of every message that the page is sent.
    """
    with chromium.new_context(viewport={"width": 1600, "height": 1000}, locale="en-GB") as context:
        page = context.new_page()
        if wire is not None:
            page.on("websocket", lambda socket: socket.on("framereceived", lambda sent: wire.add(len(sent))))
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        page.add_script_tag(content=Path(__file__).with_name("looking.js").read_text("utf-8"))
        page.locator('a[href$="/settings"]').first.wait_for()
        if pressed:
            page.locator(pressed).click()
        if ready:
            page.locator(ready).first.wait_for()
        at_rest(page)
        yield page


def at_rest(page: Page) -> None:
    page.evaluate("() => looking.until(looking.atRest)")


def timed(page: Page, act: str, shown: str, argument: Any = None) -> float:
    """Return the milliseconds from `act` to the frame in which `shown` holds; both are JavaScript, of `argument`."""
    took: float = page.evaluate(
        f"async (argument) => looking.timed(() => ({act})(argument), () => ({shown})(argument))", argument
    )
    return took
