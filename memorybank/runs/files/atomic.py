"""Writing and reading a content-addressed file."""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

from memorybank.errors import InputError, JournalError, Notice, UnsafeInputError
from memorybank.runs.files.plain import read_plain, replacing


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_once(path: Path, data: bytes) -> None:
    """Write so that the path holds all of the data or nothing: beside it, then renamed over it.

    Nothing is done when it is there already in full length. No fsync: the journal's own decides what a crash of the
    machine may lose, and a torn file would be found by its digest.
    """
    if _is_plain_file(path, len(data)):
        return
    with replacing(path, mode=0o600, durable=False) as file:
        file.write(data)


def read_checked(path: Path, digest: str, *, kind: str) -> bytes:
    """The bytes of a file whose name promises their digest; `kind` is the code of what it holds.

    Raises InputError when it is not there (or is a link, or a pipe), JournalError when its content is not what the
    name says.
    """
    try:
        data = read_plain(path)
    except (OSError, UnsafeInputError) as error:
        raise InputError("store.missing", what=Notice(kind), name=path.name, folder=path.parent.name) from error
    if digest_of(data) != digest:
        raise JournalError("store.changed", what=Notice(kind), name=path.name)
    return data


def _is_plain_file(path: Path, size: int) -> bool:
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        return False
    return stat.S_ISREG(status.st_mode) and status.st_size == size
