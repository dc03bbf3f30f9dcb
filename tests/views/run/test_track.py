"""What stands on the track, on a real run."""

from __future__ import annotations

from collections import Counter

import pytest

from memorybank.memory.events import StageFinished
from memorybank.memory.types import Lang
from memorybank.runs.run_folder import load
from memorybank.views.run.commits import borders_of, marks_of
from tests.recorded import recorded_run


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_conflict_merge_and_answer_has_a_mark_and_every_stage_a_border(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    names = Counter(type(record.event).__name__ for record in records)
    marks = marks_of(records)
    assert marks == sorted(marks)
    told = {"TaskReceived": "task", "ConflictFound": "conflict", "ConflictClosed": "verdict", "NodesMerged": "merge"}
    counted = Counter(kind for _, kind in marks)
    assert {kind: counted[kind] for kind in told.values()} == {kind: names[name] for name, kind in told.items()}
    assert counted["answer"] == names["AnswerGiven"] > 0
    assert borders_of(records) == [record.seq for record in records if isinstance(record.event, StageFinished)]
