"""Errors of one attempt, and how they are worded: the endpoint, what it said, what to do; never the key.

EndpointError            (errors.py) what callers of this package catch
└── AttemptError         with what the wrappers need: status, whether another attempt may help, how long to wait
    ├── ImagesRefusedError   this model takes no images: ask again without them
    └── TooLongError         the prompt does not fit the server's context: ask again with less
"""

from __future__ import annotations

import json
import re
import time
from base64 import b32decode, b64decode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any, Literal
from urllib.parse import unquote, urlsplit

from memorybank.errors import EndpointError, Notice
from memorybank.settings.redaction import MASK, Redactor

SAID_CHARS = 200
"""The most characters of a server's own words in a message."""
TRANSIENT = frozenset({408, 409, 425, 429})
_GRAM = 8
"""A piece of a key this long counts as the key: servers echo keys in part, and in other letters."""
_SEPARATOR_RE = re.compile(r"[\W_]")
_URL_SAFE = str.maketrans("-_", "+/")


class AttemptError(EndpointError):
    """An attempt that brought no answer. `notes` and `attempts` tell what was done to get one."""

    def __init__(
        self,
        code: str | Notice,
        /,
        *,
        status: int | None = None,
        transient: bool = False,
        retry_after: float | None = None,
        notes: tuple[str, ...] = (),
        attempts: int = 1,
        **values: object,
    ) -> None:
        super().__init__(code, **values)
        self.status = status
        self.transient = transient
        self.retry_after = retry_after
        """Seconds the server asked to wait."""
        self.notes = notes
        self.attempts = attempts
        self.words = ""
        """The server's words, for learning from; they may hold a part of the key and are never shown."""


class ImagesRefusedError(AttemptError):
    """The model takes no images; it is told apart so that the caller can read them another way."""


class TooLongError(AttemptError):
    """The prompt alone is longer than the server's context (`ChatModel.context_window` says how long that is)."""


class Secret:
    """The key of an endpoint, to take out of any text that comes from there."""

    def __init__(self, key: str) -> None:
        self._key = key
        self._grams = {part for form in (key, _SEPARATOR_RE.sub("", key)) for part in _grams(form)}
        self._redactor = Redactor((key,) if len(key) >= 4 else ())

    def hide(self, text: str) -> str:
        """Remove the whole key from the text."""
        return text.replace(self._key, MASK) if len(self._key) >= 4 else text

    def scrub(self, text: str) -> str:
        """Return one short line of a server's words: without the key, any part of it, or anything shaped like a key.

        Words that hold it in another dress (encoded, spaced out, backwards) are left out altogether.
        """
        text = self._redactor.text(text[: 20 * SAID_CHARS])
        line = " ".join(MASK if self._is_in(word) else word for word in text.split())
        line = MASK if any(map(self._is_in, _undressed(line))) else line
        return line if len(line) <= SAID_CHARS else line[: SAID_CHARS - 1] + "…"

    def _is_in(self, text: str) -> bool:
        return not self._grams.isdisjoint(_grams(text))


def _grams(text: str) -> Iterator[str]:
    text = text.lower()
    return (text[at : at + _GRAM] for at in range(len(text) - _GRAM + 1))


