"""Real HTTP servers on loopback, and the allow-list that lets a test reach just them."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from memorybank.tools.web.fetch import Fetcher, FetchLimits
from memorybank.tools.web.guard import Guard

HTML = {"Content-Type": "text/html; charset=utf-8"}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    site: Site

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        self.site.seen.append(Seen(self.path, dict(self.headers), self.rfile.read(length)))
        found = self.site.routes.get(self.path.partition("?")[0])
        try:
            if callable(found):
                found(self)
            else:
                self.answer(*(found or (404, {}, b"nothing here")))
        except OSError:
            pass  # the reader went away, which is what many of these tests are about
        self.close_connection = True

    do_POST = do_GET  # noqa: N815 - the name http.server looks for

    def answer(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.head(status, {"Content-Length": str(len(body)), **headers})
        self.wfile.write(body)

    def head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Connection": "close", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@dataclass
class Seen:
    path: str
    headers: Mapping[str, str]
    body: bytes


Route = tuple[int, Mapping[str, str], bytes] | Callable[[Handler], None]


@dataclass
class Site:
    """A running site: what it answers by path, and what it was asked, in order."""

    host: str
    port: int
    routes: dict[str, Route] = field(default_factory=dict)
    seen: list[Seen] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test is over: routes that never end, end."""

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    @property
    def paths(self) -> list[str]:
        return [one.path for one in self.seen]


@contextmanager
def site(
    routes: Mapping[str, Route] | None = None, host: str = "127.0.0.1", port: int = 0, tls: ssl.SSLContext | None = None
) -> Iterator[Site]:
    handler = type("SiteHandler", (Handler,), {})
    server = ThreadingHTTPServer((host, port), handler)
    server.daemon_threads = True
    server.block_on_close = False
    server.handle_error = lambda *_: None  # type: ignore[method-assign]  # broken connections are expected
    if tls is not None:
        server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    running = Site(host, server.server_address[1], dict(routes or {}))
    handler.site = running
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield running
    finally:
        running.over.set()
        server.shutdown()
        server.server_close()
        thread.join()


def guard_for(*sites: Site, **names: str) -> Guard:
    """A guard that also permits these sites; `names` are host names (`_` for the dot) with their address."""
    return Guard(
        allow=frozenset((one.host, one.port) for one in sites),
        names={name.replace("_", "."): address for name, address in names.items()},
    )


def fetcher_for(*sites: Site, limits: FetchLimits | None = None) -> Fetcher:
    """What the process of a page does, in this one."""
    return Fetcher(guard_for(*sites), limits=limits or FetchLimits(seconds=60))


def drip(first: bytes, again: bytes = b"x", pause: float = 0.05) -> Callable[[Handler], None]:
    """Writes the first bytes raw, then a little more again and again, until nobody reads or the test is over."""

    def route(handler: Handler) -> None:
        handler.wfile.write(first)
        while not handler.site.over.wait(pause):
            handler.wfile.write(again)

    return route


def silence(handler: Handler) -> None:
    """Never answers."""
    handler.site.over.wait(30)
