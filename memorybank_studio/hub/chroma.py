"""The store of a studio's vectors: Chroma in its folder, or a Chroma server by URL.

Chroma is given our vectors and never embeds, so it downloads nothing. A collection remembers the model that made its
vectors: another model's would be compared with them without meaning. Nothing is opened before it is needed, and what
was lost is opened again on the next call, so a server that comes back is simply there again.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx
from filelock import FileLock, Timeout

from memorybank.embedding.base import Embedder
from memorybank.errors import InputError, LockedError, MemoryBankError, Notice, StoreUnavailableError
from memorybank_studio.types import Closing

T = TypeVar("T")

_PREFIX_RE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_SPACE = {"space": "cosine", "ef_search": 200, "ef_construction": 200}
"""The graph is built and looked through twice as far as Chroma's default: filters leave few of the neighbours it comes
by."""
_PORTS = {"http": 8000, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChromaSettings:
    """The place of Chroma: the server where there is a URL, else the embedded one in the folder."""

    folder: Path | None = None
    """The studio's folder; Chroma keeps its files in `chroma` below it."""
    url: str = ""
    """The address of the server, as `http://127.0.0.1:8000`."""
    token: str = field(default="", repr=False)
    """The bearer token that the server asks for."""
    prefix: str = "studio"
    """The beginning of the collections' names, so that several studios can share a server."""
    timeout: float = 20.0
    """Seconds after which a server that does not answer counts as lost."""


class Chroma(Closing):
    """Opens Chroma, and each of its collections, when it is first used. Thread-safe.

    Calls through it raise StoreUnavailableError when Chroma cannot be reached or fails, LockedError when another
    process has the folder, InputError when the collection was made with another model or the settings make no sense.
    """

    def __init__(self, settings: ChromaSettings, embedder: Embedder) -> None:
        if not _PREFIX_RE.fullmatch(settings.prefix):
            raise InputError("chroma.bad_prefix", name=settings.prefix[:40])
        if not settings.url and settings.folder is None:
            raise InputError("chroma.no_place")
        self.settings = settings
        self.embedder = embedder
        self.shown = _server(settings.url).shown if settings.url else Notice("chroma.own")
        self._opening = threading.Lock()
        self._client: Any = None
        self._folder_lock: FileLock | None = None
        self._collections: dict[str, Any] = {}

    def call(self, name: str, work: Callable[[Any], T]) -> T:
        """Do something with a collection; errors of Chroma and of the way to it become ours."""
        try:
            try:
                return work(self._opened(name))
            except Exception as error:
                if type(error).__name__ != "NotFoundError":
                    raise
                self._forget(name)  # made anew on a server that came back empty
                return work(self._opened(name))
        except Exception as error:
            self._forget(name)
            from_chroma = type(error).__module__.startswith("chromadb") or type(error) is Exception
            if not (from_chroma or isinstance(error, httpx.HTTPError | OSError)):
                raise  # a mistake of ours; Chroma raises bare Exceptions too
            raise _as_own_error(error, self.shown) from error

    def batch(self, most: int) -> int:
        """Return records that one write may hold: as many as Chroma takes, but not more than these."""
        return min(most, int(self._client.get_max_batch_size()))

    def close(self) -> None:
        with self._opening:
            client, self._client = self._client, None
            self._collections.clear()
            if client is not None:
                client.close()
            if self._folder_lock is not None:
                self._folder_lock.release()
                self._folder_lock = None

    def _forget(self, name: str) -> None:
        with self._opening:
            self._collections.pop(name, None)

    def _opened(self, name: str) -> Any:
        with self._opening:
            if name not in self._collections:
                if self._client is None:
                    self._client = self._connected()
                self._collections[name] = self._checked(name)
            return self._collections[name]

    def _checked(self, name: str) -> Any:
        """Return the collection, if its vectors are of this studio's model."""
        model, dim = self.embedder.name, self.embedder.dim
        collection = self._client.get_or_create_collection(
            f"{self.settings.prefix}-{name}",
            embedding_function=None,
            metadata={"model": model, "dimension": dim},
            configuration={"hnsw": _SPACE},
        )
        known = collection.metadata or {}
        if (known.get("model"), known.get("dimension")) != (model, dim):
            raise InputError("chroma.other_model", what=name, model=known.get("model"), other=model)
        return collection

    def _connected(self) -> Any:
        try:
            import chromadb
            from chromadb.config import Settings
        except ImportError as error:
            raise StoreUnavailableError("chroma.not_installed") from error
        if self.settings.url:
            return self._to_server(chromadb, Settings)
        return self._in_folder(chromadb, Settings)

    def _in_folder(self, chromadb: Any, settings: Any) -> Any:
        assert self.settings.folder is not None
        folder = self.settings.folder / "chroma"
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(folder / "in-use.lock", thread_local=False)
            lock.acquire(blocking=False)
        except Timeout as error:
            raise LockedError("chroma.in_use", folder=self.settings.folder.name) from error
        except OSError as error:
            raise StoreUnavailableError(
                "chroma.unwritable", folder=self.settings.folder.name, why=error.strerror
            ) from error
        with ExitStack() as undo:
            undo.callback(lock.release)
            own = settings(_env_file=None, anonymized_telemetry=False)
            try:
                client = chromadb.PersistentClient(path=str(folder), settings=own)
            except Exception as error:  # Chroma's own, and the AttributeError of its clearing up after it
                raise StoreUnavailableError("chroma.cannot_open", server=self.shown) from error
            undo.pop_all()
        self._folder_lock = lock
        return client

    def _to_server(self, chromadb: Any, settings: Any) -> Any:
        server = _server(self.settings.url)
        headers = {"Authorization": f"Bearer {self.settings.token}"} if self.settings.token else {}
        # Chroma's client waits for ever for a server that accepts and says nothing: it is asked first, and its own
        # session gets a limit as soon as there is one.
        httpx.get(f"{server.base}/api/v2/heartbeat", headers=headers, timeout=self.settings.timeout).raise_for_status()
        try:
            client = chromadb.HttpClient(
                host=server.host,
                port=server.port,
                ssl=server.secure,
                headers=headers,
                settings=settings(
                    _env_file=None,
                    anonymized_telemetry=False,
                    chroma_server_host=server.host,
                    chroma_server_http_port=server.port,
                ),
            )
        except ValueError as error:  # whatever goes wrong on the first request
            raise StoreUnavailableError("chroma.no_access", server=self.shown) from error
        client._server._session.timeout = httpx.Timeout(self.settings.timeout)
        return client


