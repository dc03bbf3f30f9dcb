"""A real server, for the tests of what the reader sees (the browser is in tests/conftest.py)."""

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

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Start Streamlit on a script with the project's own configuration; answers with its address."""
    started: list[subprocess.Popen[bytes]] = []

    def start(script: Path) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        log = tmp_path_factory.mktemp("server") / "log.txt"
        command = [sys.executable, "-m", "streamlit", "run", str(script), "--server.port", str(port)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        with log.open("wb") as output:
            server = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=output, stderr=subprocess.STDOUT)
        started.append(server)
        for _ in range(300):
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                return f"http://127.0.0.1:{port}"
            assert server.poll() is None, log.read_text()
            time.sleep(0.1)
        raise AssertionError(f"the server did not answer in 30 s: {log.read_text()}")

    yield start
    for server in started:
        server.terminate()
        server.wait(10)
