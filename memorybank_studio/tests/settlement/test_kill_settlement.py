"""A studio killed with SIGKILL in the middle of a settlement: all of it is in the hub afterwards, or nothing."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memorybank_studio.tests.settlement.settle_kill import POINTS

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("arcadedb_embedded") is None, reason="the embedded graph engine is not installed"
)


def kill(root: Path, mode: str, points: int) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "memorybank_studio.tests.settlement.settle_kill", str(root), mode, str(points)],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=1_500,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["wrong"] == []
    assert report["failed"] == []
    assert report["killed"] == report["confirmed"] + report["unconfirmed"] - report["lived"] >= points
    return report


def test_killed_at_any_point_a_settlement_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    """The graph engine outlives the studio, as a server would: every step once, then moments in between."""
    report = kill(tmp_path, "shared", POINTS)
    assert report["confirmed"], "some were killed after the author's word was safe"
    assert report["unconfirmed"], "and some before"


def test_killed_together_with_its_embedded_engine(tmp_path: Path) -> None:
    """At the first write to the journal, torn, and in the middle: each opening starts an engine, which is long."""
    report = kill(tmp_path, "own", 2)
    assert report["confirmed"] == report["unconfirmed"] == 1
