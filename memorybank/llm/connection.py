"""One endpoint, reached through the `openai` package on one event loop: a completion's body, or an AttemptError."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from memorybank.llm.faults import AttemptError, Secret, error_words, host_of, retry_after, status_error
from memorybank.llm.openai_client import checked_address, checked_key, is_loopback, open_client, read_body

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

MAX_BODY = 32 * 1024 * 1024
"""Bytes of a completion; more is not read."""


class Connection:
    """Opened at the first request, on the loop's thread: importing the package takes a second or two.

    Raises InputError for an address or key that cannot be used.
    """

    def __init__(self, address: str, key: str, model: str, *, timeout: float) -> None:
        self._base = checked_address(address.strip(), "LLM_BASE_URL")
        self._key = checked_key(key.strip(), "LLM_API_KEY")
        self._model = model
        self._timeout = timeout
        self._openai: AsyncOpenAI | None = None
        self.secret = Secret(self._key)
        self.host = host_of(self._base)
        self.is_loopback = is_loopback(self._base)

    async def complete(self, sent: dict[str, Any]) -> str:
        """Return the body of a chat completion, within the timeout altogether: an answer may drip."""
        completions = self.open().chat.completions.with_streaming_response
        import httpx
        import openai

        try:
            async with asyncio.timeout(self._timeout):
                async with completions.create(**sent) as response:
                    return await self._read(response)
        except (TimeoutError, httpx.TimeoutException, openai.APITimeoutError) as error:
            if isinstance(error.__cause__, httpx.ConnectTimeout):
                raise self._unreached(error.__cause__) from None
            raise AttemptError("llm.timeout", host=self.host, seconds=self._timeout, transient=True) from None
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except (openai.APIConnectionError, httpx.HTTPError, httpx.StreamError) as error:
            raise self._unreached(error.__cause__ or error) from None

    async def get(self, path: str, *, timeout: float) -> Any:
        """Return the JSON at a path relative to the endpoint; None for anything else."""
        client = self.open()
        import httpx
        import openai

        address = str(httpx.URL(self._base.rstrip("/") + "/").join(path))
        try:
            answer = await client.get(address, cast_to=httpx.Response, options={"timeout": timeout})
            return answer.json()
        except (openai.OpenAIError, httpx.HTTPError, ValueError, RecursionError):
            return None

    async def close(self) -> None:
        if self._openai is not None:
            await self._openai.close()

    async def _read(self, response: Any) -> str:
        body = await read_body(response, MAX_BODY)
        if body is None:
            raise AttemptError("llm.too_much_sent", host=self.host, limit=MAX_BODY >> 20)
        return body

    def _refusal(self, error: APIStatusError) -> AttemptError:
        words = error_words(error.response.text)
        wait = retry_after(error.response.headers)
        failed = status_error(error.status_code, words, self.host, self._model, wait=wait, secret=self.secret)
        failed.words = self.secret.hide(words)
        return failed

    def _unreached(self, cause: BaseException) -> AttemptError:
        kind = type(cause).__name__
        if "CERTIFICATE" in str(cause):
            return AttemptError("llm.untrusted_certificate", host=self.host)
        if kind in ("ConnectError", "ConnectTimeout", "UnsupportedProtocol"):
            return AttemptError("llm.unreachable", host=self.host, transient=True)
        return AttemptError("llm.broke_off", host=self.host, kind=kind, transient=True)

    def open(self) -> AsyncOpenAI:
        """Return the package's client. Raises AttemptError when the environment's proxy is unusable."""
        if self._openai is None:
            account = self.host == "api.openai.com"
            self._openai = open_client(self._base, self._key, timeout=self._timeout, account=account)
            _ = self._openai.chat.completions  # imports more: now, not on the first answer's time
        return self._openai
