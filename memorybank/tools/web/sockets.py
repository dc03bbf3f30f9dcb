"""Sockets that wait in steps: before each, the pace is asked whether to go on.

`requests` speaks HTTP on them (pinned.py) and does not make them: it would resolve and connect by itself (the checked
address would not be the connected one), its time limits start anew with every byte (a slow drip never ends), and its
reads cannot be stopped. Here one socket class answers all three, and no watching thread is needed: the address is
given, and connection, TLS handshake, headers and body alike end within one step of a stop or of the deadline, and
within the bytes allowed.
"""

from __future__ import annotations

import os
import selectors
import socket
import ssl
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, Final

from memorybank.tools.web.addresses import Address
from memorybank.tools.web.pace import STEP, Pace, TransferError

CONNECT_SECONDS: Final = 6.0
"""For one address, when there is another to try."""
_MOST_ADDRESSES: Final = 4


class _Paced:
    """Reads in steps; mixed into a socket class whose time-out is one step."""

    pace: Pace

    def recv_into(self, *arguments: Any) -> int:
        while True:
            self.pace.check()
            try:
                count: int = super().recv_into(*arguments)  # type: ignore[misc]
            except TimeoutError:
                continue
            self.pace.spend(count)
            return count


class PacedSocket(_Paced, socket.socket):
    pass


class PacedTLSSocket(_Paced, ssl.SSLSocket):
    pass


@cache
def web_trust() -> ssl.SSLContext:
    """TLS as browsers want it, trusting the system's authorities and those of certifi (some systems show none)."""
    import certifi

    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


def connect(addresses: Sequence[Address], port: int, pace: Pace) -> PacedSocket:
    """A connection to the first of these addresses that answers; to nothing else. Raises TransferError."""
    reason = "it has no address"
    for address in addresses[:_MOST_ADDRESSES]:
        try:
            return _connect(address, port, pace)
        except OSError as error:
            reason = error.strerror or str(error)
    raise TransferError("web.unreachable", reason=reason)


def _connect(address: Address, port: int, pace: Pace) -> PacedSocket:
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    opened = PacedSocket(family, socket.SOCK_STREAM)
    try:
        opened.pace = pace
        opened.setblocking(False)
        try:
            opened.connect((str(address), port))
        except BlockingIOError:
            _await_connection(opened, pace)
        opened.settimeout(STEP)
    except BaseException:  # whatever it was, a stop or Ctrl-C included: nobody else knows this socket
        opened.close()
        raise
    return opened


def _await_connection(opened: PacedSocket, pace: Pace) -> None:
    until = time.monotonic() + CONNECT_SECONDS
    with selectors.DefaultSelector() as selector:
        selector.register(opened, selectors.EVENT_WRITE)
        while not selector.select(STEP):
            pace.check()
            if time.monotonic() > until:
                raise TimeoutError(f"no connection within {CONNECT_SECONDS:g} s")
    error = opened.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
    if error:
        raise ConnectionError(error, os.strerror(error))


def secure(opened: PacedSocket, host: str, trust: ssl.SSLContext) -> PacedTLSSocket:
    """TLS over a connection, with the certificate checked against the name that was asked for. Raises TransferError.

    The plain socket belongs to the new one afterwards.
    """
    trust.sslsocket_class = PacedTLSSocket
    pace = opened.pace
    try:
        wrapped = trust.wrap_socket(opened, server_hostname=host, do_handshake_on_connect=False)
    except OSError as error:
        raise TransferError("web.insecure", reason=error.strerror or error) from error
    assert isinstance(wrapped, PacedTLSSocket)
    wrapped.pace = pace
    try:
        _shake_hands(wrapped, pace)
    except BaseException:  # the same: the caller's own socket gave its descriptor to this one
        wrapped.close()
        raise
    return wrapped


def _shake_hands(wrapped: PacedTLSSocket, pace: Pace) -> None:
    while True:
        pace.check()
        try:
            wrapped.do_handshake()
        except TimeoutError:
            continue
        except ssl.SSLCertVerificationError as error:
            raise TransferError("web.bad_certificate", reason=error.verify_message) from error
        except OSError as error:
            raise TransferError("web.insecure", reason=error.strerror or error) from error
        return
