"""The real Chroma, embedded, with the embedder that needs no model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank_studio.hub.archive import Archive
from memorybank_studio.hub.chroma import Chroma, ChromaSettings
from memorybank_studio.hub.collection import Settings


@pytest.fixture
def chroma(tmp_path: Path) -> Iterator[Chroma]:
    with Chroma(ChromaSettings(folder=tmp_path), HashedNgrams()) as opened:
        yield opened


@pytest.fixture
def archive(chroma: Chroma) -> Archive:
    return Archive(chroma)


@pytest.fixture
def settings(chroma: Chroma) -> Settings:
    return Settings(chroma)
