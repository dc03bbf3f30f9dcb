"""The benchmark of the app, small, as it is started from the command line."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.usefixtures("browser")  # skipped without one
def test_the_app_is_measured() -> None:
    """In a process of its own: Playwright serves one caller a process."""
    line = [sys.executable, "-m", "memorybank_lab", "bench", "app", "--quick"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    heading, *rows = done.stdout.splitlines()
    assert heading.split() == ["what", "n", "p50", "p95", "limit", "holds"]
    assert len(rows) == 12
    (looked,) = [row for row in rows if row.startswith("sent by looking")]
    assert float(looked.split()[6]) > 0, "messages of the page's connection are counted"
