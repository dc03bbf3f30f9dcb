from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.tasks.studio import Studio, open_studio, stores_in


@pytest.fixture
def stores(tmp_path: Path) -> Stores:
    return stores_in(tmp_path / "hub")


@pytest.fixture
def studio(tmp_path: Path, stores: Stores) -> Iterator[Studio]:
    opened = open_studio(tmp_path / "studio", stores)
    yield opened
    opened.gateway.close()
