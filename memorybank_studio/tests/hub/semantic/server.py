"""A real Chroma server for tests: started, signalled, killed, started again on the same port and folder."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from pathlib import Path

from tests.waiting import wait_until

COMMAND = Path(sys.executable).with_name("chroma")


class Server:
    """A Chroma server on a free loopback port, its data in a folder."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.folder = folder
        self.log = folder.with_suffix(".log")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, if it does not run."""
        if self._process is not None:
            return
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [COMMAND, "run", "--path", self.folder, "--host", "127.0.0.1", "--port", str(self.port)],
                stdout=log,
                stderr=log,
                cwd=self.folder.parent,
            )
        wait_until(self._answers, 60, self.log.read_text)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal; a stopped server is waited for until each of its threads stands still."""
        assert self._process is not None
        self._process.send_signal(number)
        if number is signal.SIGSTOP and sys.platform == "linux":
            tasks = Path(f"/proc/{self._process.pid}/task")
            wait_until(lambda: all(" T " in (one / "stat").read_text() for one in tasks.iterdir()), 10)

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(10)
            self._process = None

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True
