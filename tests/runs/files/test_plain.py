"""Plain files: nothing is read from a pipe or written through a link; a write that fails leaves what was."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from memorybank.errors import UnsafeInputError
from memorybank.runs.files.plain import check_folder, make_folder, open_plain, read_plain, write_whole, writing

OLD = b"what was there"


def _link(path: Path) -> None:
    path.symlink_to(path.with_name("victim"))


def _dangling(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


def _socket(path: Path) -> None:
    os.mknod(path, stat.S_IFSOCK | 0o600)  # a bound name may not be as long as a test's folder


TRAPS: dict[str, Callable[[Path], None]] = {
    "link": _link,
    "dangling": _dangling,
    "pipe": lambda path: os.mkfifo(path),
    "socket": _socket,
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


def test_folders_above_the_name_may_be_links(tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "named").symlink_to("run")
    write_whole(tmp_path / "named" / "memory.json", b"new")
    assert read_plain(tmp_path / "run" / "memory.json") == b"new"


def test_a_folder_is_no_file_and_a_missing_file_is_missing(tmp_path: Path) -> None:
    (tmp_path / "memory.json").mkdir()
    with pytest.raises(IsADirectoryError):
        read_plain(tmp_path / "memory.json")
    assert "is a folder" in _refused(lambda: write_whole(tmp_path / "memory.json", b"new"))
    with pytest.raises(FileNotFoundError):
        read_plain(tmp_path / "missing")


@pytest.mark.parametrize("fails", ["write", "fsync", "replace"])
@pytest.mark.parametrize("there", [OLD, None])
def test_a_write_that_fails_leaves_what_was(
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
