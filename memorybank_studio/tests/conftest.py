from __future__ import annotations

import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import Studio, open_studio, stores_in
from tests.waiting import wait_until


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    return stores_in(tmp_path / "hub")


@pytest.fixture
def studio(tmp_path: Path, stores: Stores) -> Iterator[Studio]:
    opened = open_studio(tmp_path / "studio", stores)
    yield opened
    opened.gateway.close()


class RedisServer:
    """Debian's redis-server on a free loopback port, without a disk."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port: int = probe.getsockname()[1]
        self._folder = folder
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        options = ["--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self._process = subprocess.Popen(
            ["redis-server", *options, "--dir", str(self._folder)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_until(self._listens, 10)

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def kill(self) -> None:
        """All its data is gone with it."""
        self._process.kill()
        self._process.wait()


@pytest.fixture
def redis_server(tmp_path: Path) -> Iterator[RedisServer]:
    if shutil.which("redis-server") is None:
        pytest.skip("they want redis-server: apt-get install redis-server")
    server = RedisServer(tmp_path)
    yield server
    server.kill()
