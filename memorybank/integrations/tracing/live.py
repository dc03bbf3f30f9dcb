"""Sessions of this process as spans while they run: one thread reads their records and sends; no session waits for it.

A run is read and never touched: a receiver that is down, slow or hostile costs it nothing. What is not sent is told in
one line, and `memorybank export DIR --otlp URL` sends it afterwards, as the same spans.
"""

from __future__ import annotations

import atexit
import functools
import logging
import threading
import time
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memorybank.errors import MemoryBankError, Notice
from memorybank.integrations.tracing.reader import SpanReader
from memorybank.integrations.tracing.spans import Span
from memorybank.integrations.tracing.target import environment, is_wanted, target_of
from memorybank.integrations.tracing.texts import Texts, asked_for
from memorybank.runs.journal import Record
from memorybank.runs.stages import at_rest
from memorybank.settings.redaction import Redactor

if TYPE_CHECKING:
    from memorybank.session.session import Session

GLANCE = 0.25
"""Seconds between two looks at the sessions."""
PAUSE = 30.0
"""Seconds until a receiver that did not take spans is tried again."""
FAREWELL = 2.0
"""Seconds that the end of the program waits for the last spans."""
MOST_WAITING = 2_000
"""Spans of one session that wait to be sent before its records are read on."""

log = logging.getLogger("memorybank.tracing")

Send = Callable[[Sequence[Span]], None]


@dataclass(slots=True, eq=False)
class Followed:
    """One session, of which the thread holds nothing but its records."""

    session: weakref.ref[Session]
    records: Sequence[Record[Any]]
    reader: SpanReader
    folder: Path
    known: int
    """Records that it had when it was begun or opened."""
    texts: Texts | None = None
    is_new: bool = True
    seen: int = 0
    waiting: list[Span] = field(default_factory=list)

    def _skip_what_was_sent(self) -> None:
        """Of a run that is gone on with, what it did until it last rested was sent when it did.

        The stretch that was cut off is sent again: the same spans, and nobody knows which of them arrived.
        """
        known = list(self.records[: self.known])
        rested = (place for place in range(len(known), 1, -1) if at_rest(known[place - 2 : place]))
        self.seen = next(rested, 0)
        for record in known[: self.seen]:
            self.reader.read(record)
        self.reader.texts = self.texts

    @property
    def has_more(self) -> bool:
        return bool(self.waiting) or self.seen < len(self.records)

    def read(self) -> None:
        if self.is_new:
            self.is_new = False
            self._skip_what_was_sent()
        end = len(self.records)
        while self.seen < end and len(self.waiting) < MOST_WAITING:
            self.waiting += self.reader.read(self.records[self.seen])
            self.seen += 1


class Live:
    """The thread and what it follows."""

    def __init__(self, send: Send, *, pause: float = PAUSE) -> None:
        self._send, self._pause = send, pause
        self._followed: list[Followed] = []
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._idle = threading.Event()
        self._next_try = 0.0
        self._failed = False
        self._lost: list[Path] = []
        self._told: set[Path] = set()
        self._thread: threading.Thread | None = None

    def follow(self, session: Session, *, texts: bool) -> None:
        read = Texts(session.folder.blobs.get) if texts else None
        records = session.records
        followed = Followed(weakref.ref(session), records, SpanReader(), session.folder.path, len(records), read)
        with self._lock:
            self._followed.append(followed)
            self._idle.clear()
            if self._thread is None or not self._thread.is_alive():  # a process that was forked has no thread
                self._thread = threading.Thread(target=self._work, name="traces", daemon=True)
                self._thread.start()

    def finish(self, seconds: float = FAREWELL) -> list[Path]:
        """Send what is left, for so many seconds; no longer where the receiver is known to be lost.

        Answers with the runs of which something was not sent and nobody was told.
        """
        with self._lock:
            self._idle.clear()
            waits = not self._failed and any(followed.has_more for followed in self._followed)
        self._wake.set()
        if waits:
            self._idle.wait(seconds)
        with self._lock:
            left = [*self._lost, *(followed.folder for followed in self._followed if followed.has_more)]
            return [folder for folder in dict.fromkeys(left) if folder not in self._told]

    # -- the thread ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while self._goes_on():
            try:
                self._look()
            except Exception as error:  # noqa: BLE001 - whatever it is, it is no matter of the run's: told, and given up
                _warn(Notice("traces.fault", reason=type(error).__name__))
                self._give_up()
            self._wake.wait(GLANCE)
            self._wake.clear()

    def _goes_on(self) -> bool:
        """The thread ends where there is nobody to follow; the next one to follow begins another."""
        with self._lock:
            if not self._followed:
                self._thread = None
            return bool(self._followed)

    def _look(self) -> None:
        with self._lock:
            followed_now = list(self._followed)
        for followed in followed_now:
            followed.read()
            if followed.waiting and time.monotonic() >= self._next_try:
                self._try(followed)
        with self._lock:
            kept = [each for each in self._followed if self._is_wanted(each)]
            self._lost += [each.folder for each in self._followed if each.has_more and each not in kept]
            self._followed = kept
            if not any(each.has_more for each in self._followed):
                self._idle.set()

    def _is_wanted(self, followed: Followed) -> bool:
        """A session that has ended is kept until its last span is sent, but not for a receiver that is lost."""
        return followed.session() is not None or (followed.has_more and not self._failed)

    def _give_up(self) -> None:
        with self._lock:
            self._lost += [each.folder for each in self._followed]
            self._followed = []
            self._idle.set()

    def _try(self, followed: Followed) -> None:
        try:
            self._send(followed.waiting)
        except MemoryBankError as error:
            self._next_try = time.monotonic() + self._pause
            if not self._failed:
                self._told.add(followed.folder)
                _warn(Notice("traces.not_live", reason=error, folder=followed.folder))
            self._failed = True
            self._idle.set()
        else:
            followed.waiting = []
            self._failed = False


# -- of this process --------------------------------------------------------------------------------------------------

_started: list[Live] = []
_lock = threading.Lock()


def follow(session: Session) -> None:
    """Send a session's spans from here on, where the environment asks for it. Never raises for what it cannot do."""
    if not is_wanted(environment()):
        return
    try:
        _live().follow(session, texts=asked_for(environment()))
    except MemoryBankError as error:
        _warn_once(str(Notice("traces.none_live", reason=error)))
    except Exception as error:  # noqa: BLE001 - no fault of a package that only looks on may keep a run from running
        _warn_once(str(Notice("traces.fault", reason=type(error).__name__)))


def _live() -> Live:
    """Raises InputError where the extra is missing or the address is none."""
    with _lock:
        if not _started:
            from memorybank.integrations.tracing.otlp import Sender

            _started.append(Live(Sender(target_of(environment())).send))
            atexit.register(_say_farewell, _started[0])
        return _started[0]


def _say_farewell(live: Live) -> None:
    for folder in live.finish():
        _warn(Notice("traces.left", folder=folder))


@functools.cache
def _warn_once(line: str) -> None:
    _warn(line)


def _warn(line: Notice | str) -> None:
    log.warning(Redactor().text(str(line)))
