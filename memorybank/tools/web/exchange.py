"""One HTTP request and its answer, over `http.client` on a paced socket.

The connection is made to the addresses given; the host's name goes into the Host header and into TLS. A body is
unpacked as it comes and never beyond its limit, so a compressed bomb costs no more than a page.
"""

from __future__ import annotations

import http.client
import ssl
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from memorybank.files.names import shown
from memorybank.tools.web.addresses import Address
from memorybank.tools.web.pace import Pace, TransferError
from memorybank.tools.web.sockets import connect, secure, web_trust
from memorybank.tools.web.urls import Target
from memorybank.types import Value

USER_AGENT: Final = "agentic-memory-bank"
"""What sites see, and what robots.txt may name."""
_CHUNK: Final = 65_536
_GZIP: Final = b"\x1f\x8b"
_ENCODINGS: Final = ("", "identity", "gzip", "x-gzip", "deflate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(Value):
    target: Target
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Answer:
    """Status and headers are here; the body is read on demand, while the exchange is open."""

    status: int
    reason: str
    _response: http.client.HTTPResponse
    _pace: Pace

    @property
    def status_line(self) -> str:
        return f"{self.status} {shown(self.reason)[:60]}".strip()

    def header(self, name: str) -> str:
        """Empty when there is none. Bytes beyond ASCII are taken for UTF-8, which is what sites send."""
        value = self._response.getheader(name) or ""
        try:
            return value.encode("latin-1").decode("utf-8")
        except UnicodeError:
            return value

    def body(self, limit: int, *, cut: bool = False) -> bytes:
        """The unpacked body. Over the limit: its beginning with `cut`, else TransferError."""
        declared = self._response.length
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
        """Parts of the unpacked body, none longer than the limit and one byte."""
        encoding = self.header("Content-Encoding").strip().lower()
        if encoding not in _ENCODINGS:
            raise TransferError(f"it is packed as {encoding[:40]!r}, which was not asked for: try another source")
        unpack = _Unpacker() if encoding not in ("", "identity") else None
        for part in self._received():
            if unpack is None:
                yield part
            else:
                yield from unpack.parts(part, limit)
        if unpack is not None and not unpack.complete:
            raise _ended_early()

    def _received(self) -> Iterator[bytes]:
        while True:
            part = self._response.read(_CHUNK)
            if not part:
                break
            yield part
        if self._response.length:
            raise _ended_early()


@contextmanager
def exchange(
    request: Request, addresses: Sequence[Address], pace: Pace, trust: ssl.SSLContext | None = None
) -> Iterator[Answer]:
    """Send a request to one of these addresses and give the answer; the connection ends with the block.

    Raises TransferError when there is none, Cancelled when the call was stopped.
    """
    target = request.target
    connection = http.client.HTTPConnection(target.host, target.port)
    try:
        connection.sock = connect(addresses, target.port, pace)
        if target.scheme == "https":
            connection.sock = secure(connection.sock, target.host, trust or web_trust())
        headers = {"Host": target.authority, "User-Agent": USER_AGENT, "Connection": "close", **request.headers}
        headers.setdefault("Accept-Encoding", "gzip, deflate")
        connection.request(request.method, target.path, body=request.body, headers=headers)
        response = connection.getresponse()
        with response:
            yield Answer(response.status, response.reason, response, pace)
    except http.client.HTTPException as error:
        raise TransferError(f"its answer is no sound HTTP ({type(error).__name__}): try another source") from error
    except (OSError, ValueError) as error:
        said = getattr(error, "strerror", None) or error
        raise TransferError(f"the connection broke ({str(said)[:120]}): try again, or another source") from error
    finally:
        connection.close()


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

    def _unpack(self, data: bytes, most: int) -> bytes:
        try:
            part = self._zlib.decompress(data, most)
        except zlib.error:
            if self._began:
                raise TransferError("its packed body is damaged: try another source") from None
            self._zlib = zlib.decompressobj(-zlib.MAX_WBITS)
            try:
                part = self._zlib.decompress(data, most)
            except zlib.error:
                raise TransferError("its packed body is damaged: try another source") from None
        self._began = True
        return part


def _too_large(limit: int) -> TransferError:
    return TransferError(f"it is larger than {limit / 1e6:g} MB: try another source")


def _ended_early() -> TransferError:
    return TransferError("the connection ended before the whole answer came: try again")
