"""HTTP as bytes on a socket: what no client library would send, with the hosts that a server must tell apart."""

from __future__ import annotations

import socket
from urllib.parse import urlsplit

from tests.tables import tables

TABLES = tables(__file__)

KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"

OWN = tuple(TABLES["own"])
"""Hosts that every server here answers to."""
NAMED = "named.example"
"""What a test's owner has named."""
FOREIGN = (*TABLES["foreign"], "a." * 120 + "example", "x" * 5_000)
"""Hosts that none does."""


def hosts(patterns: tuple[str, ...], address: str) -> list[str]:
    return [pattern.format(port=urlsplit(address).port) for pattern in patterns]


def ask(address: str, request: str, head: str, body: bytes = b"") -> tuple[int, str]:
    """Send `GET /path` with these lines as its head, just as they are; the status and the first of the answer."""
    place = urlsplit(address)
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    said = f"{request} HTTP/1.1\r\n{head}{length}\r\n".encode("latin-1") + body
    with socket.create_connection((place.hostname or "", place.port or 0), 60) as line:
        line.sendall(said)
        found = b""
        while b"\r\n\r\n" not in found and (more := line.recv(65_536)):
            found += more
        start, _, rest = found.partition(b"\r\n\r\n")
        if b"transfer-encoding" not in start.lower() and not start.startswith(b"HTTP/1.1 101"):
            wanted = _length(start)
            while len(rest) < wanted and (more := line.recv(65_536)):
                rest += more
    return int(start.split(b" ", 2)[1]), rest.decode("utf-8", "replace")


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            return int(value)
    return 0


def handshake(address: str, head: str, path: str = "/_stcore/stream") -> int:
    """The status with which a WebSocket is answered; 101 opens it."""
    upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\n{KEY}"
    return ask(address, f"GET {path}", head + upgrade)[0]
