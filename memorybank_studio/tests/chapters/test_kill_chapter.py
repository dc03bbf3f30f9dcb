"""A chapter whose writing is killed, or whose journal is full, goes on where it was and repeats one call at most."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memorybank_studio.tests.chapters.chapter_kill import APPENDS


def run(root: Path, mode: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "memorybank_studio.tests.chapters.chapter_kill", str(root), mode],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["calls"] == 4
    return report


@pytest.mark.parametrize(("mode", "stopped"), [("killed", {-9}), ("full", {"OSError", "JournalBrokenError"})])
def test_at_every_append_it_goes_on_and_repeats_at_most_one_call(tmp_path: Path, mode: str, stopped: set[Any]) -> None:
    report = run(tmp_path, mode)
    assert len(report["stopped"]) == APPENDS
    assert set(report["stopped"]) <= stopped, "each append was stopped at"
    assert report["texts_differ"] == []
    assert set(report["extra_calls"].values()) == {0, 1}
    assert [report["extra_calls"][checked] for checked in ("6", "8", "10")] == [0, 0, 0], (
        "a piece that is written is not written again for its check"
    )
