"""Where an index may keep its vectors: in memory, or on a real Chroma server, each index in a collection of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from memorybank.embedding.base import CosineScale
from memorybank.embedding.hashed import HashedNgrams
from memorybank.retrieval.chroma_vectors import ChromaVectors
from memorybank.retrieval.index import NodeIndex
from memorybank.retrieval.stored_vectors import StoredVectors
from memorybank_studio.tests.hub.semantic.server import COMMAND, Server

SCALE = CosineScale(lo=0.1, hi=0.9)
DIM = 8

MakeIndex = Callable[[], NodeIndex]


class SmallVectors(HashedNgrams):
    """Names the vectors of a test; it embeds nothing."""

    name = "small"
    dim = DIM


@pytest.fixture(scope="module")
def chroma(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    if not COMMAND.exists():
        pytest.skip("they want the chroma command: pip install chromadb")
    server = Server(tmp_path_factory.mktemp("chroma") / "data")
    server.start()
    yield server
    server.kill()


@pytest.fixture(scope="module")
def server(chroma: Server) -> MakeIndex:
    """Makes an empty index with its vectors on the server."""
    numbers = count()
    return lambda: NodeIndex(SCALE, StoredVectors(vectors_on(chroma, Path(f"/runs/{next(numbers)}"))))


@pytest.fixture(params=["memory", "server"])
def make(request: pytest.FixtureRequest) -> MakeIndex:
    if request.param == "memory":
        return lambda: NodeIndex(SCALE)
    made: MakeIndex = request.getfixturevalue("server")
    return made


def vectors_on(chroma: Server, folder: Path) -> ChromaVectors:
    return ChromaVectors(f"http://127.0.0.1:{chroma.port}", "", SmallVectors(), folder)
