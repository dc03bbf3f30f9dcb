"""One endpoint, reached through the `openai` package on one event loop: a completion's body, or an AttemptError."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any

from memorybank.errors import Notice
from memorybank.llm.faults import AttemptError, Endpoint, Secret, error_words, host_of, retry_after, status_error
from memorybank.llm.openai_client import (
    TooMuchSentError,
    checked_address,
    checked_key,
    http_library,
    is_loopback,
    open_client,
)
from memorybank.settings.llm import LLMSettings

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a completion; more is not read."""
MOST_LISTED = 4 * 1024 * 1024
"""Bytes of what a server says of itself."""


class Connection:
    """Opened at the first request, on the loop's thread: importing the package takes a second or two."""

    def __init__(
        self, settings: LLMSettings, *, variables: str = "LLM_{}", patience: str = "LLM_TIMEOUT", most: int = MAX_BODY
    ) -> None:
        """`variables`: see `Endpoint`. `patience` names the one to look at when there is no answer in time; `most`:
        bytes of an answer. Raises InputError for an address or key that cannot be used.
        """
        variables += settings.suffix
        self._base = checked_address(settings.endpoint.strip(), variables.format("BASE_URL"))
        self._key = checked_key(settings.api_key.strip(), variables.format("API_KEY"))
        self.timeout = settings.timeout
        self._patience, self._most = patience, most
        self._openai: AsyncOpenAI | None = None
        self.is_loopback = is_loopback(self._base)
        self.is_llama_cpp = settings.provider == "llama.cpp"
        self.is_ollama = settings.provider == "ollama" or ":11434" in self._base
        self.endpoint = Endpoint(
            host=host_of(self._base),
            model=settings.model_name,
            secret=Secret(self._key),
            variables=variables,
            start=settings.start if self.is_loopback else "",
        )

    @property
    def host(self) -> str:
        return self.endpoint.host

    async def complete(self, sent: dict[str, Any]) -> str:
        """Return the body of a chat completion."""
        return await self._body(self.open().chat.completions.with_streaming_response.create(**sent))

    async def embed(self, texts: list[str]) -> str:
        """Return the body of an answer with vectors."""
        return await self._body(
            self.open().embeddings.with_streaming_response.create(
                model=self.endpoint.model, input=texts, encoding_format="float"
            )
        )

    async def _body(self, request: AbstractAsyncContextManager[Any]) -> str:
        """Ask within the timeout altogether: an answer may drip."""
        async with self._faults(self.timeout), request as response:
            body: bytes = await response.read()
        return body.decode("utf-8", "replace")

    async def fetch(self, path: str, *, timeout: float, posted: Mapping[str, str] | None = None) -> Any:
        """Return the JSON at a path relative to the endpoint, got or posted for; None for any other body."""
        client, httpx = self.open(), http_library()
        address = str(httpx.URL(self._base.rstrip("/") + "/").join(path))
        async with self._faults(timeout):
            if posted is None:
                answer = await client.get(address, cast_to=httpx.Response)
            else:
                answer = await client.post(address, cast_to=httpx.Response, body=dict(posted))
        try:
            return answer.json() if len(answer.content) <= MOST_LISTED else None
        except (ValueError, RecursionError):
            return None

    async def close(self) -> None:
        if self._openai is not None:
            await self._openai.close()

    @asynccontextmanager
    async def _faults(self, seconds: float) -> AsyncIterator[None]:
        """Raises AttemptError for whatever goes wrong inside, and when the seconds are over."""
        import openai

        httpx = http_library()
        try:
            async with asyncio.timeout(seconds):
                yield
        except (TimeoutError, httpx.TimeoutException, openai.APITimeoutError) as error:
            if isinstance(error.__cause__, httpx.ConnectTimeout):
                raise self._unreached(error.__cause__) from None
            late = Notice("llm.timeout", host=self.host, seconds=seconds, variable=self._patience)
            raise AttemptError(late, transient=True) from None
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except (openai.APIConnectionError, httpx.HTTPError, httpx.StreamError, TooMuchSentError) as error:
            raise self._unreached(error.__cause__ or error) from None

    def _refusal(self, error: APIStatusError) -> AttemptError:
        words = error_words(error.response.text)
        failed = status_error(error.status_code, words, self.endpoint, wait=retry_after(error.response.headers))
        failed.words = self.endpoint.secret.hide(words)
        return failed

    def _unreached(self, cause: BaseException) -> AttemptError:
        host, url, kind = self.host, self.endpoint.variable("BASE_URL"), type(cause).__name__
        if isinstance(cause, TooMuchSentError):
            return AttemptError("llm.too_much_sent", host=host, limit=self._most >> 20, url_variable=url)
        if "CERTIFICATE" in str(cause):
            return AttemptError("llm.untrusted_certificate", host=host, url_variable=url)
        if kind in ("ConnectError", "ConnectTimeout", "UnsupportedProtocol"):
            if start := self.endpoint.start:
                return AttemptError("llm.not_running", host=host, url_variable=url, command=start, transient=True)
            return AttemptError("llm.unreachable", host=host, url_variable=url, transient=True)
        return AttemptError("llm.broke_off", host=host, kind=kind, transient=True)

    def open(self) -> AsyncOpenAI:
        """Return the package's client. Raises AttemptError when the environment's proxy is unusable."""
        if self._openai is None:
            account = self.host == "api.openai.com"
            self._openai = open_client(self._base, self._key, timeout=self.timeout, account=account, most=self._most)
            _ = self._openai.chat.completions  # imports more: now, not on the first answer's time
        return self._openai
