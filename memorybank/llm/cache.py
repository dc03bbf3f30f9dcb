"""Answers kept in SQLite: the same question to the same model at the same endpoint is asked once.

The key is a hash over everything that can change the answer, images by their bytes; neither a question nor an API key
is stored. Only whole answers are kept: one that was cut off, refused, empty or failed is asked for again. A cache
that cannot be used never costs an answer: it is left aside, and a note says so.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from memorybank import calls
from memorybank.llm.base import REPLY, AroundChat, ChatModel, ChatReply, ChatRequest, request_json

T = TypeVar("T")

_TABLES = (
    "CREATE TABLE IF NOT EXISTS answers_1 (key TEXT PRIMARY KEY, reply TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS windows_1 (model TEXT PRIMARY KEY, tokens INTEGER NOT NULL) WITHOUT ROWID",
)
_STORE = "INSERT OR REPLACE INTO answers_1 VALUES (?, ?)"
_WINDOW = "SELECT tokens FROM windows_1 WHERE model = ?"
_BUSY = 5.0
"""Seconds to wait for another process that is writing."""


def request_key(request: ChatRequest, *, model: str, endpoint: str) -> str:
    """Return the SHA-256 over the endpoint, the model and the whole request, in hex."""
    written = "\0".join(("1", endpoint, model, request_json(request)))
    return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()


class CachedChat(AroundChat):
    """Answers from `path` what `inner` has answered before. Thread-safe, and several processes may share the file.

    `endpoint` tells models of the same name apart. An identical request has an identical answer, also within a session.
    """

    def __init__(self, inner: ChatModel, path: Path, *, endpoint: str = "") -> None:
        super().__init__(inner)
        self._path = path
        self._endpoint = endpoint
        self._lock = threading.Lock()
        self._database: sqlite3.Connection | None = None
        self._news: list[str] = []
        self._who = f"{inner.name} {hashlib.sha256(endpoint.encode()).hexdigest()}"
        self._window: int | None = None
        self._window_read = False

    @property
    def context_window(self) -> int | None:
        """Return the server's window, else the one it had last: questions are made to fit it, and so depend on it."""
        size = self._inner.context_window
        if size is not None:
            if size != self._window:
                self._try(lambda database: database.execute("REPLACE INTO windows_1 VALUES (?, ?)", (self._who, size)))
        elif not self._window_read:
            row = self._try(lambda database: database.execute(_WINDOW, (self._who,)).fetchone())
            size = row[0] if row else None
        else:
            size = self._window
        self._window, self._window_read = size, True
        return size

    def complete(self, request: ChatRequest) -> ChatReply:
        calls.check()
        key = request_key(request, model=self._inner.name, endpoint=self._endpoint)
        row = self._try(
            lambda database: database.execute("SELECT reply FROM answers_1 WHERE key = ?", (key,)).fetchone()
        )
        known = _read(row[0]) if row else None
        if known is not None:
            return replace(known, cached=True, attempts=0, notes=self._take_news())
        reply = self._inner.complete(request)
        if reply.finish in ("stop", "tool_calls") and (reply.text or reply.tool_calls):
            written = REPLY.dump_json(replace(reply, attempts=1, notes=())).decode()
            self._try(lambda database: database.execute(_STORE, (key, written)))
        return replace(reply, notes=(*self._take_news(), *reply.notes))

    def close(self) -> None:
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None
        super().close()

    def _try(self, act: Callable[[sqlite3.Connection], T]) -> T | None:
        """Return what `act` returns; None, with a note, when the file cannot be used. A broken file is set aside."""
        with self._lock:
            for again in (True, False):
                try:
                    if self._database is None:
                        self._database = _open(self._path)
                    return act(self._database)
                except (OSError, sqlite3.OperationalError) as error:  # locked, read-only, disk full
                    self._unused(f"the answer cache {self._path.name} cannot be used ({error})")
                    return None
                except sqlite3.DatabaseError as error:
                    self._unused(f"the answer cache {self._path.name} was broken and is set aside ({error})")
                    self._set_aside()
                    if not again:
                        return None
        return None

    def _unused(self, note: str) -> None:
        if note not in self._news:
            self._news.append(note)

    def _set_aside(self) -> None:
        if self._database is not None:
            self._database.close()
            self._database = None
        number = 1
        while (aside := self._path.with_name(f"{self._path.name}.broken-{number}")).exists():
            number += 1
        with contextlib.suppress(OSError):  # another process may have done so
            self._path.rename(aside)
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink()

    def _take_news(self) -> tuple[str, ...]:
        with self._lock:
            news, self._news = tuple(self._news), []
        return news


def _open(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # answers are private
    database = sqlite3.connect(path, timeout=_BUSY, check_same_thread=False, isolation_level=None)
    try:
        database.execute("PRAGMA journal_mode = WAL")
        database.execute("PRAGMA synchronous = NORMAL")
        for table in _TABLES:
            database.execute(table)
    except sqlite3.Error:
        database.close()
        raise
    return database


def _read(stored: str) -> ChatReply | None:
    """Return the reply; None for what an older or newer version wrote: it is requested again."""
    try:
        return REPLY.validate_json(stored)
    except ValidationError:
        return None
