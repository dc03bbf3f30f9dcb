"""The `openai` package's client, as chat and embeddings open it: address and key checked, the environment kept out."""

from __future__ import annotations

import ipaddress
import os
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from memorybank.errors import InputError
from memorybank.llm.faults import AttemptError, host_of
from memorybank.llm.packed import ENCODINGS, PackedError, unpacked

if TYPE_CHECKING:
    from ssl import SSLContext

    from httpx import Response
    from openai import AsyncOpenAI

CONNECT_TIMEOUT = 10.0
MOST_REFUSED = 64 * 1024
"""Bytes of a refusal, unpacked; what follows is not read."""
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
    try:
        http = httpx.AsyncClient(
            # A proxy of the environment is for the world outside, not for a server on this machine.
            trust_env=outside,
            verify=_trust(*_named() if outside else ("", "")),
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


def _named() -> tuple[str, str]:
    """Return the authorities that the environment names, as a file and as a folder."""
    return os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", "")


def http_library() -> Any:
    """Return the HTTP library that the `openai` package is built on: httpx of version 2, httpx2 of version 3."""
    import openai

    return import_module(openai.DefaultAsyncHttpxClient.__mro__[1].__module__.partition(".")[0])


@cache
def _trust(file: str, folder: str) -> SSLContext:
    """Read the authorities that these variables name, else certifi's: it takes longer than a short call."""
    context: SSLContext = http_library().create_ssl_context(trust_env=bool(file or folder))
    return context


async def _bound(most: int, response: Response) -> None:
    """Read the body of any answer here, before httpx or the package do it without a limit.

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
