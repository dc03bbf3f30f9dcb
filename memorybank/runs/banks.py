"""The memory after any number of a run's events: read once, with snapshots, so that no place in a long run is far."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from memorybank.memory.events import OBSERVATIONS, Fact
from memorybank.memory.state import MemoryState, apply_all
from memorybank.runs.journal import Record
from memorybank.runs.stages import ends_stage

SNAPSHOT = 256
"""Events between two snapshots, at least."""

BankAt = Callable[[Sequence[Record[Any]], int], MemoryState]
"""The memory after so many of a run's events: `Banks.at`, or `run_folder.state_at` for who asks once."""


class Banks:
    """The memories of one run, whose records are taken one by one as they come."""

    def __init__(self) -> None:
        self.newest = MemoryState()
        """The memory after the last stage that has ended. Copy it to keep it."""
        self._committed = 0
        """Number of events that `newest` is made of."""
        self._pending: list[tuple[Fact, float]] = []
        self._snapshots: list[tuple[int, MemoryState]] = [(0, MemoryState())]

    def take(self, record: Record[Any]) -> bool:
        """Read one more event. True when a stage ended with it. Raises JournalError for what contradicts the past."""
        if isinstance(record.event, OBSERVATIONS):
            return False
        self._pending.append((record.event, record.at))
        if not ends_stage(record):
            return False
        apply_all(self.newest, self._pending)
        self._pending, self._committed = [], record.seq
        if record.seq - self._snapshots[-1][0] >= SNAPSHOT:
            self._snapshots.append((record.seq, self.newest.copy()))
        return True

    def at(self, records: Sequence[Record[Any]], k: int) -> MemoryState:
        """Return the memory after `k` of the records; a stage that had not ended by then is left out."""
        if k >= self._committed:
            return self.newest.copy()
        place = bisect_right(self._snapshots, k, key=lambda snapshot: snapshot[0]) - 1
        seq, snapshot = self._snapshots[place]
        bank, pending = snapshot.copy(), []
        for record in records[seq:k]:
            if isinstance(record.event, OBSERVATIONS):
                continue
            pending.append((record.event, record.at))
            if ends_stage(record):
                apply_all(bank, pending)
                pending = []
        return bank
