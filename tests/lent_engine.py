"""Embedded graph engines that outlive a test: the next one gets one that runs already, with nothing in it.

    from tests.lent_engine import lent_engines  # noqa: F401 - a fixture

A start takes seconds. What a start, a folder on disk and a killed engine are is proven in
memorybank_studio/tests/hub/graph and in the tests of a studio that do not ask for this fixture.
"""

from __future__ import annotations

import atexit
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from memorybank_studio.hub import connection
from memorybank_studio.hub.connection import USER, EmbeddedEngine, GraphDatabase

ONE_DATABASE = "both"
"""Each engine has it beside the two of the layers, for what plays a server that makes no databases."""
DATABASES = (*connection.EMBEDDED_DATABASES.values(), ONE_DATABASE)


class Pool:
    """The engines of this process: each belongs to a folder until the test is over, whoever opens and closes it."""

    def __init__(self) -> None:
        self._free: list[EmbeddedEngine] = []
        self._lent: dict[Path, EmbeddedEngine] = {}

    def engine(self, folder: Path) -> EmbeddedEngine:
        if folder not in self._lent:
            started = self._free.pop() if self._free else EmbeddedEngine(Path(tempfile.mkdtemp()), DATABASES)
            self._lent[folder] = started
        engine = self._lent[folder]
        if not engine.alive:
            engine.restart()
        return engine

    @contextmanager
    def lending(self) -> Iterator[None]:
        """What is lent in between is taken back at the end."""
        before = set(self._lent)
        yield
        for folder in self._lent.keys() - before:
            engine = self._lent.pop(folder)
            if engine.alive:
                _empty(engine)
                self._free.append(engine)
            else:
                engine.close()

    def close(self) -> None:
        for engine in (*self._free, *self._lent.values()):
            engine.close()


def _empty(engine: EmbeddedEngine) -> None:
    with GraphDatabase.driver(engine.uri, auth=(USER, engine.password)) as driver:
        for name in DATABASES:
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
        engine = _pool().engine(self._folder)
        self._process, self._errors = engine._process, engine._errors
        self._port, self._password = engine._port, engine._password

    def _end(self) -> None:
        """The pool ends it."""


@contextmanager
def lending() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, _pool().lending():
        patch.setattr(connection, "EmbeddedEngine", LentEngine)
        yield


@pytest.fixture
def lent_engines() -> Iterator[None]:
    with lending():
        yield
