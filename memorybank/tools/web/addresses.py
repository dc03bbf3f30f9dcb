"""Which Internet addresses are public, and how a name becomes addresses.

The table is the IANA special-purpose registries (RFC 6890 and its updates), written out: Python's `is_global` differs
between versions. Everything that is not plainly global unicast is refused.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final

from memorybank.errors import InputError
from memorybank.tools.web.pace import STEP, Pace

Address = IPv4Address | IPv6Address
Resolver = Callable[[str, int], Iterable[str]]
"""(host, port) -> addresses as text. Raises OSError when the name has none."""

_NOT_PUBLIC_4: Final = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT; one cloud's metadata
        "127.0.0.0/8",
        "168.63.129.16/32",  # a virtual address of Azure's hosts, though in a public range
        "169.254.0.0/16",  # link-local; the other clouds' metadata
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocol assignments; another cloud's metadata
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarking
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_GLOBAL_6: Final = IPv6Network("2000::/3")
"""All of global unicast. Outside: loopback, mapped and compatible IPv4, unique local, link-local, multicast."""
_NOT_PUBLIC_6: Final = tuple(
    IPv6Network(network)
    for network in (
        "2001::/23",  # protocol assignments: Teredo, benchmarking, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: holds an IPv4 address, and no site lives there (RFC 7526)
        "3fff::/20",  # documentation
    )
)
_NAT64: Final = IPv6Network("64:ff9b::/96")
"""How a network with IPv6 alone reaches IPv4 (RFC 6052): as public as the IPv4 address in its last 32 bits."""


def is_public(address: Address) -> bool:
    if isinstance(address, IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_4)
    if address in _NAT64:
        return is_public(IPv4Address(int(address) & 0xFFFF_FFFF))
    return address in _GLOBAL_6 and not any(address in network for network in _NOT_PUBLIC_6)


def system_resolver(host: str, port: int) -> list[str]:
    return [str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def resolve(host: str, port: int, pace: Pace, resolver: Resolver = system_resolver) -> tuple[Address, ...]:
    """Return a host's addresses in the resolver's order; an address is its own. Raises InputError for no address.

    The system's resolver cannot be interrupted: it is asked in a thread, which is left behind when the wait ends first
    and ends with the resolver's own time limit.
    """
    try:
        return (ip_address(host),)
    except ValueError:
        pass
    addresses: list[Address] = []

    def ask() -> None:
        with suppress(OSError, ValueError):  # ValueError: a name the system cannot even encode
            addresses.extend(dict.fromkeys(ip_address(text) for text in resolver(host, port)))

    thread = threading.Thread(target=ask, name="resolve", daemon=True)
    thread.start()
    while thread.is_alive():
        pace.check()
        thread.join(STEP)
    if not addresses:
        raise InputError("web.no_host", host=host)
    return tuple(addresses)
