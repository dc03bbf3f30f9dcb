"""A real OTLP/HTTP receiver on loopback: it decodes the protobuf, and can be as bad as receivers are."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("opentelemetry.proto", reason="tracing wants the extra otel: opentelemetry is not installed")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SentSpan

from tests.tools.web.servers import Handler, Site, drip, silence, site
from tests.waiting import wait_until


class Receiver:
    """What came to a site, and how the next requests are answered: a status, or a way to be bad."""

    def __init__(self, there: Site) -> None:
        self.answer: int | str = 200
        self.bodies: list[bytes] = []
        self.url = there.url
        self._site = there
        there.routes["/v1/traces"] = self._take

    @property
    def paths(self) -> list[str]:
        return self._site.paths

    @property
    def headers(self) -> list[dict[str, str]]:
        return [{name.lower(): value for name, value in seen.headers.items()} for seen in self._site.seen]

    def _take(self, handler: Handler) -> None:
        if isinstance(self.answer, str):
            BAD[self.answer](handler)
            return
        if self.answer == 200:
            body = self._site.seen[-1].body
            self.bodies.append(gzip.decompress(body) if handler.headers.get("Content-Encoding") == "gzip" else body)
        handler.answer(self.answer, {"Location": f"{self.url}/elsewhere"}, b"")

    @property
    def spans(self) -> list[SentSpan]:
        """In order; one that was sent twice is here twice."""
        requests = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [
            span
            for request in requests
            for resource in request.resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    @property
    def by_id(self) -> dict[bytes, SentSpan]:
        """Each once. Sent again it must be the same."""
        known: dict[bytes, SentSpan] = {}
        for span in self.spans:
            assert known.setdefault(span.span_id, span) == span
        return known

    def named(self, name: str) -> list[SentSpan]:
        return [span for span in self.by_id.values() if span.name == name]

    def wait_for(self, count: int, seconds: float = 10.0) -> None:
        wait_until(lambda: len(self.by_id) >= count, seconds, lambda: f"{len(self.by_id)} of {count} spans came")


def values(span: SentSpan) -> dict[str, Any]:
    return {pair.key: getattr(pair.value, str(pair.value.WhichOneof("value"))) for pair in span.attributes}


@contextmanager
def receiving() -> Iterator[Receiver]:
    with site() as there:
        yield Receiver(there)


def _endless(handler: Handler) -> None:
    handler.head(200, {})
    while not handler.site.over.is_set():
        handler.wfile.write(b"x" * 65536)


def _echoing(handler: Handler) -> None:
    """Says the key that it was sent, in its status line and in its answer."""
    key = handler.headers.get("Authorization", "")
    handler.wfile.write(f"HTTP/1.1 403 {key}\r\nContent-Length: {len(key)}\r\n\r\n{key}".encode())


BAD: dict[str, Callable[[Handler], None]] = {
    "hanging": silence,
    "endless": _endless,
    "dripping": drip(b"HTTP/1.1 200 OK\r\nX-Slow: "),
    "echoing": _echoing,
}
