"""What two moments and two runs differ in, and what stands on the track and the strip of stages, on real runs."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from memorybank.contradiction.disputes.dispute import STATES
from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.hosting.ready_tasks import recorded_runs
from memorybank.memory.events import AgentCalled, ConflictFound, NodesMerged, PromptEnhanced, StageFinished
from memorybank.memory.types import Lang
from memorybank.prompts.claim_words import opened
from memorybank.runs.archive import unpack
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.settings.config import ALL_RELATIONS, WITHOUT_MERGE
from memorybank.views.boxes.compare_table import answers_box, conflicts_box
from memorybank.views.run.commits import borders_of, marks_of, step_at, step_diff
from memorybank.views.run.comparison import Figures, compare, figures, preset_of
from tests.boxes_read import words_of
from tests.recorded import recorded_run


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


def test_figures_are_the_runs_own(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    found, events = figures(records), [record.event for record in records]
    bank, values = state_at(records), found.values
    assert values["conflicts"] == len(disputes_of(bank)) == sum(values[f"conflicts_{each}"] for each in STATES) > 0
    assert values["merges"] == sum(isinstance(one, NodesMerged) for one in events)
    assert values["nodes"] == len(bank.graph.nodes)
    assert values["calls"] == sum(isinstance(one, AgentCalled) for one in events)
    prompts = [one for one in events if isinstance(one, PromptEnhanced)]
    assert values["prompt_tokens"] == sum(part.tokens for one in prompts for part in one.parts) > 0
    assert [values[name] for name in ("engine", "preset", "k", "alpha")] == ["offline", "default", 5, 0.5]
    assert figures(records, bank) == found


def test_a_run_compared_with_itself_differs_in_nothing() -> None:
    found = figures(load(recorded_run("en").path))
    rows = compare(found, found)
    assert not any(row.differs for row in rows)
    missing = {row.name for row in rows if row.left is None}
    assert missing == {"input_tokens", "cached_input_tokens", "output_tokens"}


def test_what_differs_is_marked_and_a_little_time_is_not() -> None:
    one = figures(load(recorded_run("en").path))
    other = replace(one, values={**one.values, "alpha": 1.0, "merges": 99, "seconds": one.values["seconds"] * 1.05})
    assert {row.name for row in compare(one, other) if row.differs} == {"alpha", "merges"}
    slow = replace(one, values={**one.values, "seconds": one.values["seconds"] * 2})
    assert {row.name for row in compare(one, slow) if row.differs} == {"seconds"}


def test_a_run_that_has_not_begun_has_no_numbers() -> None:
    one = figures(load(recorded_run("en").path))
    nothing = figures([])
    assert nothing == Figures()
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


def test_runs_of_two_engines_are_beside_each_other_part_by_part_and_their_disputes_are_one(tmp_path: Path) -> None:
    files = {one.id: one.file for one in recorded_runs("en")}
    for name in (names := ("en-offline", "en-quantum")):
        unpack(files[name], RunFolder(tmp_path / name))
    offline, model = (state_at(load(tmp_path / name)) for name in names)
    drawn = words_of(answers_box(offline, model, "en"), "\n").splitlines()
    parts = dict.fromkeys(opened(point.part) for point in (*offline.progress.points, *model.progress.points))
    assert [line for line in drawn if line in parts] == list(parts), "each part is one row"
    assert {"105", "105 qubits"} <= set(drawn)
    found = words_of(conflicts_box(disputes_of(offline), disputes_of(model), "en"))
    assert found.count("only here") == 1, "the date, which only the model disputed"
    assert "ended differently" not in found
