"""Embedded graph engines that outlive a test: the next one gets one that runs already, with nothing in it.

    from tests.lent_engine import lent_engines  # noqa: F401 - a fixture

A start takes seconds. What a start, a folder on disk and a killed engine are is proven in
memorybank_studio/tests/hub/graph and in the tests of a studio that do not ask for this fixture.
"""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from memorybank_studio.hub import connection
from memorybank_studio.hub.connection import USER, EmbeddedEngine, GraphDatabase


class Pool:
    """The engines of this process: each belongs to a folder until the test is over, whoever opens and closes it."""

    def __init__(self) -> None:
        self._free: list[EmbeddedEngine] = []
        self._lent: dict[Path, EmbeddedEngine] = {}

    def engine(self, folder: Path, databases: tuple[str, ...]) -> EmbeddedEngine:
        if folder not in self._lent:
            started = self._free.pop() if self._free else EmbeddedEngine(Path(tempfile.mkdtemp()), databases)
            self._lent[folder] = started
        engine = self._lent[folder]
        if not engine.alive:
            engine.restart()
        return engine

    def take_back(self) -> None:
        for engine in self._lent.values():
            if engine.alive:
                _empty(engine)
                self._free.append(engine)
            else:
                engine.close()
        self._lent.clear()

    def close(self) -> None:
        for engine in (*self._free, *self._lent.values()):
            engine.close()


def _empty(engine: EmbeddedEngine) -> None:
    with GraphDatabase.driver(engine.uri, auth=(USER, engine.password)) as driver:
        for name in connection.EMBEDDED_DATABASES.values():
            with driver.session(database=name) as session:
                session.run("MATCH (node) DETACH DELETE node").consume()


@cache
def _pool() -> Pool:
    pool = Pool()
    atexit.register(pool.close)
    return pool


class LentEngine(EmbeddedEngine):
    """Locks the folder as any engine does; the process is the pool's."""

    def _start(self) -> None:
        engine = _pool().engine(self._folder, self._databases)
        self._process, self._errors = engine._process, engine._errors
        self._port, self._password = engine._port, engine._password

    def _end(self) -> None:
        """The pool ends it."""


@pytest.fixture
def lent_engines(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(connection, "EmbeddedEngine", LentEngine)
    yield
    _pool().take_back()
