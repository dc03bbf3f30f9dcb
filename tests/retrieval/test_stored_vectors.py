"""A store of vectors that is down, comes back empty, or holds what is not ours: nothing is lost or found wrong."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memorybank.embedding.base import Matrix
from memorybank.errors import InputError, StoreUnavailableError
from memorybank.memory.types import Node, NodeId
from memorybank.retrieval.chroma_vectors import ChromaVectors
from memorybank.retrieval.index import NodeIndex, NodeRanking
from memorybank.retrieval.stored_vectors import StoredVectors
from memorybank.runs.export import fingerprint
from memorybank.runs.run_folder import load, state_at
from memorybank.session.assembly import assemble
from memorybank.settings.config import Settings, VectorStorePlace
from memorybank_studio.tests.hub.semantic.server import Server
from tests.command_line import memorybank
from tests.retrieval.places import SCALE, SmallVectors, chroma, vectors_on
from tests.retrieval.test_index import asked, node

__all__ = ["chroma"]

TASK = "When was the Tamar Bridge opened?"


@pytest.fixture(autouse=True)
def _running(chroma: Server) -> None:
    chroma.start()


def filled(index: NodeIndex, nodes: Sequence[Node]) -> NodeIndex:
    index.sync({one.id: one for one in nodes})
    return index


def ranked(index: NodeIndex) -> NodeRanking:
    return index.rank(asked("water of text 7", seed=5), k=5, alpha=0.5)


def test_a_server_that_is_down_is_told_and_one_that_lost_everything_is_filled_again(
    chroma: Server, tmp_path: Path
) -> None:
    nodes = [node(number, f"text {number} of water") for number in range(1, 60)]
    expected = ranked(filled(NodeIndex(SCALE), nodes))
    index = filled(NodeIndex(SCALE, StoredVectors(vectors_on(chroma, tmp_path))), nodes)
    assert ranked(index) == expected

    chroma.kill()
    with pytest.raises(StoreUnavailableError, match="cannot be reached: start it, then try again"):
        ranked(index)
    index.put(replace(nodes[0], summary="text 7 of water", vector=nodes[6].vector))  # goes on meanwhile
    index.put(nodes[0])
    shutil.rmtree(chroma.folder)
    chroma.start()
    assert ranked(index) == expected


def test_what_is_not_ours_or_was_lost_behind_our_back_is_mended(chroma: Server, tmp_path: Path) -> None:
    nodes = [node(number, f"text {number} of water") for number in range(1, 60)]
    expected = ranked(filled(NodeIndex(SCALE), nodes))
    index = filled(NodeIndex(SCALE, StoredVectors(vectors_on(chroma, tmp_path), trusted=0)), nodes)
    assert ranked(index) == expected
    behind = vectors_on(chroma, tmp_path)
    near = asked("", seed=5).vector
    kept = behind.ids()

    behind.put(["n99-foreign"], np.array([near]))  # nearer than all of ours
    assert ranked(index) == expected
    assert behind.ids() == kept
    behind.remove(sorted(kept)[:20])
    assert ranked(index) == expected
    behind.remove(sorted(kept)[:1])
    behind.put(["n99-foreign"], np.array([near]))  # as many as before
    assert ranked(index) == expected
    assert behind.ids() == kept


class CountingVectors(ChromaVectors):
    """Keeps how many vectors were sent."""

    sent = 0

    def put(self, ids: Sequence[str], vectors: Matrix) -> None:
        self.sent += len(ids)
        super().put(ids, vectors)


def test_an_index_of_the_same_run_finds_what_is_there_and_sends_only_what_changed(
    chroma: Server, tmp_path: Path
) -> None:
    nodes = [node(number, f"text {number} of water") for number in range(1, 60)]
    ranked(filled(NodeIndex(SCALE, StoredVectors(vectors_on(chroma, tmp_path))), nodes))
    nodes[3] = replace(nodes[3], vector=node(777, "").vector)
    del nodes[-1]
    store = CountingVectors(f"http://127.0.0.1:{chroma.port}", "", SmallVectors(), tmp_path)
    again = filled(NodeIndex(SCALE, StoredVectors(store)), nodes)
    assert ranked(again) == ranked(filled(NodeIndex(SCALE), nodes))
    assert store.sent == 1
    again.put(replace(nodes[5], summary="said in other words"))
    ranked(again)
    assert store.sent == 1, "the same vector is not sent again"
    assert NodeId("n59") not in again
    assert store.count() == len(nodes)


def test_a_run_on_a_server_is_the_run_in_memory_and_goes_on_when_the_server_is_back(
    chroma: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.md").write_text("The Tamar Bridge was opened in 1961. It carries three lanes.", "utf-8")
    (tmp_path / "b.md").write_text("The Tamar Bridge was opened in 1981, and a ferry runs beside it.", "utf-8")
    given = ("--context", tmp_path / "a.md", tmp_path / "b.md", "--embedding-model", "hashed-ngrams")
    assert memorybank("run", "--task", TASK, *given, "--out", tmp_path / "memory").returncode == 0
    monkeypatch.setenv("VECTOR_STORE_URL", f"http://127.0.0.1:{chroma.port}")
    served = tmp_path / "served"
    assert memorybank("run", "--task", TASK, *given, "--out", served).returncode == 0
    assert fingerprint(state_at(load(served))) == fingerprint(state_at(load(tmp_path / "memory")))

    chroma.kill()
    failed = memorybank("ask", served, "How many lanes has the Tamar Bridge?")
    assert failed.returncode == 1
    assert "cannot be reached: start it, then try again" in failed.stderr
    chroma.start()
    resumed = memorybank("resume", served)
    assert resumed.returncode == 0, resumed.stderr
    assert "three lanes" in (served / "answer.md").read_text("utf-8")


@pytest.mark.parametrize("url", ["ftp://127.0.0.1:1", "http://me:vector-password@127.0.0.1:1", "http://127.0.0.1:1/x"])
def test_a_url_is_checked_before_a_run_begins_and_no_secret_is_told(url: str) -> None:
    settings = Settings(embedding_model="hashed-ngrams", vector_store=VectorStorePlace(url=url, token="vector-token-1"))
    with pytest.raises(InputError, match="http://host:port") as refused:
        assemble(settings, [TASK])
    assert "vector-" not in f"{refused.value} {settings!r}"
    assert "vector-token-1" in settings.secrets