def _undressed(line: str) -> Iterator[str]:
    """Yield the line as somebody would read it who looks for a key that was encoded, spaced out, or turned round."""
    line = unquote(unescape(line))
    close = _SEPARATOR_RE.sub("", line)
    yield from (line, close, close[::-1])
    for run in re.findall(r"[\w+/-]{11,}", line):
        for start in range(4):  # where in the run an encoded text begins is not said
            piece = run[start:].translate(_URL_SAFE)
            whole = piece[: len(piece) - (len(piece) % 4 == 1)] + "==="
            eights = piece[: len(piece) // 8 * 8]
            for decode, text in ((b64decode, whole), (b32decode, eights.upper()), (bytes.fromhex, eights)):
                with suppress(ValueError):
                    yield decode(text).decode("latin-1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """The server that is asked, as an error names it. The key is here only to be taken out of texts."""

    host: str
    model: str
    secret: Secret
    variables: str = "LLM_{}"
    """The form of the names of the variables that set it: `LLM_{}_ANALYSIS`, `EMBEDDING_{}`."""
    start: str = ""
    """The command that starts the server, where it should run on this machine."""

    def variable(self, name: Literal["BASE_URL", "API_KEY", "MODEL", "TIMEOUT"]) -> str:
        return self.variables.format(name)


def host_of(url: str) -> str:
    """Return host and port of an address, without the user and password that may stand before them."""
    parts = urlsplit(url)
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or "?"


# -- what a server says -----------------------------------------------------------------------------------------------


def error_words(body: str) -> str:
    """Return the words of an error body: its `message`, `detail`, `msg`, `code`, `param` … joined; else the body.

    Echoes of the request (`input` in validation errors) are left out: they would name every parameter.
    """
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return " ".join(_TAG_RE.sub(" ", body[:4000]).split())
    return " · ".join(dict.fromkeys(_strings(value)))[:4000] or body[:4000]


_SPOKEN = (
    "error message detail details msg errors reason description error_description loc param code type metadata raw"
).split()
_COUNTED = ("n_ctx", "n_prompt_tokens")
"""llama.cpp's numbers on a prompt that is too long."""
_TAG_RE = re.compile(r"<[^<>]*>")


def _strings(value: Any, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str) and value.strip():
        yield value.strip()
    elif isinstance(value, list) and depth < 8:
        for part in value[:20]:
            yield from _strings(part, depth + 1)
    elif isinstance(value, dict) and depth < 8:
        for name in _SPOKEN:
            if name in value:
                yield from _strings(value[name], depth + 1)
        yield from (f"{name}={value[name]}" for name in _COUNTED if isinstance(value.get(name), int))


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds of `retry-after-ms` or `Retry-After` (seconds or a date, RFC 9110 10.2.3), None without."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = headers.get(name, "").strip()
        if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", text):
            return float(text) / unit
    until = _moment(headers.get("retry-after", ""))
    if until is None:
        return None
    if now is None:  # by the server's own clock where it tells it: ours may differ
        server_time = _moment(headers.get("date", ""))
        now = time.time() if server_time is None else server_time
    return max(0.0, until - now)


def _moment(date: str) -> float | None:
    """Return the seconds since the epoch of an HTTP date."""
    try:
        return parsedate_to_datetime(date).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


# -- wording ----------------------------------------------------------------------------------------------------------


def status_error(status: int, words: str, endpoint: Endpoint, *, wait: float | None = None) -> AttemptError:
    """Return the error of an HTTP status. Whether another attempt may help is decided here."""
    host = endpoint.host
    spent = status == 429 and re.search(r"insufficient_quota|billing|余额|欠费", words, re.IGNORECASE) is not None
    transient = (status in TRANSIENT or status >= 500) and not spent and status != 501
    if status in (401, 407):  # nothing a server says about a key is worth the risk of showing it
        notice = Notice("llm.key_refused", host=host, status=status, key_variable=endpoint.variable("API_KEY"))
    else:
        spoken = endpoint.secret.scrub(words)
        remedy = _remedy(402 if spent else status, words, endpoint)
        notice = Notice("llm.answered", host=host, status=status, remedy=remedy)
        if spoken:
            notice = Notice("llm.answered_words", host=host, status=status, words=spoken, remedy=remedy)
    return AttemptError(notice, status=status, transient=transient, retry_after=wait)


def _remedy(status: int, words: str, endpoint: Endpoint) -> Notice:
    url, key, name = (endpoint.variable(part) for part in ("BASE_URL", "API_KEY", "MODEL"))
    if status in (301, 302, 303, 307, 308):
        return Notice("remedy.moved", url_variable=url)
    if status == 402:
        return Notice("remedy.no_credit")
    if status == 403:
        return Notice("remedy.key_may_not", key_variable=key, model_variable=name)
    if status == 404:
        if "pull" in words.lower():  # Ollama
            return Notice("remedy.pull_model", model=endpoint.model, model_variable=name)
        if "model" in words.lower():
            return Notice("remedy.model", model=endpoint.model, model_variable=name)
        return Notice("remedy.base_url", url_variable=url)
    if status == 413:
        return Notice("remedy.request_too_large")
    if status == 429:
        return Notice("remedy.too_many_requests")
    if status >= 500 or status in TRANSIENT:
        return Notice("remedy.server_in_trouble")
    return Notice("remedy.request_not_taken", model_variable=name)
