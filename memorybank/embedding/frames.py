"""Messages between the session's process and the embedding worker: a JSON head and a binary body.

4 bytes  length of the head, big-endian        head  UTF-8 JSON object
4 bytes  length of the body, big-endian        body  bytes (float32 rows, little-endian)
"""

from __future__ import annotations

import json
import struct
from typing import IO, Any

_LENGTHS = struct.Struct(">II")


def write_frame(stream: IO[bytes], head: dict[str, Any], body: bytes = b"") -> None:
    """Write one message and flush. Raises BrokenPipeError (an OSError) when nobody reads any more."""
    encoded = json.dumps(head).encode("ascii")  # escapes: a lone surrogate travels too
    stream.write(_LENGTHS.pack(len(encoded), len(body)) + encoded + body)
    stream.flush()


def read_frame(stream: IO[bytes]) -> tuple[dict[str, Any], bytes] | None:
    """Read one message; None when the other side is gone, in the middle of a message or between two."""
    lengths = stream.read(_LENGTHS.size)
    if len(lengths) < _LENGTHS.size:
        return None
    head_size, body_size = _LENGTHS.unpack(lengths)
    encoded = stream.read(head_size)
    body = stream.read(body_size)
    if len(encoded) < head_size or len(body) < body_size:
        return None
    head: dict[str, Any] = json.loads(encoded)
    return head, body
