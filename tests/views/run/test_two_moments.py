"""What two moments and two runs differ in, and what stands on the track and the strip of stages, on real runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import (
    AgentCalled,
    ConflictFound,
    NodesMerged,
    PromptEnhanced,
    StageFinished,
    StageStarted,
    TaskReceived,
    ToolUsed,
)
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load, state_at
from memorybank.settings.config import ALL_RELATIONS, WITHOUT_MERGE
from memorybank.views.run.commits import borders_of, marks_of
from memorybank.views.run.comparison import Figures, compare, figures, preset_of
from memorybank.views.run.playback import StageTable
from memorybank.views.run.step_diff import step_at, step_diff
from tests.recorded import recorded_run

# -- what two moments differ in, on a real run: against the memory at both, and at the edges --------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_difference_leads_from_one_memory_to_the_other(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    borders = [record.seq for record in records if isinstance(record.event, StageFinished)]
    for a, b in [(0, len(records)), *pairwise(borders[::6])]:
        diff = step_diff(records, a, b)
        before, after = state_at(records, a), state_at(records, b)
        added = {one.node.id for one in diff.nodes if one.change == "added"}
        removed = {one.node.id for one in diff.nodes if one.change == "removed"}
        assert (before.graph.nodes.keys() | added) - removed == after.graph.nodes.keys()
        assert added.isdisjoint(before.graph.nodes)
        for one in diff.nodes:
            if one.change == "changed":
                assert one.was is before.graph.nodes[one.node.id] or one.was == before.graph.nodes[one.node.id]
                assert one.node == after.graph.nodes[one.node.id] != one.was
            if one.change == "removed":
                assert one.into == after.graph.successor(one.node.id)
        assert (set(before.graph.edges()) | diff.graph.edges_added) - diff.graph.edges_removed == set(
            after.graph.edges()
        )
        known, now = ({point: one for one in disputes_of(bank) for point in one.points} for bank in (before, after))
        found = {point for one in diff.disputes for point in one.dispute.points}
        assert known.keys() | found == now.keys()
        assert all(one.dispute in now.values() for one in diff.disputes)
        assert all((one.was is None) is (one.change == "added") for one in diff.disputes)
        for point, dispute in known.items():
            if dispute.status is not now[point].status:
                assert any(one.was == dispute and point in one.dispute.points for one in diff.disputes)


def test_before_the_first_event_and_beyond_the_last() -> None:
    records = load(recorded_run().path)
    whole = step_diff(records, -5, 10_000)
    assert (whole.earlier.seq, whole.later.seq) == (0, len(records))
    assert (whole.earlier.stage, whole.later.stage) == ("", "finish")
    assert {one.change for one in whole.nodes} == {"added"}
    empty = step_diff([], 0, 0)
    assert empty.is_same_moment


def test_a_conflict_in_an_unfinished_stage_is_not_yet_in_the_memory() -> None:
    records = load(recorded_run().path)
    found = next(record.seq for record in records if isinstance(record.event, ConflictFound))
    border = next(record.seq for record in records[found:] if isinstance(record.event, StageFinished))
    assert not step_diff(records, found - 1, found).disputes
    assert step_diff(records, found - 1, border).disputes
    assert step_at(records, found, "A").stage == step_at(records, border, "A").stage == "analyse"


# -- two runs as figures: every number is one of the journal's, and what is not known is said -------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_figures_are_the_runs_own(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    found, events = figures(records), [record.event for record in records]
    bank = state_at(records)
    assert found.conflicts == len(disputes_of(bank)) > 0
    assert sum(count for _, count in found.closed) == found.conflicts
    assert found.merges == sum(isinstance(one, NodesMerged) for one in events)
    assert found.nodes == len(bank.graph.nodes)
    assert found.calls == sum(isinstance(one, AgentCalled) for one in events)
    prompts = [one for one in events if isinstance(one, PromptEnhanced)]
    assert found.prompt_tokens == sum(part.tokens for one in prompts for part in one.parts) > 0
    assert found.answer == bank.progress.answer != ""
    assert (found.engine, found.preset, found.k, found.alpha) == ("offline", "default", 5, 0.5)
    assert figures(records, bank) == found


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    found = figures(load(recorded_run("en").path))
    rows = compare(found, found)
    assert not any(row.differs for row in rows)
    missing = {row.name for row in rows if row.left is None}
    assert missing == {"input_tokens", "cached_input_tokens", "output_tokens"}


def test_what_differs_is_marked_and_a_little_time_is_not() -> None:
    one = figures(load(recorded_run("en").path))
    other = replace(one, alpha=1.0, merges=one.merges + 1, seconds=one.seconds * 1.05)
    assert {row.name for row in compare(one, other) if row.differs} == {"alpha", "merges"}
    slow = replace(one, seconds=one.seconds * 2)
    assert {row.name for row in compare(one, slow) if row.differs} == {"seconds"}


def test_a_run_that_has_not_begun_has_no_numbers() -> None:
    one = figures(load(recorded_run("en").path))
    nothing = figures([])
    assert nothing == Figures(begun=False)
    rows = compare(one, nothing)
    assert all(row.right is None for row in rows)
    early = figures(load(recorded_run("en").path)[:30])
    assert {row.name: row.right for row in compare(one, early)}["result"] is None


@pytest.mark.parametrize(
    ("relations", "strategy", "name"),
    [
        (ALL_RELATIONS, "single", "default"),
        (WITHOUT_MERGE, "single", "final"),
        (ALL_RELATIONS, "two_stage", "v3"),
        (WITHOUT_MERGE, "two_stage", "own"),
    ],
)
def test_presets_by_name(relations: tuple[object, ...], strategy: str, name: str) -> None:
    assert preset_of(relations, strategy) == name  # type: ignore[arg-type]


# -- what stands on the track, on a real run --------------------------------------------------------------------------


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


# -- the strip of stages: times and calls add up to the journal's, at every moment; failures are counted --------------


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
