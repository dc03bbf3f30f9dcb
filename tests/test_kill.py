"""A run killed with SIGKILL at any append resumes to the same memory as a whole run (design section 4)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.parametrize("scenario", ["sound", "failing"])
def test_killed_at_any_moment_a_run_resumes_to_the_same_memory(tmp_path: Path, scenario: str) -> None:
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "tests.kill_points", str(tmp_path), scenario],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["points"] >= 40
    assert report["differ"] == report["journals_differ"] == report["lost"] == []
    again = 0 if scenario == "sound" else 1
    assert report["extra_calls"] == again, "what was journaled is not asked again, but for a failure that stood last"
    assert [append for append, _ in report["not_killed"]] == [] or min(a for a, _ in report["not_killed"]) > 40
