"""Real models in real processes, one of each for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memorybank.embedding.models import resolve
from memorybank.embedding.process import EmbeddingProcess


@pytest.fixture(scope="session")
def minilm() -> Iterator[EmbeddingProcess]:
    yield from _running("all-MiniLM-L6-v2")


@pytest.fixture(scope="session")
def e5() -> Iterator[EmbeddingProcess]:
    yield from _running("multilingual-e5-small")


@pytest.fixture
def hashed_process() -> Iterator[EmbeddingProcess]:
    yield from _running("hashed-ngrams")


def _running(name: str) -> Iterator[EmbeddingProcess]:
    process = EmbeddingProcess(resolve(name))
    yield process
    process.close()
