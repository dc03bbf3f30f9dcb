"""A real OTLP/HTTP receiver on loopback: it decodes the protobuf, and can be as bad as receivers are."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest.importorskip("opentelemetry.proto", reason="tracing wants the extra otel: opentelemetry is not installed")

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SentSpan

from tests.waiting import wait_until


class Receiver:
    """What came, and how the next requests are answered: a status, or a way to be bad."""

    def __init__(self) -> None:
        self.answer: int | str = 200
        self.bodies: list[bytes] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.ended = threading.Event()
        self.url = ""

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
    """The attributes of a span."""
    return {pair.key: getattr(pair.value, str(pair.value.WhichOneof("value"))) for pair in span.attributes}


@contextmanager
def receiving() -> Iterator[Receiver]:
    receiver = Receiver()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            body = gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body
            receiver.headers.append({name.lower(): value for name, value in self.headers.items()})
            receiver.paths.append(self.path)
            if isinstance(receiver.answer, str):
                self.close_connection = True
                with suppress(OSError):
                    getattr(self, f"be_{receiver.answer}")()
                return
            if receiver.answer == 200:
                receiver.bodies.append(body)
            self.send_response(receiver.answer)
            self.send_header("Location", f"{receiver.url}/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def be_hanging(self) -> None:
            receiver.ended.wait(30)

        def be_endless(self) -> None:
            self.send_response(200)
            self.end_headers()
            while not receiver.ended.is_set():
                self.wfile.write(b"x" * 65536)

        def be_dripping(self) -> None:
            """A header that never ends, a byte at a time: no single wait is long."""
            self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
            while not receiver.ended.wait(0.05):
                self.wfile.write(b"x")

        def be_echoing(self) -> None:
            """Says the key that it was sent, in its status line and in its answer."""
            key = self.headers.get("Authorization", "")
            self.wfile.write(f"HTTP/1.1 403 {key}\r\nContent-Length: {len(key)}\r\n\r\n{key}".encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    receiver.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield receiver
    finally:
        receiver.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
