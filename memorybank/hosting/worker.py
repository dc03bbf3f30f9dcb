"""The worker of a run: a thread that owns the session and does nothing but append events. It never touches the page.

Pages give orders and read `records`. Orders are obeyed between stages, so that a person may add a document while the
run goes on. When nobody has looked for a while, the worker parks: it stops at the next stage border and releases the
run's lock. Nothing is deleted; the run can be opened again.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from memorybank.errors import JournalBrokenError, MemoryBankError
from memorybank.hosting.run import Until
from memorybank.memory.events import ConflictFound, NodesMerged
from memorybank.runs.journal import Record
from memorybank.session.phase import Phase
from memorybank.session.session import Session, StageReport

PATIENCE = 30.0
"""The seconds without a look from a tab after which a run is parked."""
GLANCE = 2.0
"""The seconds between two looks at whether a tab is still there, while there is nothing to do."""

Order = Callable[[Session], object]


_REACHED: Mapping[Until, Callable[[StageReport], bool]] = {
    Until.STEP: lambda report: True,
    Until.CONFLICT: lambda report: any(isinstance(fact, ConflictFound) for fact in report.facts),
    Until.MERGE: lambda report: any(isinstance(fact, NodesMerged) for fact in report.facts),
    Until.PLAN: lambda report: report.stage == "plan",
    Until.EXECUTE: lambda report: report.stage == "enhance",
    Until.INTERCEPT: lambda report: report.stage == "intercept",
    Until.END: lambda report: False,
}


class Worker:
    """A session in a thread of its own. `begin` starts or opens it there: it may load a model.

    `is_open(owner)` tells whether the tab that it belongs to is open, or another that reads along.
    """

    def __init__(
        self,
        run_id: str,
        begin: Callable[[], Session],
        *,
        owner: str = "",
        browser: str = "",
        known: Callable[[], Sequence[Record[Any]]] = tuple,
        until: Until | None = None,
        is_open: Callable[[str], bool] = lambda _: False,
        patience: float = PATIENCE,
    ) -> None:
        self.run_id = run_id
        self.owner, self.browser = owner, browser
        """The tab it belongs to, empty once that has turned away; and its browser's mark, empty where there is none."""
        self.error: BaseException | None = None
        """The last fault; a new order clears it."""
        self._begin, self._known, self._is_open, self._patience = begin, known, is_open, patience
        self._session: Session | None = None
        self._records: Sequence[Record[Any]] = ()
        self._phase = Phase.LOADING
        self._until = until
        self._aims = 0
        """Counts what was said about `until`, so that a step's end never undoes what was said meanwhile."""
        self._orders: deque[tuple[Order, Until | None]] = deque()
        self._at_work = False
        self._closing = False
        self._seen = time.monotonic()
        self._changed = threading.Condition()  # over a lock that its holder may take again
        self._thread = threading.Thread(target=self._work, name=f"run-{run_id[:8]}", daemon=True)
        self._thread.start()

    # -- what a page reads --------------------------------------------------------------------------------------------

    @property
    def records(self) -> Sequence[Record[Any]]:
        return self._session.records if self._session is not None else self._records

    @property
    def phase(self) -> Phase:
        with self._changed:
            if self._phase is Phase.RESTING and (self._until is not None or self._orders or self._at_work):
                return Phase.RUNNING
            return self._phase

    @property
    def busy(self) -> bool:
        return self.phase in (Phase.LOADING, Phase.RUNNING)

    @property
    def is_alive(self) -> bool:
        """Whether the worker holds the run and goes on holding it."""
        return not self._closing and self.phase not in (Phase.PARKED, Phase.FAILED)

    @property
    def session(self) -> Session | None:
        return self._session

    def see(self) -> None:
        self._seen = time.monotonic()

    def is_watched(self) -> bool:
        return time.monotonic() - self._seen < self._patience or self._is_open(self.owner)

    # -- what a page orders -------------------------------------------------------------------------------------------

    def go(self, until: Until) -> None:
        with self._changed:
            self.error = None
            self._aim(until)

    def pause(self) -> None:
        with self._changed:
            if self._until is not None:
                self._aim(None)
                if self._session is not None:
                    self._session.pause()

    def obey(self, order: Order, then: Until | None = None) -> None:
        with self._changed:
            self.error = None
            self._orders.append((order, then))
            self._changed.notify()

    def close(self, timeout: float = 10.0) -> bool:
        """Stop at the next border and release the run. True when it has happened within `timeout` seconds."""
        with self._changed:
            self._closing = True
            if self._session is not None:
                self._session.pause()
            self._changed.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _aim(self, until: Until | None) -> None:
        with self._changed:
            self._until = until
            self._aims += 1
            self._changed.notify()

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        end = Phase.FAILED
        try:
            self._records = self._known()
            self._session = self._begin()
            with self._session as session:
                self._phase = Phase.RESTING
                self._serve(session)
            end = Phase.PARKED
        except (MemoryBankError, OSError) as error:
            self.error = error
        except BaseException as error:  # told to the page, then raised: a fault of ours must not look like a long run
            self.error = error
            raise
        finally:
            with self._changed:
                self._phase, self._until = end, None
                self._orders.clear()

    def _serve(self, session: Session) -> None:
        while not self._closing and self.is_watched():
            next_order = self._next_order()
            try:
                if next_order is not None:
                    order, then = next_order
                    order(session)
                    if then is not None:
                        self._aim(then)
                elif self._until is not None:
                    self._step(session)
            except JournalBrokenError:
                raise  # what the disk holds is unknown: the run is let go, and read again when it is opened
            except (MemoryBankError, OSError) as error:
                self.error = error
                self._aim(None)
            finally:
                self._at_work = False

    def _next_order(self) -> tuple[Order, Until | None] | None:
        with self._changed:
            if not self._orders and self._until is None and not self._closing:
                self._changed.wait(GLANCE)
            if not self._orders:
                return None
            self._at_work = True
            return self._orders.popleft()

    @contextmanager
    def _letting_go(self, session: Session) -> Iterator[None]:
        """End a step before its next call when nobody looks any more: a stage may be long, or wait for a person."""
        ended = threading.Event()

        def look() -> None:
            while not ended.wait(GLANCE):
                if not self.is_watched():
                    session.pause()

        threading.Thread(target=look, name=f"look-{self.run_id[:8]}", daemon=True).start()
        try:
            yield
        finally:
            ended.set()

    def _step(self, session: Session) -> None:
        with self._changed:
            until, aims = self._until, self._aims
            if until is None or self._closing:
                return
            self._at_work = True
            session.unpause()
        with self._letting_go(session):
            report = session.step()
        if report is None or _REACHED[until](report):
            with self._changed:
                if self._aims == aims:
                    self._until = None
