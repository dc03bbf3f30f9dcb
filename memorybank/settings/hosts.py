"""The callers of our servers: requests that name one of a server's own hosts, sent by no page but its own.

A page whose name has been led to this machine (DNS rebinding) asks under that name still, and a page of another server
on this machine (another port) says whose it is: both are refused before anything is read. Every server here asks
`refused`; those on ASGI stand behind `HostGuard`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Awaitable, Callable, Collection, Iterable, MutableMapping, Sequence
from typing import Any, NamedTuple

from memorybank.errors import Notice

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
"""Names of this machine itself, which are always answered."""
MISDIRECTED, FORBIDDEN = 421, 403
"""The HTTP statuses: the request was meant for another server; it was sent by another's page."""
SENTENCES = {
    MISDIRECTED: "This address is not one of this server's own: use localhost, or let its owner name the host.",
    FORBIDDEN: "A page of another address asked: this server answers its own pages only.",
}

_POLICY = "frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'; " + "; ".join(
    f"{kind}-src 'self' data: blob:" for kind in ("img", "media", "font")
)
_HELD_TO = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
)
"""The headers of every answer: no page shows ours in a frame, where a click meant for it would be ours, or keeps hold
of our tab; whatever a text from outside makes of itself on our page, the browser asks no other server for it."""

_LABELS = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*"
_AUTHORITY_RE = re.compile(rf"(?:\[([0-9a-f:.]+)\]|({_LABELS})\.?)(?::([0-9]{{1,5}}))?", re.IGNORECASE)
_LONGEST = 300
"""The most characters of a host with its port: a name has 253 at most."""

Scope = MutableMapping[str, Any]
ASGIMessage = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[ASGIMessage]]
Send = Callable[[ASGIMessage], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class Authority(NamedTuple):
    """A host as a request names it: lower case, without brackets and without a final dot."""

    name: str
    port: str


def authority(text: str) -> Authority | None:
    """Read `name`, `name:port`, `[IPv6]` or `[IPv6]:port`; None for anything else."""
    match = _AUTHORITY_RE.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None:
        return None
    six, name, port = match.groups(default="")
    if not six:
        return Authority(name.lower(), port)
    try:
        return Authority(str(ipaddress.IPv6Address(six)), port)
    except ValueError:
        return None


def is_own_host(hosts: Sequence[str], names: Collection[str] = (), at: str = "") -> bool:
    """Say whether a request is meant for us.

    `hosts`: the values of its Host headers, of which there must be one. `names`: what the owner has named, besides
    this machine's own names. `at`: the address that the connection came in at, which is the server's by itself.
    """
    host = authority(hosts[0]) if len(hosts) == 1 else None
    return host is not None and (host.name in LOOPBACK or host.name in names or host.name == _address(at))


def refused(hosts: Sequence[str], origins: Sequence[str], names: Collection[str] = (), at: str = "") -> int:
    """Return the status with which a request is refused; 0 for one that is answered. `origins`: its Origin headers."""
    if not is_own_host(hosts, names, at):
        return MISDIRECTED
    return FORBIDDEN if any(_page(origin) != authority(hosts[0]) for origin in origins) else 0


def is_loopback(host: str) -> bool:
    """Say whether a Host header names this machine by a name that leads nowhere else."""
    named = authority(host)
    return named is not None and named.name in LOOPBACK


def read_names(text: str) -> tuple[str, ...]:
    """Return the hosts of a list with commas, as a request names them. Raises ValueError for what is no host."""
    names = [_named(part) for part in map(str.strip, text.split(",")) if part]
    return tuple(dict.fromkeys(names))


def _named(part: str) -> str:
    try:
        ascii_part = part if part.isascii() else part.encode("idna").decode()
    except UnicodeError:
        ascii_part = ""
    host = authority(f"[{part}]" if part.count(":") > 1 and not part.startswith("[") else ascii_part)
    if host is None or host.port:
        raise ValueError(Notice("settings.list_hosts"))
    return host.name


def _address(at: str) -> str | None:
    """Return an address of this machine as a request would name it."""
    try:
        address = ipaddress.ip_address(at.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return str(mapped or address)


class HostGuard:
    """A guard before an ASGI application: a request that names none of its hosts gets one sentence, and no page.

    What it answers, no page of another address can put into a frame, and its pages load from no other address.

    `names`: what the owner has named. `sentence`: what is said to a browser, in a language that it accepts.
    """

    def __init__(
        self,
        app: Application,
        names: Iterable[str] = (),
        sentence: Callable[[str], str] = lambda _languages: SENTENCES[MISDIRECTED],
    ) -> None:
        self._app, self._names, self._sentence = app, frozenset(names), sentence

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return

        async def held(message: ASGIMessage) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HELD_TO]
            await send(message)

        at = (scope.get("server") or ("",))[0]
        status = refused(header_values(scope, b"host"), header_values(scope, b"origin"), self._names, at)
        if not status:
            await self._app(scope, receive, held)
        elif status == MISDIRECTED:
            await _refuse(scope, held, status, self._sentence(",".join(header_values(scope, b"accept-language"))))
        else:
            await _refuse(scope, held, status, SENTENCES[status])


def header_values(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def _page(origin: str) -> Authority | None:
    """Return the host of the page that sent a request; None where it does not say."""
    scheme, _, rest = origin.partition("://")
    return authority(rest) if scheme in ("http", "https") else None


async def _refuse(scope: Scope, send: Send, status: int, sentence: str) -> None:
    if scope["type"] == "websocket":  # before the handshake: the server makes it a 403
        await send({"type": "websocket.close", "code": 1008})
        return
    body = f"{sentence}\n".encode()
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
