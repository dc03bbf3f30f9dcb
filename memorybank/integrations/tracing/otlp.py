"""Spans to a receiver, as OTLP over HTTP with protobuf. The one file that needs the extra `otel`.

    sender = Sender(target_of(environment())); sender.send(spans)       raises NotSentError

A receiver is a stranger: no redirect is followed, of its answer a little is read and nothing is believed or quoted, and
what is sent has gone through the redaction. The exporter that comes with OpenTelemetry is not used: it takes a redirect
for a success, reads answers of any length and logs what they say.
"""

from __future__ import annotations

import gzip
import time
from collections.abc import Iterable, Iterator, Sequence

import requests

from memorybank.errors import NotSentError
from memorybank.integrations import missing
from memorybank.integrations.tracing.spans import Span, SpanRef
from memorybank.integrations.tracing.target import Target
from memorybank.language.text import encodable
from memorybank.settings.redaction import Redactor
from memorybank.settings.version import __version__

try:
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import ReadableSpan
    from opentelemetry.sdk.util.instrumentation import InstrumentationScope
    from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode, TraceFlags
except ModuleNotFoundError as error:
    raise missing("otel", error) from None

MOST_SPANS, MOST_CHARACTERS = 256, 1_000_000
"""Of one request."""
ANSWER_BYTES = 4_096
"""Read of an answer, so that the connection can be used again."""
_REFUSALS = {401: "traces.no_key", 403: "traces.no_key", 404: "traces.no_path", 405: "traces.no_path"}


class Sender:
    """One receiver. Its methods wait for the network: they belong into a thread of their own."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._redactor = Redactor()
        self._session = requests.Session()
        self._session.verify = target.authority
        self._session.cert = target.certificate
        resource = Resource.create({"service.name": target.service, "service.version": __version__})
        self._resource = Resource({name: self._clean(value) for name, value in resource.attributes.items()})
        self._scope = InstrumentationScope("memorybank", __version__)

    def send(self, spans: Sequence[Span]) -> None:
        """Raises NotSentError where the receiver did not take all of them."""
        for batch in batches(spans):
            self._post(encode_spans([self._readable(span) for span in batch]).SerializeToString())

    def _post(self, body: bytes) -> None:
        headers = {**self.target.headers, "Content-Type": "application/x-protobuf"}
        if self.target.compressed:
            body, headers["Content-Encoding"] = gzip.compress(body), "gzip"
        try:
            answer = self._session.post(
                self.target.url,
                data=body,
                headers=headers,
                timeout=self.target.seconds,
                allow_redirects=False,
                stream=True,
            )
            with answer:
                _read_a_little(answer, self.target.seconds)
        except (requests.Timeout, TimeoutError):
            raise self._error("traces.no_answer", seconds=f"{self.target.seconds:g}") from None
        except (requests.RequestException, OSError, ValueError) as error:  # a name or a header that cannot be sent
            raise self._error("traces.unreachable", reason=type(error).__name__) from None
        if not 200 <= answer.status_code < 300:
            raise self._error(_REFUSALS.get(answer.status_code, "traces.refused"), status=answer.status_code)

    def _error(self, code: str, **values: object) -> NotSentError:
        return NotSentError(code, address=self.target.shown, **values)

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


def batches(spans: Iterable[Span]) -> Iterator[list[Span]]:
    """Requests of a size that receivers take; a span that is larger goes alone."""
    batch: list[Span] = []
    characters = 0
    for span in spans:
        own = sum(len(value) for value in span.attributes.values() if isinstance(value, str))
        if batch and (len(batch) == MOST_SPANS or characters + own > MOST_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(span)
        characters += own
    if batch:
        yield batch


def _context(ref: SpanRef) -> SpanContext:
    return SpanContext(ref.trace, ref.span, is_remote=False, trace_flags=TraceFlags(TraceFlags.SAMPLED))


def _read_a_little(answer: requests.Response, seconds: float) -> None:
    """An answer that does not end is let go: what counts is its status."""
    read, until = 0, time.monotonic() + seconds
    for piece in answer.raw.stream(1_024, decode_content=False):
        read += len(piece)
        if read >= ANSWER_BYTES or time.monotonic() > until:
            return
