"""The app as a test drives it: AppTest pages on folders of the test, and a real server for a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from memorybank.ui import state
from memorybank.ui.worker import Worker

ROOT = Path(__file__).parents[2]
SMALL = {"MEMORYBANK_EMBEDDING": "hashed-ngrams"}
"""The embedding that needs no model."""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AppTest]:
    """The app in this process, its runs in a folder of the test, with the embedding that needs no model."""
    monkeypatch.setenv("MEMORYBANK_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("MEMORYBANK_EMBEDDING", SMALL["MEMORYBANK_EMBEDDING"])
    state.runs.clear()
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    yield page
    worker = page.session_state.get("worker")
    if worker is not None:
        worker.close()
    state.runs.clear()


def rest(page: AppTest, seconds: float = 60.0) -> AppTest:
    """Let the tab's run come to rest, then look at it."""
    deadline = time.monotonic() + seconds
    worker: Worker = page.session_state["worker"]
    while worker.busy:
        assert time.monotonic() < deadline, f"still {worker.phase} after {seconds} s"
        time.sleep(0.02)
    return page.run()


@pytest.fixture(scope="session")
def serve_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Start the app as a person does; answers with its address. One server an environment."""
    started: dict[frozenset[tuple[str, str]], tuple[str, subprocess.Popen[bytes]]] = {}

    def start(**environment: str) -> str:
        name = frozenset(environment.items())
        if name in started:
            return started[name][0]
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        folder = tmp_path_factory.mktemp("app")
        given = {
            **os.environ,
            "MEMORYBANK_RUNS": str(folder / "runs"),
            "XDG_STATE_HOME": str(folder / "state"),
            **environment,
        }
        command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
        command += ["--server.fileWatcherType", "none"]
        log = folder / "log.txt"
        with log.open("wb") as output:
            server = subprocess.Popen(command, cwd=ROOT, env=given, stdout=output, stderr=subprocess.STDOUT)
        started[name] = (f"http://127.0.0.1:{port}", server)
        for _ in range(300):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return started[name][0]
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        raise AssertionError(f"the server did not answer in 30 s: {log.read_text()}")

    yield start
    for _, server in started.values():
        server.terminate()
        server.wait(10)
