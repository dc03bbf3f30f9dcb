from __future__ import annotations

from pathlib import Path

import pytest

from memorybank_studio.hub.stores import Stores
from memorybank_studio.tests.settlement.settling import Failing
from memorybank_studio.tests.tasks.studio import Studio, open_studio


@pytest.fixture
def cut(tmp_path: Path, stores: Stores) -> Studio:
    failing = Stores(
        facts=Failing(stores.facts),  # type: ignore[arg-type]
        plans=Failing(stores.plans),  # type: ignore[arg-type]
        settings=Failing(stores.settings),  # type: ignore[arg-type]
        archive=stores.archive,
    )
    return open_studio(tmp_path / "s", failing)
