"""Plain files: nothing is read from a pipe or written through a link; a write that fails leaves what was."""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import memorybank
from memorybank.batch.results import read_results
from memorybank.batch.store import BatchFolder
from memorybank.errors import JournalBrokenError, UnsafeInputError
from memorybank.runs.files.growing import GrowingFile
from memorybank.runs.files.names import base_name, shown
from memorybank.runs.files.plain import check_folder, make_folder, open_plain, read_plain, write_whole, writing
from memorybank.runs.tail import Tail
from tests.tables import tables

OLD = b"what was there"


TRAPS: dict[str, Callable[[Path], None]] = {
    "link": lambda path: path.symlink_to(path.with_name("victim")),
    "dangling": lambda path: path.symlink_to(path.with_name("nowhere")),
    "pipe": lambda path: os.mkfifo(path),
    "socket": lambda path: os.mknod(path, stat.S_IFSOCK | 0o600),  # a bound name may not be as long
    "device": lambda path: path.symlink_to("/dev/zero"),
}


def _refused(act: Callable[[], object]) -> str:
    with pytest.raises(UnsafeInputError) as error:
        act()
    message = str(error.value)
    assert "\n" not in message
    return message


@pytest.mark.parametrize("trap", TRAPS)
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path, trap: str) -> None:
    (tmp_path / "victim").write_bytes(OLD)
    path = tmp_path / "memory.json"
    TRAPS[trap](path)
    acts: list[Callable[[], object]] = [
        lambda: read_plain(path),
        lambda: write_whole(path, b"new"),
        lambda: open_plain(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT),
        lambda: open_plain(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC),
    ]
    for act in acts:
        assert _refused(act).startswith("memory.json is a")
    assert (tmp_path / "victim").read_bytes() == OLD
    assert sorted(one.name for one in tmp_path.iterdir()) == ["memory.json", "victim"]


def test_a_link_that_the_user_named_is_followed_to_a_regular_file_alone(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(OLD)
    for name, target in {"link": tmp_path / "victim", "zero": Path("/dev/zero"), "null": Path("/dev/null")}.items():
        (tmp_path / name).symlink_to(target)
    os.mkfifo(tmp_path / "pipe")
    assert read_plain(tmp_path / "link", follow=True) == OLD
    write_whole(tmp_path / "link", b"new", follow=True)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "victim").read_bytes() == b"new"
    for name in ("zero", "null", "pipe"):
        _refused(lambda name=name: read_plain(tmp_path / name, follow=True))  # type: ignore[misc]
        _refused(lambda name=name: write_whole(tmp_path / name, b"new", follow=True))  # type: ignore[misc]
    assert Path("/dev/null").is_char_device()


def test_a_folder_is_no_file_and_a_missing_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "memory.json").mkdir()
    with pytest.raises(IsADirectoryError):
        read_plain(tmp_path / "memory.json")
    assert "is a folder" in _refused(lambda: write_whole(tmp_path / "memory.json", b"new"))
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "missing")


def test_a_file_that_would_fill_the_memory_is_refused_by_its_size(tmp_path: Path) -> None:
    """It takes no room on the disk: it is one hole."""
    (tmp_path / "runs").mkdir()
    for name, size in {"journal.jsonl": 3e9, "batch.json": 2e8, "results.jsonl": 2e8}.items():
        with (tmp_path / name).open("wb") as file:
            file.truncate(int(size))
    acts: list[Callable[[], object]] = [
        lambda: read_plain(tmp_path / "journal.jsonl"),
        Tail(tmp_path / "journal.jsonl").poll,
        BatchFolder(tmp_path).begun,
        lambda: read_results(tmp_path),
    ]
    assert all("MB is more than the" in _refused(act) for act in acts)


@pytest.mark.parametrize("fails", ["write", "fsync", "replace"])
@pytest.mark.parametrize("there", [OLD, None])
def test_a_failed_write_leaves_what_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str, there: bytes | None
) -> None:
    path = tmp_path / "answer.md"
    if there is not None:
        path.write_bytes(there)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    def write() -> None:
        with writing(path) as file:
            file.write(b"half of")
            if fails == "write":
                full()

    if fails != "write":
        monkeypatch.setattr(os, fails, full)
    with pytest.raises(OSError, match="No space"):
        write()
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == ([] if there is None else [(path.name, OLD)])


def test_a_trap_under_the_name_beside_is_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "victim").write_bytes(OLD)
    path = tmp_path / "memory.json"
    with writing(path) as file:
        beside = Path(file.name) if isinstance(file.name, str) else next(tmp_path.glob(".memory.json.*"))
    for trap in TRAPS.values():
        trap(beside)
        write_whole(path, b"new")
        assert path.read_bytes() == b"new"
        assert (tmp_path / "victim").read_bytes() == OLD


def test_a_link_in_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "blobs").symlink_to("outside")
    (tmp_path / "files").write_bytes(b"")
    (tmp_path / "gone").symlink_to("nowhere")
    for name in ("blobs", "files", "gone"):
        assert "not a folder" in _refused(lambda name=name: make_folder(tmp_path / name))  # type: ignore[misc]
    assert not (tmp_path / "nowhere").exists()
    make_folder(tmp_path / "run" / "temp")
    check_folder(tmp_path / "run" / "temp")
    assert (tmp_path / "run" / "temp").is_dir()


# -- A file that grows by whole writes: what fails is taken back, and where that fails nothing more is written ---------

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


def test_only_the_last_part_of_a_name_is_shown() -> None:
    assert base_name("../../etc/pass\nwd.png") == "pass\ufffdwd.png"
    assert base_name("C:\\Users\\me\\图 1.png") == "图 1.png"
    assert base_name("/", default="image") == base_name("..", default="image") == "image"
    assert base_name("x" * 300 + ".png") == "x" * 116 + ".png"
    assert shown("a\u202egnp.exe") == "a\ufffdgnp.exe"


@given(st.text())
def test_a_base_name_is_one_printable_line_without_separators(name: str) -> None:
    found = base_name(name)
    assert 0 < len(found) <= 120
    assert not set(found) & {"/", "\\", "\n", "\r", "\x00"}
    assert found not in (".", "..")


# -- every file that the product writes goes through `runs/files/plain.py` --------------------------------------------

ROOT = Path(memorybank.__file__).parents[1]
PACKAGES = ("memorybank", "memorybank_studio", "memorybank_lab")
TABLES = tables(__file__)
_WRITES = re.compile(
    r"""\.(write_text|write_bytes|rename|touch)\(
    |\bshutil\.(copy|copy2|copyfile|copytree|move)\(
    |\bos\.(replace|rename|link|symlink|open)\(
    |\btempfile\.(mkstemp|NamedTemporaryFile)\(
    |\b(open)\((?:[^()]|\([^()]*\))*["'][rbt]*[wxa+][rwxab+t]*["']""",
    re.VERBOSE,
)
"""Calls that write a file, or open one past `open_plain`."""


def test_nothing_else_writes() -> None:
    found = {
        (place, name)
        for package in PACKAGES
        for path in sorted((ROOT / package).rglob("*.py"))
        if not (place := path.relative_to(ROOT).as_posix()).startswith(tuple(TABLES["writers"]))
        for names in _WRITES.findall(path.read_text("utf-8"))
        for name in filter(None, names)
    }
    assert found == {(place, name) for place, names in TABLES["besides"].items() for name in names}
