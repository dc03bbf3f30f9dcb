"""What goes over the wire from the app to a browser: a relay between the two that counts bytes, as they are sent."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from memorybank_lab.bench.app.serving import Server

_CHUNK = 65_536
_SILENCE = 0.12
"""Seconds that part two bursts: a redraw is one, and the page looks every half second."""


@dataclass
class Wire:
    """Bytes from the server to its browsers since `taken` was called last: one number for each burst of messages."""

    _bursts: list[int] = field(default_factory=list)
    _last: float = 0.0

    def add(self, count: int) -> None:
        now = time.monotonic()
        if not self._bursts or now - self._last > _SILENCE:
            self._bursts.append(0)
        self._bursts[-1] += count
        self._last = now

    def take_bursts(self) -> list[int]:
        bursts, self._bursts = self._bursts, []
        return bursts


@contextmanager
def watched(server: Server) -> Iterator[tuple[Server, Wire]]:
    """The same server at another address of loopback, and what it sends there."""
    wire = Wire()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        target = urlsplit(server.address)
        thread = threading.Thread(target=_relay, args=(listening, (target.hostname, target.port), wire), daemon=True)
        thread.start()
        yield replace(server, address=f"http://127.0.0.1:{listening.getsockname()[1]}"), wire


def _relay(listening: socket.socket, target: tuple[str | None, int | None], wire: Wire) -> None:
    while True:
        try:
            browser, _ = listening.accept()
        except OSError:  # closed: the measurement is over
            return
        server = socket.create_connection((target[0] or "", target[1] or 0))
        threading.Thread(target=_pump, args=(browser, server, None), daemon=True).start()
        threading.Thread(target=_pump, args=(server, browser, wire), daemon=True).start()


def _pump(source: socket.socket, sink: socket.socket, wire: Wire | None) -> None:
    try:
        while data := source.recv(_CHUNK):
            if wire is not None:
                wire.add(len(data))
            sink.sendall(data)
    except OSError:  # one side is gone
        pass
    finally:
        source.close()
        sink.close()
