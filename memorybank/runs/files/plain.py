"""Plain files: opened only when they are regular files, and written whole or not at all.

A run's folder may come from elsewhere and bring a link, a pipe or a device under a name that a run uses. Through a link
a write would land outside the folder, and a pipe would be waited for without end: both are refused at once, in one
line. Folders above the name may be links; that is the wish of whoever named the run. So may a file that the user named
directly: `follow=True`, and what the link leads to must be a regular file.
"""

from __future__ import annotations

import errno
import os
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from memorybank.errors import Notice, UnsafeInputError
from memorybank.runs.files.names import shown

MOST_BYTES = 500_000_000
"""The most bytes of a file that is read at once, and that an archive may unpack to; no run comes near."""
_NO_FOLLOW = getattr(os, "O_NOFOLLOW", 0)
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def open_plain(path: Path, flags: int, *, mode: int = 0o666, follow: bool = False) -> int:
    """Open a regular file by `os.open`, or nothing, and never wait. The descriptor is the caller's to close.

    Raises UnsafeInputError for a link, a pipe, a socket or a device, IsADirectoryError for a folder, OSError else.
    """
    try:
        descriptor = os.open(path, flags | _AT_ONCE | (0 if follow else _NO_FOLLOW), mode)
    except IsADirectoryError:
        raise
    except OSError:
        check_plain(path, follow=follow)  # says why, where the kind of file is the reason
        raise
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        _check_kind(path, status)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def reading(path: Path, *, follow: bool = False) -> BinaryIO:
    """Open a file for reading. Raises as `open_plain` does."""
    return os.fdopen(open_plain(path, os.O_RDONLY, follow=follow), "rb")


def read_plain(path: Path, *, follow: bool = False, most: int = MOST_BYTES) -> bytes:
    """Return all of the file. Raises as `open_plain` and `check_size` do."""
    with reading(path, follow=follow) as file:
        check_size(path, os.fstat(file.fileno()).st_size, most)
        return file.read()


def check_size(path: Path, size: int, most: int = MOST_BYTES) -> None:
    """Refuse what would fill the memory: a file with holes takes no room on the disk. Raises UnsafeInputError."""
    if size > most:
        raise UnsafeInputError("file.too_large", name=shown(path.name), size=size / 1e6, limit=most / 1e6)


@contextmanager
def writing(path: Path, *, follow: bool = False, mode: int = 0o666, durable: bool = True) -> Iterator[BinaryIO]:
    """Yield a file to be written that becomes `path` when the block ends well; else `path` stays as it was.

    It is written beside, synced unless `durable` is false, and renamed. Raises UnsafeInputError where anything but a
    regular file stands at `path`: the rename would take a device away, and what a link promises.
    """
    path = Path(os.path.realpath(path)) if follow else path
    check_plain(path)
    with replacing(path, mode=mode, durable=durable) as file:
        yield file


@contextmanager
def replacing(path: Path, *, mode: int, durable: bool) -> Iterator[BinaryIO]:
    """Write as `writing` does under a name that is ours alone: a link that stands there gives way to the file."""
    beside = path.with_name(f".{path.name[:72]}.{os.getpid()}.{threading.get_ident()}")
    try:
        with os.fdopen(_fresh(beside, mode), "wb") as file:
            yield file
            file.flush()
            if durable:
                os.fsync(file.fileno())
        os.replace(beside, path)  # noqa: PTH105 — on the hot path, and it says "replace" on every platform
    except BaseException as error:  # a Ctrl-C too; it is raised again
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename in (None, str(beside)):
            error.filename = str(path)  # whoever reads the message knows no other name
        raise


def write_whole(path: Path, data: bytes, *, follow: bool = False, mode: int = 0o666, durable: bool = True) -> None:
    """Write so that the path holds all of the data, or what it held before. Raises as `writing` does."""
    with writing(path, follow=follow, mode=mode, durable=durable) as file:
        file.write(data)


def _fresh(path: Path, mode: int) -> int:
    """Make a file that was not there: what stands under the name is a leftover of a killed process, or a trap."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    try:
        return open_plain(path, flags, mode=mode)
    except (FileExistsError, UnsafeInputError):
        path.unlink()
        return open_plain(path, flags, mode=mode)


def check_plain(path: Path, *, follow: bool = False) -> None:
    """Refuse what is there and is no regular file. Raises UnsafeInputError; a path that leads nowhere is fine."""
    with suppress(FileNotFoundError):
        _check_kind(path, path.stat() if follow else path.lstat())


def check_folder(path: Path) -> None:
    """Refuse what is there and is no folder of its own. Raises UnsafeInputError."""
    with suppress(FileNotFoundError):
        mode = path.lstat().st_mode
        if not stat.S_ISDIR(mode):
            kind = Notice("file.a_link" if stat.S_ISLNK(mode) else "file.a_file")
            raise UnsafeInputError("file.no_folder", name=shown(path.name), what=kind)


def check_tree(folder: Path) -> None:
    """Refuse a folder that holds, at any depth, what is neither a file nor a folder. For folders that are handed over
    to a program which follows links. Raises UnsafeInputError."""
    for at, folders, files in os.walk(folder):
        for name in folders:
            check_folder(Path(at, name))
        for name in files:
            check_plain(Path(at, name))


def copy_plain(source: Path, target: Path, *, wanted: Callable[[str], object] = lambda name: True) -> None:
    """Copy a folder's files whose names are wanted into another folder. Links, pipes and folders are passed over: what
    they lead to is not the folder's. Files that are there already are replaced."""
    for path in sorted(source.iterdir()) if source.is_dir() and not source.is_symlink() else []:
        if wanted(path.name) and stat.S_ISREG(path.lstat().st_mode):
            make_folder(target)
            write_whole(target / path.name, read_plain(path), mode=0o600, durable=False)


def make_folder(path: Path) -> None:
    """Make a folder that is written to, unless it is there. Raises UnsafeInputError for a link in its place."""
    check_folder(path)
    path.mkdir(parents=True, exist_ok=True)


def _check_kind(path: Path, status: os.stat_result) -> None:
    mode = status.st_mode
    if stat.S_ISREG(mode):
        return
    kind = "file.a_link" if stat.S_ISLNK(mode) else "file.a_folder" if stat.S_ISDIR(mode) else "file.a_pipe"
    raise UnsafeInputError("file.no_file", name=shown(path.name), what=Notice(kind))
