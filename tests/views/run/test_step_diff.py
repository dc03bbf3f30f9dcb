"""What two moments differ in, on a real run: against the memory at both, and at the edges."""

from __future__ import annotations

from itertools import pairwise

import pytest

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.memory.events import ConflictFound, NodesMerged, PromptEnhanced, StageFinished
from memorybank.memory.types import ConflictStatus, Lang
from memorybank.runs.run_folder import load, state_at
from memorybank.views.run.step_diff import step_at, step_diff
from tests.recorded import recorded_run


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


def test_a_whole_run_has_something_of_each() -> None:
    records = load(recorded_run().path)
    first = next(record.seq for record in records if isinstance(record.event, PromptEnhanced))
    diff = step_diff(records, first, len(records))
    assert {one.change for one in diff.nodes} >= {"added"}
    assert any(one.dispute.status is not ConflictStatus.OPEN for one in diff.disputes)
    assert diff.graph.added == {one.node.id for one in diff.nodes if one.change == "added"}
    merge = next(record for record in records if isinstance(record.event, NodesMerged))
    around = step_diff(records, merge.seq - 1, len(records))
    assert {one.node.id for one in around.nodes if one.change == "removed"} >= set(merge.event.merged_node_ids) & set(
        around.before.graph.nodes
    )


def test_the_names_stay_with_the_moments_when_a_is_later() -> None:
    records = load(recorded_run().path)
    straight, turned = step_diff(records, 100, 300), step_diff(records, 300, 100)
    assert (straight.earlier.name, straight.later.name, straight.swapped) == ("A", "B", False)
    assert (turned.earlier.name, turned.later.name, turned.swapped) == ("B", "A", True)
    assert [turned.earlier.seq, turned.later.seq] == [100, 300]
    assert turned.nodes == straight.nodes
    assert (turned.graph.before, turned.graph.after) == ("B", "A")


def test_the_same_moment_differs_in_nothing() -> None:
    records = load(recorded_run().path)
    diff = step_diff(records, 200, 200)
    assert diff.is_same_moment
    assert not any((diff.nodes, diff.disputes))
    assert not diff.swapped


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
