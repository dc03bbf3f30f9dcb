"""The connection to the story graph: a Neo4j server or cluster by its address, or the embedded engine.

Both speak Bolt and get the same queries. The fact and the planning layer are two databases where the server has them
(the embedded engine does; Neo4j Community does not), else one database with two disjoint label sets.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import re
import secrets
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar
from urllib.parse import urlsplit

from filelock import FileLock, Timeout

from memorybank.documents.reader_process import running
from memorybank.errors import InputError, LockedError, MemoryBankError, Notice, StoreUnavailableError
from memorybank.memory.types import Value
from memorybank_studio.hub.labels import Layer, Row
from memorybank_studio.types import Closing


def missing(name: str | None) -> InputError:
    """Return the error that names the extra."""
    return InputError("graph.not_installed", package=name or Notice("graph.a_package"))


try:
    from neo4j import Driver, GraphDatabase, ManagedTransaction, Query, Session
    from neo4j.exceptions import (
        AuthError,
        ClientError,
        ConfigurationError,
        ConstraintError,
        DriverError,
        Forbidden,
        Neo4jError,
        TransientError,
    )
except ModuleNotFoundError as error:
    raise missing(error.name) from None

T = TypeVar("T")
Ask = Callable[..., list[Row]]
"""`ask(query, **parameters)` within one transaction: the rows of the answer."""

CONNECT_WITHIN = 3.0
"""Seconds until an address that does not answer counts as gone."""
RETRY_FOR = 1.0
"""Seconds after which the driver does not try a lost or refused transaction again; its pauses make that 1 to 3."""
EMBEDDED_DATABASES: dict[Layer, str] = {Layer.FACTS: "facts", Layer.PLANS: "plans"}

_SCHEME_RE = re.compile(r"(?:bolt|neo4j)(?:\+s|\+ssc)?://")
_DATABASE_RE = re.compile(r"[A-Za-z][A-Za-z0-9.-]{2,55}")


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphServer(Value):
    """A server to use instead of the embedded engine; what NEO4J_URI, _USER, _PASSWORD and _DATABASE say."""

    uri: str
    user: str = "neo4j"
    password: str = field(default="", repr=False)
    database: str = "neo4j"
    """Two databases named after it, `-facts` and `-plans`; where the server makes none, this one for both layers."""


class LayerDatabase:
    """The database of one layer. Thread-safe. Every method may raise StoreUnavailableError or InputError."""

    def __init__(self, connection: GraphConnection, layer: Layer) -> None:
        self._connection = connection
        self.layer = layer

    def rows(self, query: str, **parameters: Any) -> list[Row]:
        """Return the answer of one query that writes nothing."""
        return self.read(lambda ask: ask(query, **parameters))

    def read(self, work: Callable[[Ask], T]) -> T:
        """Ask in one transaction that writes nothing."""
        with self._connection.session(self.layer) as session:
            return session.execute_read(lambda transaction: work(_asking(transaction)))

    def write(self, work: Callable[[Ask], T]) -> T:
        """Do the work in one transaction. It may be called again when the server asks for that."""
        with self._connection.session(self.layer) as session:
            return session.execute_write(lambda transaction: work(_asking(transaction)))

    def define(self, statements: Sequence[str]) -> None:
        """Make constraints and indexes, each `IF NOT EXISTS`."""
        with self._connection.session(self.layer) as session:
            for statement in statements:
                session.run(Query(statement)).consume()


class GraphConnection(Closing):
    """Opens the server, or the embedded engine in `folder`, and closes it again.

    A lost embedded engine is started again by the next call; a lost server is used again as soon as it is back.
    Raises StoreUnavailableError, InputError (wrong address, user or password), LockedError (the folder is open
    elsewhere).
    """

    def __init__(self, folder: Path, server: GraphServer | None = None) -> None:
        self._lock = threading.Lock()
        self._engine: EmbeddedEngine | None = None
        self._driver: Driver
        self.where = EMBEDDED
        """The server or engine in words, for messages."""
        self._closed = False
        # A cluster may answer from a member that lags behind: bookmarks make each layer read what it has written.
        self._bookmarks = {layer: GraphDatabase.bookmark_manager() for layer in Layer}
        if server is None:
            self._engine = EmbeddedEngine(folder, tuple(EMBEDDED_DATABASES.values()))
            self._databases = EMBEDDED_DATABASES
            self._driver = _driver(self._engine.uri, USER, self._engine.password)
        else:
            self.where = Notice("graph.server", address=shown(server.uri))
            with driver_errors(self.where):
                self._driver = _opened(server)
            self._databases = self._of_server(server)
        self.facts = LayerDatabase(self, Layer.FACTS)
        self.plans = LayerDatabase(self, Layer.PLANS)

    def close(self) -> None:
        """End the embedded engine, or leave the server; a second call does nothing."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            self._driver.close()
            if self._engine is not None:
                self._engine.close()

    @contextmanager
    def session(self, layer: Layer) -> Iterator[Session]:
        """Open a session with a layer's database; what the driver raises is told in this library's errors."""
        with driver_errors(self.where):
            driver, database = self._current(), self._databases[layer]
            with driver.session(database=database, bookmark_manager=self._bookmarks[layer]) as session:
                yield session

    def _current(self) -> Driver:
        """Return the driver, of an engine that runs: a lost one is started again."""
        with self._lock:
            if self._closed:
                raise StoreUnavailableError("graph.closed")
            if self._engine is not None and not self._engine.alive:
                self._driver.close()
                self._engine.restart()
                self._driver = _driver(self._engine.uri, USER, self._engine.password)
                self._bookmarks = {layer: GraphDatabase.bookmark_manager() for layer in Layer}
            return self._driver

    def _of_server(self, server: GraphServer) -> dict[Layer, str]:
        """Return two databases, made when they are not there; one for both where the server makes none."""
        if not _DATABASE_RE.fullmatch(server.database):
            raise InputError("graph.bad_database", name=server.database[:80])
        names = {Layer.FACTS: f"{server.database}-facts", Layer.PLANS: f"{server.database}-plans"}
        with driver_errors(self.where):
            try:
                with self._driver.session(database="system") as session:
                    for name in names.values():
                        session.run("CREATE DATABASE $name IF NOT EXISTS WAIT", name=name).consume()
            except AuthError:
                raise
            except Neo4jError:  # Community edition, Aura, or a user who may not: one database does as well
                return dict.fromkeys(Layer, server.database)
        return names


