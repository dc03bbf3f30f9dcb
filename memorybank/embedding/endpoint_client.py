"""One OpenAI-compatible embeddings endpoint: texts in, rows out, with all that can go wrong between.

Every call can be given up (calls.py): it runs on an event loop of its own and is cancelled there. Errors are one line,
name the host and the remedy, and never hold the key.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from memorybank.errors import ModelUnavailableError, Notice
from memorybank.llm.faults import TRANSIENT, AttemptError, Secret, error_words, host_of, retry_after
from memorybank.llm.loop import LoopThread
from memorybank.llm.openai_client import TooMuchSentError, checked_address, checked_key, http_library, open_client
from memorybank.llm.retry import LONGEST_ASKED, back_off, pause

if TYPE_CHECKING:
    import openai

MOST_BYTES = 64 * 2**20
"""Of one answer; 64 vectors of 4,096 dimensions take some 6 MB."""
_REFUSED = (400, 413, 422)
"""Statuses with which servers refuse a batch that is too large for them."""

Rows = NDArray[np.float64]


class EndpointClient:
    """Thread-safe; connects on the first call."""

    def __init__(self, model: str, base_url: str, api_key: str, *, timeout: float, attempts: int) -> None:
        self._model = model
        self._base_url = checked_address(base_url, "EMBEDDING_BASE_URL")
        self._api_key = checked_key(api_key, "EMBEDDING_API_KEY")
        self._secret = Secret(api_key)
        self._host = host_of(base_url)
        self._timeout = timeout
        self._attempts = attempts
        self._loop = LoopThread(f"embeddings {self._host}")
        self._client: openai.AsyncOpenAI | None = None
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
                return _rows(self._loop.run(lambda: self._ask(texts)), len(texts))
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
        async def last() -> None:
            if self._client is not None:
                await self._client.close()

        self._loop.close(last)

    async def _ask(self, texts: list[str]) -> str:
        client, httpx = self._opened(), http_library()
        import openai

        try:
            async with asyncio.timeout(self._timeout):
                request = client.embeddings.with_streaming_response.create(
                    model=self._model, input=texts, encoding_format="float"
                )
                async with request as response:
                    body: bytes = await response.read()
            return body.decode("utf-8", "replace")
        except (TimeoutError, openai.APITimeoutError, httpx.TimeoutException):
            raise AttemptError("embedding.timeout", seconds=self._timeout, transient=True) from None
        except openai.APIStatusError as error:
            raise self._status(error) from None
        except (openai.APIConnectionError, httpx.HTTPError, httpx.StreamError, TooMuchSentError) as error:
            if isinstance(error.__cause__ or error, TooMuchSentError):
                raise AttemptError("embedding.endless") from None
            reason = type(error.__cause__ or error).__name__
            raise AttemptError("embedding.unreachable", reason=reason, transient=True) from None

    def _opened(self) -> openai.AsyncOpenAI:
        """Made on the loop's thread at the first call: importing the package takes a second or two."""
        if self._client is None:
            # Which account pays for embeddings is the key's business, not the environment's.
            self._client = open_client(
                self._base_url, self._api_key, timeout=self._timeout, account=False, most=MOST_BYTES
            )
        return self._client

    def _status(self, error: openai.APIStatusError) -> AttemptError:
        status = error.status_code
        if status in (401, 403, 407):  # what a server says about a key may repeat it
            return AttemptError(Notice("embedding.key_refused", status=status))
        words = self._secret.scrub(error_words(error.response.text))
        spent = status == 429 and "quota" in words.lower()
        transient = (status in TRANSIENT or status >= 500) and not spent
        remedy = Notice("remedy.embedding_settings", model=self._model)
        if transient or spent:
            remedy = Notice("remedy.add_credit") if spent else Notice("remedy.try_later")
        notice = Notice("embedding.answered", status=status, remedy=remedy)
        if words:
            notice = Notice("embedding.answered_words", status=status, words=words, remedy=remedy)
        return AttemptError(notice, status=status, transient=transient, retry_after=retry_after(error.response.headers))


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
