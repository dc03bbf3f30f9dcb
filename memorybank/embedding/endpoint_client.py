"""One OpenAI-compatible embeddings endpoint: texts in, rows out, with all that can go wrong between.

Every call can be given up (calls.py): it runs on an event loop of its own and is cancelled there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memorybank.errors import ModelUnavailableError
from memorybank.llm.connection import Connection
from memorybank.llm.faults import AttemptError
from memorybank.llm.loop import LoopThread
from memorybank.llm.retry import LONGEST_ASKED, back_off, pause
from memorybank.settings.llm import LLMSettings

MOST_BYTES = 64 * 2**20
"""Of one answer; 64 vectors of 4,096 dimensions take some 6 MB."""
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
        """Texts of one request: fewer once a batch was refused."""
        self.requests = 0
        """Attempts made so far."""

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
        """One batch, with further attempts where one may help. Raises AttemptError when the first was the last."""
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
    """The vectors of an answer, by `index`. Raises AttemptError for anything else: nothing is guessed."""
    try:
        value: Any = json.loads(body)
        placed = {int(item["index"]): item["embedding"] for item in value["data"]}
        rows = np.array([placed[place] for place in range(count)], dtype=np.float64)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        rows, placed = np.zeros(0), {}
    if rows.ndim != 2 or not rows.size or len(placed) != count:
        raise AttemptError("embedding.bad_answer", count=count, transient=True)
    if not np.isfinite(rows).all():
        raise AttemptError("embedding.not_finite", transient=True)
    return rows