def _opened(server: GraphServer) -> Driver:
    driver = _driver(server.uri, server.user, server.password)
    try:
        driver.verify_connectivity()
    except BaseException:  # a Ctrl-C too; it is raised again
        driver.close()
        raise
    return driver


def _driver(uri: str, user: str, password: str) -> Driver:
    if not _SCHEME_RE.match(uri):
        raise no_address(Notice("graph.server", address=shown(uri)))
    try:
        return GraphDatabase.driver(
            uri,
            auth=(user, password),
            connection_timeout=CONNECT_WITHIN,
            connection_acquisition_timeout=2 * CONNECT_WITHIN,
            connection_write_timeout=2 * CONNECT_WITHIN,
            max_transaction_retry_time=RETRY_FOR,
            telemetry_disabled=True,
            user_agent="agentic-memory-bank",
        )
    except ValueError:
        raise no_address(Notice("graph.server", address=shown(uri))) from None


def _asking(transaction: ManagedTransaction) -> Ask:
    def ask(query: str, **parameters: Any) -> list[Row]:
        return [dict(zip(record.keys(), record.values(), strict=True)) for record in transaction.run(query, parameters)]

    return ask


USER = "root"
START_WITHIN = 90.0
"""Seconds; about 3 on two free cores."""
_ATTEMPTS = 2
"""A start that fails is tried once more: another process may have taken its port between choosing and listening."""
_END_WITHIN = 8.0
_TAIL = 4_000
"""Bytes of standard error in which the reason of a failed start is looked for."""


