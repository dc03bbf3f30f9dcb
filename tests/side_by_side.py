"""Several processes run the tests, a file at a time each: forked when all are collected, so that none is loaded twice.

    python -m pytest --at-a-time 3

Each takes the next file that none has taken, and tells this process of each test. A fixture of the session is one of a
process. Nothing that begins a thread may be done before: what a fork copies is one thread alone.
"""

from __future__ import annotations

import os
import struct
import sys
import traceback
from collections.abc import Callable
from itertools import groupby
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from typing import Any

import pytest

PLACE = struct.Struct("H")
"""A file's place in the order, as it goes through a pipe: one read takes it from all others."""


def run(session: pytest.Session, at_a_time: int, begun: Callable[[], None]) -> None:
    """Run all that is collected; `begun` is called in each process."""
    files = [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    turns, given = os.pipe()
    os.write(given, b"".join(map(PLACE.pack, range(len(files)))))
    os.close(given)
    base = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    running: dict[Connection, tuple[int, list[str]]] = {}
    sys.stdout.flush()
    for number in range(at_a_time):
        hears, tells = Pipe(duplex=False)
        if not (process := os.fork()):
            _leave_after(lambda: _take_files(session, files, turns, tells, base / f"{number}", begun))  # noqa: B023
        tells.close()
        running[hears] = process, []
    while running:
        for hears in [one for one in wait(list(running)) if isinstance(one, Connection)]:
            process, last = running[hears]
            try:
                place, told = hears.recv()
            except EOFError:
                status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
                if status:
                    _tell_of_end(session, last, status)
                del running[hears]
                continue
            last[:] = [place]
            if told is not None:
                report = session.config.hook.pytest_report_from_serializable(config=session.config, data=told)
                session.config.hook.pytest_runtest_logreport(report=report)
                if report.when == "teardown":
                    session.config.hook.pytest_runtest_logfinish(nodeid=place, location=report.location)
        if session.shouldfail or session.shouldstop:
            raise session.Interrupted(str(session.shouldfail or session.shouldstop))


def _leave_after(work: Callable[[], None]) -> None:
    """Never go back into what this process copied, nor do what is done at exit: that is for the one that it copied."""
    status = 1
    try:
        work()
        status = 0
    except BaseException:  # noqa: BLE001 - said by the status, too
        traceback.print_exc(file=sys.__stderr__)
    finally:
        os._exit(status)


def _take_files(
    session: pytest.Session, files: list[list[pytest.Item]], turns: int, tells: Connection, base: Any, begun: Any
) -> None:
    config = session.config
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(_Telling(config, tells))
    capture: Any = config.pluginmanager.getplugin("capturemanager")
    capture.stop_global_capturing()  # its files would be those of all processes
    capture.start_global_capturing()
    base.mkdir(mode=0o700)
    config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined]
    begun()
    while place := os.read(turns, PLACE.size):
        file = files[PLACE.unpack(place)[0]]
        for item, after in zip(file, [*file[1:], session], strict=True):  # what is the session's stays for other files
            config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    session._setupstate.teardown_exact(None)


class _Telling:
    """Tells the process that collected of each test that begins, and of each report."""

    def __init__(self, config: pytest.Config, tells: Connection) -> None:
        self._config, self._tells = config, tells

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._tells.send((nodeid, None))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._tells.send((report.nodeid, told))


def _tell_of_end(session: pytest.Session, last: list[str], status: int) -> None:
    """A process that ends before its tests do is a failure of the one that it was at; it leaves the rest of a file."""
    place = last[0] if last else "before its first test"
    words = f"the process of the tests ended by {status}: {place}, and nothing after it in its file"
    report = pytest.TestReport(place, (place, None, place), {}, "failed", words, "call")
    session.config.hook.pytest_runtest_logreport(report=report)
