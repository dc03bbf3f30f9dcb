"""One event loop on one thread, for calls that a waiting caller must be able to give up.

The caller waits in slices and asks `calls.stopped` between them; a call given up is cancelled in the loop, so its
connection closes at once instead of running to its timeout.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, TypeVar

from memorybank import calls

T = TypeVar("T")

POLL = 0.05
"""Seconds between two looks at `calls.stopped`."""
_CLOSING = 2.0
"""Seconds that closing may take; calls in flight end at once, only an import or a hanging name lookup may not."""


class LoopThread:
    """Started by the first `run` or `begin`, ended by `close`."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._closed = False

    def run(self, call: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Return the result of the coroutine that `call` makes, or its error.

        Raises Cancelled when the caller's watch was stopped, or the loop was closed, before it was there.
        """
        calls.check()
        with self._lock:
            if self._closed:
                raise RuntimeError(f"{self._name} is closed and cannot be asked again")
            loop, thread = self._started()
            future = asyncio.run_coroutine_threadsafe(call(), loop)
        try:
            while not wait([future], timeout=POLL).done:
                calls.check()
                if not thread.is_alive() and not future.done():
                    raise RuntimeError(f"the thread of {self._name} has ended: nothing answers on it any more")
        except BaseException:  # a stop, or Ctrl-C in the main thread: nothing may go on behind the caller's back
            future.cancel()
            raise
        if future.cancelled():
            raise calls.Cancelled
        return future.result()

    def begin(self, call: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Start the coroutine that `call` makes and wait for nothing; an error in it is nobody's."""
        with self._lock:
            if not self._closed:
                asyncio.run_coroutine_threadsafe(call(), self._started()[0])

    def close(self, last: Callable[[], Coroutine[Any, Any, None]] | None = None) -> None:
        """Cancel what is in flight, run `last` on the loop, end the thread. Safe to call twice."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            loop, thread = self._loop, self._thread
        if loop is None or thread is None:
            return
        until = time.monotonic() + _CLOSING
        ended: Future[None] = asyncio.run_coroutine_threadsafe(_end(last), loop)
        # Only then: a loop that is still busy with an import would be stopped before it came to `_end`.
        ended.add_done_callback(lambda _: loop.call_soon_threadsafe(loop.stop))
        wait([ended], timeout=_CLOSING)
        if thread is not threading.current_thread():
            thread.join(max(0.0, until - time.monotonic()))

    def _started(self) -> tuple[asyncio.AbstractEventLoop, threading.Thread]:
        """Start the thread (the caller holds the lock). The next call tries one again that could not be started."""
        if self._loop is None or self._thread is None:
            loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_serve, args=(loop, self._name), name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError:  # no more threads on this machine
                loop.close()
                raise
            self._loop, self._thread = loop, thread
        return self._loop, self._thread


def _serve(loop: asyncio.AbstractEventLoop, name: str) -> None:
    resolver = ThreadPoolExecutor(4, thread_name_prefix=f"{name}-dns")  # asyncio's own would outlive a hanging lookup
    loop.set_default_executor(resolver)
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        resolver.shutdown(wait=True, cancel_futures=True)
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


async def _end(last: Callable[[], Coroutine[Any, Any, None]] | None) -> None:
    tasks = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    if last is not None:
        await last()
