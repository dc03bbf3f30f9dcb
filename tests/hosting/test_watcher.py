"""A page's view of a run that another process writes."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank.hosting.orders import Until
from memorybank.hosting.run import Run
from memorybank.hosting.tabs import GLANCE, Looks, Watcher
from memorybank.memory.events import NodeCreated
from memorybank.runs.run_folder import RunFolder, state_at
from memorybank.session.phase import Phase
from memorybank.views.run.playback import shared
from tests.recorded import recorded_run

ROOT = Path(__file__).parents[2]
NOBODY = Looks(lambda _: False)
WRITER = """
import sys
from pathlib import Path
from tests.scripted import source, start
with start(Path(sys.argv[1]), "willow qubits: 105", goal="How many?") as session:
    for report in session.iterate():
        sys.stdin.readline()
    print("done", flush=True)
    sys.stdin.readline()
"""


def test_a_saved_run_rests_and_is_not_polled() -> None:
    saved = Watcher("0" * 32, recorded_run("en").path, "tab", NOBODY, live=False)
    assert (saved.phase, saved.busy, saved.error) == (Phase.PARKED, False, None)
    assert state_at(saved.records).progress.result == "complete"
    assert (saved.session, saved.close()) == (None, True)


@pytest.mark.parametrize("live", [True, False])
def test_it_takes_no_orders(live: bool) -> None:
    read: Run = Watcher("0" * 32, recorded_run("en").path, "tab", NOBODY, live=live)
    assert (read.takes_orders, read.is_saved) == (False, not live)
    orders: list[Callable[[], None]] = [
        lambda: read.go(Until.END),
        read.pause,
        lambda: read.obey(lambda session: session.pause()),
    ]
    for order in orders:
        with pytest.raises(InputError, match="only read here"):
            order()


def test_a_page_sees_what_another_process_does(run_dir: Path) -> None:
    watcher = Watcher("0" * 32, run_dir, "tab", NOBODY)
    assert (list(watcher.records), watcher.phase, watcher.session) == ([], Phase.RUNNING, None)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(run_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert writer.stdin is not None
    sizes: set[int] = set()
    deadline = time.monotonic() + 60
    while watcher.phase is Phase.RUNNING and time.monotonic() < deadline:
        seen = len(watcher.records)
        if seen and seen not in sizes:
            sizes.add(seen)
            writer.stdin.write("\n")  # one stage more
            writer.stdin.flush()
        time.sleep(GLANCE)
    assert watcher.phase is Phase.RESTING
    assert watcher.busy, "the writer may be given more to do"
    assert len(sizes) > 5, "it grew while it was watched"
    assert any(isinstance(record.event, NodeCreated) for record in watcher.records)
    assert state_at(watcher.records).progress.result == "complete"
    writer.communicate("\n" * 9, timeout=30)

    RunFolder(run_dir).remove()
    time.sleep(GLANCE * 1.2)
    assert watcher.records, "what was seen stays on the page"
    assert watcher.phase is Phase.FAILED
    assert "cleared while it was watched" in str(watcher.error)


def test_tabs_that_look_at_one_run_read_and_fold_it_once() -> None:
    folder = recorded_run("en").path
    tabs = [Watcher("0" * 32, folder, f"tab {number}", NOBODY, live=False) for number in range(3)]
    assert len({id(tab.records) for tab in tabs}) == 1
    with ThreadPoolExecutor(3) as threads:
        playbacks = list(threads.map(lambda tab: shared(tab.run_id, tab.records), tabs))
        moments = list(threads.map(lambda playback: playback.at(tabs[0].records), playbacks))
        early = playbacks[0].at(tabs[0].records, 9)
    assert all(playback is playbacks[0] for playback in playbacks)
    assert all(moment is moments[0] for moment in moments), "it was made once"
    assert (early.at, playbacks[1].at(tabs[1].records)) == (9, moments[0])
    assert shared("another", tabs[0].records) is not playbacks[0]
