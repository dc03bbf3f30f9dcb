"""`ScriptedServer`: the OpenAI protocol over real HTTP on loopback, answered from a script.

A thread a connection, all of them ended and waited for on close.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from socketserver import TCPServer, ThreadingMixIn
from types import TracebackType
from typing import Any, Self

from memorybank.llm.tokens import estimate
from memorybank.settings.hosts import SENTENCES, refused
from memorybank_lab.scripted import wire
from memorybank_lab.scripted.delivery import ClientLine, deliver
from memorybank_lab.scripted.script import (
    KEY_PLACE,
    SECRET_HEADERS,
    Answer,
    Predicate,
    Scripted,
    ScriptedReply,
    SeenRequest,
    context_length_reply,
    error_reply,
    script_of,
)

BODY_LIMIT = 64 * 2**20
"""Bytes of a request; longer ones are read as empty."""


class ScriptedServer:
    """Serve a script until closed; see the package's docstring for how to write one.

    `delay`: seconds before each chat answer begins, where the answer does not say otherwise. `dim`: of embeddings.
    `context_window`: tokens (as `usage` counts them) a prompt may have; longer ones are refused as OpenAI words it.
    `api_key`: when set, a request with another key is refused with 401. Listens on 127.0.0.1 only.
    `pages`: JSON by path (`/api/show`), for what servers say beside the protocol, or instead of our list of models.
    `allowed_hosts`: answered besides this machine's own host names (settings/hosts.py), as where it stands for a proxy.
    """

    def __init__(
        self,
        script: Scripted | Answer | Iterable[Answer] = (),
        *,
        delay: float = 0.0,
        models: Sequence[str] = ("scripted",),
        dim: int = 384,
        context_window: int | None = None,
        api_key: str = "",
        port: int = 0,
        allowed_hosts: Sequence[str] = (),
        pages: Mapping[str, Any] | None = None,
    ) -> None:
        self.delay = delay
        self.dim = dim
        self.models = tuple(models)
        self.context_window = context_window
        self.problems: list[Exception] = []
        """The errors that the script itself raised. Leaving the `with` block raises the first."""
        self.allowed_hosts = tuple(allowed_hosts)
        self._api_key = api_key
        self.pages = dict(pages or {})
        self._script = script_of(script)
        self._changed = threading.Condition()
        self._requests: list[SeenRequest] = []
        self._in_flight = 0
        self._max_in_flight = 0
        self.closing = threading.Event()
        self._http = _Listener(("127.0.0.1", port), self)
        self._thread = threading.Thread(
            target=self._http.serve_forever, args=(0.05,), name="scripted server", daemon=True
        )
        self._thread.start()

    # -- what a test asks ---------------------------------------------------------------------------------------------

    @property
    def base_url(self) -> str:
        """Return the URL for `LLM_BASE_URL`, `EMBEDDING_BASE_URL` or `OpenAI(base_url=…)`."""
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    @property
    def requests(self) -> list[SeenRequest]:
        """Return all requests so far, in order of arrival."""
        with self._changed:
            return list(self._requests)

    @property
    def chats(self) -> list[SeenRequest]:
        return self.select(lambda request: request.kind == "chat")

    def select(self, predicate: Predicate) -> list[SeenRequest]:
        """Return the requests that fit: `server.select(asks(schema="analysis"))`."""
        return [request for request in self.requests if predicate(request)]

    @property
    def max_in_flight(self) -> int:
        """Return the most requests that were being answered at one moment."""
        with self._changed:
            return self._max_in_flight

    def wait_for(self, count: int, seconds: float = 5.0) -> bool:
        """Wait until so many requests have come; False when they did not in time."""
        with self._changed:
            return self._changed.wait_for(lambda: len(self._requests) >= count, seconds)

    def wait_until_idle(self, seconds: float = 5.0) -> bool:
        """Wait until nobody is being answered."""
        with self._changed:
            return self._changed.wait_for(lambda: self._in_flight == 0, seconds)

    def page(self, request: SeenRequest) -> Any:
        """Return the JSON of `pages` at the request's path; None where there is none."""
        return self.pages.get(request.path)

    # -- life ---------------------------------------------------------------------------------------------------------

    def close(self) -> None:
        """Stop listening, end every connection, wait for all threads. May be called again."""
        if self.closing.is_set():
            return
        self.closing.set()
        self._http.shutdown()
        self._http.end_connections()
        self._http.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if self.problems and error is None:
            raise self.problems[0]

    # -- the connections' threads -------------------------------------------------------------------------------------

    def answer(self, line: ClientLine, request: SeenRequest, key: str) -> bool:
        """Answer one request; True when the connection may go on."""
        with self._counted():
            reply = self._reply(request, key)
            delay = reply.delay if reply.delay is not None else self.delay if request.kind == "chat" else 0.0
            if delay > 0 and not line.wait(delay):
                return False
            streamed = request.kind == "chat" and request.stream and reply.error is None and reply.raw is None
            parts = list(_events(reply, request) if streamed else [self._body(reply, request, key)])
            headers = {"Content-Type": "text/event-stream" if streamed else "application/json", **reply.headers}
            return deliver(
                line, reply.status, headers, parts, delivery=reply.delivery, pace=reply.pace, stream=streamed
            )

    def see(self, method: str, path: str, headers: dict[str, str], body: Any) -> SeenRequest:
        """Record a request as it comes in."""
        secret = any(headers.get(name) for name in SECRET_HEADERS)
        kept = {name: value for name, value in headers.items() if name not in SECRET_HEADERS}
        with self._changed:
            request = SeenRequest(
                number=len(self._requests) + 1,
                method=method,
                path=path,
                body=body if isinstance(body, dict) else {},
                headers=kept,
                authorized=secret,
            )
            self._requests.append(request)
            self._changed.notify_all()
        return request

    @contextmanager
    def _counted(self) -> Iterator[None]:
        with self._changed:
            self._in_flight += 1
            self._max_in_flight = max(self._max_in_flight, self._in_flight)
        try:
            yield
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def _reply(self, request: SeenRequest, key: str) -> ScriptedReply:
        if self._api_key and key != self._api_key:
            return error_reply(401, "Incorrect API key provided", kind="invalid_request_error", code="invalid_api_key")
        if (page := self.page(request)) is not None:
            return ScriptedReply(raw=json.dumps(page, ensure_ascii=False).encode())
        if request.kind == "models":
            return ScriptedReply()
        if request.kind == "other":
            return error_reply(404, f"Unknown request URL: {request.method} {request.path.split('?')[0]}")
        window = self.context_window
        if window is not None and (tokens := estimate(request.text)) > window:
            return context_length_reply(window, tokens)
        try:
            reply = self._script.reply(request)
        except Exception as problem:  # noqa: BLE001 - the script is the user's; what it raised is kept and raised on close
            self.problems.append(problem)
            return error_reply(400, f"the script failed on request {request.number}: {problem!r}")
        if reply is None:
            return error_reply(400, f"the script has no answer for request {request.number}", code="script_exhausted")
        return reply

    def _body(self, reply: ScriptedReply, request: SeenRequest, key: str) -> bytes:
        if reply.raw is not None:
            return reply.raw
        if reply.error is not None:
            made: Any = {"error": dict(reply.error)}
        elif request.kind == "models":
            made = wire.models(self.models, self.context_window)
        elif request.kind == "embeddings":
            made = wire.embeddings(request, self.dim)
        else:
            made = wire.completion(reply, request)
        if reply.edit is not None:
            made = reply.edit(made)
        return json.dumps(made, ensure_ascii=False).replace(KEY_PLACE, json.dumps(key)[1:-1]).encode("utf-8", "replace")


def _events(reply: ScriptedReply, request: SeenRequest) -> Iterator[bytes]:
    for chunk in wire.chunks(reply, request):
        made = reply.edit(chunk) if reply.edit else chunk
        yield b"data: " + json.dumps(made, ensure_ascii=False).encode("utf-8", "replace") + b"\n\n"
    yield b"data: [DONE]\n\n"


# -- the listening socket ----------------------------------------------------------------------------------------------


class _Listener(ThreadingMixIn, TCPServer):  # `HTTPServer` would look up the name of the host
    allow_reuse_address = True
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], owner: ScriptedServer) -> None:
        self.owner = owner
        self._lock = threading.Lock()
        self._open: dict[Any, threading.Thread] = {}
        super().__init__(address, _Handler)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve the request in a thread that is known and a daemon: a forgotten server keeps no program alive."""
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
            with suppress(OSError):  # it may have ended by itself
                connection.shutdown(2)
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
    server: _Listener

    def parse_request(self) -> bool:
        """Refuse unread what was meant for another host, or sent by another's page."""
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
        """Log nothing: `requests` is the log."""
