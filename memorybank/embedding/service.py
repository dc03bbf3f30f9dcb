"""One embedding process for the sessions of many Python processes: a service on a Unix socket of this machine.

    with EmbeddingService() as service: …          in the process that has the models
    serve_by(service.address)                      in each of the others, before its first session

What another process asks for is cut to pieces there, and joins the pieces of all others in the micro-batches of
`EmbeddingProcess`; so a text has the same bits whoever asks, and only one process ever loads a model.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
import threading
from collections.abc import Callable, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import IO, Any, Self, cast

import numpy as np

from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.child import ChildEndedError, Loaded, rows_of
from memorybank.embedding.encoders import Kind
from memorybank.embedding.frames import read_frame, write_frame
from memorybank.embedding.models import ModelChoice, ModelSpec, spec_of
from memorybank.embedding.pieces import TextPiece
from memorybank.embedding.process import EmbeddingProcess, share_by, shared
from memorybank.errors import ModelUnavailableError
from memorybank.language.parse import Parsed, parsed_from

_REMEMBERED = 1_000
"""Vectors that a process keeps which is served: 2 MB; the service keeps more, for all."""
_BACKLOG = 1_024
"""Connections that may wait to be taken: sessions of a batch begin at once."""


class EmbeddingService:
    """Serves the models of this process to others, a thread a connection, until it is closed.

    The socket lies in a folder that only this user can enter.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="memorybank-")
        self.address = str(Path(self._folder.name) / "embedding")
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.address)
        self._listener.listen(_BACKLOG)
        threading.Thread(target=self._accept, name="embedding service", daemon=True).start()

    def close(self) -> None:
        """Take no more connections; those that are open end with their processes."""
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._folder.cleanup()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:  # closed
                return
            threading.Thread(target=_serve, args=(connection,), name="embedding service", daemon=True).start()


def _serve(connection: socket.socket) -> None:
    """Answer one process, until it is gone or the model is."""
    with connection, _stream_of(connection) as stream, contextlib.suppress(OSError):
        first = read_frame(stream)
        if first is None:
            return
        try:
            spec = spec_of(first[0])
            process = shared(ModelChoice(spec=spec, wanted=spec.name))
            loaded = process.loaded()
            scale = {"lo": loaded.scale.lo, "hi": loaded.scale.hi}
            known = {"dim": loaded.dim, "max_tokens": loaded.max_tokens, "pid": process.pid, **scale}
            write_frame(stream, known, loaded.tokenizer.encode())
            while (frame := read_frame(stream)) is not None:
                asked = frame[0]
                if "parse" in asked:
                    write_frame(stream, {"parsed": process.parse(asked["parse"])})
                    continue
                pieces = [TextPiece(text, tokens) for text, tokens in zip(asked["texts"], asked["tokens"], strict=True)]
                rows = np.stack(process.pieces(pieces, asked["kind"]))
                write_frame(stream, {"rows": len(rows)}, np.ascontiguousarray(rows, dtype="<f4").tobytes())
        except ModelUnavailableError as error:
            write_frame(stream, {"failed": " ".join(str(error).split())})


def _stream_of(connection: socket.socket) -> IO[bytes]:
    return cast(IO[bytes], connection.makefile("rwb"))


class ServedModel:
    """A model that runs in another process, as the `ModelServer` of this one's `EmbeddingProcess`."""

    def __init__(self, address: str, spec: ModelSpec) -> None:
        self._spec = spec
        self._address = address
        self._connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._stream: IO[bytes] | None = None
        self._ended = False
        self.pid = 0

    @property
    def alive(self) -> bool:
        return not self._ended

    def loaded(self) -> Loaded:
        """Wait until the service has loaded the model. Raises ChildEndedError."""
        try:
            self._connection.connect(self._address)
        except OSError as error:
            raise self._gone(error.strerror or type(error).__name__) from None
        self._stream = _stream_of(self._connection)
        head, body = self._ask(asdict(self._spec))
        self.pid = head["pid"]
        scale = CosineScale(lo=head["lo"], hi=head["hi"])
        return Loaded(dim=head["dim"], max_tokens=head["max_tokens"], scale=scale, tokenizer=body.decode())

    def embed(self, pieces: Sequence[TextPiece], kind: Kind) -> Matrix:
        """Return unit rows of shape (len(pieces), dim). Raises ChildEndedError."""
        texts, tokens = [piece.text for piece in pieces], [piece.tokens for piece in pieces]
        _, body = self._ask({"texts": texts, "tokens": tokens, "kind": kind})
        return rows_of(body, len(pieces))

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        """Return each sentence with its words, in order. Raises ChildEndedError."""
        head, _ = self._ask({"parse": list(sentences)})
        return list(parsed_from(head["parsed"]))

    def end(self) -> None:
        self._ended = True
        with contextlib.suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)

    def release(self) -> None:
        self.end()
        with contextlib.suppress(OSError):
            if self._stream is not None:
                self._stream.close()
        self._connection.close()

    def _ask(self, head: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        assert self._stream is not None
        frame = None
        with contextlib.suppress(OSError, ValueError):  # it is gone: then it answers nothing either
            write_frame(self._stream, head)
            frame = read_frame(self._stream)
        if frame is None:
            raise self._gone("its service has ended")
        if "failed" in frame[0]:
            raise self._gone(frame[0]["failed"])
        return frame

    def _gone(self, reason: str) -> ChildEndedError:
        self.end()
        return ChildEndedError(reason, "")


def serve_by(address: str) -> None:
    """Have this process' embedding models from a service, for all sessions that are begun from now on."""
    begin: Callable[[ModelSpec], ServedModel] = partial(ServedModel, address)
    share_by(lambda choice: EmbeddingProcess(choice, begin, remembered=_REMEMBERED))


def is_served_here() -> bool:
    """Whether this system has what the service needs."""
    return hasattr(socket, "AF_UNIX") and hasattr(os, "fork")
