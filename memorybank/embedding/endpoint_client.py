"""One OpenAI-compatible embeddings endpoint: texts in, rows out, with all that can go wrong between.

Every call can be given up (calls.py): it runs on an event loop of its own and is cancelled there. Errors are one line,
name the host and the remedy, and never hold the key.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from memorybank import calls
from memorybank.errors import InputError, ModelUnavailableError
from memorybank.llm.faults import TRANSIENT, Secret, host_of, retry_after, said
from memorybank.llm.loop import LoopThread

if TYPE_CHECKING:
    import openai

FIRST_WAIT = 0.5
LONGEST_WAIT = 60.0
"""Seconds between two attempts, also when the server asks for more."""
MOST_BYTES = 64 * 2**20
"""Of one answer; 64 vectors of 4,096 dimensions take some 6 MB."""
NO_KEY = "none-needed"
"""Sent where the endpoint wants no key: the package refuses to send nothing."""
OF_OPENAI = ("OpenAI-Organization", "OpenAI-Project")
"""Headers the package takes from the environment; which account pays for embeddings is the key's business."""
_POLL = 0.1
_CONNECT = 10.0

Rows = NDArray[np.float64]


class _AttemptError(Exception):
    def __init__(self, words: str, *, transient: bool, wait: float | None = None) -> None:
        super().__init__(words)
        self.transient = transient
        self.wait = wait


class EndpointClient:
    """Thread-safe; connects on the first call."""

    def __init__(self, model: str, base_url: str, api_key: str, *, timeout: float, attempts: int) -> None:
        if not _is_address(base_url):
            raise InputError("EMBEDDING_BASE_URL is no address: give it as https://host/v1")
        if not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
            raise InputError("EMBEDDING_API_KEY holds characters that no key has (spaces, line breaks, accents)")
        self._model = model
        self._base_url = base_url
        self._api_key = api_key
        self._secret = Secret(api_key)
        self._host = host_of(base_url)
        self._timeout = timeout
        self._attempts = attempts
        self._loop = LoopThread(f"embeddings {self._host}")
        self._client: openai.AsyncOpenAI | None = None
        self.requests = 0
        """Attempts made so far."""

    def embed(self, texts: Sequence[str]) -> Rows:
        """Shape (len(texts), what the model gives), in the order of the texts, not normalised.

        Raises ModelUnavailableError when there is no answer after all attempts, Cancelled when told to stop.
        """
        for attempt in range(1, self._attempts + 1):
            try:
                self.requests += 1
                body = self._loop.run(lambda: self._ask(list(texts)))
                return _rows(body, len(texts))
            except _AttemptError as error:
                if not error.transient or attempt == self._attempts:
                    times = f" after {attempt} attempts" if attempt > 1 else ""
                    raise ModelUnavailableError(
                        f"the embeddings endpoint {self._host} gave no vectors{times}: {error}"
                    ) from None
                _pause(min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1) if error.wait is None else error.wait))
            except RuntimeError as error:
                raise ModelUnavailableError(f"the embeddings endpoint {self._host} does not serve: {error}") from None
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        async def last() -> None:
            if self._client is not None:
                await self._client.close()

        self._loop.close(last)

    async def _ask(self, texts: list[str]) -> str:
        import httpx
        import openai

        try:
            async with asyncio.timeout(self._timeout):
                return await self._read(self._opened(), texts)
        except (TimeoutError, openai.APITimeoutError, httpx.TimeoutException):
            words = f"it did not answer within {self._timeout:g} s; try again later"
            raise _AttemptError(words, transient=True) from None
        except openai.APIStatusError as error:
            raise self._status(error) from None
        except (openai.APIConnectionError, httpx.HTTPError, httpx.StreamError) as error:
            reason = type(error.__cause__ or error).__name__
            raise _AttemptError(f"it cannot be reached ({reason}); check EMBEDDING_BASE_URL", transient=True) from None

    def _opened(self) -> openai.AsyncOpenAI:
        """Made on the loop's thread at the first call: importing the package takes a second or two."""
        import httpx
        import openai

        if self._client is None:
            removed: dict[str, Any] = {name: openai.Omit() for name in OF_OPENAI}
            self._client = openai.AsyncOpenAI(
                api_key=self._api_key or NO_KEY,
                base_url=self._base_url,
                max_retries=0,
                timeout=httpx.Timeout(self._timeout, connect=min(_CONNECT, self._timeout)),
                # A proxy of the environment is for the world outside, not for a server on this machine.
                http_client=httpx.AsyncClient(trust_env=not is_loopback(self._base_url)),
                default_headers=removed,
            )
        return self._client

    async def _read(self, client: openai.AsyncOpenAI, texts: list[str]) -> str:
        """The body, at most 64 MB of it."""
        asked = client.embeddings.with_streaming_response.create(
            model=self._model, input=texts, encoding_format="float"
        )
        body = bytearray()
        async with asked as response:
            async for part in response.iter_bytes():
                body += part
                if len(body) > MOST_BYTES:
                    raise _AttemptError("its answer has no end", transient=False)
        return body.decode("utf-8", "replace")

    def _status(self, error: openai.APIStatusError) -> _AttemptError:
        status = error.status_code
        if status in (401, 403, 407):  # what a server says about a key may repeat it
            return _AttemptError(f"it refused the key ({status}); check EMBEDDING_API_KEY", transient=False)
        body = error.response.text if error.response.is_closed else ""
        words = self._secret.scrub(said(body))
        spent = status == 429 and "quota" in words.lower()
        transient = (status in TRANSIENT or status >= 500) and not spent
        remedy = f"check EMBEDDING_MODEL ({self._model}) and EMBEDDING_BASE_URL"
        if transient or spent:
            remedy = "the account has no credit left; add some" if spent else "try again later"
        told = f"it answered {status}{f' ({words})' if words else ''}; {remedy}"
        return _AttemptError(told, transient=transient, wait=retry_after(error.response.headers))


def is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _pause(seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        calls.check()
        time.sleep(min(_POLL, left))


def _rows(body: str, count: int) -> Rows:
    """The vectors of an answer, by `index`. Raises _AttemptError for anything else: nothing is guessed."""
    try:
        value: Any = json.loads(body)
        placed = {int(one["index"]): one["embedding"] for one in value["data"]}
        rows = np.array([placed[place] for place in range(count)], dtype=np.float64)
    except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
        rows, placed = np.zeros(0), {}
    if rows.ndim != 2 or not rows.size or len(placed) != count:
        remedy = "check EMBEDDING_BASE_URL, it usually ends in /v1"
        raise _AttemptError(f"its answer holds no {count} vectors of one length; {remedy}", transient=True)
    if not np.isfinite(rows).all():
        raise _AttemptError("its vectors hold what is no number; check EMBEDDING_MODEL", transient=True)
    return rows
