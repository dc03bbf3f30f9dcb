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
from memorybank_studio.hub.connection import GraphConnection, GraphServer
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.labels import MARK
from memorybank_studio.studio import Owner, claim
from memorybank_studio.tests.hub.graph.conftest import Hub, has_two_databases, one_database
from memorybank_studio.tests.hub.graph.story import CAST, EVERYTHING, MEI

SECRET = "hunter2-secret"
ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[GraphServer]:
    with one_database(tmp_path / "server") as served:
        yield served


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


def test_a_server_that_refuses_is_told(tmp_path: Path, server: GraphServer) -> None:
    assert SECRET not in repr(GraphServer(uri="bolt://127.0.0.1", password=SECRET))
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


SIEGE = Owner(studio="aa11", title="The Siege")
WINTER = Owner(studio="bb22", title="Winter")


def marks(hub: Hub) -> set[tuple[str, str]]:
    query = f"MATCH (mark:{MARK}) RETURN mark.studio AS studio, mark.title AS title"
    rows = [row for layer in (hub.connection.facts, hub.connection.plans) for row in layer.rows(query)]
    assert len(rows) == 2, "one node a database, which each layer sees"
    return {(row["studio"], row["title"]) for row in rows}


def test_another_studio_is_refused_with_what_to_do_and_ones_own_opened_under_any_title(hub: Hub) -> None:
    claim(hub.connection, SIEGE)
    with pytest.raises(InputError, match=r"“The Siege” \(aa11\), not of “Winter” \(bb22\): set NEO4J_DATABASE"):
        claim(hub.connection, WINTER)
    assert marks(hub) == {("aa11", "The Siege")}
    hub.facts.apply(CAST, [])
    hostile = "'}) DETACH DELETE n //</b>`"
    for title in ("The Long Siege", hostile):
        claim(hub.connection, Owner(studio="aa11", title=title))
        assert marks(hub) == {("aa11", title)}, "one's own is opened again under a new title"
    assert hub.facts.count() == (len(CAST), 0)


def test_a_story_from_before_there_were_marks_belongs_to_who_opens_it(hub: Hub) -> None:
    hub.facts.apply(CAST, [])
    hub.plans.apply(EVERYTHING, [])
    claim(hub.connection, SIEGE)
    assert hub.facts.count() == (len(CAST), 0)
    assert len(hub.plans.all()) == len(EVERYTHING)
    with pytest.raises(InputError, match="Siege"):
        claim(hub.connection, WINTER)


def test_one_layer_of_another_studio_is_enough_to_be_refused(hub: Hub) -> None:
    claim(hub.connection, SIEGE)
    hub.connection.facts.write(lambda ask: ask(f"MATCH (node:{MARK}) DETACH DELETE node"))
    if has_two_databases(hub.connection):
        with pytest.raises(InputError, match=r"planning layer .* “The Siege”"):
            claim(hub.connection, WINTER)
    else:  # the mark was both layers'
        claim(hub.connection, WINTER)


def test_of_two_that_begin_at_once_one_gets_the_database(hub: Hub) -> None:
    lost: list[Owner] = []

    def begin(owner: Owner) -> None:
        try:
            claim(hub.connection, owner)
        except (InputError, StoreUnavailableError):  # refused, or told that somebody else wrote just now: try again
            lost.append(owner)

    threads = [threading.Thread(target=begin, args=(one,)) for one in (SIEGE, WINTER)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    (loser,) = lost
    with pytest.raises(InputError, match="holds the story of the studio"):
        claim(hub.connection, loser)
    winner = WINTER if loser == SIEGE else SIEGE
    assert marks(hub) == {(winner.studio, winner.title)}
