"""Writing and reading a content-addressed file."""

from __future__ import annotations

import hashlib
import io
import os
import stat
import threading
from pathlib import Path

from memorybank.errors import InputError, JournalError

# A name of this store may have been a link when a run's folder came from elsewhere: never follow it.
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_BINARY = getattr(os, "O_BINARY", 0)


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_once(path: Path, data: bytes) -> None:
    """Write so that the path holds all of the data or nothing: beside it, then renamed over it.

    Nothing is done when it is there already in full length. No fsync: the journal's own decides what a crash of the
    machine may lose, and a torn file would be found by its digest.
    """
    if _is_plain_file(path, len(data)):
        return
    beside = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    try:
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _NO_FOLLOW | _BINARY, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(beside, path)  # noqa: PTH105 — on the hot path, and it says "replace" on every platform
    except OSError:
        beside.unlink(missing_ok=True)
        raise


def read_checked(path: Path, digest: str, *, what: str) -> bytes:
    """The bytes of a file whose name promises their digest.

    Raises InputError when it is not there (or is a link), JournalError when its content is not what the name says.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _NO_FOLLOW | _BINARY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        raise InputError(
            f"{what} {path.name} is not in {path.parent.name}/: copy it back from the original run"
        ) from error
    try:
        plain = stat.S_ISREG(os.fstat(descriptor).st_mode)
        with os.fdopen(descriptor, "rb", closefd=False) if plain else io.BytesIO() as file:
            data = file.read()
    finally:
        os.close(descriptor)
    if digest_of(data) != digest:
        raise JournalError(
            f"{what} {path.name} does not hold what its name says: it was changed; copy it back from the original run"
        )
    return data


def _is_plain_file(path: Path, size: int) -> bool:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(found.st_mode) and found.st_size == size
