"""The calls in flight: whether they are to stop, and what they cost.

A stage opens a `watch` around each agent or tool call. Whatever waits for a network below it (chat models, page
fetches) asks `stopped` while it waits and reports each model call. A context variable carries the watch, so that an
agent stays `run(input) -> output` and a tool stays a plain function; outside a watch nothing is stopped or counted.
How long a person takes to answer is no cost of a call: `clock` stands still meanwhile.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from memorybank.memory.bounds import Count, Milliseconds
from memorybank.memory.types import Value


class Cancelled(Exception):  # noqa: N818 - not an error: the session was asked to stop while a call was in flight
    """Raised by a call in flight when its watch was told to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatCall(Value):
    """One question to a language model, with all its attempts."""

    model: str
    prompt: str
    """The messages as sent, as JSON; images by their digest."""
    reply: str
    """The raw text that came back, empty when none did."""
    input_tokens: Count = 0
    cached_input_tokens: Count = 0
    """Those of the input tokens that the provider had in its prefix cache."""
    output_tokens: Count = 0
    ms: Milliseconds = 0.0
    """Milliseconds from the first attempt to the end of the last."""
    attempts: Count = 1
    cached: bool = False
    notes: tuple[str, ...] = ()
    """The steps that it took to get the answer, one line each: `429: waited 2.0 s`, `repaired: trailing comma`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Value):
    """The number of model calls that were made, and the tokens that they cost together."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0

    @classmethod
    def of(cls, made: Sequence[ChatCall]) -> Self:
        return cls(
            calls=len(made),
            input_tokens=sum(call.input_tokens for call in made),
            output_tokens=sum(call.output_tokens for call in made),
        )


@dataclass(slots=True)
class Watch:
    stopped: Callable[[], bool]
    calls: list[ChatCall] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Notes that were made before the first call, whose notes they become."""
    run_folder: Path | None = None
    """The folder of the run for which the calls are made."""
    outer: Watch | None = None
    asking: int = 0
    """The number of persons that are being waited for inside."""
    asked_since: float = 0.0
    stood_still: float = 0.0
    """Seconds in which a person was waited for, several at once counted once."""
    lock: threading.Lock = field(default_factory=threading.Lock)


_WATCH: ContextVar[Watch | None] = ContextVar("memorybank_watch", default=None)


@contextmanager
def watch(stopped: Callable[[], bool] | None = None, run_folder: Path | None = None) -> Iterator[list[ChatCall]]:
    """Watch the calls made inside; the list grows as they are reported. Watches do not nest: the inner one counts.

    The run's folder and, unless it has one of its own, who may stop it is handed on to an inner one; its waiting for
    persons stops the clock of the outer one too.
    """
    outer = _WATCH.get()
    stopped = stopped or (outer.stopped if outer else lambda: False)
    opened = Watch(stopped, run_folder=run_folder or (outer.run_folder if outer else None), outer=outer)
    token = _WATCH.set(opened)
    try:
        yield opened.calls
    finally:
        _WATCH.reset(token)


def stopped() -> bool:
    """Whether the call in flight should end now."""
    watching = _WATCH.get()
    return watching is not None and watching.stopped()


def check() -> None:
    """Raise Cancelled if the call in flight should end now."""
    if stopped():
        raise Cancelled


def run_folder() -> Path | None:
    """Return the folder of the run for which the call in flight is made; None outside a session."""
    watching = _WATCH.get()
    return watching.run_folder if watching is not None else None


def clock() -> float:
    """Return `time.perf_counter`'s seconds, less those in which a person was waited for inside the open watch."""
    now, watching = time.perf_counter(), _WATCH.get()
    if watching is None:
        return now
    with watching.lock:
        return now - watching.stood_still - (now - watching.asked_since if watching.asking else 0.0)


@contextmanager
def asking_a_person() -> Iterator[None]:
    """Let the clock stand still around the wait for a person's answer."""
    watches = list(_chain(_WATCH.get()))
    for watching in watches:
        with watching.lock:
            watching.asked_since = watching.asked_since if watching.asking else time.perf_counter()
            watching.asking += 1
    try:
        yield
    finally:
        for watching in watches:
            with watching.lock:
                watching.asking -= 1
                if not watching.asking:
                    watching.stood_still += time.perf_counter() - watching.asked_since


def _chain(watching: Watch | None) -> Iterator[Watch]:
    while watching is not None:
        yield watching
        watching = watching.outer


def report(call: ChatCall) -> None:
    """Count a call that is over."""
    watching = _WATCH.get()
    if watching is not None:
        watching.calls.append(replace(call, notes=(*watching.notes, *call.notes)) if watching.notes else call)
        watching.notes.clear()


def note(*lines: str) -> None:
    """Add to the notes of the call that was reported last; before any, to those of the first."""
    watching = _WATCH.get()
    if watching is None or not lines:
        return
    if watching.calls:
        last = watching.calls[-1]
        watching.calls[-1] = replace(last, notes=(*last.notes, *lines))
    else:
        watching.notes.extend(lines)
