"""A server that is not there, refuses, is named wrongly or goes away: one line that says what to do, and soon."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.errors import InputError, StoreUnavailableError
from memorybank_studio.hub.connection import USER, EmbeddedEngine, GraphConnection, GraphServer
from memorybank_studio.hub.facts import Facts
from memorybank_studio.tests.hub.graph.story import CAST, MEI

SECRET = "hunter2-secret"
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphServer]:
    engine = EmbeddedEngine(tmp_path_factory.mktemp("graph"), ("both",))
    yield GraphServer(uri=engine.uri, user=USER, password=engine.password, database="both")
    engine.close()


class Road:
    """The way to a server, that can be cut and laid again: a port that hands on what it gets."""

    def __init__(self, to: int) -> None:
        self._to = to
        self._open: list[socket.socket] = []
        self.port = 0
        self.open()

    def open(self) -> None:
        self._door = socket.create_server(("127.0.0.1", self.port))
        self.port = self._door.getsockname()[1]
        threading.Thread(target=self._serve, args=(self._door,), daemon=True).start()

    def close(self) -> None:
        for one in (self._door, *self._open):
            with contextlib.suppress(OSError):  # the other side has closed it
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._open.clear()

    def __enter__(self) -> Road:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def _serve(self, door: socket.socket) -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                here, _ = door.accept()
                there = socket.create_connection(("127.0.0.1", self._to))
                self._open += [here, there]
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=_hand_on, args=(one, other), daemon=True).start()


def _hand_on(one: socket.socket, other: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed
        while data := one.recv(65_536):
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)


@pytest.mark.parametrize("listens", [False, True], ids=["nobody listens", "says nothing"])
def test_a_server_that_does_not_answer_is_told_within_seconds(tmp_path: Path, listens: bool) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        if listens:
            taken.listen()
        uri = f"bolt://127.0.0.1:{taken.getsockname()[1]}"
        start = time.monotonic()
        with pytest.raises(StoreUnavailableError, match=rf"{uri} cannot be reached .*start it") as caught:
            GraphConnection(tmp_path, GraphServer(uri=uri, password=SECRET))
        assert time.monotonic() - start < 15
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    "uri",
    ["http://127.0.0.1:7474", "not an address", "", "bolt://", f"neo4j://me:{SECRET}@", "bolt://127.0.0.1:99999999"],
)
def test_what_is_no_address_is_told_without_what_it_holds(tmp_path: Path, uri: str) -> None:
    with pytest.raises((InputError, StoreUnavailableError)) as caught:
        GraphConnection(tmp_path, GraphServer(uri=uri, password=SECRET))
    assert SECRET not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("package", ["neo4j", "arcadedb_embedded"])
def test_a_missing_package_names_the_extra(tmp_path: Path, package: str) -> None:
    code = f"""
import sys
from pathlib import Path
from importlib.machinery import PathFinder
find = PathFinder.find_spec
PathFinder.find_spec = lambda name, *rest: None if name.partition(".")[0] == {package!r} else find(name, *rest)
import memorybank_studio.types, memorybank_studio.writes, memorybank_studio.hub.stores
from memorybank_studio.hub.connection import GraphConnection
GraphConnection(Path(sys.argv[1]))
"""
    told = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    last = told.stderr.strip().splitlines()[-1]
    assert f'InputError: {package} is not installed: pip install "agentic-memory-bank[studio]"' in last


def test_the_settings_never_show_the_password() -> None:
    assert SECRET not in repr(GraphServer(uri="bolt://127.0.0.1", password=SECRET))


def test_a_server_that_refuses_is_told(tmp_path: Path, server: GraphServer) -> None:
    with pytest.raises(InputError, match="check NEO4J_USER and NEO4J_PASSWORD"):
        GraphConnection(tmp_path, replace(server, password=SECRET))
    with pytest.raises(InputError, match="3 to 56 letters"):
        GraphConnection(tmp_path, replace(server, database="a b"))
    with GraphConnection(tmp_path, replace(server, database="nowhere")) as connection:
        with pytest.raises((InputError, StoreUnavailableError)) as caught:
            Facts(connection.facts)
        assert SECRET not in str(caught.value)


def test_a_server_that_goes_and_comes_back_is_used_again(tmp_path: Path, server: GraphServer) -> None:
    with (
        Road(int(server.uri.rpartition(":")[2])) as road,
        GraphConnection(tmp_path, replace(server, uri=f"bolt://127.0.0.1:{road.port}")) as connection,
    ):
        facts = Facts(connection.facts)
        facts.apply(CAST, [])
        road.close()
        start = time.monotonic()
        with pytest.raises(StoreUnavailableError, match="cannot be reached"):
            facts.entity(MEI.key)
        with pytest.raises(StoreUnavailableError, match="cannot be reached"):
            facts.apply([MEI], [])
        assert time.monotonic() - start < 20
        road.open()
        assert facts.entity(MEI.key) == MEI
        facts.apply([MEI], [])
        assert facts.count() == (len(CAST), 0)
