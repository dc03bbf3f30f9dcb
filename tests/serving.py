"""A real Streamlit server, as a person starts one, for the tests that look through a real browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.lending import lent
from tests.recorded import recorded_run
from tests.waiting import wait_until

ROOT = Path(__file__).parents[1]
RUN = "a" * 32
"""The saved run of `served_run`."""
TOLD = 8_000
"""Characters of a server's log that a failed test prints."""

_logs: list[Path] = []
"""Of the servers that run now."""


def told_by_servers() -> list[tuple[str, str]]:
    """What the servers that run now have printed last. A page says of an error only that there was one."""
    return [(str(log), log.read_text(errors="replace")[-TOLD:]) for log in _logs if log.is_file()]


@contextmanager
def served(script: Path, log: Path, environment: Mapping[str, str], port: int = 0) -> Iterator[str]:
    """The server's address while it runs, with the project's own configuration. It is ended on leaving."""
    command = ("-m", "streamlit", "run", str(script), "--server.port")
    with served_by(command, ROOT, log, {**lent(), **environment}, port) as url:
        yield url


@contextmanager
def served_by(
    command: Sequence[str], cwd: Path, log: Path, environment: Mapping[str, str], port: int = 0
) -> Iterator[str]:
    """The server that Python runs by these arguments, of which the last takes a port: this one, else a free one."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = port or free.getsockname()[1]
    given = {**os.environ, **environment}
    with log.open("wb") as output:
        server = subprocess.Popen(
            [sys.executable, *command, str(port)], cwd=cwd, env=given, stdout=output, stderr=subprocess.STDOUT
        )
    try:
        wait_until(lambda: server.poll() is not None or _answers(port), 120, log.read_text)
        assert server.poll() is None, log.read_text()
        _logs.append(log)
        yield f"http://127.0.0.1:{port}"
    finally:
        if log in _logs:
            _logs.remove(log)
        server.terminate()
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


@contextmanager
def served_run(folder: Path, **environment: str) -> Iterator[str]:
    """The app below `folder` with one saved run, `RUN`."""
    shutil.copytree(recorded_run().path, folder / "runs" / RUN)
    given = {
        "STORAGE_DIR": str(folder / "runs"),
        "XDG_STATE_HOME": str(folder / "state"),
        "EMBEDDING_MODEL": "hashed-ngrams",
    }
    with served(Path("app.py"), folder / "log.txt", {**given, **environment}) as url:
        yield url


def _answers(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True
