"""Embeddings over an OpenAI-compatible endpoint, as an `Embedder` (EMBEDDING_BASE_URL, EMBEDDING_API_KEY).

    documents() -> clean, cut -> memo? in flight? -> batches of <= 64 texts -> endpoint -> memo -> mean pool

What cannot be known beforehand is learnt: the dimension from the first answer, the cosine scale from twelve statements
said twice (`measure`), asked for once and only when a score is needed. Tokens are estimated: a token a CJK
character, one for four others. Measured, as a share of the estimate: on 49 English documents
MiniLM's tokenizer .92 and e5's 1.02, in the worst 1,500 characters 1.14 and 1.27; on 256 Chinese passages (CMRC2018)
1.03 and .82, in the worst passage 1.15 and .98.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memorybank import calls
from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.batches import Memo, Row, key_of
from memorybank.embedding.encoders import MEASURED, Kind, measure
from memorybank.embedding.models import prefixes
from memorybank.embedding.pieces import TextPiece, clean, cut, pool
from memorybank.errors import InputError, ModelUnavailableError
from memorybank.llm.around import LONGEST_ASKED, back_off, pause
from memorybank.llm.connection import Connection
from memorybank.llm.faults import AttemptError
from memorybank.llm.loop import LoopThread
from memorybank.llm.tokens import estimate
from memorybank.memory.bounds import MOST_DIMENSIONS
from memorybank.settings.llm import LLMSettings

PREFIX = "endpoint:"
"""The prefix of the name in a session's first event: `endpoint:text-embedding-3-small`."""

BATCH = 64
"""The most texts of one request."""
BATCH_TOKENS = 8_000
"""Estimated tokens a request; a single piece is far below."""
PIECE_TOKENS = 400
"""Estimated tokens a piece: many served models read no more than 512, and the estimate may be too low by a quarter."""
REMEMBERED = 12_000
"""Vectors kept; of 3,072 dimensions some 150 MB."""
_POLL = 0.1


