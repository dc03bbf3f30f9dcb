"""The embedded graph engine as its parent sees it: ArcadeDB in a process of its own, started, watched, ended.

It listens on 127.0.0.1 alone, on a free port, with a password made for this one start; both reach it over its standard
input, never over a command line or the environment. It ends with its parent, however that ends.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from memorybank.errors import LockedError, StoreUnavailableError
from memorybank_studio.hub.extra import missing

USER = "root"
START_WITHIN = 90.0
"""Seconds; about 3 on two free cores."""
_ATTEMPTS = 2
"""A start that fails is tried once more: another process may have taken its port between choosing and listening."""
_END_WITHIN = 8.0
_TAIL = 4_000
"""Bytes of standard error in which the reason of a failed start is looked for."""
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]; "
    "from memorybank_studio.hub.embedded_process import main; main()"
)
"""Not `-m`: that would search the working directory, and find another copy of the package before this one."""
_ROOT = Path(__file__).resolve().parents[2]


class EmbeddedEngine:
    """One engine on one folder. The constructor starts it; `close` ends it and lets the folder go.

    Raises LockedError when another process has the folder open, StoreUnavailableError when the engine does not start,
    InputError when it is not installed.
    """

    def __init__(self, folder: Path, databases: tuple[str, ...]) -> None:
        self._folder = folder.resolve()
        self._databases = databases
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self._folder / ".lock", thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise LockedError("graph.in_use", folder=folder.name) from None
        try:
            self._start()
        except BaseException:  # a Ctrl-C too; it is raised again, and the folder is let go
            self._lock.release()
            raise

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._port}"

    @property
    def password(self) -> str:
        """Of the user `USER`, for this start alone."""
        return self._password

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def restart(self) -> None:
        """Start it again on the same folder after it was lost; with a new port and password."""
        self._end()
        self._start()

    def close(self) -> None:
        """End the engine and let the folder go; a second call does nothing."""
        self._end()
        self._lock.release()

    def _start(self) -> None:
        if importlib.util.find_spec("arcadedb_embedded") is None:
            raise missing("arcadedb_embedded")
        reason = ""
        for _ in range(_ATTEMPTS):
            self._password = secrets.token_urlsafe(32)
            self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
            self._process = self._popen()
            answer = self._ask()
            if "port" in answer:
                self._port = int(answer["port"])
                return
            reason = answer["error"]
            self._end()
        raise StoreUnavailableError("graph.did_not_start", address=self._folder.name, reason=reason)

    def _popen(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
            [sys.executable, "-P", "-c", _START, str(_ROOT)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            start_new_session=True,  # Ctrl-C in the terminal is the parent's to answer
        )

    def _ask(self) -> dict[str, str]:
        """Tell it folder and password; its answer, or `error` with what became of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"folder": str(self._folder), "password": self._password, "databases": self._databases}
        with contextlib.suppress(OSError):  # it is gone already: then it gives no answer either
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        late = threading.Timer(START_WITHIN, self._process.kill)
        late.daemon = True
        late.start()
        try:
            line = self._process.stdout.readline()
        finally:
            in_time = late.is_alive()
            late.cancel()
        if line:
            answer: dict[str, str] = json.loads(line)
            return answer
        return {"error": self._ended() if in_time else f"it took more than {START_WITHIN:g} s"}

    def _ended(self) -> str:
        """How it ended before it answered, in one line."""
        code = self._process.wait()
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _TAIL))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"{how}: {lines[-1].strip()[:300]}" if lines else how

    def _end(self) -> None:
        """Let it close its databases, or kill it, and collect it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):  # gone already
            self._process.stdin.close()
        try:
            self._process.wait(_END_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()
