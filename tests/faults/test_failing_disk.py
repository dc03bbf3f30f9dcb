"""A call that fails once loses nothing that was reported as done, whoever holds the journal and goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.faults import disk

ROOT = Path(__file__).parents[2]
MEMORY = Path("/dev/shm")
"""Where fsync costs nothing, if there is such a place."""


@pytest.mark.skipif(sys.platform != "linux", reason="the failing disk is preloaded, as only Linux does it")
@pytest.mark.skipif(disk.compiler() is None, reason="no C compiler: apt-get install gcc")
@pytest.mark.parametrize(
    ("holders", "every", "cases"),
    [
        pytest.param(("session", "studio"), 9, 32, id="the journals"),
        pytest.param(("worker", "mcp", "turns"), 19, 16, id="who holds a session"),
    ],
)
def test_calls_fail_once_all_over_the_work(tmp_path: Path, holders: tuple[str, ...], every: int, cases: int) -> None:
    """The same few lines write at every point: every ninth call will do, the nineteenth of what writes through them."""
    library = disk.build(tmp_path)
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else tmp_path) as work:
        done = subprocess.run(
            [sys.executable, "-m", "tests.faults.run", work, *holders, "--every", str(every)],
            cwd=ROOT,
            env={**os.environ, "LD_PRELOAD": str(library), "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["lost"] == []
    assert sum(report["cases"].values()) >= cases
    assert set(report["cases"]) == set(holders)
    assert set(report["calls"]) >= {"WRITE", "SYNC", "NAME"}
