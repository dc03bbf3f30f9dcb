"""A page's view of a run that another process writes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from memorybank.errors import InputError
from memorybank.hosting.run import Run, Until
from memorybank.hosting.tabs import Looks, Watcher
from memorybank.runs.run_folder import RunFolder, state_at
from memorybank.session.phase import Phase
from memorybank.views.run.playback import shared
from tests.recorded import recorded_run
from tests.scripted import start
from tests.waiting import wait_until

NOBODY = Looks(lambda _: False)


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


def test_a_page_sees_what_a_writer_does(run_dir: Path) -> None:
    """As another process writes it: what is on the disk is all that is read (a process: tests/views/test_watch.py)."""
    watcher = Watcher("0" * 32, run_dir, "tab", NOBODY)
    assert (list(watcher.records), watcher.phase, watcher.session) == ([], Phase.RUNNING, None)
    with start(run_dir, "willow qubits: 105", goal="How many?") as session:
        for _ in session.iterate():
            wait_until(lambda: len(watcher.records) == len(session.records), 60)
        wait_until(lambda: watcher.phase is Phase.RESTING, 60, lambda: watcher.phase)
        assert watcher.busy, "the writer may be given more to do"
        assert state_at(watcher.records).progress.result == "complete"
    RunFolder(run_dir).remove()
    wait_until(lambda: watcher.phase is Phase.FAILED, 60, lambda: watcher.phase)
    assert watcher.records, "what was seen stays on the page"
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
