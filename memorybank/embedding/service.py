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
from functools import partial
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from typing import Any

import numpy as np

from memorybank.embedding.base import Matrix
from memorybank.embedding.child import ChildEndedError, Loaded
from memorybank.embedding.encoders import Kind
from memorybank.embedding.models import ModelChoice, ModelSpec
from memorybank.embedding.pieces import TextPiece
from memorybank.embedding.process import EmbeddingProcess, share_by, shared
from memorybank.errors import ModelUnavailableError
from memorybank.language.parse import Parsed

_REMEMBERED = 1_000
"""Vectors that a process keeps which is served: 2 MB; the service keeps more, for all."""
_BACKLOG = 1_024
"""Connections that may wait to be taken: sessions of a batch begin at once."""


class EmbeddingService(contextlib.AbstractContextManager["EmbeddingService"]):
    """Serves the models of this process to others, a thread a connection, until it is closed.

    The socket lies in a folder that only this user can enter.
    """

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="memorybank-")
        self.address = str(Path(self._folder.name) / "embedding")
        self._listener = Listener(self.address, "AF_UNIX", _BACKLOG)
        self._closed = False
        self._accepting = threading.Thread(target=self._accept, name="embedding service", daemon=True)
        self._accepting.start()

    def close(self) -> None:
        """Take no more connections; those that are open end with their processes."""
        self._closed = True
        with contextlib.suppress(OSError):
            Client(self.address).close()  # so that the thread which waits for one looks up
            self._accepting.join()
        self._listener.close()
        self._folder.cleanup()

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _accept(self) -> None:
        while True:
            try:
                connection = self._listener.accept()
            except OSError:
                return
            if self._closed:
                connection.close()
                return
            threading.Thread(target=_serve, args=(connection,), name="embedding service", daemon=True).start()


def _serve(connection: Connection) -> None:
    """Answer one process, until it is gone or the model is."""
    with connection, contextlib.suppress(EOFError, OSError):
        try:
            spec: ModelSpec = connection.recv()
            process = shared(ModelChoice(spec=spec, wanted=spec.name))
            connection.send((process.loaded(), process.pid))
            while True:
                kind, asked = connection.recv()
                if kind == "parse":
                    connection.send(process.parse(asked))
                else:
                    connection.send(np.stack(process.pieces([TextPiece(*piece) for piece in asked], kind)))
        except ModelUnavailableError as error:
            connection.send(ChildEndedError(" ".join(str(error).split())))


class ServedModel:
    """A model that runs in another process, as the `ModelServer` of this one's `EmbeddingProcess`."""

    def __init__(self, address: str, spec: ModelSpec) -> None:
        self._spec = spec
        self._address = address
        self._connection: Connection | None = None
        self._ended = False
        self.pid = 0

    @property
    def alive(self) -> bool:
        return not self._ended

    def loaded(self) -> Loaded:
        """Wait until the service has loaded the model. Raises ChildEndedError."""
        try:
            self._connection = Client(self._address)
        except OSError as error:
            raise self._gone(error.strerror or type(error).__name__) from None
        loaded: Loaded
        loaded, self.pid = self._ask(self._spec)
        return loaded

    def embed(self, pieces: Sequence[TextPiece], kind: Kind) -> Matrix:
        rows: Matrix = self._ask((kind, [(piece.text, piece.tokens) for piece in pieces]))
        return rows

    def parse(self, sentences: Sequence[str]) -> list[Parsed]:
        return list(self._ask(("parse", list(sentences))))

    def end(self) -> None:
        """Ask no more; the thread that waits for an answer goes on when it comes, or when the service is gone."""
        self._ended = True

    def release(self) -> None:
        self.end()
        if self._connection is not None:
            self._connection.close()

    def _ask(self, request: object) -> Any:
        assert self._connection is not None
        try:
            self._connection.send(request)
            answer = self._connection.recv()
        except (EOFError, OSError):
            raise self._gone("its service has ended") from None
        if isinstance(answer, ChildEndedError):
            raise self._gone(str(answer))
        return answer

    def _gone(self, reason: str) -> ChildEndedError:
        self.end()
        return ChildEndedError(reason)


def serve_by(address: str) -> None:
    """Have this process' embedding models from a service, for all sessions that are begun from now on."""
    begin: Callable[[ModelSpec], ServedModel] = partial(ServedModel, address)
    share_by(lambda choice: EmbeddingProcess(choice, begin, remembered=_REMEMBERED))


def is_served_here() -> bool:
    """Whether this system has what the service needs."""
    return hasattr(socket, "AF_UNIX") and hasattr(os, "fork")
