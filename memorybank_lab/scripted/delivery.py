"""An answer's bytes reach the client, or do not. Delivery waits only on a `ClientLine`, which a closing server ends."""

from __future__ import annotations

import os
import selectors
import socket
import struct
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from http import HTTPStatus

from memorybank_lab.scripted.script import Delivery

LOOK = 0.02
"""Seconds between two looks at whether the client is still there."""
DRIPPED = 4
"""Bytes a write of `drip`."""
ENDLESS_BLOCK = 8_192


class ClientLine:
    """One client's connection, seen from the server."""

    def __init__(self, connection: socket.socket, closing: threading.Event) -> None:
        self._connection = connection
        self._closing = closing

    @property
    def over(self) -> bool:
        """The client has gone, or the server is closing."""
        if self._closing.is_set():
            return True
        try:
            with selectors.DefaultSelector() as waiting:  # `select` itself takes no descriptor above 1,023
                waiting.register(self._connection, selectors.EVENT_READ)
                return bool(waiting.select(0)) and not self._connection.recv(1, socket.MSG_PEEK)
        except (OSError, ValueError):
            return True

    def wait(self, seconds: float) -> bool:
        """Wait; False when there is nobody left to answer."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if self.over:
                return False
            self._closing.wait(min(LOOK, left))
        return not self.over

    def wait_until_over(self) -> None:
        while not self.over:
            self._closing.wait(LOOK)

    def write(self, data: bytes) -> None:
        self._connection.sendall(data)

    def reset(self) -> None:
        """Drop the connection so that the client sees `ECONNRESET` rather than a polite end."""
        linger = struct.pack("hh" if os.name == "nt" else "ii", 1, 0)
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        socket.socket(fileno=self._connection.detach()).close()  # at once, though the handler still holds its files


def deliver(
    line: ClientLine,
    status: int,
    headers: Mapping[str, str],
    parts: Iterable[bytes],
    *,
    delivery: Delivery = "whole",
    pace: float = 0.0,
    stream: bool = False,
) -> bool:
    """Send one answer in its way. True when the connection can serve another request."""
    if delivery == "never":
        line.wait_until_over()
        return False
    if delivery == "reset":
        line.reset()
        return False
    if delivery == "not_http":
        line.write(b"SMTP 220 this is not the server you are looking for\r\n\r\n")
        return False
    pieces = list(parts)
    length = None if stream or delivery == "endless" else sum(map(len, pieces))
    line.write(_head(status, headers, length))
    if delivery == "whole":
        for piece in pieces:
            line.write(_framed(piece, length))
    elif delivery == "drip":
        if not _drip(line, pieces, length, pace):
            return False
    elif delivery == "endless":
        _pour(line, pieces, pace)
        return False
    else:
        for piece in _half(pieces):
            line.write(_framed(piece, length))
        if delivery == "reset_midway":
            line.wait(2 * LOOK)  # or the reset would overtake what was sent
            line.reset()
        return False
    if length is None:
        line.write(b"0\r\n\r\n")
    return True


def _head(status: int, headers: Mapping[str, str], length: int | None) -> bytes:
    """Return the head; `length` None: chunked, so that a client can tell a finished body from a cut one."""
    try:
        phrase = HTTPStatus(status).phrase
    except ValueError:
        phrase = "Unknown"
    framing = {"Transfer-Encoding": "chunked"} if length is None else {"Content-Length": str(length)}
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in {**headers, **framing}.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")


def _framed(piece: bytes, length: int | None) -> bytes:
    return piece if length is not None else b"%x\r\n%s\r\n" % (len(piece), piece)


def _drip(line: ClientLine, pieces: Iterable[bytes], length: int | None, pace: float) -> bool:
    for piece in pieces:
        for at in range(0, len(piece), DRIPPED):
            line.write(_framed(piece[at : at + DRIPPED], length))
            if not line.wait(pace):
                return False
    return True


def _pour(line: ClientLine, pieces: list[bytes], pace: float) -> None:
    """Send the answer's first half, then spaces, legal in JSON and in a stream, until the client has had enough."""
    for piece in _half(pieces):
        line.write(_framed(piece, None))
    while line.wait(pace):
        line.write(_framed(b" " * ENDLESS_BLOCK, None))


def _half(pieces: list[bytes]) -> Iterator[bytes]:
    if len(pieces) == 1:
        yield pieces[0][: len(pieces[0]) // 2]
    else:
        yield from pieces[: len(pieces) // 2]
