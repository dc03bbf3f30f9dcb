"""Several processes run the tests (`--at-a-time 3`), a file each: forked when all are collected, so that none is loaded
twice. A fixture of the session is one of a process. Nothing that begins a thread may be done before the fork, which
copies one thread alone.
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
from pathlib import Path

import pytest

PLACE = struct.Struct("H")  # of a file in the order, as it goes through a pipe: one read takes it from all others


class Tells:
    """Tells the process that collected of each test that begins, and of each report."""

    def __init__(self, config: pytest.Config, pipe: Connection) -> None:
        self._config, self._pipe = config, pipe

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._pipe.send((nodeid, None))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        told = self._config.hook.pytest_report_to_serializable(config=self._config, report=report)
        self._pipe.send((report.nodeid, told))


def run(session: pytest.Session, at_a_time: int, begun: Callable[[], None]) -> None:
    """Run all that is collected; `begun` is called in each process."""
    files = [list(items) for _, items in groupby(session.items, key=lambda item: item.path)]
    turns, given = os.pipe()
    os.write(given, b"".join(map(PLACE.pack, range(len(files)))))
    os.close(given)
    base: Path = session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    running: dict[Connection, tuple[int, list[str]]] = {}
    for number in range(at_a_time):
        hears, tells = Pipe(duplex=False)
        if not (process := os.fork()):
            try:  # never back into what was copied, nor to what is done at its exit
                begun()
                _take_files(session, files, turns, Tells(session.config, tells), base / f"{number}")
                os._exit(0)
            except BaseException:  # noqa: BLE001 - said by the status, too
                traceback.print_exc(file=sys.__stderr__)
                os._exit(1)
        tells.close()
        running[hears] = process, ["before its first test"]
    while running:
        for hears in [one for one in wait(list(running)) if isinstance(one, Connection)]:
            process, last = running[hears]
            try:
                last[0], told = hears.recv()
            except EOFError:
                if status := os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]):
                    words = f"the process of the tests ended by {status}: here, and nothing after it in its file"
                    lost = pytest.TestReport(last[0], (last[0], None, last[0]), {}, "failed", words, "call")
                    session.config.hook.pytest_runtest_logreport(report=lost)
                del running[hears]
                continue
            if told is not None:
                report = session.config.hook.pytest_report_from_serializable(config=session.config, data=told)
                session.config.hook.pytest_runtest_logreport(report=report)
                if report.when == "teardown":
                    session.config.hook.pytest_runtest_logfinish(nodeid=last[0], location=report.location)


def _take_files(session: pytest.Session, files: list[list[pytest.Item]], turns: int, tells: Tells, base: Path) -> None:
    config = session.config
    config.pluginmanager.unregister(name="terminalreporter")
    config.pluginmanager.register(tells)
    capture = config.pluginmanager.getplugin("capturemanager")
    capture.suspend_global_capture(in_=True)  # not ended: some module may hold its file as a log
    capture._global_capturing = None
    capture.start_global_capturing()
    base.mkdir(mode=0o700)
    config._tmp_path_factory._basetemp = base  # type: ignore[attr-defined]
    while place := os.read(turns, PLACE.size):
        file = files[PLACE.unpack(place)[0]]
        if not any(item.get_closest_marker("browser") for item in file):
            session._setupstate.teardown_exact(None)  # a browser has an event loop, beside which none can be run
        for item, after in zip(file, [*file[1:], session], strict=True):  # what is the session's stays for other files
            config.hook.pytest_runtest_protocol(item=item, nextitem=after)
    session._setupstate.teardown_exact(None)
