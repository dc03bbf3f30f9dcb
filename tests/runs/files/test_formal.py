"""The formal store: originals by content, and paths that an import may try."""

import os
from pathlib import Path

import pytest

from memorybank.errors import InputError, JournalError, UnsafeInputError
from memorybank.runs.files.stores import FormalStore


def test_originals_are_kept_once_and_named_by_content(tmp_path: Path) -> None:
    store = FormalStore(tmp_path / "files")
    pdf = store.put(b"%PDF-1.7 report", ".PDF")
    code = store.put("print('你好')\n".encode(), ".py")
    assert pdf.path == f"{pdf.sha256}.pdf"
    assert (pdf.size, pdf.media_type) == (15, "application/pdf")
    assert store.read(pdf.path) == b"%PDF-1.7 report"
    assert store.read(code.path).decode() == "print('你好')\n"
    assert store.put(b"%PDF-1.7 report", ".pdf") == pdf
    again = store.put("print('你好')\n".encode(), ".json")
    assert again == code, "the same content under another suffix keeps its first name"
    assert sorted(path.name for path in (tmp_path / "files").iterdir()) == sorted([pdf.path, code.path])


@pytest.mark.parametrize("suffix", [".exe", "", "py", ".py/../../x", ".svg", ".txt", ".html"])
def test_only_known_kinds_are_kept(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match="not a kind of file that is kept"):
        FormalStore(tmp_path).put(b"data", suffix)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "path",
    [
        "../journal.jsonl",
        "/etc/passwd",
        "{digest}.pdf/../x",
        "{digest}",
        "{digest}.exe",
        "./{digest}.pdf",
        "sub/{digest}.pdf",
        "{digest}.pdf\x00.png",
        "..\\{digest}.pdf",
    ],
)
def test_a_path_outside_is_refused_by_name(tmp_path: Path, path: str) -> None:
    store = FormalStore(tmp_path / "files")
    stored = store.put(b"%PDF-1.7", ".pdf")
    with pytest.raises(UnsafeInputError, match="points outside the store"):
        store.read(path.format(digest=stored.sha256))


def test_links_and_changed_originals_are_refused(tmp_path: Path) -> None:
    store = FormalStore(tmp_path / "files")
    stored = store.put(b"%PDF-1.7", ".pdf")
    path = tmp_path / "files" / stored.path
    path.write_bytes(b"%PDF-1.8")
    with pytest.raises(JournalError, match="was changed"):
        store.read(stored.path)
    path.unlink()
    path.symlink_to("/etc/hostname")
    with pytest.raises(InputError, match="is not in files/") as missing:
        store.read(stored.path)
    assert "附件" in missing.value.in_language("zh")
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(InputError, match="is not in files/"):
        store.read(stored.path)
