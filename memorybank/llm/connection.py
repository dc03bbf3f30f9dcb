"""One endpoint, reached through the `openai` package on one event loop: a completion's body, or an AttemptError."""

from __future__ import annotations

import asyncio
import ipaddress
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memorybank.errors import InputError
from memorybank.llm.faults import AttemptError, Secret, host_of, retry_after, said, status_error

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

NO_KEY = "none-needed"
"""Sent where the endpoint wants no key: the package refuses to send nothing."""
MAX_BODY = 32 * 1024 * 1024
"""Bytes of a completion; more is not read."""
CONNECT_TIMEOUT = 10.0
_OF_OPENAI = ("OpenAI-Organization", "OpenAI-Project")
"""Headers the package takes from the environment; they are OpenAI's and no other endpoint's business."""


class Connection:
    """Made at the first question, on the loop's thread: importing the package takes a second or two.

    Raises InputError for an address or key that cannot be used.
    """

    def __init__(self, address: str, key: str, model: str, *, timeout: float) -> None:
        self._base = _checked_address(address)
        self._key = _checked_key(key)
        self._model = model
        self._timeout = timeout
        self._openai: AsyncOpenAI | None = None
        self.secret = Secret(self._key)
        self.host = host_of(self._base)
        self.is_loopback = _is_loopback(self._base)

    async def complete(self, sent: dict[str, Any]) -> str:
        """The body of a chat completion, within the timeout altogether: an answer may drip."""
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
            message = f"{self.host} gave no whole answer within {self._timeout:g} s"
            raise AttemptError(f"{message}: raise LLM_TIMEOUT or ask a faster model", transient=True) from None
        except openai.APIStatusError as error:
            raise self._refusal(error) from None
        except (openai.APIConnectionError, httpx.HTTPError, httpx.StreamError) as error:
            raise self._unreached(error.__cause__ or error) from None

    async def get(self, path: str, *, timeout: float) -> Any:
        """The JSON at a path relative to the endpoint; None for anything else."""
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
        parts: list[bytes] = []
        size = 0
        async for part in response.iter_bytes():
            size += len(part)
            if size > MAX_BODY:
                raise AttemptError(f"{self.host} sent more than {MAX_BODY >> 20} MB: check LLM_BASE_URL")
            parts.append(part)
        return b"".join(parts).decode("utf-8", "replace")

    def _refusal(self, error: APIStatusError) -> AttemptError:
        words = said(error.response.text)
        wait = retry_after(error.response.headers)
        failed = status_error(error.status_code, words, self.host, self._model, wait=wait, secret=self.secret)
        failed.said = self.secret.hide(words)
        return failed

    def _unreached(self, cause: BaseException) -> AttemptError:
        kind = type(cause).__name__
        if "CERTIFICATE" in str(cause):
            return AttemptError(f"{self.host} has a certificate that is not trusted here: check LLM_BASE_URL")
        if kind in ("ConnectError", "ConnectTimeout", "UnsupportedProtocol"):
            message = f"{self.host} cannot be reached: check LLM_BASE_URL and that the server is running"
        else:
            message = f"{self.host} broke off the connection ({kind}): check the server, or try again"
        return AttemptError(message, transient=True)

    def open(self) -> AsyncOpenAI:
        """The package's client. Raises AttemptError when the environment's proxy is unusable."""
        if self._openai is None:
            import httpx
            import openai

            try:
                http = httpx.AsyncClient(
                    # A proxy of the environment is for the world outside, not for a server on this machine.
                    trust_env=not self.is_loopback,
                    limits=httpx.Limits(max_connections=64, max_keepalive_connections=16, keepalive_expiry=30),
                )
            except (ValueError, ImportError, httpx.InvalidURL):
                message = f"{self.host} cannot be reached: the proxy named in the environment cannot be used"
                raise AttemptError(f"{message}; check HTTPS_PROXY and ALL_PROXY") from None
            removed: dict[str, Any] = {name: openai.Omit() for name in _OF_OPENAI}
            self._openai = openai.AsyncOpenAI(
                api_key=self._key or NO_KEY,
                base_url=self._base,
                max_retries=0,
                timeout=httpx.Timeout(self._timeout, connect=min(CONNECT_TIMEOUT, self._timeout)),
                http_client=http,
                default_headers={} if self.host == "api.openai.com" else removed,
            )
            _ = self._openai.chat.completions  # imports more: now, not on the first answer's time
        return self._openai


def _checked_key(key: str) -> str:
    key = key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError("LLM_API_KEY holds characters that no key has (spaces, line breaks, accents): copy it again")
    return key


def _checked_address(address: str) -> str:
    address = address.strip()
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise InputError("LLM_BASE_URL is no address: give it as https://host/v1")
    return address


def _is_loopback(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return number.is_loopback or number.is_unspecified
