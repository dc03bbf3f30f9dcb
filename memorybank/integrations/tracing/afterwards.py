"""A run that has been written, as spans: `memorybank export DIR --otlp URL`."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from memorybank.errors import NotSentError
from memorybank.integrations.tracing.otlp import Sender
from memorybank.integrations.tracing.reader import SpanReader
from memorybank.integrations.tracing.spans import Span
from memorybank.integrations.tracing.target import environment, target_of
from memorybank.integrations.tracing.texts import Texts, asked_for
from memorybank.memory.events import OBSERVATIONS
from memorybank.runs.journal import Record
from memorybank.runs.stages import at_rest, ends_stage

STALLED = 3.0
"""So many times the patience with one request passes without a span being taken, and the receiver is given up."""
GLANCE = 0.02
"""Seconds between two looks at what has been taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentRun:
    spans: int
    traces: tuple[str, ...]
    """Ids of the traces as viewers write them: 32 hexadecimal digits."""
    address: str
    is_whole: bool
    """False: the run goes on, or stopped in the middle; its session has no span yet."""


def spans_of(records: Sequence[Record[Any]], texts: Texts | None = None) -> list[Span]:
    """Return all spans that have ended. Facts whose stage never ended are no part of the run."""
    reader = SpanReader(texts)
    last = max((place for place, record in enumerate(records) if ends_stage(record)), default=-1)
    known = [record for place, record in enumerate(records) if place <= last or isinstance(record.event, OBSERVATIONS)]
    return [span for record in known for span in reader.read(record)]


def send_run(records: Sequence[Record[Any]], read: Callable[[str], bytes], address: str) -> SentRun:
    """Send a run's spans to a receiver; sent again they are the same. Raises InputError, NotSentError."""
    target = target_of(environment(), address)
    spans = spans_of(records, Texts(read) if asked_for(environment()) else None)
    failures: list[NotSentError] = []
    sender = Sender(target, lambda _, failure: failures.append(failure), most_waiting=len(spans))
    for span in spans:
        sender.take(span)
    thread = sender.flush()
    left, since = sender.waiting.total(), time.monotonic()
    try:
        while sender.waiting.total() and not failures:
            thread.join(GLANCE)
            if sender.waiting.total() != left:
                left, since = sender.waiting.total(), time.monotonic()
            elif time.monotonic() > since + STALLED * target.seconds:
                seconds = f"{STALLED * target.seconds:g}"
                raise NotSentError("traces.no_answer", address=target.shown, seconds=seconds)
        if failures:
            raise failures[0]
    finally:
        sender.close()
    traces = tuple(dict.fromkeys(f"{span.ref.trace:032x}" for span in spans))
    return SentRun(spans=len(spans), traces=traces, address=target.shown, is_whole=at_rest(records))
