"""One HTTP request and its answer, by `requests`, bounded in time and size.

It runs in the process of a page (page_worker.py), which is killed when its time is over or its call is stopped.
`requests` is given the number that was checked as the host of its URL, and looks no name up; the name goes into the
Host header and into TLS. Only its adapter is used: it follows no redirect, keeps no cookie, and takes no proxy and no
password from the environment. Through a proxy, the address that was checked would not be the one that is reached.
"""

from __future__ import annotations

import signal
import ssl
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPException, IncompleteRead
from typing import TYPE_CHECKING, Any, Final

from memorybank.errors import ToolError
from memorybank.llm.packed import PackedError, unpacked
from memorybank.runs.files.names import shown
from memorybank.tools.web.guard import Address
from memorybank.tools.web.urls import Target

if TYPE_CHECKING:
    import requests
    from requests.adapters import HTTPAdapter

USER_AGENT: Final = "agentic-memory-bank"
"""The name that sites see, and that a robots.txt may hold."""
CONNECT_SECONDS: Final = 6.0
"""The most seconds to connect to one address when there is another to try."""
_MOST_ADDRESSES: Final = 4
_CHUNK: Final = 65_536


class TransferError(ToolError):
    """No usable answer came over the network; the message says why, without the URL."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """End the block with a TransferError when the time is over, or sooner where one around it ends sooner.

    An alarm of the process breaks off whatever waits in it; where the system has none, the process is killed alone.
    """
    started, left = time.monotonic(), signal.getitimer(signal.ITIMER_REAL)[0] if hasattr(signal, "setitimer") else 0.0
    if not hasattr(signal, "setitimer") or 0 < left <= seconds:
        yield
        return
    assert threading.current_thread() is threading.main_thread(), "an alarm is the main thread's"

    def over(*_: object) -> None:
        raise TransferError("web.not_in_time", seconds=seconds)

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, max(seconds, 0.001))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - started), 0.001) if left else 0.0)
        signal.signal(signal.SIGALRM, before)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status and headers are here; the body is read on demand, while the exchange is open."""

    _response: requests.Response

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def status_line(self) -> str:
        return f"{self.status} {shown(self._response.reason or '')[:60]}".strip()

    def header(self, name: str) -> str:
        """Return a header, empty when there is none. Bytes beyond ASCII are taken for UTF-8, which sites send."""
        value = self._response.headers.get(name, "")
        try:
            return value.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return value

    def body(self, limit: int, *, cut: bool = False) -> bytes:
        """Return the unpacked body. Over the limit it is its beginning with `cut`, else TransferError is raised."""
        sent, too_large = bytearray(), TransferError("web.too_large", limit=limit / 1e6)
        if (self._response.raw.length_remaining or 0) > limit and not cut:
            raise too_large
        for part in self._response.raw.stream(_CHUNK, decode_content=False):
            sent += part
            if len(sent) > limit:
                break
        encoding = self.header("Content-Encoding")
        try:
            whole = unpacked(bytes(sent), encoding, limit)
        except PackedError as error:
            if error.why == "encoding":
                raise TransferError("web.packed_otherwise", encoding=encoding[:40]) from None
            raise TransferError("web.damaged_body" if error.why == "damaged" else "web.ended_early") from None
        if not cut and max(len(sent), len(whole)) > limit:
            raise too_large
        return whole[:limit]


def _pinned(target: Target) -> HTTPAdapter:
    """Return what sends requests to one target, under its name and with its path as it was checked, never twice."""
    from requests.adapters import HTTPAdapter

    context = ssl.create_default_context()  # the system's authorities; requests adds certifi's

    class Pinned(HTTPAdapter):
        def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
            super().init_poolmanager(*arguments, ssl_context=context, server_hostname=target.host, **options)

        def request_url(self, request: requests.PreparedRequest, proxies: Mapping[str, str] | None) -> str:
            return target.path  # `requests` would resolve its dots

    return Pinned(max_retries=0)


@contextmanager
def exchange(
    target: Target,
    addresses: Sequence[Address],
    *,
    method: str = "GET",
    headers: Mapping[str, str] | None = None,
    body: bytes | None = None,
) -> Iterator[HttpResponse]:
    """Send a request to one of these addresses, and to nothing else, and give the answer. Raises TransferError."""
    import requests
    import urllib3

    named = {"Host": target.authority, "User-Agent": USER_AGENT, "Connection": "close", **(headers or {})}
    named.setdefault("Accept-Encoding", "gzip, deflate")
    try:
        with closing(_pinned(target)) as adapter, _sent(adapter, target, addresses, method, named, body) as response:
            yield HttpResponse(response)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise _broken(error) from error


def _sent(
    adapter: HTTPAdapter,
    target: Target,
    addresses: Sequence[Address],
    method: str,
    headers: Mapping[str, str],
    body: bytes | None,
) -> requests.Response:
    import requests

    for place, address in enumerate(addresses[:_MOST_ADDRESSES], start=1):
        host = f"[{address}]" if address.version == 6 else str(address)
        request = requests.Request(method, f"{target.scheme}://{host}:{target.port}/", headers=headers, data=body)
        try:
            return adapter.send(request.prepare(), stream=True, timeout=(CONNECT_SECONDS, None))
        except requests.ConnectionError as error:
            if place == len(addresses[:_MOST_ADDRESSES]) or not _never_came(error):
                raise
    raise AssertionError("the last address answers or raises")


def _broken(error: BaseException) -> TransferError:
    """Return the cause of an error of `requests` or urllib3: no connection, no HTTP, or one that ended."""
    causes = list(_causes(error))
    for cause in causes:
        match cause:
            case ssl.SSLCertVerificationError():
                return TransferError("web.bad_certificate", reason=cause.verify_message)
            case ssl.SSLError():
                return TransferError("web.insecure", reason=cause.reason or type(cause).__name__)
            case IncompleteRead():
                return TransferError("web.ended_early")
            case HTTPException():
                return TransferError("web.unsound_http", kind=type(cause).__name__)
    # Nothing else is said in its own words: a header that `requests` refuses is quoted there, and it may hold a key.
    reason = next(
        (cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), type(causes[-1]).__name__
    )
    return TransferError("web.unreachable" if _never_came(error) else "web.connection_broke", reason=reason[:120])


def _never_came(error: BaseException) -> bool:
    """Whether there was no connection, so that another address may be tried."""
    import urllib3

    unreached = (urllib3.exceptions.NewConnectionError, urllib3.exceptions.ConnectTimeoutError)
    return any(isinstance(cause, unreached) for cause in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """Yield an error and those it was made of, which urllib3 and `requests` hand on as arguments or reasons."""
    if isinstance(error, BaseException):
        yield error
        for inner in (*error.args, getattr(error, "reason", None), error.__cause__):
            if isinstance(inner, BaseException):
                yield from _causes(inner)
