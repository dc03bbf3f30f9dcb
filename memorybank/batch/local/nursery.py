"""The process that workers are forked from: it imports, freezes what it has, and forks; it runs no thread and no job.

Not `multiprocessing`'s fork server: that searches the working directory for modules, and runs the caller's main script.
"""

from __future__ import annotations

import contextlib
import gc
import os
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

from memorybank.errors import MemoryBankError

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); import memorybank; del sys.path[0]; "
    "from memorybank.batch.local.nursery import main; main(int(sys.argv[2]), asks_endpoint=sys.argv[3:] == ['llm'])"
)
"""As in embedding/child.py."""
_ROOT = Path(__file__).resolve().parents[3]
_FORK = b"f"


class NurseryGoneError(MemoryBankError):
    """The process that workers are forked from has ended."""


class Nursery:
    """The nursery as its scheduler sees it. One thread uses it."""

    def __init__(self, *, asks_endpoint: bool) -> None:
        """Start it; it is ready some seconds later, and until then what is asked of it waits."""
        ours, its = socket.socketpair()
        with its:
            self._process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
                [
                    sys.executable,
                    "-P",
                    "-c",
                    _START,
                    str(_ROOT),
                    str(its.fileno()),
                    *(["llm"] if asks_endpoint else []),
                ],
                stdin=subprocess.DEVNULL,
                stdout=sys.__stderr__ if sys.__stderr__ is not None else subprocess.DEVNULL,
                pass_fds=[its.fileno()],
                env={
                    "OMP_WAIT_POLICY": "PASSIVE",
                    **os.environ,
                    # A session is one of many: more threads for its small matrices would only wait for each other.
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                    "TOKENIZERS_PARALLELISM": "false",
                },
                start_new_session=True,  # Ctrl-C in the terminal is the scheduler's to answer
            )
        self.control = ours
        self._unread = b""

    @property
    def pid(self) -> int:
        return self._process.pid

    def fork(self) -> socket.socket:
        """A socket to a new worker. Raises NurseryGoneError."""
        ours, its = socket.socketpair()
        with its:
            try:
                socket.send_fds(self.control, [_FORK], [its.fileno()])
            except OSError:
                ours.close()
                raise NurseryGoneError("batch.nursery_gone") from None
        return ours

    def ended(self) -> dict[int, int]:
        """How workers ended since the last call, by their process ids: wait statuses. Never waits.

        Raises NurseryGoneError.
        """
        try:
            data = self.control.recv(65_536, socket.MSG_DONTWAIT)
        except BlockingIOError:  # what was there has been read meanwhile
            return {}
        if not data:
            raise NurseryGoneError("batch.nursery_gone")
        *lines, self._unread = (self._unread + data).split(b"\n")
        return {int(pid): int(status) for pid, status in (line.split() for line in lines)}

    def close(self) -> None:
        """End it, and every worker that is still there."""
        self.control.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


# -- inside -----------------------------------------------------------------------------------------------------------


def main(descriptor: int, *, asks_endpoint: bool) -> None:
    """Fork a worker for each request, until the scheduler is gone."""
    from memorybank.batch.local import forked, warming

    warming.warm_up(asks_endpoint=asks_endpoint)
    gc.collect()
    gc.freeze()  # what is here now is walked over by no collection in a worker, so its pages stay shared
    control = socket.socket(fileno=descriptor)
    with contextlib.closing(control):
        _serve(control, forked.work)


def _serve(control: socket.socket, work: Callable[[int], NoReturn]) -> None:
    woken, wakes = socket.socketpair()
    for end in (woken, wakes):
        end.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    selector = selectors.DefaultSelector()
    selector.register(control, selectors.EVENT_READ)
    selector.register(woken, selectors.EVENT_READ)
    while True:
        for key, _ in selector.select():
            if key.fileobj is woken:
                woken.recv(4_096)
                _reap(control)
                continue
            try:
                data, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            except ConnectionResetError:  # the scheduler is gone, and had not read how the last workers ended
                return
            if not data:
                return
            if os.fork() == 0:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for other in (control, woken, wakes):
                    other.close()
                selector.close()
                work(descriptors[0])
            os.close(descriptors[0])


def _reap(control: socket.socket) -> None:
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return
        with contextlib.suppress(OSError):  # the scheduler is gone: the next read says so
            control.sendall(b"%d %d\n" % (pid, status))
