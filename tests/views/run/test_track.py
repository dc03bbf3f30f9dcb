"""What stands on the track, and what of it is sent: on real runs, whole and as they grow."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.events import (
    AnswerGiven,
    ConflictClosed,
    ConflictFound,
    NodesMerged,
    StageFinished,
    TaskReceived,
)
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import RunFolder, fork, load
from memorybank.ui.components.timeline.component import MARKED
from memorybank.views.run.track import Track
from tests.recorded import recorded_run

KINDS = {
    TaskReceived: "task",
    ConflictFound: "conflict",
    ConflictClosed: "verdict",
    NodesMerged: "merge",
    AnswerGiven: "answer",
}


def whole(lang: Lang = "en") -> tuple[Track, list[Any]]:
    records, track = load(recorded_run(lang).path), Track()
    track.read(records)
    return track, records


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_conflict_merge_and_answer_has_a_mark(lang: Lang) -> None:
    track, records = whole(lang)
    wanted = [(record.seq, KINDS[type(record.event)]) for record in records if type(record.event) in KINDS]
    marks = [tick for tick in track.ticks if tick.kind in MARKED]
    assert [(tick.seq, tick.kind) for tick in marks] == wanted
    assert track.borders == [record.seq for record in records if isinstance(record.event, StageFinished)]


def test_the_stage_at_any_event(tmp_path: Path) -> None:
    track, records = whole()
    assert track.stage_at(0) is None
    for border in track.borders:
        span = track.stage_at(border)
        assert span is not None
        assert span.stage == records[border - 1].event.stage
    assert [tick.seq for tick in track.ticks if tick.kind == "round"] == [
        span.first for span in track.stages if span.stage == "enhance"
    ]

    fork(RunFolder(recorded_run().path), records, 200, RunFolder(tmp_path / "branch"))
    branch = Track()
    branch.read(load(tmp_path / "branch"))
    assert branch.ticks[-2].kind == "branch"
    last = branch.stage_at(branch.count)
    assert last is not None
    assert last.stage == "settings"  # the parting is no stage of the run; it has a name all the same


def told(track: Track) -> list[tuple[int, str]]:
    return [(tick.seq, tick.kind) for tick in track.ticks]


def test_reading_on_is_reading_at_once() -> None:
    once, records = whole()
    grown = Track()
    for end in (1, 2, 57, 57, 200, len(records)):
        grown.read(records[:end])
        assert grown.count == end
    assert (told(grown), grown.stages, grown.borders) == (told(once), once.stages, once.borders)
    grown.read(load(recorded_run("zh").path))  # a writer took the run over: the records are others
    assert told(grown) == told(whole("zh")[0])
    empty = Track()
    empty.read([])
    assert (empty.count, empty.ticks, empty.stage_at(5)) == (0, [], None)
