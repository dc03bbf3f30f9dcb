"""The strip of stages: times and calls add up to the journal's, at every moment; failures are counted."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.memory.events import AgentCalled, StageFinished, StageStarted, TaskReceived, ToolUsed
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.views.run.playback import StageTable
from tests.recorded import recorded_run


def table(records: list[Record[Any]]) -> StageTable:
    found = StageTable()
    for record in records:
        found.take(record)
    return found


def test_the_demo_adds_up() -> None:
    records = load(recorded_run("en").path)
    strip = table(records).at(len(records))
    events = [record.event for record in records]
    assert sum(row.calls for row in strip.rows.values()) == sum(isinstance(one, AgentCalled) for one in events)
    assert sum(row.tools for row in strip.rows.values()) == sum(isinstance(one, ToolUsed) for one in events)
    assert strip.total == pytest.approx(sum(one.ms for one in events if isinstance(one, StageFinished)) / 1000)
    assert (strip.current, strip.last) == ("", "finish")
    assert strip.rows["analyse"].calls > 0
    assert all(row.failed == 0 for row in strip.rows.values())


def test_inside_a_stage_it_is_lit_and_its_calls_count_already() -> None:
    records = load(recorded_run("en").path)
    known = table(records)
    calls = [record.seq for record in records if isinstance(record.event, AgentCalled)]
    for k in calls[::5]:
        strip = known.at(k)
        assert strip.current
        assert strip.rows[strip.current].calls
        assert known.at(k - 1).rows.get(strip.current) != strip.rows[strip.current]
        assert strip == table(records[:k]).at(k), "a prefix knows nothing of what comes"


def test_failures_are_counted_and_another_task_counts_anew() -> None:
    failed = AgentCalled(role="analysis", engine="llm", key="k", outcome="failed", error="no answer")
    tool = ToolUsed(tool="visit", arguments={}, key="k", outcome="failed", excerpt="")
    events = [
        TaskReceived(doc_id="d1", goal="one"),
        StageStarted(stage="analyse", round=0),
        failed,
        StageFinished(stage="analyse", round=0, ms=40),
        TaskReceived(doc_id="d2", goal="two"),
        StageStarted(stage="execute", round=1),
        tool,
    ]
    known = table([Record(seq, 0.0, event) for seq, event in enumerate(events, start=1)])
    first, second = known.at(4).rows["analyse"], known.at(7)
    assert (first.calls, first.failed, first.runs, first.seconds) == (1, 1, 1, 0.04)
    assert list(second.rows) == ["execute"]
    assert (second.rows["execute"].tools, second.rows["execute"].failed, second.round) == (1, 1, 1)
    assert known.at(0).rows == {}
