"""A file that grows by whole writes: what fails is taken back, and where that fails nothing more is written."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from memorybank.errors import JournalBrokenError
from memorybank.runs.files.growing import GrowingFile

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def failing(error: BaseException) -> object:
    def fail(*_: object) -> None:
        raise error

    return fail


@pytest.mark.parametrize("error", [FULL, KeyboardInterrupt()])
def test_a_failed_write_is_taken_back_and_the_next_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    path = tmp_path / "journal"
    file = GrowingFile(path)
    file.write(b"first\n", durable=True)
    write, calls = os.write, []

    def half(descriptor: int, data: bytes) -> int:
        calls.append(data)
        if len(calls) == 1:
            return write(descriptor, bytes(data)[:3])
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", half)
        with pytest.raises(type(error)) as raised:
            file.write(b"second\n", durable=True)
    assert len(calls) == 2
    assert path.read_bytes() == b"first\n"
    assert file.size == 6
    assert not file.broken
    if isinstance(error, OSError):
        assert raised.value.filename == str(path)
    file.write(b"third\n", durable=False)
    assert path.read_bytes() == b"first\nthird\n"


@pytest.mark.parametrize("fails", ["fsync", "ftruncate"])
def test_after_a_failure_that_cannot_be_taken_back_nothing_more_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    path = tmp_path / "run" / "journal"
    path.parent.mkdir()
    file = GrowingFile(path)
    file.write(b"first\n", durable=True)
    with monkeypatch.context() as patched:
        patched.setattr(os, fails, failing(OSError(errno.EIO, os.strerror(errno.EIO))))
        if fails == "ftruncate":
            patched.setattr(os, "write", failing(FULL))
        with pytest.raises(JournalBrokenError, match=r"a write to run/journal failed .*\(Input/output error\)"):
            file.write(b"second\n", durable=True)
    size = path.stat().st_size
    for _ in range(2):
        with pytest.raises(JournalBrokenError, match="open it again"):
            file.write(b"third\n", durable=False)
        with pytest.raises(JournalBrokenError, match="open it again"):
            file.replace(b"other\n")
    assert path.stat().st_size == size
    file.close()
    assert GrowingFile(path).broken is None


def test_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal"
    file = GrowingFile(path)
    file.write(b"first\n", durable=True)
    for call in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(os, call, failing(FULL))
            with pytest.raises(OSError, match="No space"):
                file.replace(b"other\n")
        assert path.read_bytes() == b"first\n"
        assert sorted(tmp_path.iterdir()) == [path]
    file.replace(b"other\n")
    file.write(b"more\n", durable=True)
    assert path.read_bytes() == b"other\nmore\n"
