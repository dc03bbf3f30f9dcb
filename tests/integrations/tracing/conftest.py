"""What the tests of tracing share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.integrations.tracing.runs import started


@pytest.fixture
def run(run_dir: Path) -> Path:
    with started(run_dir) as session:
        session.run()
    return run_dir
