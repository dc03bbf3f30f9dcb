"""A disk on which one call fails: `failing_disk.c`, compiled, preloaded, and armed from within the process."""

from __future__ import annotations

import ctypes
import errno
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

SOURCE = Path(__file__).with_name("failing_disk.c")


class Call(IntEnum):
    """Kinds of calls, as in failing_disk.c."""

    NONE = 0
    WRITE = 1
    SYNC = 2
    CUT = 4
    NAME = 8


@dataclass(frozen=True, slots=True)
class Fault:
    """How a call fails: `how` as in failing_disk.c."""

    name: str
    how: int
    code: int


TORN = Fault("short write, then full", 2, errno.ENOSPC)
"""The worst of a write; any other call fails with "disk full"."""
WRITE_FAULTS = (
    Fault("disk full", 0, errno.ENOSPC),
    Fault("input/output error", 0, errno.EIO),
    Fault("file too large", 0, errno.EFBIG),
    Fault("short write", 1, errno.ENOSPC),
    Fault("full, and it cannot be taken back", 3, errno.ENOSPC),
)
OTHER_FAULTS = (Fault("input/output error", 0, errno.EIO),)


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc")


def build(folder: Path) -> Path:
    """The library to preload. Needs a C compiler."""
    made = folder / "failing_disk.so"
    subprocess.run([compiler() or "cc", "-shared", "-fPIC", "-O1", "-o", str(made), str(SOURCE), "-ldl"], check=True)
    return made


class Disk:
    """The preloaded library of this process. Raises OSError, AttributeError where it is not preloaded."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(None)
        self._library.disk_arm.argtypes = (ctypes.c_char_p, ctypes.c_long, ctypes.c_int, ctypes.c_int)
        self._library.disk_count.restype = ctypes.c_long

    @contextmanager
    def failing(self, folder: Path, nth: int, fault: Fault) -> Iterator[None]:
        """The n-th call below the folder fails so; 0: none does, and they are counted."""
        self._library.disk_arm(str(folder.resolve()).encode(), nth, fault.how, fault.code)
        try:
            yield
        finally:
            self._count = int(self._library.disk_count())
            self._fired = Call(int(self._library.disk_fired()))
            self._library.disk_arm(b"", 0, 0, 0)

    @property
    def count(self) -> int:
        """Calls of the last `failing`."""
        return self._count

    @property
    def fired(self) -> Call:
        return self._fired
