"""A place that several machines share: a folder that all of them see, or a bucket of an S3-compatible server.

Access to a bucket is a matter of each machine's environment: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, and
`AWS_ENDPOINT_URL` where the server is not Amazon's. An object is written whole, by one writer alone, which is all that
S3 promises: nothing is appended, renamed or locked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

from memorybank.errors import InputError, StoreUnavailableError
from memorybank.runs.files.names import shown
from memorybank.runs.files.plain import read_plain, write_whole
from memorybank.settings.redaction import Redactor

T = TypeVar("T")

_URL_RE = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://(?P<rest>.*)", re.DOTALL)
_BUCKET_RE = re.compile(r"[a-z0-9][a-z0-9.-]{1,62}(?:/[\w.-]+)*/?")
"""Matches `bucket/prefix`: no user, no password, no query."""


class SharedStorage:
    """Objects in folders, by name. Every method raises StoreUnavailableError where the place does not answer."""

    def __init__(self, place: str) -> None:
        """`place`: a path, or `s3://bucket/prefix`. Raises InputError for any other address, and without the extra."""
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
        """Paths below a folder of all that lies in it, at any depth; none where it is not there."""
        root = f"{self._root}/{folder}/"
        return self._ask(
            lambda: frozenset(path.removeprefix(root) for path in self._files.find(root) if path.startswith(root))
        )

    def read(self, folder: str, names: Sequence[str]) -> Mapping[str, bytes]:
        """The objects of these names, side by side from a server. One that is not there is an error of the place."""
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
    """The place, once it can be shown and handed on. Raises InputError, which repeats nothing of what it refuses."""
    url = _URL_RE.fullmatch(place)
    if url is None:
        return place
    if url["scheme"] != "s3" or not _BUCKET_RE.fullmatch(url["rest"]) or ".." in url["rest"]:
        raise InputError("batch.bad_storage")
    return place.rstrip("/")
