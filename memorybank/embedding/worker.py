"""The embedding process from inside; child.py starts it and nothing else does.

It answers one request after the other: first the model's spec, with what the loaded model is; then batches of texts,
with their rows, and batches of sentences, with their words (language/parse.py). It ends when the connection does, at
once and whatever it is doing: so it never outlives the process that started it, even one that was killed.
"""

from __future__ import annotations

import os
import sys
import threading
import traceback
from multiprocessing import connection as connections
from multiprocessing.connection import Connection
from queue import SimpleQueue
from types import TracebackType
from typing import Any

from memorybank.embedding.child import Loaded
from memorybank.embedding.encoders import load, measure
from memorybank.embedding.models import ModelSpec
from memorybank.embedding.parsers import Parsers


def main(handle: int) -> None:
    """Serve until the connection ends. An error in loading or embedding ends the process; its last line tells the
    parent."""
    sys.excepthook = _leave
    connection: Connection = getattr(connections, "PipeConnection" if sys.platform == "win32" else "Connection")(handle)
    requests: SimpleQueue[Any] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, requests), daemon=True).start()
    spec: ModelSpec = requests.get()
    encoder = load(spec)
    scale = spec.scale or measure(encoder)
    connection.send(Loaded(dim=encoder.dim, max_tokens=encoder.max_tokens, scale=scale, tokenizer=encoder.tokenizer))
    parsers = Parsers()
    while True:
        kind, texts = requests.get()
        connection.send(parsers.parse(texts) if kind == "parse" else encoder.encode(texts, kind))


def _leave(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Say why and exit at once; torch takes seconds to leave politely, and there is nothing to save."""
    traceback.print_exception(kind, error, trace)
    sys.stderr.flush()
    os._exit(1)


def _listen(connection: Connection, requests: SimpleQueue[Any]) -> None:
    """Read on while the model computes, so that the connection's end is seen amid a batch, or amid loading."""
    try:
        while True:
            requests.put(connection.recv())
    except (EOFError, OSError):
        os._exit(0)
