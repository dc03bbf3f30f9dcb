"""What is in flight: who may stop it, and what it cost.

A stage opens a `watch` around each agent or tool call. Whatever waits for a network below it (chat models, page
fetches) asks `stopped` while it waits and reports each model call. A context variable carries the watch, so that an
agent stays `run(input) -> output` and a tool stays a plain function; outside a watch nothing is stopped or counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

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
    """Of the input tokens: those that the provider had in its prefix cache."""
    output_tokens: Count = 0
    ms: Milliseconds = 0.0
    """Milliseconds from the first attempt to the end of the last."""
    attempts: Count = 1
    cached: bool = False
    notes: tuple[str, ...] = ()
    """What had to be done to get there, one line each: `429: waited 2.0 s`, `repaired: trailing comma`."""


@dataclass(slots=True)
class Watch:
    stopped: Callable[[], bool]
    calls: list[ChatCall] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """Said before the first call; they go to it."""


_WATCH: ContextVar[Watch | None] = ContextVar("memorybank_watch", default=None)


@contextmanager
def watch(stopped: Callable[[], bool] = lambda: False) -> Iterator[list[ChatCall]]:
    """Watch the calls made inside; the list grows as they are reported. Watches do not nest: the inner one counts."""
    opened = Watch(stopped)
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
