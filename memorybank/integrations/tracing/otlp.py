"""Spans to a receiver by OpenTelemetry's exporter and batch processor. The one file that needs the extra `otel`.

A receiver is a stranger: no redirect is followed, and of its answer the status alone is looked at. What is sent has
gone through the redaction.
"""

from __future__ import annotations

import logging
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from contextvars import ContextVar
from io import BytesIO
from typing import Any

import requests

from memorybank.errors import NotSentError
from memorybank.integrations import missing
from memorybank.integrations.tracing.spans import Span, SpanRef
from memorybank.integrations.tracing.target import Target
from memorybank.language.text import encodable
from memorybank.settings.redaction import Redactor
from memorybank.settings.version import __version__

try:
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExportResult
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags
except ModuleNotFoundError as error:
    raise missing("otel", error) from None

MOST_SPANS, MOST_WAITING = 64, 10_000
"""Spans of one request, and spans that wait for one; with more, the oldest give way."""
DELAY = 250.0
"""Milliseconds that a span waits for others to go with."""
_REFUSALS = {401: "traces.no_key", 403: "traces.no_key", 404: "traces.no_path", 405: "traces.no_path"}
_LOGS = ("opentelemetry.exporter.otlp.proto.http.trace_exporter", "opentelemetry.sdk._shared_internal")
_sends_ours = ContextVar("sends_ours", default=False)
"""Whether OpenTelemetry is at work for us: then it logs nothing, for what it would say is told by us, in one line."""

Lost = Callable[[set[int], NotSentError], None]
"""Told of the traces of spans that a receiver did not take, and why."""


class Sender:
    """One receiver, with the thread of OpenTelemetry's that sends to it in batches."""

    def __init__(self, target: Target, lost: Lost, *, most_waiting: int = MOST_WAITING) -> None:
        self.waiting: Counter[int] = Counter()
        """Spans of each trace that were handed over and not taken by the receiver."""
        self.is_lost = False
        """The receiver did not take what it was sent last."""
        self._counting = threading.Lock()
        self._target, self._lost, self._redactor = target, lost, Redactor()
        resource = Resource.create({"service.name": target.service, "service.version": __version__})
        self._resource = Resource({name: self._clean(value) for name, value in resource.attributes.items()})
        self._scope = InstrumentationScope("memorybank", __version__)
        self._exporter = _Exporter(target, self._sent)
        self._processor = BatchSpanProcessor(
            self._exporter, max(most_waiting, MOST_SPANS), DELAY, max_export_batch_size=MOST_SPANS
        )
        for name in _LOGS:
            logging.getLogger(name).addFilter(_is_not_ours)

    def take(self, span: Span) -> None:
        """Hand a span over; it is sent by another thread."""
        with self._counting:
            self.waiting[span.ref.trace] += 1
        token = _sends_ours.set(True)
        self._processor.on_end(self._readable(span))
        _sends_ours.reset(token)

    def flush(self) -> threading.Thread:
        """Begin to send all that waits, and return the thread that does: a receiver may keep it for ever."""
        thread = threading.Thread(target=self._processor.force_flush, name="traces", daemon=True)
        thread.start()
        return thread

    def close(self) -> None:
        """Stop sending what still waits."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]

    def _sent(self, spans: Sequence[ReadableSpan], failure: NotSentError | None) -> None:
        traces = Counter(span.context.trace_id for span in spans if span.context is not None)
        self.is_lost = failure is not None
        if failure is None:
            with self._counting:
                self.waiting -= traces
        else:
            self._lost(set(traces), failure)

    def _readable(self, span: Span) -> ReadableSpan:
        status = Status(StatusCode.ERROR, self._text(span.failure) or None) if span.failed else Status(StatusCode.UNSET)
        return ReadableSpan(
            name=self._text(span.name),
            context=_context(span.ref),
            parent=_context(span.parent) if span.parent is not None else None,
            resource=self._resource,
            attributes={name: self._clean(value) for name, value in span.attributes.items()},
            links=[Link(_context(link)) for link in span.links],
            kind=SpanKind.CLIENT if span.calls_out else SpanKind.INTERNAL,
            status=status,
            start_time=span.begin,
            end_time=span.end,
            instrumentation_scope=self._scope,
        )

    def _clean(self, value: object) -> str | int | float | bool:
        return value if isinstance(value, bool | int | float) else self._text(str(value))

    def _text(self, text: str) -> str:
        return encodable(self._redactor.text(text))


class _Exporter(OTLPSpanExporter):
    """OpenTelemetry's exporter, which tells of each batch whether it was taken."""

    def __init__(self, target: Target, sent: Callable[[Sequence[ReadableSpan], NotSentError | None], None]) -> None:
        self._target, self._tell, self._answers = target, sent, _StatusAlone()
        super().__init__(endpoint=target.url, timeout=target.seconds, session=self._answers)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        self._answers.status, self._answers.error = 0, None
        token = _sends_ours.set(True)
        result = super().export(spans)
        _sends_ours.reset(token)
        self._tell(spans, None if result is SpanExportResult.SUCCESS else self._failure())
        return result

    def _failure(self) -> NotSentError:
        status, error, address = self._answers.status, self._answers.error, self._target.shown
        if status:
            return NotSentError(_REFUSALS.get(status, "traces.refused"), address=address, status=status)
        if error is None or isinstance(error, requests.Timeout):
            return NotSentError("traces.no_answer", address=address, seconds=f"{self._target.seconds:g}")
        return NotSentError("traces.unreachable", address=address, reason=type(error).__name__)


class _StatusAlone(requests.Session):
    """Gives on nothing of an answer but its status: a text of a receiver is neither read nor logged."""

    status = 0
    """The last one that was no success; 0: there was no answer."""
    error: Exception | None = None

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:
        try:
            with super().send(request, **{**options, "stream": True, "allow_redirects": False}) as answer:
                self.status = answer.status_code
        except (requests.RequestException, OSError, ValueError) as error:  # also a header that cannot be sent
            self.error = error
            raise
        bare = requests.Response()
        bare.status_code = self.status if not 300 <= self.status < 400 else 400  # a redirect is no success
        bare.raw = BytesIO()
        return bare


def _is_not_ours(_: logging.LogRecord) -> bool:
    return not _sends_ours.get()


def _context(ref: SpanRef) -> SpanContext:
    return SpanContext(ref.trace, ref.span, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))
