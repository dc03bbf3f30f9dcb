"""The graph layers on every engine there is here: the embedded one, with one database for both layers too, a
Neo4j by NEO4J_URI.

Tests that ask for `layers` alone, the contract, run on the layers in memory too.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from memorybank_studio.hub.connection import USER, GraphConnection, GraphServer
from memorybank_studio.hub.facts import Facts
from memorybank_studio.hub.labels import MARK
from memorybank_studio.hub.plans import Plans
from memorybank_studio.tests.hub.in_memory import FactsInMemory, PlansInMemory
from tests.lent_engine import ONE_DATABASE, LentEngine, lending

TWO, ONE, SERVER = "embedded engine, two databases", "embedded engine, one database", "server of NEO4J_URI"
MEMORY = "in memory"


@dataclass(frozen=True)
class Layers:
    facts: Facts
    plans: Plans


@dataclass(frozen=True)
class Hub:
    connection: GraphConnection
    facts: Facts
    plans: Plans


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "connection" in metafunc.fixturenames:
        absent = pytest.mark.skipif(
            "NEO4J_URI" not in os.environ, reason="they want a Neo4j server: set NEO4J_URI to one"
        )
        kinds = [TWO, ONE, pytest.param(SERVER, marks=absent)]
        if "layers" in metafunc.fixturenames:
            kinds.append(MEMORY)
        metafunc.parametrize("connection", kinds, indirect=True, scope="module")


@pytest.fixture(scope="module")
def connection(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GraphConnection | None]:
    if request.param == MEMORY:
        yield None
        return
    folder = tmp_path_factory.mktemp("graph")
    if request.param == TWO:
        with lending(), GraphConnection(folder) as opened:
            assert has_two_databases(opened)
            yield opened
    elif request.param == ONE:
        with one_database(folder) as server, GraphConnection(folder, server) as opened:
            assert not has_two_databases(opened)
            yield opened
    else:
        with GraphConnection(folder, _of_environment()) as opened:
            Facts(opened.facts), Plans(opened.plans)
            # These tests empty the layers: an author's own are not to be lost by it.
            for layer, label in ((opened.facts, "Entity"), (opened.plans, "Plan"), (opened.facts, MARK)):
                held = layer.rows(f"MATCH (node:{label}) RETURN count(node) AS count")[0]["count"]
                assert not held, f"{SERVER} holds {held} nodes :{label}; give these tests a database of their own"
            yield opened
            _empty(opened)  # as it was found: or the next run would take what these tests left for an author's own


def has_two_databases(connection: GraphConnection) -> bool:
    return len(set(connection._databases.values())) > 1


@contextmanager
def one_database(folder: Path) -> Iterator[GraphServer]:
    """The engine as a server that makes no databases, as Neo4j's Community edition: so both layers share one."""
    with lending():
        engine = LentEngine(folder, (ONE_DATABASE,))
        yield GraphServer(uri=engine.uri, user=USER, password=engine.password, database=ONE_DATABASE)
        engine.close()


def _of_environment() -> GraphServer:
    return GraphServer(
        uri=os.environ["NEO4J_URI"],
        user=os.environ.get("NEO4J_USER", "neo4j"),
        password=os.environ.get("NEO4J_PASSWORD", ""),
        database=os.environ.get("NEO4J_DATABASE", "neo4j"),
    )


@pytest.fixture
def hub(connection: GraphConnection) -> Hub:
    _empty(connection)
    return Hub(connection, Facts(connection.facts), Plans(connection.plans))


@pytest.fixture
def layers(connection: GraphConnection | None) -> Layers | Hub:
    if connection is None:
        return Layers(FactsInMemory(), PlansInMemory())
    _empty(connection)
    return Hub(connection, Facts(connection.facts), Plans(connection.plans))


def _empty(connection: GraphConnection) -> None:
    connection.facts.write(lambda ask: ask("MATCH (node:Entity) DETACH DELETE node"))
    connection.plans.write(lambda ask: ask("MATCH (node:Plan) DETACH DELETE node"))
    for layer in (connection.facts, connection.plans):
        layer.write(lambda ask: ask(f"MATCH (node:{MARK}) DETACH DELETE node"))
