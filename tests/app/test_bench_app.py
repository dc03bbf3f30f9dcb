"""The benchmark of the app, small, as it is started from the command line."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest


@pytest.mark.usefixtures("browser")  # skipped without one
def test_the_app_is_measured() -> None:
    """In a process of its own: Playwright serves one caller a process."""
    line = [sys.executable, "-m", "memorybank_lab", "bench", "app", "--quick", "--json"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)
    assert len(rows) > 9
    assert all(row["n"] for row in rows)
