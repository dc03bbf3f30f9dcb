"""What stands on the track, and what of it is sent: on real runs, whole and as they grow."""

from __future__ import annotations

import json
import shutil
from itertools import accumulate
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
from memorybank.ui.components.timeline.transfer import MARKED, TrackSender, encode, words
from memorybank.views.run.track import STAGE_NAMES, Track
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
def test_every_conflict_merge_and_answer_has_a_mark_with_words(lang: Lang) -> None:
    track, records = whole(lang)
    wanted = [(record.seq, KINDS[type(record.event)]) for record in records if type(record.event) in KINDS]
    marks = [tick for tick in track.ticks if tick.kind in MARKED]
    assert [(tick.seq, tick.kind) for tick in marks] == wanted
    assert all(tick.words(lang) for tick in marks)
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


def told(track: Track) -> list[tuple[int, str, str]]:
    return [(tick.seq, tick.kind, tick.words("en")) for tick in track.ticks]


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


def unfolded(part: dict[str, Any]) -> dict[str, Any]:
    """As the browser does it (view.js)."""
    stages = part["stages"]
    return {
        "stages": list(accumulate(stages[::3], initial=part["since"]))[1:],
        "named": stages[1::3],
        "rounds": stages[2::3],
        "borders": list(accumulate(part["borders"], initial=part["since"]))[1:],
        "marks": list(accumulate((mark[0] for mark in part["marks"]), initial=part["since"]))[1:],
    }


def test_what_is_sent_is_the_track_in_one_piece_or_in_two() -> None:
    track, _ = whole()
    all_ = unfolded(encode(track, 0, "en"))
    assert all_["stages"] == [span.first for span in track.stages]
    assert [STAGE_NAMES[place] for place in all_["named"]] == [span.stage for span in track.stages]
    assert all_["borders"] == track.borders
    assert all_["marks"] == [tick.seq for tick in track.ticks if tick.kind in MARKED]
    for since in (1, 155, 156, 434, 435):
        first, _ = whole()
        early = Track()
        early.read(load(recorded_run().path)[:since])
        before, after = unfolded(encode(early, 0, "en")), unfolded(encode(first, since, "en"))
        assert {name: before[name] + after[name] for name in all_} == all_


def test_a_track_that_grows_is_sent_on_and_another_is_begun_anew() -> None:
    track, records = Track(), whole()[1]
    sender, epochs = TrackSender(), set()
    for end in (200, 200, 300, len(records)):
        track.read(records[:end])
        sender.read(track, "en")
        epochs.add(sender.channel.epoch)
    first, *parts = sender.channel.entries
    assert first == {"words": words("en"), "kinds": MARKED}
    assert [part["since"] for part in parts] == [0, 200, 300]
    assert len(epochs) == 1
    for other, lang in ((track, "zh"), (whole("zh")[0], "zh")):
        sender.read(other, lang)
        assert len(sender.channel.entries) == 2
        epochs.add(sender.channel.epoch)
    assert len(epochs) == 3


def test_what_is_sent_is_small(tmp_path: Path) -> None:
    track, _ = whole()
    assert len(json.dumps(encode(track, 0, "en"))) < 4_000
    assert len(json.dumps(encode(track, track.count - 20, "en"))) < 600
    assert set(words("en", compact=True)) < set(words("en"))
    assert words("zh")["where_round"].count("{") == 4
    shutil.rmtree(tmp_path)
