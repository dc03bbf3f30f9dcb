"""Sessions of this process as spans while they run: one thread reads their records, and no session waits for it.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memorybank.errors import MemoryBankError, Notice, NotSentError
from memorybank.integrations.tracing.reader import SpanReader
from memorybank.integrations.tracing.spans import Span
from memorybank.integrations.tracing.target import Target, environment, is_wanted, target_of
from memorybank.integrations.tracing.texts import Texts, asked_for
from memorybank.runs.journal import Record
from memorybank.runs.stages import at_rest
from memorybank.settings.redaction import Redactor

if TYPE_CHECKING:
    from memorybank.session.session import Session

GLANCE = 0.25
"""Seconds between two looks at the sessions."""
FAREWELL = 2.0
"""Seconds that the end of the program waits for the last spans."""

log = logging.getLogger("memorybank.tracing")


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
    """Number of records that were read."""

    def _skip_what_was_sent(self) -> None:
        """Pass over what a run that is gone on with did until it last rested: that was sent when it did.

        The stretch that was cut off is sent again: the same spans, and nobody knows which of them arrived.
        """
        known = list(self.records[: self.known])
        rested = (place for place in range(len(known), 1, -1) if at_rest(known[place - 2 : place]))
        self.seen = next(rested, 0)
        for record in known[: self.seen]:
            self.reader.read(record)
        self.reader.texts = self.texts

    def read(self) -> Iterator[Span]:
        """Yield the spans of the records that have come since."""
        if self.is_new:
            self.is_new = False
            self._skip_what_was_sent()
        end = len(self.records)
        while self.seen < end:
            record = self.records[self.seen]
            self.seen += 1
            yield from self.reader.read(record)


class Live:
    """The thread, what it follows, and the receiver. Raises InputError where the extra `otel` is missing."""

    def __init__(self, target: Target) -> None:
        from memorybank.integrations.tracing.otlp import Sender

        self._sender = Sender(target, self._told_lost)
        self._followed: list[Followed] = []
        self._lock, self._reading = threading.Lock(), threading.Lock()
        self._folders: dict[int, Path] = {}
        """The run folder of each trace."""
        self._broken: list[Path] = []
        """Runs that are followed no more, for reading them failed."""
        self._told: set[Path] = set()
        self._thread: threading.Thread | None = None

    def follow(self, session: Session, *, texts: bool) -> None:
        read = Texts(session.folder.blobs.get) if texts else None
        records = session.records
        followed = Followed(weakref.ref(session), records, SpanReader(), session.folder.path, len(records), read)
        with self._lock:
            self._followed.append(followed)
            if self._thread is None or not self._thread.is_alive():  # a process that was forked has no thread
                self._thread = threading.Thread(target=self._work, name="traces", daemon=True)
                self._thread.start()

    def finish(self, seconds: float = FAREWELL) -> list[Path]:
        """Send what is left, for so many seconds; no longer where the receiver is known to be lost.

        Returns the runs of which something was not sent and nobody was told.
        """
        self._look()
        if not self._sender.is_lost:
            self._sender.flush().join(seconds)
        left = [*self._broken, *(self._folders[trace] for trace in +self._sender.waiting)]
        return [folder for folder in dict.fromkeys(left) if folder not in self._told]

    # -- the threads --------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while self._goes_on():
            self._look()
            time.sleep(GLANCE)

    def _goes_on(self) -> bool:
        """Whether the thread has somebody to follow; without it ends, and the next one to follow begins another."""
        with self._lock:
            if not self._followed:
                self._thread = None
            return bool(self._followed)

    def _look(self) -> None:
        """Hand over the spans that have come. Of a session that has ended nothing more will."""
        with self._reading:
            for followed in tuple(self._followed):
                has_ended = followed.session() is None
                try:
                    for span in followed.read():
                        self._folders[span.ref.trace] = followed.folder
                        self._sender.take(span)
                except Exception as error:  # noqa: BLE001 - whatever it is, it is no matter of the run's: told, given up
                    _warn(Notice("traces.fault", reason=type(error).__name__))
                    self._broken.append(followed.folder)
                    has_ended = True
                if has_ended:
                    with self._lock:
                        self._followed.remove(followed)

    def _told_lost(self, traces: set[int], failure: NotSentError) -> None:
        """Say once of a run that its spans were not taken."""
        for folder in {self._folders[trace] for trace in traces} - self._told:
            self._told.add(folder)
            _warn(Notice("traces.not_live", reason=failure, folder=folder))


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
            _started.append(Live(target_of(environment())))
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
