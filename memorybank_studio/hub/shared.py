"""The hub as all of this process shares it: many readers, or one settlement that is being written.

A settlement touches several stores, each with transactions of its own. Readers see none of it or all of it, because
they wait while it is written, and because a set of which only a part got through (a store died in the middle) keeps
readers out, with a reason, until the rest is written (`applying.py` sees to that).
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

from memorybank.errors import Notice, StoreUnavailableError
from memorybank_studio.hub.stores import Stores

_WRITES: Final = frozenset({"apply", "put", "remove"})


class SharedLock:
    """Many readers or one writer; a writer that waits goes before new readers. A thread may enter what it is in."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._readers = 0
        self._waiting = 0
        self._writer: int | None = None
        self._reads = threading.local()

    @contextmanager
    def shared(self) -> Iterator[None]:
        if self.is_held:
            yield
            return
        with self._changed:
            self._changed.wait_for(lambda: self._writer is None and not self._waiting)
            self._readers += 1
        self._reads.here = True
        try:
            yield
        finally:
            self._reads.here = False
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        if self._writer == threading.get_ident():
            yield
            return
        if self.is_held:
            raise RuntimeError("a reader of the hub cannot begin to write: it would wait for itself")
        with self._changed:
            self._waiting += 1
            try:
                self._changed.wait_for(lambda: self._writer is None and not self._readers)
            finally:
                self._waiting -= 1
                self._changed.notify_all()
            self._writer = threading.get_ident()
        try:
            yield
        finally:
            with self._changed:
                self._writer = None
                self._changed.notify_all()

    @property
    def is_held(self) -> bool:
        """Whether this thread reads or writes."""
        return getattr(self._reads, "here", False) or self._writer == threading.get_ident()


class SharedHub:
    """The four stores behind one lock."""

    def __init__(self, stores: Stores) -> None:
        self._own = stores
        self._lock = SharedLock()
        self.before_entering: Callable[[], None] = lambda: None
        """A function called outside the lock before all but the settlement's writer enter; finishes what was begun."""
        self.half_written: Notice | None = None
        """The reason why nobody may read now; None: all may. The writer alone changes it."""
        self.stores = self._guarded(writes=False)
        """The stores for everyone else, to read: each call takes the lock by itself. A write is refused: nothing gets
        into the hub but by a settlement, or by hand through the gateway, which puts it in the journal."""

    @contextmanager
    def reading(self) -> Iterator[Stores]:
        """Open the same stores to the end of the block. Raises StoreUnavailableError while a set is half written."""
        if self._lock.is_held:
            yield self._own
            return
        self.before_entering()
        with self._lock.shared():
            self._check_whole()
            yield self._own

    @contextmanager
    def changing(self) -> Iterator[Stores]:
        """Open the stores for one change by hand (the plan board, an import). Raises as `reading` does."""
        if not self._lock.is_held:
            self.before_entering()
        with self._lock.exclusive():
            self._check_whole()
            yield self._own

    @contextmanager
    def writing(self) -> Iterator[Stores]:
        """Open the stores for the settlement's writer; nobody reads until the block ends."""
        with self._lock.exclusive():
            yield self._own

    def step_by_step(self) -> Stores:
        """Return the stores for a long change by hand (an import): each write waits for its turn, readers go on."""
        return self._guarded(writes=True)

    def _guarded(self, *, writes: bool) -> Stores:
        own = self._own
        stores = (own.facts, own.plans, own.settings, own.archive)
        facts, plans, settings, archive = (cast(Any, _Guarded(store, self, writes=writes)) for store in stores)
        return Stores(facts=facts, plans=plans, settings=settings, archive=archive)

    def _check_whole(self) -> None:
        if self.half_written:
            raise StoreUnavailableError(self.half_written)


class _Guarded:
    """A store each of whose calls waits for its turn; for reading alone unless `writes`."""

    def __init__(self, store: object, hub: SharedHub, *, writes: bool) -> None:
        self._store = store
        self._hub = hub
        self._writes = writes

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._store, name)
        is_write = name in _WRITES
        if is_write and not self._writes:
            raise RuntimeError("the hub is open for reading: settle a task, or move, import and check by the gateway")

        def call(*arguments: Any, **named: Any) -> Any:
            with self._hub.changing() if is_write else self._hub.reading():
                return method(*arguments, **named)

        return call
