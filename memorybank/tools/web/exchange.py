"""One HTTP request and its answer, by `requests` on a paced socket.

The connection is made to the addresses given; the host's name goes into the Host header and into TLS. A body is
unpacked as it comes and never beyond its limit, so a compressed bomb costs no more than a page.
"""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException, IncompleteRead
from typing import TYPE_CHECKING, Final

from memorybank.memory.types import Value
from memorybank.runs.files.names import shown
from memorybank.tools.web.addresses import Address
from memorybank.tools.web.pace import STEP, Pace, TransferError
from memorybank.tools.web.sockets import PacedSocket, PacedTLSSocket, connect, secure, web_trust
from memorybank.tools.web.urls import Target

if TYPE_CHECKING:
    from requests import Response

USER_AGENT: Final = "agentic-memory-bank"
"""What sites see, and what robots.txt may name."""
_CHUNK: Final = 65_536
_GZIP: Final = b"\x1f\x8b"
_ENCODINGS: Final = ("", "identity", "gzip", "x-gzip", "deflate")


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpRequest(Value):
    target: Target
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class HttpResponse:
    """Status and headers are here; the body is read on demand, while the exchange is open."""

    _response: Response

    @property
    def status(self) -> int:
        return self._response.status_code

    @property
    def status_line(self) -> str:
        return f"{self.status} {shown(self._response.reason or '')[:60]}".strip()

    def header(self, name: str) -> str:
        """Empty when there is none. Bytes beyond ASCII are taken for UTF-8, which is what sites send."""
        value = self._response.headers.get(name, "")
        try:
            return value.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return value

    def body(self, limit: int, *, cut: bool = False) -> bytes:
        """Return the unpacked body. Over the limit it is its beginning with `cut`, else TransferError is raised."""
        declared = self._response.raw.length_remaining
        if declared is not None and declared > limit and not cut:
            raise _too_large(limit)
        whole = bytearray()
        for part in self._unpacked(limit):
            whole += part
            if len(whole) > limit:
                if cut:
                    return bytes(whole[:limit])
                raise _too_large(limit)
        return bytes(whole)

    def _unpacked(self, limit: int) -> Iterator[bytes]:
        """Yield parts of the unpacked body, none longer than the limit and one byte."""
        encoding = self.header("Content-Encoding").strip().lower()
        if encoding not in _ENCODINGS:
            raise TransferError("web.packed_otherwise", encoding=encoding[:40])
        unpack = _Unpacker() if encoding not in ("", "identity") else None
        for part in self._received():
            if unpack is None:
                yield part
            else:
                yield from unpack.parts(part, limit)
        if unpack is not None and not unpack.complete:
            raise _ended_early()

    def _received(self) -> Iterator[bytes]:
        """Yield the body as it is sent. urllib3 would unpack it too, and take a packed body cut short for whole."""
        return iter(self._response.raw.stream(_CHUNK, decode_content=False))


@contextmanager
def exchange(
    request: HttpRequest, addresses: Sequence[Address], pace: Pace, trust: ssl.SSLContext | None = None
) -> Iterator[HttpResponse]:
    """Send a request to one of these addresses and give the answer; the connection ends with the block.

    Raises TransferError when there is none, Cancelled when the call was stopped.
    """
    import requests
    import urllib3

    from memorybank.tools.web.pinned import PinnedAdapter

    target = request.target
    plain = connect(addresses, target.port, pace)
    opened: PacedSocket | PacedTLSSocket = plain
    try:
        if target.scheme == "https":
            opened = secure(plain, target.host, trust or web_trust())
        headers = {"Host": target.authority, "User-Agent": USER_AGENT, "Connection": "close", **request.headers}
        headers.setdefault("Accept-Encoding", "gzip, deflate")
        prepared = requests.Request(request.method, target.url, headers=headers, data=request.body).prepare()
        with PinnedAdapter(target, opened).send(prepared, stream=True, timeout=STEP) as response:
            yield HttpResponse(response)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError, ValueError) as error:
        raise _broken(error) from error
    finally:
        opened.close()


def _broken(error: BaseException) -> TransferError:
    """What stands behind an error of `requests` or urllib3: an answer that is no HTTP, or a connection that ended."""
    causes = list(_causes(error))
    if any(isinstance(cause, IncompleteRead) for cause in causes):
        return _ended_early()
    for cause in causes:
        if isinstance(cause, HTTPException):
            return TransferError("web.unsound_http", kind=type(cause).__name__)
    # Nothing else is said in its own words: a header that `requests` refuses is quoted there, and it may hold a key.
    reason = next(
        (cause.strerror for cause in causes if isinstance(cause, OSError) and cause.strerror), type(causes[-1]).__name__
    )
    return TransferError("web.connection_broke", reason=reason[:120])


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those it was made of, which urllib3 and `requests` hand on as arguments."""
    yield error
    for argument in error.args:
        if isinstance(argument, BaseException):
            yield from _causes(argument)


class _Unpacker:
    """gzip and deflate, with and without the wrapping that some servers leave out; several gzip members in a row."""

    def __init__(self) -> None:
        self._zlib = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._began = False
        self.complete = True
        """Whether what came so far ends where a stream ends."""

    def parts(self, data: bytes, limit: int) -> Iterator[bytes]:
        while data:
            if self.complete and self._began:
                if not data.startswith(_GZIP):
                    return  # padding after the end
                self._zlib = zlib.decompressobj(zlib.MAX_WBITS | 32)
            self.complete = False
            yield self._unpack(data, limit + 1)
            data = self._zlib.unconsumed_tail
            if self._zlib.eof:
                self.complete, data = True, self._zlib.unused_data

    def _unpack(self, data: bytes, limit: int) -> bytes:
        try:
            part = self._zlib.decompress(data, limit)
        except zlib.error:
            if self._began:
                raise TransferError("web.damaged_body") from None
            self._zlib = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                part = self._zlib.decompress(data, limit)
            except zlib.error:
                raise TransferError("web.damaged_body") from None
        self._began = True
        return part


def _too_large(limit: int) -> TransferError:
    return TransferError("web.too_large", limit=limit / 1e6)


def _ended_early() -> TransferError:
    return TransferError("web.ended_early")
