"""Blobs: put and get, at once and again, and what a changed or foreign folder does."""

import os
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memorybank.errors import InputError, JournalError, UnsafeInputError
from memorybank.language.text import sha256
from memorybank.runs.files.stores import BlobStore


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.lists(st.one_of(st.binary(max_size=300), st.text(max_size=100)), max_size=8))
def test_what_is_put_comes_back(tmp_path: Path, contents: list[bytes | str]) -> None:
    blobs = BlobStore(tmp_path / "blobs")
    digests = [blobs.put(content) for content in contents]
    for content, digest in zip(contents, digests, strict=True):
        assert blobs.get(digest) == (content.encode() if isinstance(content, str) else content)
        assert blobs.has(digest)
    assert not [path for path in tmp_path.rglob("*") if path.name.startswith(".")]


def test_a_text_has_the_digest_that_entries_have(tmp_path: Path) -> None:
    text = "量子计算 — “quantum”\n\ud83d lone surrogate"
    blobs = BlobStore(tmp_path)
    assert blobs.put(text) == sha256(text)
    assert blobs.text(sha256(text)) == text


def test_the_same_content_is_written_once(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path)
    path = tmp_path / blobs.put(b"prompt")
    os.utime(path, (1, 1))
    blobs.put(b"prompt")
    assert path.stat().st_mtime == 1
    path.write_bytes(b"pro")  # cut short by a full disk
    blobs.put(b"prompt")
    assert blobs.get(path.name) == b"prompt"


@pytest.mark.parametrize("name", ["../journal.jsonl", "", "a" * 63, "A" * 64, "a" * 64 + "\n", "/etc/passwd", "é" * 64])
def test_a_name_that_is_no_digest_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UnsafeInputError, match="64 hexadecimal digits"):
        BlobStore(tmp_path).get(name)


def test_missing_changed_and_linked_blobs_are_told_apart(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path / "blobs")
    digest = blobs.put(b"answer")
    with pytest.raises(InputError, match="is not in blobs/"):
        blobs.get("0" * 64)
    path = tmp_path / "blobs" / digest
    path.write_bytes(b"forged")
    with pytest.raises(JournalError, match="does not hold what its name says"):
        blobs.get(digest)
    (tmp_path / "secret").write_bytes(b"answer")
    path.unlink()
    path.symlink_to(tmp_path / "secret")
    assert not blobs.has(digest)
    with pytest.raises(InputError):
        blobs.get(digest)
    blobs.put(b"answer")  # replaces the link, not what it points to
    assert blobs.get(digest) == b"answer"
    assert not path.is_symlink()


def test_many_threads_may_put_the_same_blob(tmp_path: Path) -> None:
    blobs = BlobStore(tmp_path / "blobs")
    content = os.urandom(200_000)
    threads = [threading.Thread(target=blobs.put, args=(content,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [path.read_bytes() for path in (tmp_path / "blobs").iterdir()] == [content]


def test_a_blob_is_written_without_a_wait_for_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contents = [number.to_bytes(4, "big") * 256 for number in range(100)]
    waits: list[int] = []
    monkeypatch.setattr(os, "fsync", waits.append)
    blobs = BlobStore(tmp_path / "blobs")
    for content in contents:
        blobs.put(content)
    assert waits == []
    assert len(list((tmp_path / "blobs").iterdir())) == 100
