"""Secrets never reach a journal, a blob, an export or an error: they are replaced once, where text is written down.

Covers: the values of environment variables whose names say key, token, secret or password; the headers that a receiver
of traces wants; passwords inside addresses that stand in the environment; keys in the shapes that providers use. Does
not cover: a secret nobody marked as one (a password in the middle of a document).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import unquote

_NAME_RE = re.compile(r"(?:^|_)(?:(?:KEY|TOKEN|SECRET|PASSWORD)$|API_?KEY(?:$|_))", re.IGNORECASE)
"""Matches `OPENAI_API_KEY`, and `LLM_API_KEY_ANALYSIS`, the key of one role."""
_HEADERS_RE = re.compile(r"OTEL_EXPORTER_OTLP_(?:[A-Z]+_)?HEADERS", re.IGNORECASE)
_SHAPE_RE = re.compile(
    r"\b(?:sk-[A-Za-z0-9_-]{16,}|jina_[A-Za-z0-9_-]{16,}|ghp_[A-Za-z0-9]{30,}|xox[abp]-[A-Za-z0-9-]{10,}|AKIA[A-Z0-9]{16})\b"
    r"|(?<=[Bb]earer )[A-Za-z0-9._~+/=-]{16,}"
)
_USER_INFO_RE = re.compile(r"(?P<before>[A-Za-z][A-Za-z0-9+.-]*://[^\s/?#@:]*:)(?P<password>[^\s/?#]+)@")
"""Matches the user and password of an address, up to the last @ before its host."""
MASK = "[secret removed]"


_HIDDEN: set[str] = set()


def hide(*secrets: str) -> None:
    """Have this process replace these wherever it writes: keys that did not come from the environment."""
    _HIDDEN.update(secret for secret in secrets if len(secret) >= 8)


def secrets_in_address(address: str) -> tuple[str, ...]:
    """Return the password inside an address, as written and as meant, and the address; nothing without one."""
    match = _USER_INFO_RE.match(address)
    return (match["password"], unquote(match["password"]), address) if match else ()


def without_password(address: str) -> str:
    """Return an address that can be shown; any other text as it is."""
    return _USER_INFO_RE.sub(lambda match: f"{match['before']}***@", address)


def _secrets_in_headers(text: str) -> Iterator[str]:
    """Yield each value of `name=value,…` as written and as meant, and what follows its scheme (`Bearer …`)."""
    for part in text.split(","):
        written = part.partition("=")[2].strip()
        meant = unquote(written)
        yield from (written, meant, meant.rpartition(" ")[2])


def secrets_of(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return values worth hiding, longest first so that one inside another leaves no rest."""
    named = (value for name, value in environment.items() if _NAME_RE.search(name))
    inside = (secret for value in environment.values() for secret in secrets_in_address(value))
    headers = (value for name, value in environment.items() if _HEADERS_RE.fullmatch(name))
    sent = (secret for value in headers for secret in _secrets_in_headers(value))
    values = {value for value in (*named, *inside, *sent) if len(value) >= 8}
    return tuple(sorted(values, key=lambda value: (-len(value), value)))


class Redactor:
    """Replaces secrets in text, and in any nesting of lists and dicts.

    `keeps_length`: for a journal that is written already, in which places are counted by characters.
    """

    def __init__(self, secrets: Iterable[str] | None = None, *, keeps_length: bool = False) -> None:
        self._keeps_length = keeps_length
        self._given = None if secrets is None else tuple(secrets)
        self._environment = secrets_of(os.environ) if secrets is None else ()

    def text(self, text: str) -> str:
        for secret in self._secrets():
            text = text.replace(secret, self._mask(secret))
        return _SHAPE_RE.sub(lambda match: self._mask(match[0]), text)

    def _mask(self, secret: str) -> str:
        return MASK.ljust(len(secret), "·")[: len(secret)] if self._keeps_length else MASK

    def _secrets(self) -> tuple[str, ...]:
        if self._given is not None:
            return self._given
        return (*sorted(_HIDDEN, key=lambda secret: (-len(secret), secret)), *self._environment)

    def value(self, value: Any) -> Any:
        """Return the same value where nothing was secret (the same object), else a copy without it."""
        if isinstance(value, str):
            clean = self.text(value)
            return value if clean == value else clean
        if isinstance(value, dict):
            cleaned = {key: self.value(part) for key, part in value.items()}
            return value if all(cleaned[key] is part for key, part in value.items()) else cleaned
        if isinstance(value, list):
            items = [self.value(part) for part in value]
            return value if all(item is part for item, part in zip(items, value, strict=True)) else items
        return value
