"""A real Chroma server on this machine: lost, silent, back again, and back with nothing in it."""

from __future__ import annotations

import shutil
import signal
import time
from collections.abc import Iterator

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.errors import StoreUnavailableError
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings
from memorybank_studio.tests.hub.semantic.made import HOSTILE, chapter, setting
from memorybank_studio.tests.hub.semantic.server import COMMAND, Server

TIMEOUT = 3.0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not COMMAND.exists():
        pytest.skip("they want the chroma command: pip install chromadb")
    made = Server(tmp_path_factory.mktemp("chroma") / "data")
    yield made
    made.kill()


def opened(server: Server) -> Chroma:
    return Chroma(ChromaSettings(url=f"http://127.0.0.1:{server.port}", timeout=TIMEOUT), HashedNgrams())


def test_a_server_by_url_serves_as_the_embedded_one_does(server: Server) -> None:
    server.start()
    with opened(server) as chroma:
        archive, settings = Archive(chroma), Settings(chroma)
        chunks = chapter(1, list(HOSTILE), [[text, "众人"] for text in HOSTILE])
        archive.put(chunks)
        assert archive.chapter(1) == tuple(chunks)
        assert [archive.with_all([text, "众人"])[0].text for text in HOSTILE] == list(HOSTILE)
        archive.put(chapter(1, ["短"]))
        assert [chunk.text for chunk in archive.all()] == ["短"]
        settings.put([setting("键", "值")])
        assert settings.search("键")[0].score == 1.0


def test_a_server_is_used_as_soon_as_it_is_there_again_be_it_empty(server: Server) -> None:
    server.start()
    with opened(server) as chroma, opened(server) as fresh:
        archive = Archive(chroma)
        archive.put(chapter(1, ["甲", "乙"]))
        assert archive.chapters() == ((1, "第1回"),)
        server.kill()
        for lost in (archive, archive, Archive(fresh)):
            began = time.monotonic()
            match = f"127.0.0.1:{server.port} cannot be reached: start it, then try again"
            with pytest.raises(StoreUnavailableError, match=match):
                lost.put(chapter(2, ["丙"]))
            assert time.monotonic() - began < TIMEOUT + 20  # the first use imports Chroma
        with pytest.raises(StoreUnavailableError):
            archive.search("甲")
        server.start()
        Archive(fresh).put(chapter(2, ["丙"]))
        assert [chunk.text for chunk in archive.all()] == ["甲", "乙", "丙"]
        server.kill()
        shutil.rmtree(server.folder)
        server.start()
        assert archive.chapters() == ()
        archive.put(chapter(1, ["甲"]))
        assert archive.chapters() == ((1, "第1回"),)


def test_a_server_that_says_nothing_does_not_hold_the_author_up(server: Server) -> None:
    server.start()
    with opened(server) as chroma, opened(server) as fresh:
        archive = Archive(chroma)
        archive.put(chapter(1, ["甲"]))
        server.signal(signal.SIGSTOP)
        for lost in (archive, Archive(fresh)):
            began = time.monotonic()
            with pytest.raises(StoreUnavailableError, match="does not answer"):
                lost.chapters()
            assert time.monotonic() - began < TIMEOUT + 20
        server.signal(signal.SIGCONT)
        assert archive.chapters() == ((1, "第1回"),)
