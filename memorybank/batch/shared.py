"""Run folders on storage that several machines share, so that who takes a lost task over goes on from there.

The storage is a folder that all of them see, or a bucket of an S3-compatible server. Access to a bucket is a matter of
each machine's environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, and `AWS_ENDPOINT_URL` where the server is not
Amazon's. An object is written whole, by one writer alone, which is all that S3 promises.

    0001-9f2c64ab/   the run as the first attempt at it has sent it: the files of a run folder
    0002-04d1e7f0/   the same of the second, which went on from where the first one's last stage was sent

Each attempt writes in a folder of its own, so nothing has to be locked: a worker that was cut off and lives on changes
nothing that anybody reads. What is sent at the end of a stage is there before the next one begins, so whoever goes on
does one stage again, at most. The journal is sent last: what it names is there before it.
"""

from __future__ import annotations

import re
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self, TypeVar

from memorybank.errors import InputError, StoreUnavailableError
from memorybank.runs.files.names import shown
from memorybank.runs.files.plain import make_folder, read_plain, write_whole
from memorybank.runs.label import LABEL
from memorybank.runs.run_folder import JOURNAL, RunFolder
from memorybank.settings.redaction import Redactor

T = TypeVar("T")

_URL_RE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)", re.DOTALL)
_BUCKET_RE = re.compile(r"[a-z0-9][a-z0-9.-]{1,62}(?:/[\w.-]+)*/?")
"""Matches `bucket/prefix`: no user, no password, no query."""


class SharedStorage:
    """Objects in folders, by name. Every method raises StoreUnavailableError where the place does not answer."""

    def __init__(self, place: str) -> None:
        """`place` is a path, or `s3://bucket/prefix`. Raises InputError for another address, or without the extra."""
        self.place = checked_place(place)
        try:
            import fsspec
        except ImportError:
            raise InputError("integration.not_installed", name="fsspec", extra="ray") from None
        self.is_folder = "://" not in self.place
        with _answered(self.place):
            try:
                self._files: Any = fsspec.filesystem(
                    "file" if self.is_folder else "s3", use_listings_cache=False, skip_instance_cache=True
                )
            except ImportError:
                raise InputError("integration.not_installed", name="s3fs", extra="ray") from None
        self._root = Path(self.place).absolute().as_posix() if self.is_folder else self.place.removeprefix("s3://")

    def files(self, folder: str) -> frozenset[str]:
        """Return the paths below a folder of all that lies in it, at any depth; none where it is not there."""
        root = f"{self._root}/{folder}/"
        return self._ask(
            lambda: frozenset(path.removeprefix(root) for path in self._files.find(root) if path.startswith(root))
        )

    def read(self, folder: str, names: Sequence[str]) -> Mapping[str, bytes]:
        """Return the objects of these names, side by side from a server; one that is not there is an error."""
        paths = {f"{self._root}/{folder}/{name}": name for name in names}
        if self.is_folder:
            return self._ask(lambda: {name: read_plain(Path(path)) for path, name in paths.items()})
        contents: dict[str, bytes] = self._ask(lambda: self._files.cat(list(paths), on_error="raise") if paths else {})
        return {paths[path]: data for path, data in contents.items()}

    def write(self, folder: str, name: str, data: bytes) -> None:
        """Write an object: when this returns all of it is there for everybody, and before nothing is."""
        path = f"{self._root}/{folder}/{name}"

        def write() -> None:
            if self.is_folder:
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                write_whole(Path(path), data, mode=0o600)
            else:
                self._files.pipe_file(path, data)

        self._ask(write)

    def remove(self, folder: str, name: str) -> None:
        """Remove an object that is there."""
        self._ask(lambda: self._files.rm_file(f"{self._root}/{folder}/{name}"))

    def _ask(self, request: Callable[[], T]) -> T:
        with _answered(self.place):
            return request()


@contextmanager
def _answered(place: str) -> Iterator[None]:
    try:
        yield
    except (InputError, StoreUnavailableError):
        raise
    except Exception as error:  # noqa: BLE001 - a file system of another package: each has errors of its own
        reason = Redactor().text(shown(str(error)).partition("\n")[0][:200])
        reason = reason or type(error).__name__
        raise StoreUnavailableError("batch.storage_failed", place=place, reason=reason) from None


def checked_place(place: str) -> str:
    """Return the place, once it can be shown. Raises InputError, which repeats nothing of what it refuses."""
    url = _URL_RE.fullmatch(place)
    if url is None:
        return place
    if url["scheme"] != "s3" or not _BUCKET_RE.fullmatch(url["rest"]) or ".." in url["rest"]:
        raise InputError("batch.bad_storage")
    return place.rstrip("/")


