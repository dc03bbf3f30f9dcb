"""A URL taken apart once, by one reading: what is checked is what is connected to, and nothing is parsed again.

Refused by its shape: another scheme than http and https, credentials, a host in a form that other programs read
otherwise (decimal, octal or hexadecimal addresses, zone ids, percent signs), control characters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address
from typing import Final
from urllib.parse import quote, urljoin, urlsplit

from memorybank.errors import InputError, UnsafeInputError
from memorybank.memory.types import Value
from memorybank.runs.files.names import shown

MAX_URL: Final = 4_096
"""The most characters of a URL."""

_DEFAULT_PORTS: Final = {"http": 80, "https": 443}
_CONTROL_RE: Final = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME_RE: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
_NUMBER_RE: Final = re.compile(r"\d+|0x[0-9a-f]*")
"""A last label that makes the whole host an IPv4 address to a browser (URL Standard, "ends in a number")."""
_PATH_SAFE: Final = "/%:@!$&'()*+,;=~-._"


@dataclass(frozen=True, slots=True, kw_only=True)
class Target(Value):
    scheme: str
    host: str
    """Lower-case ASCII name without a final dot, or an address; an IPv6 one without brackets."""
    port: int
    path: str
    """The path with the query, percent-encoded, as it goes into the request line."""

    @property
    def authority(self) -> str:
        """Return the host and, where it is not the scheme's own, port: the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def url(self) -> str:
        return self.origin + self.path


def parse_url(text: str) -> Target:
    """Raises InputError for what is no URL, UnsafeInputError for one that is refused by its shape."""
    text = text.strip()
    shown_url = _shown(text)
    if len(text) > MAX_URL:
        raise UnsafeInputError("url.too_long", url=shown_url, most=MAX_URL)
    if _CONTROL_RE.search(text):
        raise UnsafeInputError("url.white_space", url=shown_url)
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError as error:
        raise InputError("url.unreadable", url=shown_url, error=error) from error
    scheme = parts.scheme.lower()
    if scheme not in _DEFAULT_PORTS:
        if "://" not in text and "." in text.partition("/")[0]:
            raise InputError("url.not_whole", url=shown_url)
        raise UnsafeInputError("url.scheme", url=shown_url)
    if "@" in parts.netloc:
        raise UnsafeInputError("url.password", url=shown_url)
    if port == 0:
        raise UnsafeInputError("url.port_zero", url=shown_url)
    return Target(
        scheme=scheme,
        host=_host(parts.netloc, parts.hostname or "", shown_url),
        port=port or _DEFAULT_PORTS[scheme],
        path=_path(parts.path, parts.query),
    )


def join_url(base: Target, location: str) -> Target:
    """Return where a redirect leads. Raises as `parse_url`."""
    try:
        return parse_url(urljoin(base.url, location.strip()))
    except ValueError as error:
        raise InputError("url.bad_location", url=_shown(location), error=error) from error


def _shown(url: str) -> str:
    """Return the URL for a message: one line, not too long, and no password in it."""
    return re.sub(r"//[^/?#]*@", "//…@", shown(url[:MAX_URL]))[:200]


def _host(netloc: str, host: str, shown_url: str) -> str:
    if netloc.startswith("["):
        try:
            address = IPv6Address(host)
        except ValueError:
            raise InputError("url.bad_ipv6", url=shown_url, host=shown(host)[:80]) from None
        if address.scope_id is not None:
            raise UnsafeInputError("url.zone", url=shown_url)
        return str(address)
    name = _ascii(host, shown_url).removesuffix(".")
    if len(name) > 253 or not _NAME_RE.fullmatch(name):
        raise InputError("url.bad_host", url=shown_url, host=shown(host)[:80])
    if _NUMBER_RE.fullmatch(name.rpartition(".")[2]):
        try:
            return str(IPv4Address(name))
        except ValueError:
            raise UnsafeInputError("url.unusual_address", url=shown_url) from None
    return name


def _ascii(host: str, shown_url: str) -> str:
    """Return the name as it is looked up. IDNA 2008 after UTS 46 folds full-width letters, digits and dots first."""
    if host.isascii():
        return host.lower()
    import idna

    if len(host) > 253:
        raise InputError("url.host_too_long", url=shown_url)
    try:
        return idna.encode(host, uts46=True, std3_rules=True).decode("ascii").lower()
    except idna.IDNAError:
        raise InputError("url.bad_host", url=shown_url, host=shown(host)[:80]) from None


def _path(path: str, query: str) -> str:
    encoded = quote(path, safe=_PATH_SAFE) or "/"
    return f"{encoded}?{quote(query, safe=_PATH_SAFE + '?')}" if query else encoded
