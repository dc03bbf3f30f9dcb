from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import InputError, LockedError, StoreUnavailableError
from memorybank.retrieval.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.collection import Settings
from memorybank_studio.tests.hub.semantic.made import chapter, setting


class Another(HashedNgrams):
    name = "another-model"


def test_another_model_is_told_and_what_to_do(tmp_path: Path) -> None:
    place = ChromaSettings(folder=tmp_path)
    with Chroma(place, HashedNgrams()) as chroma:
        Archive(chroma).put(chapter(1, ["甲"]))
    with Chroma(place, Another()) as chroma:
        with pytest.raises(InputError, match="EMBEDDING_MODEL=hashed-ngrams"):
            Archive(chroma).chapters()
        Settings(chroma).put([setting("a", "b")])  # its own collection, of the new model
    with Chroma(place, HashedNgrams()) as chroma:
        assert Archive(chroma).chapters() == ((1, "第1回"),)


def test_one_process_has_the_folder(chroma: Chroma, tmp_path: Path) -> None:
    Archive(chroma).put(chapter(1, ["甲"]))
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as second, pytest.raises(LockedError, match="in use"):
        Archive(second).chapters()
    chroma.close()
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as third:
        assert Archive(third).chapters()


def test_a_closed_one_opens_again_when_it_is_used(chroma: Chroma, archive: Archive) -> None:
    archive.put(chapter(1, ["甲"]))
    chroma.close()
    assert archive.chapters() == ((1, "第1回"),)


def test_a_folder_that_cannot_be_used_is_told_and_used_once_it_can(tmp_path: Path) -> None:
    place = tmp_path / "studio"
    place.write_text("a file where the folder should be")
    with Chroma(ChromaSettings(folder=place), HashedNgrams()) as chroma:
        archive = Archive(chroma)
        with pytest.raises(StoreUnavailableError, match="studio"):
            archive.put(chapter(1, ["甲"]))
        place.unlink()
        archive.put(chapter(1, ["甲"]))
        assert archive.chapters() == ((1, "第1回"),)


def test_files_that_are_no_database_are_told(tmp_path: Path) -> None:
    (tmp_path / "chroma").mkdir()
    (tmp_path / "chroma" / "chroma.sqlite3").write_bytes(b"not a database" * 100)
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as chroma:
        for _ in range(2):
            with pytest.raises(StoreUnavailableError, match="the studio's own Chroma"):
                Archive(chroma).chapters()


@pytest.mark.parametrize(
    "url",
    ["ftp://127.0.0.1:1", "127.0.0.1:8000", "http://me:secret@127.0.0.1:1", "http://127.0.0.1:99999", "http://h:1/api"],
)
def test_a_url_that_is_none_is_refused_without_its_secret(url: str) -> None:
    with pytest.raises(InputError) as caught:
        Chroma(ChromaSettings(url=url), HashedNgrams())
    assert "secret" not in str(caught.value)


def test_settings_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="folder"):
        Chroma(ChromaSettings(), HashedNgrams())
    with pytest.raises(InputError, match="prefix"):
        Chroma(ChromaSettings(folder=tmp_path, prefix="a/b"), HashedNgrams())
    assert "key" not in repr(ChromaSettings(folder=tmp_path, token="key"))


def test_the_core_and_the_types_need_no_chroma() -> None:
    told = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, memorybank, memorybank_studio.types, memorybank_studio.hub.archive as a; "
            "print([name for name in ('chromadb', 'neo4j', 'redis') if name in sys.modules])",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.strip() == "[]"


def test_without_the_extra_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "chromadb", None)
    archive = Archive(Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()))
    with pytest.raises(StoreUnavailableError, match=r"pip install \"agentic-memory-bank\[studio\]\""):
        archive.chapters()
