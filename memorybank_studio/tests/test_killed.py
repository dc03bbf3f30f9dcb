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
from memorybank_studio.tests.settlement.settle_kill import POINTS


def report_of(program: str, *given: object) -> dict[str, Any]:
    """What a program that kills its children prints."""
    done = subprocess.run(
        [sys.executable, "-m", f"memorybank_studio.tests.{program}", *map(str, given)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        timeout=1_500,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    return json.loads(done.stdout)  # type: ignore[no-any-return]


@pytest.mark.parametrize(("mode", "points"), [("shared", POINTS), ("own", 2)], ids=["alone", "with its engine"])
def test_a_settlement_is_there_whole_or_not_at_all(tmp_path: Path, mode: str, points: int) -> None:
    """A shared engine outlives the studio: every step once, then moments in between. With its own, at the first write
    to the journal, torn, and in the middle: each opening starts an engine, which is long."""
    report = report_of("settlement.settle_kill", tmp_path, mode, points)
    assert report["wrong"] == report["failed"] == []
    assert report["killed"] == report["confirmed"] + report["unconfirmed"] - report["lived"] >= points
    assert report["confirmed"], "some were killed after the author's word was safe"
    assert report["unconfirmed"], "and some before"


@pytest.mark.parametrize(("mode", "stopped"), [("killed", {-9}), ("full", {"OSError", "JournalBrokenError"})])
def test_at_every_append_a_chapter_goes_on_and_repeats_at_most_one_call(
    tmp_path: Path, mode: str, stopped: set[Any]
) -> None:
    report = report_of("chapters.chapter_kill", tmp_path, mode)
    assert (report["calls"], len(report["stopped"]), report["texts_differ"]) == (4, APPENDS, [])
    assert set(report["stopped"]) <= stopped, "each append was stopped at"
    assert set(report["extra_calls"].values()) == {0, 1}
    assert [report["extra_calls"][checked] for checked in ("6", "8", "10")] == [0, 0, 0], (
        "a piece that is written is not written again for its check"
    )


def test_a_chapter_of_the_archive_is_the_old_or_the_new(tmp_path: Path) -> None:
    report = report_of("hub.semantic.kill_put", tmp_path)
    assert (report["kills"], report["broken"]) == (12, [])
    assert report["killed in a write"] >= 6, report
