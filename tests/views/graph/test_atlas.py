"""The map of a whole run: what any of its moments shows is in it."""

from __future__ import annotations

import copy

import pytest

from memorybank.memory.events import MergeRestored, MergeUndone
from memorybank.memory.types import Conflict, Node
from memorybank.views.graph.atlas import Atlas
from memorybank.views.graph.layout import births, positions
from tests.views.graph.made_run import MadeRun


@pytest.fixture(scope="module")
def run() -> MadeRun:
    return MadeRun(150)


def test_every_moment_is_foreseen(run: MadeRun) -> None:
    atlas = run.atlas
    assert dict(atlas) == positions(births(run.events))
    topics = {(seen.id, seen.context) for seen in atlas.seen if isinstance(seen, Node)}
    pairs = [seen for seen in atlas.seen if isinstance(seen, tuple)]
    assert len(pairs) == len(set(pairs))
    merged = 0
    for k in range(0, run.length, 11):
        bank = run.bank(k)
        assert {(node.id, node.context) for node in bank.graph.nodes.values()} <= topics
        assert set(bank.graph.edges()) <= set(pairs)
        for merge in bank.graph.merges.values():
            merged += 1
            assert atlas.merged_from[merge.new_node_id] == tuple(source.id for source in merge.sources)
    assert merged
    found = {seen.id for seen in atlas.seen if isinstance(seen, Conflict)}
    assert found == set(run.bank(run.length).conflicts.all)


def test_a_merge_taken_back_brings_no_edge_that_is_not_foreseen(run: MadeRun) -> None:
    undone = 0
    for k in range(20, run.length, 17):
        bank = run.bank(k)
        if not bank.graph.merges:
            continue
        event_id, merge = next(reversed(bank.graph.merges.items()))
        back = MergeUndone(
            event_id=event_id, new_node_id=merge.new_node_id, restored=tuple(source.id for source in merge.sources)
        )
        atlas = Atlas()
        for event in [*run.events[:k], back]:
            atlas.take(event)
        bank = copy.deepcopy(bank)
        bank.apply(back, 0.0)
        assert set(bank.graph.edges()) <= {seen for seen in atlas.seen if isinstance(seen, tuple)}
        again = MergeRestored(event_id=event_id, new_node_id=merge.new_node_id, merged_node_ids=back.restored)
        bank.apply(again, 0.0)
        atlas.take(again)
        assert set(bank.graph.edges()) <= {seen for seen in atlas.seen if isinstance(seen, tuple)}
        undone += 1
    assert undone > 3


def test_it_grows_and_never_moves(run: MadeRun) -> None:
    atlas = Atlas()
    for event in run.events:
        before = dict(atlas)
        born = atlas.take(event)
        assert dict(atlas).items() >= before.items()
        assert set(atlas) - set(before) == set(born)
    assert (len(atlas), atlas == Atlas(), atlas == atlas) == (150, False, True)
