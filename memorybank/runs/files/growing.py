"""A file that only grows, by whole writes: one that fails is taken back, and where that fails the file is given up."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from memorybank.errors import JournalBrokenError, Notice, UnsafeInputError
from memorybank.runs.files.plain import open_plain, write_whole

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND


class GrowingFile:
    """Unbuffered, so that what a failed write left behind is on the disk, where it can be cut off, and nowhere else.

    A write either stands whole or raises and leaves the file as it was. When that cannot be had (cutting it off fails,
    or an fsync does, after which nobody knows what the disk holds: Rebello et al., "Can Applications Recover from fsync
    Failures?", USENIX ATC 2020), the file is broken: it takes nothing more until it is opened anew and read again.
    """

    def __init__(self, path: Path) -> None:
        """Open for appending, created when it is not there. Raises UnsafeInputError for a link or a pipe, OSError."""
        self.path = path
        self._descriptor = open_plain(path, _FLAGS)
        self.size = os.fstat(self._descriptor).st_size
        """Bytes of all writes that succeeded."""
        self.broken: Notice | None = None
        """Why it takes nothing more; None while it does."""

    def write(self, data: bytes, *, durable: bool) -> None:
        """Append all of the data; durable: on the disk when this returns.

        Raises OSError when it failed and was taken back, JournalBrokenError when the file is given up.
        """
        self.check()
        try:
            _write_all(self._descriptor, data)
            if durable:
                try:
                    os.fsync(self._descriptor)
                except OSError as error:
                    raise self._give_up(error) from error
        except JournalBrokenError:
            raise
        except BaseException as error:  # a Ctrl-C too: what was not reported as written must not be there
            if isinstance(error, OSError):
                error.filename = str(self.path)
            self.cut(self.size)
            raise
        self.size += len(data)

    def cut(self, size: int) -> None:
        """Drop everything behind the first `size` bytes. Raises JournalBrokenError when it cannot."""
        try:
            os.ftruncate(self._descriptor, size)
        except OSError as error:
            raise self._give_up(error) from error
        self.size = size

    def replace(self, data: bytes) -> None:
        """Put other content under the same name, durable when this returns, and go on behind it.

        Raises OSError when it failed and the old content stands, JournalBrokenError when it is unknown which does.
        """
        self.check()
        write_whole(self.path, data)
        try:
            fresh = open_plain(self.path, _FLAGS)
            sync_folder(self.path.parent)
        except (OSError, UnsafeInputError) as error:  # what is open is no longer what stands under the name
            raise self._give_up(error) from error
        self.close()
        self._descriptor, self.size = fresh, len(data)

    def check(self) -> None:
        """Raises JournalBrokenError once the file is given up."""
        if self.broken:
            raise JournalBrokenError(self.broken)

    def close(self) -> None:
        descriptor, self._descriptor = self._descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _give_up(self, error: Exception) -> JournalBrokenError:
        name = f"{self.path.parent.name}/{self.path.name}"
        why = (isinstance(error, OSError) and error.strerror) or str(error) or type(error).__name__
        self.broken = Notice("journal.broken", name=name, why=why)
        return JournalBrokenError(self.broken)


def sync_folder(folder: Path) -> None:
    """Make names that were created or replaced in a folder durable, where the system can (POSIX)."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        with suppress(OSError):
            os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    """Write until all is written: a full disk tells why only by the write after the one that it cut short."""
    rest = memoryview(data)
    while rest:
        written = os.write(descriptor, rest)
        rest = rest[written:]