@dataclass(frozen=True, slots=True, kw_only=True)
class _Server:
    host: str
    port: int
    secure: bool

    @property
    def shown(self) -> Notice:
        return Notice("chroma.server", host=self.host, port=self.port)

    @property
    def base(self) -> str:
        return f"http{'s' if self.secure else ''}://{self.host}:{self.port}"


def _server(url: str) -> _Server:
    """Raises InputError; the message shows nothing of a user or password that stands in the URL."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname or parts.username or parts.path.strip("/") or parts.query:
        raise InputError("chroma.bad_url")
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return _Server(host=host, port=port or _PORTS[parts.scheme], secure=parts.scheme == "https")


def _as_own_error(error: Exception, shown: Notice) -> MemoryBankError:
    """Return our error for one of Chroma's, of httpx, or of the file system."""
    kind = type(error).__name__
    refused = isinstance(error, httpx.HTTPStatusError) and error.response.status_code in (401, 403)
    if refused or kind in ("ChromaAuthError", "AuthorizationError"):
        return InputError("chroma.token_refused", server=shown)
    if isinstance(error, httpx.TimeoutException):
        return StoreUnavailableError("chroma.no_answer", server=shown)
    if isinstance(error, httpx.HTTPError):
        return StoreUnavailableError("chroma.unreachable", server=shown)
    reason = " ".join(str(error).split())[:120]
    return StoreUnavailableError("chroma.failed", server=shown, kind=kind, why=reason)
