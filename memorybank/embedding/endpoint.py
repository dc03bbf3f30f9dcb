"""Embeddings over an OpenAI-compatible endpoint, as an `Embedder` (EMBEDDING_BASE_URL, EMBEDDING_API_KEY).

    documents() -> clean, cut -> memo? in flight? -> batches of <= 64 texts -> endpoint -> memo -> mean pool

What cannot be known beforehand is learnt: the dimension from the first answer, the cosine scale from twelve statements
said twice (calibration.py), asked for once and only when a score is needed. Tokens are estimated: a token a CJK
character, one for four others. Measured, as a share of the estimate: on 49 English documents
MiniLM's tokenizer .92 and e5's 1.02, in the worst 1,500 characters 1.14 and 1.27; on 256 Chinese passages (CMRC2018)
1.03 and .82, in the worst passage 1.15 and .98.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import threading
from collections.abc import Iterator, Sequence

import numpy as np

from memorybank import calls
from memorybank.embedding import calibration
from memorybank.embedding.base import CosineScale, Matrix
from memorybank.embedding.batches import Memo, Row, key_of
from memorybank.embedding.encoders import Kind
from memorybank.embedding.endpoint_client import EndpointClient
from memorybank.embedding.models import prefixes
from memorybank.embedding.pieces import TextPiece, clean, cut, pool
from memorybank.errors import InputError
from memorybank.llm.tokens import estimate

PREFIX = "endpoint:"
"""Of the name in a session's first event: `endpoint:text-embedding-3-small`."""

BATCH = 64
"""Texts a request."""
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
        """Attempts made so far."""
        return self._client.requests

    # -- Embedder -----------------------------------------------------------------------------------------------------

    @property
    def dim(self) -> int:
        """The dimension is a setting or is learnt: then the first use asks the endpoint."""
        if self._dim is None:
            self.documents([calibration.TEXTS[0]])
        assert self._dim is not None
        return self._dim

    @property
    def scale(self) -> CosineScale:
        """Measured on the first use (24 short texts, one request)."""
        if self._scale is None:
            self.documents(calibration.TEXTS)  # all at once; what `measure` asks for is then in the memo
            self._scale = calibration.measure(self)
        return self._scale

    def documents(self, texts: Sequence[str]) -> Matrix:
        """See `Embedder.documents`."""
        return self.encode(texts, "document")

    def queries(self, texts: Sequence[str]) -> Matrix:
        """See `Embedder.queries`."""
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
