"""A run as one tab has it: a living one, or one that is only looked at; and which tab looks at which run.

A living run takes orders from the tab it belongs to; other tabs of the browser read along. Whether a tab may give
orders is looked up at each order: another may have taken the run over since its page was drawn. Then the order is
dropped, and the page that follows says why.

A run that another process writes is followed as it grows, and a saved one that nobody writes is read. Either way the
journal is read (runs/tail.py); no lock is held, no model loaded, no order given.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.run import Until
from memorybank.hosting.worker import Worker
from memorybank.runs.journal import Record
from memorybank.runs.stages import at_rest
from memorybank.runs.tail import Tail
from memorybank.session.phase import Phase

if TYPE_CHECKING:
    from memorybank.session.session import Session


MOST_TABS = 64
"""The number of tabs that are remembered before those that were closed are forgotten."""


class Looks:
    """Knows which tab looks at which run. `is_open(tab)` tells whether a tab is still connected."""

    def __init__(self, is_open: Callable[[str], bool]) -> None:
        self.is_open = is_open
        self._run_of: dict[str, str] = {}

    def note(self, tab: str, run_id: str) -> None:
        self._run_of.pop(tab, None)
        self._run_of[tab] = run_id
        if len(self._run_of) > MOST_TABS:
            for closed in [other for other in self._run_of if other != tab and not self.is_open(other)]:
                self._run_of.pop(closed, None)

    def forget(self, tab: str) -> None:
        self._run_of.pop(tab, None)

    def is_seen(self, run_id: str, *, but_by: str = "") -> bool:
        """Say whether an open tab, other than `but_by`, looks at this run."""
        return any(run == run_id and tab != but_by and self.is_open(tab) for tab, run in list(self._run_of.items()))


class SharedRun:
    is_saved = False

    def __init__(self, worker: Worker, tab: str, looks: Looks) -> None:
        self.worker = worker
        self._tab, self._looks = tab, looks
        self.see()

    # -- what a page reads --------------------------------------------------------------------------------------------

    @property
    def run_id(self) -> str:
        return self.worker.run_id

    @property
    def takes_orders(self) -> bool:
        return self.worker.owner == self._tab

    @property
    def is_shared(self) -> bool:
        """Whether the run is read along: another tab of this browser has it, or had it."""
        return not self.takes_orders

    @property
    def is_left(self) -> bool:
        """Whether the tab that had it was closed, or has turned away."""
        return not self.takes_orders and not self._looks.is_open(self.worker.owner)

    @property
    def records(self) -> Sequence[Record[Any]]:
        return self.worker.records

    @property
    def phase(self) -> Phase:
        return self.worker.phase

    @property
    def busy(self) -> bool:
        """Whether a page goes on looking: who reads along does while it is alive, for it may be given more to do."""
        return self.worker.busy if self.takes_orders else self.worker.is_alive

    @property
    def error(self) -> BaseException | None:
        return self.worker.error

    @property
    def session(self) -> Session | None:
        return self.worker.session

    def see(self) -> None:
        self._looks.note(self._tab, self.run_id)
        self.worker.see()

    # -- what a page orders -------------------------------------------------------------------------------------------

    def leave(self) -> None:
        self._looks.forget(self._tab)
        if not self.takes_orders:
            return
        if self._looks.is_seen(self.run_id):
            self.worker.owner = ""  # it goes on for those who read along, and any of them may take it over
        else:
            self.worker.close(timeout=0.0)

    def close(self, timeout: float = 10.0) -> bool:
        return self.takes_orders and self.worker.close(timeout)

    def go(self, until: Until) -> None:
        if self.takes_orders:
            self.worker.go(until)

    def pause(self) -> None:
        if self.takes_orders:
            self.worker.pause()

    def obey(self, order: Callable[[Session], object], then: Until | None = None) -> None:
        if self.takes_orders:
            self.worker.obey(order, then)


GLANCE = 0.25
"""The seconds between two looks at the file, however many fragments ask."""


class _Reading:
    """A run's journal as it grows, read once for all tabs of this process that look at it."""

    def __init__(self, folder: Path) -> None:
        self.error: MemoryBankError | None = None
        self._tail = Tail(folder)
        self.looked = float("-inf")
        """When the file was looked at, by the monotonic clock, in seconds."""
        self._turn = threading.Lock()

    def records(self) -> Sequence[Record[Any]]:
        with self._turn:
            if self.error is None and time.monotonic() - self.looked > GLANCE:
                try:
                    self._tail.poll()
                except MemoryBankError as error:
                    self.error = error
                self.looked = time.monotonic()
            return self._tail.records


_readings: WeakValueDictionary[Path, _Reading] = WeakValueDictionary()
_sharing = threading.Lock()


def _reading(folder: Path) -> _Reading:
    """Return the reading of a run that others have, or a new one: where none has it, or it has failed. Whoever comes
    sees what is written by then: a tab that finds the run at rest does not look again."""
    place = folder.resolve()
    with _sharing:
        known = _readings.get(place)
        if known is None or known.error is not None:
            _readings[place] = known = _Reading(folder)
        known.looked = float("-inf")
        return known


class Watcher:
    """One run, watched from outside. `live`: another process writes it; else it is saved and rests.

    `tab` reads it, and is noted in `looks`, so that the run is not deleted under it.
    """

    takes_orders = is_shared = is_left = False
    session = None
    """The session is None, as there is none in this process."""

    def __init__(self, run_id: str, folder: Path, tab: str, looks: Looks, *, live: bool = True) -> None:
        self.run_id, self.is_saved = run_id, not live
        self._tab, self._looks = tab, looks
        self._reading = _reading(folder)
        self.see()

    @property
    def error(self) -> MemoryBankError | None:
        return self._reading.error

    @property
    def records(self) -> Sequence[Record[Any]]:
        """Everything written so far. It grows, unless a writer took the run over: then it is another list."""
        return self._reading.records()

    @property
    def phase(self) -> Phase:
        """Return PARKED for a saved run; RUNNING while there is more to come; RESTING when the last commit ended the
        session."""
        records = self.records
        if self.error is not None:
            return Phase.FAILED
        if self.is_saved:
            return Phase.PARKED
        return Phase.RESTING if at_rest(records) else Phase.RUNNING

    @property
    def busy(self) -> bool:
        """Whether it is live and has not failed: a page goes on looking, for the writer may be given more to do."""
        return not self.is_saved and self.phase is not Phase.FAILED

    def see(self) -> None:
        self._looks.note(self._tab, self.run_id)

    def leave(self) -> None:
        self._looks.forget(self._tab)

    def close(self, timeout: float = 0.0) -> bool:
        """Say that it is done: there is nothing to release."""
        return True

    def go(self, until: Until) -> None:
        raise _refusal()

    def pause(self) -> None:
        raise _refusal()

    def obey(self, order: Callable[[Session], object], then: Until | None = None) -> None:
        raise _refusal()


def _refusal() -> InputError:
    return InputError("run.read_only")
