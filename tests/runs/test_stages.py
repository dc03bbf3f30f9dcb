"""Stage and round of an event: of each record, of each commit, of a moment, the same; acts of a person by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.memory.events import Fact, StageFinished, StageStarted, TaskReceived
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, fork, fork_border, load
from memorybank.runs.stages import StageReader, border_of, place_at, placed
from memorybank.views.run.commits import commits
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_record_is_placed_where_its_commit_is(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    places = {record.seq: place for record, place in placed(records)}
    assert [record for record, _ in placed(records)] == list(records)
    for commit in commits(records):
        for record in commit.records:
            assert places[record.seq] == commit.place(record)
    assert max(place.round for place in places.values()) > 1


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_moment_is_read_back_to_the_border_before_it_only(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    for record, place in placed(records):
        assert place_at(records, record.seq) == place
    assert place_at(records, 0) is None


def test_the_round_of_enhance_begins_with_it_and_a_new_task_counts_anew() -> None:
    events: list[Fact | StageStarted] = [
        StageStarted(stage="enhance", round=4),
        StageFinished(stage="enhance", round=4, ms=1500),
        TaskReceived(doc_id="d2", goal="Another task"),
        StageFinished(stage="receive", round=5),
        StageStarted(stage="classify", round=0),
    ]
    reader, seen = StageReader(), []
    for seq, event in enumerate(events, start=1):
        reader.take(Record(seq, 0.0, event))
        seen.append((reader.first, reader.stage, reader.round))
    assert seen == [(1, "enhance", 5), (1, "enhance", 5), (3, "receive", 5), (3, "receive", 5), (5, "classify", 0)]
    ended = border_of(events[1])
    assert ended.seconds == 1.5


def test_a_branch_that_parts_after_enhance_stays_in_its_round(tmp_path: Path) -> None:
    source = recorded_run("en")
    records = load(source.path)
    ends = [one.seq for one in records if isinstance(one.event, StageFinished) and one.event.stage == "enhance"]
    fork(RunFolder(source.path), records, ends[1], RunFolder(tmp_path / "branch"))
    branch = load(tmp_path / "branch")
    assert fork_border(records, ends[1]) == ends[1]
    last, parted = place_at(branch, len(branch)), place_at(records, ends[1])
    assert (last.stage, last.round) == ("settings", parted.round)
