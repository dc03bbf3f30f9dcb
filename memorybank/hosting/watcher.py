"""A run that is only looked at: what a page reads of a `Worker`, without the session behind it.

Two kinds: a run that another process writes now, which is followed as it grows, and a saved run that nobody writes, as
an address opens it. Either way the journal is read (runs/tail.py); no lock is held, no model loaded, no order given.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memorybank.errors import InputError, MemoryBankError
from memorybank.hosting.looks import Looks
from memorybank.hosting.orders import Until
from memorybank.runs.journal import Record
from memorybank.runs.stages import at_rest
from memorybank.runs.tail import Tail
from memorybank.session.phase import Phase

if TYPE_CHECKING:
    from memorybank.session.session import Session

GLANCE = 0.25
"""Seconds between two looks at the file, however many fragments ask."""


class Watcher:
    """One run, seen from outside. `live`: another process writes it; else it is saved and rests.

    `tab` reads it, and is noted in `looks`, so that the run is not deleted under it.
    """

    takes_orders = is_shared = is_left = False
    session = None
    """There is none in this process."""

    def __init__(self, run_id: str, folder: Path, tab: str, looks: Looks, *, live: bool = True) -> None:
        self.run_id, self.is_saved = run_id, not live
        self._tab, self._looks = tab, looks
        self.error: MemoryBankError | None = None
        self._tail = Tail(folder)
        self._looked = float("-inf")
        self._turn = threading.Lock()
        self.see()

    @property
    def records(self) -> Sequence[Record[Any]]:
        """Everything written so far. It grows, except when a writer took the run over: then it is another list."""
        with self._turn:
            if self.error is None and time.monotonic() - self._looked > GLANCE:
                self._looked = time.monotonic()
                try:
                    self._tail.poll()
                except MemoryBankError as error:
                    self.error = error
            return self._tail.records

    @property
    def phase(self) -> Phase:
        """PARKED: saved. RUNNING while there is more to come; RESTING when the last commit ended the session."""
        records = self.records
        if self.error is not None:
            return Phase.FAILED
        if self.is_saved:
            return Phase.PARKED
        return Phase.RESTING if at_rest(records) else Phase.RUNNING

    @property
    def busy(self) -> bool:
        """While it is live, until it fails: a page goes on looking, for the writer may be given more to do."""
        return not self.is_saved and self.phase is not Phase.FAILED

    def see(self) -> None:
        self._looks.note(self._tab, self.run_id)

    def leave(self) -> None:
        self._looks.forget(self._tab)

    def close(self, timeout: float = 0.0) -> bool:
        """There is nothing to release."""
        return True

    def go(self, until: Until) -> None:
        raise _refusal()

    def pause(self) -> None:
        raise _refusal()

    def obey(self, order: Callable[[Session], object], then: Until | None = None) -> None:
        raise _refusal()


def _refusal() -> InputError:
    return InputError("run.read_only")
