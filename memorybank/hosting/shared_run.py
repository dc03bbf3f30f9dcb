"""A living run as one tab has it. It takes orders from the tab it belongs to; other tabs of the browser read along.

Whether a tab may give orders is looked up at each order: another may have taken the run over since its page was drawn.
Then the order is dropped, and the page that follows says why.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from memorybank.hosting.looks import Looks
from memorybank.hosting.orders import Until
from memorybank.hosting.worker import Worker
from memorybank.runs.journal import Record
from memorybank.session.phase import Phase

if TYPE_CHECKING:
    from memorybank.session.session import Session


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
        """Whether it is read along: another tab of this browser has it, or had it."""
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
        """Who reads along goes on looking while it is alive: it may be given more to do in the other tab."""
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
