"""Which targets may be reached: public addresses of the web, on the ports of the web. Nothing else (SSRF).

The name is resolved here and the caller connects to the very addresses that were checked, so that a name which answers
otherwise a moment later (DNS rebinding) changes nothing. Each redirect is a new target and is checked again. One
address that is not public refuses the whole name: a public site has none.

Proxies from the environment are ignored for visits: through one, the proxy would resolve the name, and the address
that was checked here would not be the one that is reached.
"""

from __future__ import annotations

from typing import Final

from memorybank.errors import UnsafeInputError
from memorybank.tools.web.addresses import Address, Resolver, is_public, resolve, system_resolver
from memorybank.tools.web.pace import Pace
from memorybank.tools.web.urls import Target

PORTS: Final = frozenset((80, 443, 8000, 8008, 8080, 8443, 8888))
"""Where web sites live. Other ports are mail, databases and shells, and a GET there is no visit."""
_LOCAL_NAMES: Final = ("localhost", "local", "internal", "home.arpa", "onion")
"""Names that are never public (RFC 6761, 6762, 7686, 8375): asking for them would already tell something."""


class Guard:
    """Decides by target; without state, so one serves all threads.

    `allow` names (address, port) pairs that may be reached although they are not public. It is for tests, which run
    servers on loopback; nothing in this library fills it, from the environment or otherwise.
    """

    def __init__(
        self, *, allow: frozenset[tuple[str, int]] = frozenset(), resolver: Resolver = system_resolver
    ) -> None:
        self._allow = allow
        self._resolver = resolver

    def route(self, target: Target, pace: Pace) -> tuple[Address, ...]:
        """Return the addresses to connect to, checked, in the order to try them.

        Raises UnsafeInputError when the target may not be reached, InputError when it has no address.
        """
        self._check_name(target)
        addresses = resolve(target.host, target.port, pace, self._resolver)
        for address in addresses:
            if not self._permits(address, target.port):
                raise UnsafeInputError("web.not_public", url=target.url[:200], address=address)
        return addresses

    def _check_name(self, target: Target) -> None:
        """What can be refused before a name server is asked."""
        if target.port not in PORTS and not any(target.port == port for _, port in self._allow):
            ports = ", ".join(map(str, sorted(PORTS)))
            raise UnsafeInputError("web.port", url=target.url[:200], port=target.port, ports=ports)
        name = target.host
        if any(name == local or name.endswith(f".{local}") for local in _LOCAL_NAMES):
            raise UnsafeInputError("web.local_name", url=target.url[:200])
        if "." not in name and ":" not in name:
            raise UnsafeInputError("web.name_without_dot", url=target.url[:200])

    def _permits(self, address: Address, port: int) -> bool:
        return (str(address), port) in self._allow or (port in PORTS and is_public(address))
