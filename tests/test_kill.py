"""A run killed with SIGKILL at an append of any kind resumes to the same memory as a whole run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from memorybank.memory.events import ToolUsed
from memorybank.runs.run_folder import load, state_at
from tests.lending import lent


@pytest.mark.parametrize(("scenario", "points"), [("sound", 20), ("failing", 15), ("images", 12)])
def test_killed_at_any_moment_a_run_resumes_to_the_same_memory(tmp_path: Path, scenario: str, points: int) -> None:
    root = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-m", "tests.kill_points", str(tmp_path), scenario],
        cwd=root,
        env={**os.environ, **lent()},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["points"] >= points
    assert report["differ"] == report["journals_differ"] == report["lost"] == report["not_killed"] == []
    again = int(scenario == "failing")
    assert report["extra_calls"] == again, "what was journaled is not asked again, but for a failure that stood last"
    if scenario == "images":
        whole = load(tmp_path / "whole")
        shown_by = [one.found_in for one in state_at(whole).tree.attachments.values()]
        assert shown_by == ["alone.png", "a.md", "a.md"]
        assert sum(isinstance(one.event, ToolUsed) for one in whole) == 3, "each is read once"
