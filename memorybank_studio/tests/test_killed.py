"""Killed with SIGKILL, or on a full disk: a settlement or a chapter of the archive is there whole or not at all, and a
chapter's writing goes on where it was."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memorybank_studio.tests.chapters.chapter_kill import APPENDS


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a program that kills its children prints."""
    done = subprocess.run(
        [sys.executable, "-m", "memorybank_studio.tests.killing", str(tmp_path_factory.mktemp("killed"))],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=1_500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)  # type: ignore[no-any-return]


def test_a_settlement_is_there_whole_or_not_at_all(found: dict[str, Any]) -> None:
    """Killed at every step while the engine lives on, and once with it."""
    points = found["settlement"]
    assert [point for point in points if not (point["killed"] and point["whole"])] == []
    *alone, with_engine = [(point["step"], point["confirmed"]) for point in points]
    assert alone == [(1, False), *((step, True) for step in range(2, 12))], "by the author's word once that is safe"
    assert with_engine == (7, True)


@pytest.mark.parametrize(("mode", "stopped"), [("killed", {-9}), ("full", {"OSError", "JournalBrokenError"})])
def test_at_every_append_a_chapter_goes_on_and_repeats_at_most_one_call(
    found: dict[str, Any], mode: str, stopped: set[Any]
) -> None:
    report = found["chapter"][mode]
    assert (report["calls"], len(report["stopped"]), report["texts_differ"]) == (4, APPENDS, [])
    assert set(report["stopped"]) <= stopped, "each append was stopped at"
    assert set(report["extra_calls"].values()) == {0, 1}
    assert [report["extra_calls"][checked] for checked in ("6", "8", "10")] == [0, 0, 0], (
        "a piece that is written is not written again for its check"
    )


def test_a_chapter_of_the_archive_is_the_old_or_the_new(found: dict[str, Any]) -> None:
    report = found["archive"]
    assert (report["kills"], report["broken"]) == (8, [])
    assert report["killed in a write"] >= 4, report
