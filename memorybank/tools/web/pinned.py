"""How `requests` is kept to a connection that was made for it: it speaks HTTP on it, and finds no way of its own.

Left to itself it would look the host's name up again (the address that was checked would not be the one that is
reached), take proxies, cookies and passwords from the environment, follow redirects, and rewrite the path. Only its
adapter is used, on one socket that is open and secured already.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from requests import PreparedRequest
from requests.adapters import HTTPAdapter
from urllib3 import HTTPConnectionPool
from urllib3.connection import HTTPConnection

from memorybank.tools.web.sockets import PacedSocket, PacedTLSSocket
from memorybank.tools.web.urls import Target

Opened = PacedSocket | PacedTLSSocket


class PinnedAdapter(HTTPAdapter):
    """Sends one request to one target, over the socket given. Never tries again."""

    def __init__(self, target: Target, opened: Opened) -> None:
        super().__init__(pool_connections=1, pool_maxsize=1, max_retries=0)
        self._target = target
        self._opened = opened

    def get_connection_with_tls_context(self, *_: Any, **__: Any) -> HTTPConnectionPool:
        # Of plain HTTP for either scheme: whether there is TLS, and with whom, was settled on the socket.
        pool = HTTPConnectionPool(self._target.host, self._target.port, maxsize=1)
        pool.ConnectionCls = partial(_Connected, self._opened)  # type: ignore[assignment]
        return pool

    def cert_verify(self, *_: Any, **__: Any) -> None:
        """Certificates are checked where the socket is secured (sockets.py)."""

    def request_url(self, request: PreparedRequest, proxies: Mapping[str, str] | None) -> str:
        return self._target.path  # as it was checked: `requests` would resolve its dots


class _Connected(HTTPConnection):
    def __init__(self, opened: Opened, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._opened = opened

    def connect(self) -> None:
        self.sock = self._opened