_ATTEMPT_RE: Final = re.compile(r"(\d{4,})-[0-9a-f]{8}")
_WHOLE: Final = ("memory.json", "answer.md", LABEL)
_STORED_RE: Final = re.compile(r"(?P<store>blobs|files|temp|hand)/(?P<name>[0-9a-z][\w.-]*)")
"""Matches what stores write: names by hash, or requests by number; nothing that begins with a dot."""


class SharedRun:
    """One attempt at a run, in a folder of this machine."""

    def __init__(self, storage: SharedStorage, place: str, run: RunFolder) -> None:
        """Begin an attempt at the run that lies at `place` on the storage; nothing is read or written yet."""
        numbers = [int(match[1]) for attempt in attempts(storage, place) if (match := _ATTEMPT_RE.fullmatch(attempt))]
        self._storage = storage
        self.name = f"{max(numbers, default=0) + 1:04}-{secrets.token_hex(4)}"
        self._place = place
        self._run = run
        self._sent: dict[str, object] = {}
        """State of each file when it was sent: its bytes and the time of its last change."""

    @classmethod
    def take(cls, storage: SharedStorage, place: str, run: RunFolder) -> Self:
        """Begin an attempt where the last one ended. Raises StoreUnavailableError, OSError."""
        attempt = cls(storage, place, run)
        if last := last_attempt(storage, place):
            _fetch(storage, f"{place}/{last}", run)
        return attempt

    def send(self) -> None:
        """Send what is new. Raises StoreUnavailableError, OSError."""
        files = dict(_files(self._run))
        for name in self._sent.keys() - files.keys():
            self._storage.remove(f"{self._place}/{self.name}", name)
            del self._sent[name]
        for name, path in files.items():
            state: object = (path.stat().st_size, path.stat().st_mtime_ns)
            if self._sent.get(name) != state:
                data = read_plain(path)
                if name == JOURNAL:
                    data = data[: data.rfind(b"\n") + 1]  # whole lines
                self._storage.write(f"{self._place}/{self.name}", name, data)
                self._sent[name] = state


def attempts(storage: SharedStorage, place: str) -> list[str]:
    """Return the attempts at a run that have sent a stage, the first one first."""
    folders = {path.removesuffix(f"/{JOURNAL}") for path in storage.files(place) if path.endswith(f"/{JOURNAL}")}
    return sorted((folder for folder in folders if _ATTEMPT_RE.fullmatch(folder)), key=lambda name: (len(name), name))


def last_attempt(storage: SharedStorage, place: str) -> str:
    """Return the attempt that a run is gone on from; empty where there is none."""
    return next(reversed(attempts(storage, place)), "")


def fetch(storage: SharedStorage, place: str, folder: Path, attempt: str = "") -> bool:
    """Make `folder` the run as an attempt has sent it, by default the last one; False: nothing is there.

    Raises StoreUnavailableError, OSError; then the folder is as it was.
    """
    attempt = attempt or last_attempt(storage, place)
    if attempt:
        beside = folder.with_name(f".{folder.name}.new")
        shutil.rmtree(beside, ignore_errors=True)
        _fetch(storage, f"{place}/{attempt}", RunFolder(beside))
        if folder.exists():
            shutil.rmtree(folder)
        beside.rename(folder)
    return bool(attempt)


def _fetch(storage: SharedStorage, attempt: str, run: RunFolder) -> None:
    """Take from the storage, where others may write too, what has the name of a run's file."""
    stores = _stores(run)
    names = [name for name in storage.files(attempt) if _is_a_runs(name)]
    make_folder(run.path)
    for name, data in sorted(storage.read(attempt, names).items(), key=lambda item: item[0] == JOURNAL):
        store, _, base = name.rpartition("/")
        folder = stores[store] if store else run.path
        make_folder(folder)
        write_whole(folder / base, data, mode=0o600, durable=name == JOURNAL)


def _files(run: RunFolder) -> Iterator[tuple[str, Path]]:
    """Return the run's files by their names on the storage, the journal last."""
    places = [(name, run.path / name) for name in _WHOLE]
    for store, folder in _stores(run).items():
        if folder.is_dir() and not folder.is_symlink():
            places += [(f"{store}/{path.name}", path) for path in sorted(folder.iterdir())]
    for name, path in (*places, (JOURNAL, run.journal)):
        if _is_a_runs(name) and path.is_file() and not path.is_symlink():
            yield name, path


def _stores(run: RunFolder) -> dict[str, Path]:
    return {**run.stores(), "hand": run.path / "hand"}


def _is_a_runs(name: str) -> bool:
    return name == JOURNAL or name in _WHOLE or _STORED_RE.fullmatch(name) is not None
