"""The body of an answer from the network, unpacked within a bound: what a bomb would unpack to is never held."""

from __future__ import annotations

import zlib
from typing import Final, Literal

ENCODINGS: Final = ("gzip", "x-gzip", "deflate")
"""Encodings that are unpacked. Brotli and Zstandard are never asked for or read: few bytes may stand for gigabytes."""
_GZIP: Final = b"\x1f\x8b"
_MOST_MEMBERS: Final = 100
"""The most members of gzip in a row: each costs a copy of what follows it."""


class PackedError(ValueError):
    """A packed body cannot be unpacked."""

    def __init__(self, why: Literal["encoding", "damaged", "cut"]) -> None:
        super().__init__(why)
        self.why = why


def unpacked(body: bytes, encoding: str, most: int) -> bytes:
    """Unpack by the Content-Encoding. A result of more than `most` bytes is cut one byte behind them.

    Deflate may come without its wrapping, as some servers send it. Raises PackedError.
    """
    encoding = encoding.strip().lower()
    if encoding in ("", "identity"):
        return body[: most + 1]
    if encoding not in ENCODINGS:
        raise PackedError("encoding")
    parts: list[bytes] = []
    room = most + 1
    while room and (not parts or body.startswith(_GZIP)):  # else it is padding
        part, ended, body = _unpack(body, room, bare=not parts)
        parts.append(part)
        room -= len(part)
        if not ended and room:
            raise PackedError("cut")
        if len(parts) > _MOST_MEMBERS:
            raise PackedError("damaged")
    return b"".join(parts)


def _unpack(body: bytes, most: int, *, bare: bool) -> tuple[bytes, bool, bytes]:
    """Return what one stream holds, whether it ended, and what follows it."""
    for window in (zlib.MAX_WBITS | 32, -zlib.MAX_WBITS) if bare else (zlib.MAX_WBITS | 32,):
        stream = zlib.decompressobj(window)
        try:
            return stream.decompress(body, most), stream.eof, stream.unused_data
        except zlib.error:
            continue
    raise PackedError("damaged")
