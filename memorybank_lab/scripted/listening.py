"""The listening socket of a scripted server: a thread a connection, all of them ended and waited for on close."""

from __future__ import annotations

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from socketserver import ThreadingMixIn
from typing import Any, Protocol

from memorybank.settings.hosts import SENTENCES, refused
from memorybank_lab.scripted.delivery import ClientLine
from memorybank_lab.scripted.seen import SeenRequest

BODY_LIMIT = 64 * 2**20
"""Bytes of a request; longer ones are read as empty."""


class Answering(Protocol):
    """Whoever owns the socket."""

    closing: threading.Event
    allowed_hosts: tuple[str, ...]
    problems: list[Exception]

    def see(self, method: str, path: str, headers: dict[str, str], body: Any) -> SeenRequest: ...
    def answer(self, line: ClientLine, request: SeenRequest, key: str) -> bool: ...


class Listener(ThreadingMixIn, HTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], owner: Answering) -> None:
        self.owner = owner
        self._lock = threading.Lock()
        self._open: dict[Any, threading.Thread] = {}
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Without the look-up of the host's name that `HTTPServer` does."""
        super(HTTPServer, self).server_bind()
        self.server_name, self.server_port = "127.0.0.1", int(self.server_address[1])

    def process_request(self, request: Any, client_address: Any) -> None:
        """As the mixin does, but the threads are known, and daemons: a forgotten server keeps no program alive."""
        thread = threading.Thread(
            target=self._serve, args=(request, client_address), name="scripted reply", daemon=True
        )
        with self._lock:
            self._open[request] = thread
        thread.start()

    def _serve(self, request: Any, client_address: Any) -> None:
        try:
            self.process_request_thread(request, client_address)
        finally:
            with self._lock:
                self._open.pop(request, None)

    def end_connections(self) -> None:
        with self._lock:
            running = list(self._open.items())
        for connection, _ in running:
            try:
                connection.shutdown(2)
            except OSError:
                continue  # it has ended by itself
        for _, thread in running:
            thread.join()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news; anything else is a fault of the server and must be seen."""
        error = sys.exc_info()[1]
        if isinstance(error, Exception) and not isinstance(error, OSError):
            self.owner.problems.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True  # head and body are two writes; the second must not wait for the client's ACK
    server: Listener

    def parse_request(self) -> bool:
        """What was meant for another host, or sent by another's page, is refused unread."""
        if not super().parse_request():
            return False
        names = self.server.owner.allowed_hosts
        status = refused(self.headers.get_all("Host", []), self.headers.get_all("Origin", []), names)
        if status:
            self.send_error(status, explain=SENTENCES[status])
        return not status

    def do_GET(self) -> None:
        self._answer(None)

    def do_POST(self) -> None:
        self._answer(self._read())

    def _answer(self, body: Any) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        key = headers.get("authorization", "").removeprefix("Bearer ")
        owner = self.server.owner
        request = owner.see(self.command, self.path, headers, body)
        line = ClientLine(self.connection, owner.closing)
        self.close_connection = not owner.answer(line, request, key)

    def _read(self) -> Any:
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 <= length <= BODY_LIMIT:
            return None
        try:
            return json.loads(self.rfile.read(length))
        except ValueError:
            return None

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: `requests` is the log."""