class EndpointEmbedder:
    """An `Embedder` whose model is served somewhere else. Thread-safe; contacts nothing before it is asked for vectors.

    Raises ModelUnavailableError when the endpoint gives none, InputError when the dimension is not the one the session
    began with, Cancelled when told to stop while waiting.
    """

    def __init__(
        self,
        model: str,
        base_url: str,
        api_key: str = "",
        *,
        dim: int | None = None,
        timeout: float = 60.0,
        attempts: int = 5,
    ) -> None:
        self.model = model
        self.name = f"{PREFIX}{model}"
        self._client = EndpointClient(model, base_url, api_key, timeout=timeout, attempts=attempts)
        self._prefixes = prefixes(model)
        self._dim = dim
        self._scale: CosineScale | None = None
        self._memo = Memo[Row](REMEMBERED)
        self._changed = threading.Condition()
        self._in_flight: set[bytes] = set()
        self.closed = False
        self.embedded = 0
        """Texts, or pieces of long ones, that the endpoint embedded so far: what the memo could not answer."""

    @property
    def requests(self) -> int:
        """Return the number of attempts made so far."""
        return self._client.requests

    # -- Embedder -----------------------------------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        """Return the dimension, which is a setting or is learnt: then the first use asks the endpoint."""
        if self._dim is None:
            self.documents([MEASURED[0]])
        assert self._dim is not None
        return self._dim

    @property
    def scale(self) -> CosineScale:
        """Return the scale, measured on the first use (24 short texts, one request)."""
        if self._scale is None:
            self.documents(MEASURED)  # all at once; what `measure` asks for is then in the memo
            self._scale = measure(self)
        return self._scale

    def documents(self, texts: Sequence[str]) -> Matrix:
        return self.encode(texts, "document")

    def queries(self, texts: Sequence[str]) -> Matrix:
        return self.encode(texts, "query")

    def count_tokens(self, text: str) -> int:
        """Estimate the tokens: a served model's tokenizer is not here."""
        return estimate(clean(text))

    # -- asking -------------------------------------------------------------------------------------------------------

    def encode(self, texts: Sequence[str], kind: Kind) -> Matrix:
        """Return unit rows of shape (len(texts), dim)."""
        keyed = [
            [(key_of(piece.text, kind), piece) for piece in cut(clean(text), PIECE_TOKENS, estimate)] for text in texts
        ]
        rows = self._vectors({key: piece for pieces in keyed for key, piece in pieces}, kind)
        if not texts:
            return np.zeros((0, self.dim), dtype=np.float32)
        pooled = [
            pool([rows[key] for key, _ in pieces], [piece.tokens for _, piece in pieces], self.dim) for pieces in keyed
        ]
        return np.stack(pooled)

    def close(self) -> None:
        """End connections and thread; not to be asked again."""
        self.closed = True
        self._client.close()

    def _vectors(self, pieces: dict[bytes, TextPiece], kind: Kind) -> dict[bytes, Row]:
        """Return the vector of each piece: cached, requested, or awaited when another thread has requested it."""
        rows: dict[bytes, Row] = {}
        while len(rows) < len(pieces):
            with self._changed:
                for key in pieces:
                    if key not in rows and (row := self._memo.get(key)) is not None:
                        rows[key] = row
                claimed = [key for key in pieces if key not in rows and key not in self._in_flight]
                self._in_flight.update(claimed)
                if not claimed and len(rows) < len(pieces):
                    self._changed.wait(_POLL)
            calls.check()
            if claimed:
                rows |= self._fetch({key: pieces[key] for key in claimed}, kind)
        return rows

    def _fetch(self, pieces: dict[bytes, TextPiece], kind: Kind) -> dict[bytes, Row]:
        """Ask for pieces that this thread has claimed."""
        rows: dict[bytes, Row] = {}
        try:
            for batch in _batches(pieces):
                texts = [self._prefixes[kind] + pieces[key].text for key in batch]
                for key, row in zip(batch, self._units(self._client.embed(texts)), strict=True):
                    rows[key] = row.copy()
                with self._changed:
                    for key in batch:
                        self._memo.put(key, rows[key])
                    self.embedded += len(batch)
        finally:
            with self._changed:
                self._in_flight.difference_update(pieces)
                self._changed.notify_all()
        return rows

    def _units(self, rows: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Matrix:
        """Check the dimension and normalise the rows. A zero vector stays zero."""
        with self._changed:
            known = self._dim = self._dim or rows.shape[1]
        if rows.shape[1] != known:
            raise InputError("embedding.other_dimensions", model=self.model, count=rows.shape[1], known=known)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        units: Matrix = (rows / np.where(norms > 0, norms, 1.0)).astype(np.float32)
        return units


def _batches(pieces: dict[bytes, TextPiece]) -> Iterator[list[bytes]]:
    """Yield batches of at most 64 texts and 8,000 tokens, in the order of the pieces."""
    batch: list[bytes] = []
    tokens = 0
    for key, piece in pieces.items():
        if batch and (len(batch) == BATCH or tokens + piece.tokens > BATCH_TOKENS):
            yield batch
            batch, tokens = [], 0
        batch.append(key)
        tokens += piece.tokens
    if batch:
        yield batch


# -- one endpoint: texts in, rows out, with all that can go wrong between ----------------------------------------------


MOST_BYTES = 64 * 2**20
"""The most bytes of one answer; 64 vectors of 4,096 dimensions take some 6 MB."""
_REFUSED = (400, 413, 422)
"""Statuses with which servers refuse a batch that is too large for them."""

Rows = NDArray[np.float64]


class EndpointClient:
    """Thread-safe; connects on the first call."""

    def __init__(self, model: str, base_url: str, api_key: str, *, timeout: float, attempts: int) -> None:
        settings = LLMSettings(provider="local", model=model, base_url=base_url, api_key=api_key, timeout=timeout)
        self._connection = Connection(
            settings, variables="EMBEDDING_{}", patience="EMBEDDING_BASE_URL", most=MOST_BYTES
        )
        self._host = self._connection.host
        self._attempts = attempts
        self._loop = LoopThread(f"embeddings {self._host}")
        self._most = sys.maxsize
        """The most texts of one request: fewer once a batch was refused."""
        self.requests = 0
        """Return the number of attempts made so far."""

    def embed(self, texts: Sequence[str]) -> Rows:
        """Shape (len(texts), what the model gives), in the order of the texts, not normalised.

        A server that refuses a batch is asked for half of it, and for no more from then on.
        Raises ModelUnavailableError when there is no answer after all attempts, Cancelled when told to stop.
        """
        rows: list[Rows] = []
        most, at = self._most, 0
        while at < len(texts):
            batch = list(texts[at : at + most])
            try:
                rows.append(self._embedded(batch))
            except AttemptError as error:
                if error.status not in _REFUSED or len(batch) == 1:
                    raise ModelUnavailableError("embedding.no_vectors", host=self._host, reason=error) from None
                most = len(batch) // 2
            else:
                self._most = min(self._most, most)
                at += len(batch)
        return np.concatenate(rows)

    def _embedded(self, texts: list[str]) -> Rows:
        """Embed one batch, with further attempts where one may help. Raises AttemptError when none is left."""
        for attempt in range(1, self._attempts + 1):
            try:
                self.requests += 1
                return _rows(self._loop.run(lambda: self._connection.embed(texts)), len(texts))
            except AttemptError as error:
                if not error.transient or attempt == self._attempts:
                    if attempt == 1:
                        raise
                    raise ModelUnavailableError(
                        "embedding.no_vectors_after", host=self._host, reason=error, times=attempt
                    ) from None
                wait = error.retry_after
                pause(back_off(attempt) if wait is None else min(wait, LONGEST_ASKED))
            except RuntimeError as error:
                raise ModelUnavailableError("embedding.does_not_serve", host=self._host, reason=error) from None
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        self._loop.close(self._connection.close)


def _rows(body: str, count: int) -> Rows:
    """Return the vectors of an answer, by `index`. Raises AttemptError for anything else: nothing is guessed."""
    try:
        value: Any = json.loads(body)
        placed = {int(item["index"]): item["embedding"] for item in value["data"]}
        rows = np.array([placed[place] for place in range(count)], dtype=np.float64)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        rows, placed = np.zeros(0), {}
    if rows.ndim != 2 or not 0 < rows.shape[1] <= MOST_DIMENSIONS or len(placed) != count:
        raise AttemptError("embedding.bad_answer", count=count, transient=True)
    if not np.isfinite(rows).all():
        raise AttemptError("embedding.not_finite", transient=True)
    return rows


_shared: dict[tuple[int, str, str, str, int | None], EndpointEmbedder] = {}
_shared_lock = threading.Lock()


def endpoint_embedder(model: str, base_url: str, api_key: str = "", dim: int | None = None) -> EndpointEmbedder:
    """Return the embedder of a served model: one for all sessions of this Python process, with one memo.

    `dim`: what the vectors must have, when a session began with it. Raises InputError for what is no address.
    Nothing is contacted here.
    """
    model = model.strip().removeprefix(PREFIX)
    key = (os.getpid(), model, base_url.rstrip("/"), hashlib.sha256(api_key.encode()).hexdigest(), dim)
    with _shared_lock:
        if key not in _shared or _shared[key].closed:
            _shared[key] = EndpointEmbedder(model, base_url, api_key, dim=dim)
        return _shared[key]


@atexit.register
def _close_all() -> None:
    for (pid, *_), embedder in _shared.items():
        if pid == os.getpid():  # a forked child has no part in its parent's threads
            embedder.close()
