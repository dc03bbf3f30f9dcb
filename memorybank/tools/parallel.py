"""Several waits at once, their outcomes and their reported calls in the order of the input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from memorybank import calls
from memorybank.errors import MemoryBankError

In = TypeVar("In")
Out = TypeVar("Out")

MOST = 4


def in_order(work: Callable[[In], Out], items: Sequence[In]) -> list[Out | MemoryBankError]:
    """`work` on each, at most four at a time; an error of ours stands in the place of its outcome.

    Whoever watches this call (calls.py) watches the threads too: a stop ends them all and raises Cancelled here, and
    what they report is reported by input order, however they were scheduled. No thread is left behind.
    """
    if len(items) <= 1:
        return [_attempt(work, item) for item in items]
    with ThreadPoolExecutor(min(MOST, len(items)), "tool") as pool:
        begun = [pool.submit(_watched(work, item)) for item in items]
        done = [future.result() for future in begun]
    for _, reported in done:
        for call in reported:
            calls.report(call)
    return [outcome for outcome, _ in done]


def _watched(work: Callable[[In], Out], item: In) -> Callable[[], tuple[Out | MemoryBankError, list[calls.ChatCall]]]:
    """The work in the caller's context, under a watch of its own that stops when the caller's does."""
    outside, inside = copy_context(), copy_context()

    def run() -> tuple[Out | MemoryBankError, list[calls.ChatCall]]:
        # A copy each time: a context cannot be entered twice at once, and whoever works below may ask in threads.
        with calls.watch(lambda: outside.copy().run(calls.stopped)) as reported:
            calls.check()
            return _attempt(work, item), reported

    return lambda: inside.run(run)


def _attempt(work: Callable[[In], Out], item: In) -> Out | MemoryBankError:
    try:
        return work(item)
    except MemoryBankError as error:
        return error
