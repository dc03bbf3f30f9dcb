"""A span as a value, and the ids of spans: the same run gives the same ones wherever and whenever it is read."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

Value = str | int | float | bool
Attributes = Mapping[str, Value]

TRACE_BYTES, SPAN_BYTES = 16, 8
LATEST = 2**63 - 1


class SpanRef(NamedTuple):
    """The trace and the place in it by which a span is found."""

    trace: int
    span: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One that has ended. Times are nanoseconds since the epoch."""

    name: str
    ref: SpanRef
    parent: SpanRef | None
    begin: int
    end: int
    attributes: Attributes
    links: tuple[SpanRef, ...] = ()
    calls_out: bool = False
    """Whether it is a call to another process."""
    failed: bool = False
    failure: str = ""
    """Why, where texts were asked for."""


def number_of(run_id: str, what: str, place: int, size: int) -> int:
    """Return an id of `size` bytes. From it nobody learns the run's id, which opens the run in the app."""
    digest = hashlib.sha256(f"{run_id}\n{what}\n{place}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:size], "big") or 1


def conversation_of(run_id: str) -> str:
    """Return what all spans of a run have in common, in place of its id."""
    return hashlib.sha256(f"{run_id}\nconversation".encode("utf-8", "surrogatepass")).hexdigest()[:16]


def nanoseconds(at: float) -> int:
    """Return a journal's time, which counts milliseconds, within what a span can hold (to the year 2262)."""
    return min(round(at * 1000) * 1_000_000, LATEST)


@dataclass(slots=True, kw_only=True)
class OpenSpan:
    """A span that has begun and has not ended."""

    ref: SpanRef
    begin: int
    name: str
    number: int = 0
    """Number of the round; 0 for what is no round."""
