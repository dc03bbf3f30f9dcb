"""One endpoint, reached through the `openai` package on one event loop: a completion's body, or an AttemptError."""

from __future__ import annotations

import asyncio
import ipaddress
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memorybank.errors import InputError, Notice
from memorybank.llm.faults import AttemptError, Endpoint, Secret, error_words, host_of, retry_after, status_error
from memorybank.llm.packed import ENCODINGS, PackedError, unpacked
from memorybank.settings.llm import LLMSettings

if TYPE_CHECKING:
    from ssl import SSLContext

    from openai import APIStatusError, AsyncOpenAI

MAX_BODY = 32 * 1024 * 1024
"""The most bytes of a completion; more is not read."""
MOST_LISTED = 4 * 1024 * 1024
"""The most bytes of a server's description of itself."""


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


# -- the `openai` package's client: address and key checked, the environment kept out ----------------------------------


CONNECT_TIMEOUT = 10.0
MOST_REFUSED = 64 * 1024
"""The most bytes of a refusal, unpacked; what follows is not read."""
NO_KEY = "none-needed"
"""Sent where the endpoint wants no key: the package refuses to send nothing."""
_OF_OPENAI = ("OpenAI-Organization", "OpenAI-Project")
"""Headers the package takes from the environment; they are OpenAI's and no other endpoint's business."""


class TooMuchSentError(Exception):
    """An answer is larger than its client reads. The package raises its own error from it, since version 3 this."""


def open_client(address: str, key: str, *, timeout: float, account: bool, most: int) -> AsyncOpenAI:
    """Open a client that tries once. Importing the package takes a second or two: call it on the loop's thread.

    `most`: bytes of any answer, unpacked, that it reads. `account`: name the organisation and project that stand in the
    environment. Raises AttemptError when the environment's proxy is unusable.
    """
    import openai

    httpx = http_library()
    outside = not is_loopback(address)
    trusted = (os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", "")) if outside else ("", "")
    try:
        http = httpx.AsyncClient(
            # A proxy of the environment is for the world outside, not for a server on this machine.
            trust_env=outside,
            verify=_trust(*trusted),
            limits=httpx.Limits(max_connections=64, max_keepalive_connections=16, keepalive_expiry=30),
            headers={"Accept-Encoding": ", ".join(ENCODINGS)},
            event_hooks={"response": [partial(_bound, most)]},
        )
    except (ValueError, ImportError, httpx.InvalidURL):
        raise AttemptError("llm.bad_proxy", host=host_of(address)) from None
    removed: dict[str, Any] = {name: openai.Omit() for name in _OF_OPENAI}
    return openai.AsyncOpenAI(
        api_key=key or NO_KEY,
        base_url=address,
        max_retries=0,
        timeout=httpx.Timeout(timeout, connect=min(CONNECT_TIMEOUT, timeout)),
        http_client=http,
        default_headers={} if account else removed,
    )


def http_library() -> Any:
    """Return the HTTP library that the `openai` package is built on: httpx of version 2, httpx2 of version 3."""
    import openai

    return import_module(openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])


@cache
def _trust(file: str, folder: str) -> SSLContext:
    """Read the authorities that these variables name, else certifi's: it takes longer than a short call."""
    context: SSLContext = http_library().create_ssl_context(trust_env=bool(file or folder))
    return context


async def _bound(most: int, response: Any) -> None:
    """Read the body of any answer (a Response of `http_library`) here, before that or the package do it unlimited.

    Of a refusal the beginning is kept. Raises TooMuchSentError, httpx.DecodingError.
    """
    httpx = http_library()
    limit = most if response.is_success else MOST_REFUSED
    stream, body = response.stream, bytearray()
    assert isinstance(stream, httpx.AsyncByteStream)
    try:
        async for part in stream:
            body += part
            if len(body) > limit:
                break
    finally:
        await stream.aclose()
    try:
        whole = unpacked(bytes(body), response.headers.pop("Content-Encoding", ""), limit)
    except PackedError as error:
        if response.is_success:
            raise httpx.DecodingError(error.why) from None
        whole = b""
    if len(whole) > limit and response.is_success:
        raise TooMuchSentError
    response.stream = httpx.ByteStream(whole[:limit])


def checked_key(key: str, variable: str) -> str:
    """Return the key. Raises InputError, which names the variable and never the key, if no header can carry it."""
    if not key.isascii() or not key.isprintable() or " " in key:
        raise InputError("llm.bad_key", name=variable)
    return key


def checked_address(address: str, variable: str) -> str:
    """Check the address and return it. Raises InputError that names the variable when it is none."""
    try:
        parts = urlsplit(address)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound:
        raise InputError("llm.bad_address", name=variable)
    return address


def is_loopback(address: str) -> bool:
    """Whether the server is on this machine."""
    host = urlsplit(address).hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return number.is_loopback or number.is_unspecified
