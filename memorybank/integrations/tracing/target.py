"""The receiver of traces, as the environment names it under OpenTelemetry's own names, or an address alone.

Headers, compression and certificates are read by OpenTelemetry's exporter itself. The values of the headers are keys:
they are hidden wherever this process writes (settings/redaction.py) and are in no error.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit

from memorybank.errors import InputError
from memorybank.settings.redaction import hide, secrets_in_address, without_password

BASE, TRACES = "OTEL_EXPORTER_OTLP", "OTEL_EXPORTER_OTLP_TRACES"
PATH = "/v1/traces"
PATIENCE, LONGEST_PATIENCE = 10.0, 60.0
"""Seconds that a receiver has to answer one request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    url: str = field(repr=False)
    seconds: float = PATIENCE
    """Seconds that a receiver may take to answer one request."""
    service: str = "memorybank"
    """The name of this program at the receiver."""

    @property
    def shown(self) -> str:
        """Return its address without a password and without a query, which may hold a key."""
        return without_password(self.url).partition("?")[0]


def environment() -> Mapping[str, str]:
    """Return the variables that OpenTelemetry names: set for all programs, so they are no settings of ours."""
    return os.environ


def is_wanted(environment: Mapping[str, str]) -> bool:
    """Whether the environment asks for live traces."""
    off = environment.get("OTEL_SDK_DISABLED", "").strip().lower() == "true"
    none = environment.get("OTEL_TRACES_EXPORTER", "otlp").strip().lower() == "none"
    named = environment.get(f"{TRACES}_ENDPOINT", "").strip() or environment.get(f"{BASE}_ENDPOINT", "").strip()
    return bool(named) and not off and not none


def target_of(environment: Mapping[str, str], address: str = "") -> Target:
    """Return the receiver at an address, or at the one that the environment names. Raises InputError for no address."""
    whole = not address and environment.get(f"{TRACES}_ENDPOINT", "").strip()
    url = whole or _with_path(address or environment.get(f"{BASE}_ENDPOINT", "").strip())
    _check(url)
    hide(*secrets_in_address(url))
    seconds = environment.get(f"{TRACES}_TIMEOUT", "") or environment.get(f"{BASE}_TIMEOUT", "")
    return Target(
        url=url, seconds=_seconds(seconds), service=environment.get("OTEL_SERVICE_NAME", "").strip() or "memorybank"
    )


def _with_path(address: str) -> str:
    """Put OTLP's path behind an address that lacks it."""
    base, mark, query = address.partition("?")
    base = base.rstrip("/")
    return f"{base}{'' if base.endswith(PATH) else PATH}{mark}{query}"


def _check(url: str) -> None:
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:  # a port that is none
        good = False
    if not good or any(character.isspace() or not character.isprintable() for character in url):
        shown = unquote(without_password(url).partition("?")[0])[:200].removesuffix(PATH)
        raise InputError("traces.no_address", address=shown)


def _seconds(text: str) -> float:
    """Read OTLP's timeout in seconds, as Python's and most other SDKs do."""
    try:
        seconds = float(text)
    except ValueError:
        return PATIENCE
    return min(seconds, LONGEST_PATIENCE) if math.isfinite(seconds) and seconds > 0 else PATIENCE
