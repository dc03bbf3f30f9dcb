"""What could not be run is told at the end, a line a reason: also when two processes share the tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SKIPPING = """
import pytest

@pytest.mark.parametrize("number", range(40))
@pytest.mark.skipif(True, reason="they want a server: set ITS_URI to one")
def test_server(number): ...

def test_other():
    pytest.skip("they want a program: install it")

def test_run(): ...
"""


def test_skips_are_one_line_a_reason(tmp_path: Path) -> None:
    (tmp_path / "test_skipping.py").write_text(SKIPPING)
    (tmp_path / "conftest.py").write_text(
        "from tests.skipped import pytest_terminal_summary as pytest_terminal_summary"
    )
    line = f"{sys.executable} -m pytest -q -rfExX -p no:cacheprovider -p no:langsmith_plugin -n 2".split()
    here = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(line, cwd=tmp_path, env=here, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [one for one in done.stdout.splitlines() if "they want" in one]
    assert told == [
        "not run: 40 tests: they want a server: set ITS_URI to one",
        "not run: 1 test: they want a program: install it",
    ]
