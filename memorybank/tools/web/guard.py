"""The targets that may be reached: public addresses of the web, on the ports of the web. Nothing else (SSRF).

The name is resolved here and the caller connects to the very addresses that were checked, so that a name which answers
otherwise a moment later (DNS rebinding) changes nothing. Each redirect is a new target and is checked again. One
address that is not public refuses the whole name: a public site has none.

The table is the IANA special-purpose registries (RFC 6890 and its updates), written out: Python's `is_global` differs
between versions. Everything that is not plainly global unicast is refused.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Any, Final

from memorybank.errors import InputError, UnsafeInputError
from memorybank.memory.types import Value
from memorybank.tools.web.urls import Target

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Iterable[str]]
"""(host, port) -> addresses as text. Raises OSError when the name has none."""

_GLOBAL_6: Final = IPv6Network("2000::/3")
"""All of global unicast. Outside: loopback, mapped and compatible IPv4, unique local, link-local, multicast."""
_NOT_PUBLIC: Final = (
    IPv4Network("168.63.129.16/32"),  # a virtual address of Azure's hosts, though in a public range
    IPv4Network("192.0.0.0/24"),  # protocol assignments; one cloud's metadata
    IPv4Network("192.88.99.0/24"),  # 6to4 relays
    IPv6Network("2001::/23"),  # protocol assignments: Teredo, benchmarking, ORCHID
    IPv6Network("2002::/16"),  # 6to4: holds an IPv4 address, and no site lives there (RFC 7526)
    IPv6Network("3fff::/20"),  # documentation
)
"""The networks that the standard library calls global and nobody's site is in."""
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""The prefix by which IPv6 networks reach IPv4 (RFC 6052): as public as the IPv4 address in the last 32 bits."""


def is_public(address: Address) -> bool:
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
    if not address.is_global or address.is_multicast or any(address in network for network in _NOT_PUBLIC):
        return False
    return isinstance(address, IPv4Address) or address in _GLOBAL_6


def system_resolver(host: str, port: int) -> list[str]:
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def resolve(host: str, port: int, resolver: Resolver = system_resolver) -> tuple[Address, ...]:
    """Return a host's addresses in the resolver's order; an address is its own. Raises InputError for no address."""
    try:
        return (ip_address(host),)
    except ValueError:
        pass
    try:
        addresses = tuple(dict.fromkeys(ip_address(text) for text in resolver(host, port)))
    except (OSError, ValueError):  # ValueError: a name the system cannot even encode
        addresses = ()
    if not addresses:
        raise InputError("web.no_host", host=host)
    return addresses


PORTS: Final = frozenset((80, 443, 8000, 8008, 8080, 8443, 8888))
"""The ports of web sites. Other ports are mail, databases and shells, and a GET there is no visit."""
_LOCAL_NAMES: Final = ("localhost", "local", "internal", "home.arpa", "onion")
"""Names that are never public (RFC 6761, 6762, 7686, 8375): asking for them would already tell something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(Value):
    """Decides by target; a value, so that the process that fetches gets it whole."""

    allow: frozenset[tuple[str, int]] = frozenset()
    """Pairs of address and port that may be reached although they are not public. It is for tests, which run servers on
    loopback; nothing in this library fills it, from the environment or otherwise."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The addresses of names that no name server is asked for: of tests, too."""
    resolver: Resolver = field(default=system_resolver, compare=False)
    """The look-up of names. It stays in its process."""

    def stored(self) -> dict[str, Any]:
        """Return it as JSON values; `Guard.restored` reads them."""
        return {"allow": sorted(self.allow), "names": dict(self.names)}

    @classmethod
    def restored(cls, stored: Mapping[str, Any]) -> Guard:
        return cls(allow=frozenset((host, port) for host, port in stored["allow"]), names=stored["names"])

    def route(self, target: Target) -> tuple[Address, ...]:
        """Return the addresses to connect to, checked, in the order to try them.

        Raises UnsafeInputError when the target may not be reached, InputError when it has no address.
        """
        # Some targets can be refused before a name server is asked.
        if target.port not in PORTS and not any(target.port == port for _, port in self.allow):
            ports = ", ".join(map(str, sorted(PORTS)))
            raise UnsafeInputError("web.port", url=target.url[:200], port=target.port, ports=ports)
        name = target.host
        if any(name == local or name.endswith(f".{local}") for local in _LOCAL_NAMES):
            raise UnsafeInputError("web.local_name", url=target.url[:200])
        if "." not in name and ":" not in name:
            raise UnsafeInputError("web.name_without_dot", url=target.url[:200])
        known = self.names.get(target.host)
        addresses = resolve(target.host, target.port, (lambda *_: [known]) if known else self.resolver)
        for address in addresses:
            allowed = (str(address), target.port) in self.allow
            if not allowed and not (target.port in PORTS and is_public(address)):
                raise UnsafeInputError("web.not_public", url=target.url[:200], address=address)
        return addresses