class EmbeddedEngine:
    """One engine on one folder. The constructor starts it; `close` ends it and lets the folder go.

    Raises LockedError when another process has the folder open, StoreUnavailableError when the engine does not start,
    InputError when it is not installed.
    """

    def __init__(self, folder: Path, databases: tuple[str, ...]) -> None:
        self._folder = folder.resolve()
        self._databases = databases
        self._folder.mkdir(parents=True, exist_ok=True)
        self._lock = FileLock(self._folder / ".lock", thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise LockedError("graph.in_use", folder=folder.name) from None
        try:
            self._start()
        except BaseException:  # a Ctrl-C too; it is raised again, and the folder is let go
            self._lock.release()
            raise

    @property
    def uri(self) -> str:
        return f"bolt://127.0.0.1:{self._port}"

    @property
    def password(self) -> str:
        """The user `USER` has this password for this start alone."""
        return self._password

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def restart(self) -> None:
        """Start it again on the same folder after it was lost; with a new port and password."""
        self._end()
        self._start()

    def close(self) -> None:
        """End the engine and let the folder go; a second call does nothing."""
        self._end()
        self._lock.release()

    def _start(self) -> None:
        if importlib.util.find_spec("arcadedb_embedded") is None:
            raise missing("arcadedb_embedded")
        reason = ""
        for _ in range(_ATTEMPTS):
            self._password = secrets.token_urlsafe(32)
            self._errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
            self._process = subprocess.Popen(  # noqa: S603 - our own module in our own interpreter
                [sys.executable, "-P", *running("memorybank_studio.hub.embedded_process")],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                start_new_session=True,  # Ctrl-C in the terminal is the parent's to answer
            )
            answer = self._ask()
            if "port" in answer:
                self._port = int(answer["port"])
                return
            reason = answer["error"]
            self._end()
        raise StoreUnavailableError("graph.did_not_start", address=self._folder.name, reason=reason)

    def _ask(self) -> dict[str, str]:
        """Tell it folder and password; its answer, or `error` with what became of it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        request = {"folder": str(self._folder), "password": self._password, "databases": self._databases}
        with contextlib.suppress(OSError):  # it is gone already: then it gives no answer either
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        late = threading.Timer(START_WITHIN, self._process.kill)
        late.daemon = True
        late.start()
        try:
            line = self._process.stdout.readline()
        finally:
            in_time = late.is_alive()
            late.cancel()
        if line:
            answer: dict[str, str] = json.loads(line)
            return answer
        return {"error": self._ended() if in_time else f"it took more than {START_WITHIN:g} s"}

    def _ended(self) -> str:
        """Return in one line how the engine ended before it answered."""
        code = self._process.wait()
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - _TAIL))
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        how = f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"
        return f"{how}: {lines[-1].strip()[:300]}" if lines else how

    def _end(self) -> None:
        """Let it close its databases, or kill it, and collect it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(OSError):  # gone already
            self._process.stdin.close()
        try:
            self._process.wait(_END_WITHIN)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
        self._errors.close()


EMBEDDED = Notice("graph.embedded")


def shown(uri: str) -> str:
    """Return the address without a user, a password or a query."""
    try:
        parts = urlsplit(uri)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "that address"
    return f"{parts.scheme}://{host}:{port}" if port else f"{parts.scheme}://{host}"


def no_address(where: Notice) -> InputError:
    return InputError("graph.no_address", server=where)


@contextmanager
def driver_errors(where: Notice) -> Iterator[None]:
    """Raise what the driver raises as InputError or StoreUnavailableError; `where` names the store."""
    try:
        yield
    except (Neo4jError, DriverError, OSError) as error:
        raise _as_ours(error, where) from error


def _as_ours(error: Exception, where: Notice) -> MemoryBankError:
    if isinstance(error, AuthError):
        return InputError("graph.password_refused", server=where)
    if isinstance(error, Forbidden):
        return InputError("graph.forbidden", server=where)
    if isinstance(error, ConfigurationError):
        return no_address(where)
    if isinstance(error, ClientError) and "DatabaseNotFound" in (error.code or ""):
        return InputError("graph.no_database", server=where)
    if isinstance(error, ConstraintError):
        return StoreUnavailableError("graph.written_twice", server=where)
    if isinstance(error, TransientError):
        return StoreUnavailableError("graph.busy", server=where, why=_line(error))
    if isinstance(error, Neo4jError):
        return StoreUnavailableError("graph.failed", server=where, why=_line(error))
    why = type(error).__name__
    if where is EMBEDDED:
        return StoreUnavailableError("graph.embedded_unreachable", why=why)
    return StoreUnavailableError("graph.unreachable", server=where, why=why)


def _line(error: Neo4jError) -> str:
    return " ".join((error.message or error.code or type(error).__name__).split())[:200]
