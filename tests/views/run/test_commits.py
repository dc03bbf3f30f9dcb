"""Stage and round of an event are read in one place: of each record, and of each commit, the same."""

from __future__ import annotations

import pytest

from memorybank.memory.events import StageStarted
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.run.commits import commits, placed
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_record_is_placed_where_its_commit_is(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    places = {record.seq: place for record, place in placed(records)}
    assert [record for record, _ in placed(records)] == list(records)
    for commit in commits(records):
        begun = next((one for one in commit.records if isinstance(one.event, StageStarted)), None)
        for record in commit.records if begun is not None else ():
            if begun is not None and record.seq >= begun.seq:
                assert places[record.seq] == commit.place(record)
    assert max(place.round for place in places.values()) > 1


def test_before_the_first_stage_there_is_none() -> None:
    first = next(placed(load(recorded_run("en").path)))
    assert (first[1].stage, first[1].round) == ("", 0)
