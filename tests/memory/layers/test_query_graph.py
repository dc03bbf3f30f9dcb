"""Merges and their undo: invariants over random histories."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from memorybank.errors import JournalError, MergeUndoError
from memorybank.memory.events import (
    ConflictClosed,
    ConflictFound,
    ConflictRestored,
    ConflictToldApart,
    JudgedRelation,
    MergeRestored,
    MergeUndone,
    NodesLinked,
    RelationsJudged,
)
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Claim, ConflictId, ConflictStatus, Contradiction, MergeEventId, NodeId, Relation
from tests.made_events import created, described, merged, n


def undone(bank: MemoryState, event: str, split: tuple[NodeId, ...] = ()) -> MergeUndone:
    merge = bank.graph.merges[MergeEventId(event)]
    restored = tuple(source.id for source in merge.sources)
    return MergeUndone(event_id=merge.event_id, new_node_id=merge.new_node_id, restored=restored, split=split)


def again(bank: MemoryState, event: str) -> MergeRestored:
    undone = bank.graph.undone[MergeEventId(event)]
    moved = [node_id for node_id in undone.sources if node_id not in bank.graph.nodes]
    rest = bank.graph.merge_of(moved[0]) if moved else None
    return MergeRestored(
        event_id=MergeEventId(event),
        new_node_id=undone.node.id,
        merged_node_ids=undone.sources,
        rest=rest.event_id if rest else None,
        rest_node_id=rest.new_node_id if rest else None,
    )


def everything(bank: MemoryState) -> object:
    """What a taking back of a taking back gives back."""
    graph, tree = bank.graph, bank.tree
    nodes = {node.id: replace(node, links=tuple(sorted(node.links))) for node in graph.nodes.values()}
    merges = {event.id: event.undone for event in tree.merge_events.values() if event.id in graph.merges}
    spans = {node_id: (tree.spans.get(node_id), tree.validations.get(node_id)) for node_id in nodes}
    return nodes, graph.gone, merges, spans, bank.conflicts.all, bank.told_apart()


def shape(bank: MemoryState) -> dict[str, set[str]]:
    return {node.id: set(node.links) for node in bank.graph.nodes.values()}


def bank_of(*events: object) -> MemoryState:
    bank = MemoryState()
    for event in events:
        bank.apply(event, 1.0)  # type: ignore[arg-type]
    return bank


def raised(left: int, right: int) -> ConflictFound:
    nodes = (n(left), n(right))
    return ConflictFound(conflict_id=ConflictId("c1"), node_ids=nodes, description="2 or 4")


CLOSED = ConflictClosed(
    conflict_id=ConflictId("c1"), status=ConflictStatus.RESOLVED, winner="left", reason="read", closed_by="x"
)


def link(left: int, right: int) -> NodesLinked:
    return NodesLinked(left=n(left), right=n(right), reason="")


@pytest.mark.parametrize("seed", range(150))
def test_random_histories_keep_the_graph_whole(seed: int) -> None:
    chance, bank = random.Random(seed), MemoryState()
    merges = 0
    for _ in range(60):
        live = list(bank.graph.nodes)
        roll = chance.random()
        if roll < 0.35 or len(live) < 4:
            bank.apply(created(bank.graph.created + 1), 1.0)
        elif roll < 0.75:
            left, right = chance.sample(live, 2)
            bank.apply(NodesLinked(left=left, right=right, reason=""), 1.0)
        elif roll < 0.9:
            merges += 1
            before = shape(bank)
            sources = chance.sample(live, chance.choice([2, 3]))
            bank.apply(merged(f"m{merges}", sources, f"n{bank.graph.created + 1}"), 1.0)
            if chance.random() < 0.4:
                stood = everything(bank)
                bank.apply(undone(bank, f"m{merges}"), 1.0)
                assert shape(bank) == before
                bank.apply(again(bank, f"m{merges}"), 1.0)
                assert everything(bank) == stood
                bank.apply(undone(bank, f"m{merges}"), 1.0)
                assert shape(bank) == before
        elif bank.graph.merges:
            event = chance.choice(list(bank.graph.merges))
            if bank.graph.merge_above(event) is None:
                sources = list(bank.graph.merges[event].sources)
                chance.shuffle(sources)
                off, rest = sources[0].id, [source.id for source in sources[1:]]
                stood, split = everything(bank), len(rest) > 1 and chance.random() < 0.7
                bank.apply(undone(bank, event, (off,) if split else ()), 1.0)
                if split:
                    merges += 1
                    bank.apply(merged(f"m{merges}", rest, f"n{bank.graph.created + 1}", rest_of=event), 1.0)
                    assert {bank.graph.successor(one) for one in rest} == {f"n{bank.graph.created}"}
                assert replace(bank.graph.nodes[off], links=()) == replace(sources[0], links=()), "it is as it was"
                assert {frozenset((off, bank.graph.successor(one))) for one in rest} <= bank.told_apart()
                if chance.random() < 0.6:
                    bank.apply(again(bank, event), 1.0)
                    assert everything(bank) == stood
            else:
                with pytest.raises(MergeUndoError, match="undo m"):
                    bank.copy().apply(undone(bank, event), 1.0)
        for node in bank.graph.nodes.values():
            assert node.id not in node.links
            assert len(set(node.links)) == len(node.links)
            assert all(node.id in bank.graph.nodes[other].links for other in node.links)
        assert all(bank.graph.successor(gone) in bank.graph.nodes for gone in bank.graph.gone)
        assert not set(bank.graph.gone) & set(bank.graph.nodes)


def test_a_merge_unites_the_neighbours_once() -> None:
    bank = bank_of(*(created(n) for n in range(1, 5)), link(1, 3), link(2, 3), link(1, 2), link(2, 4))
    bank.apply(merged("m1", ["n1", "n2"], "n5"), 2.0)
    assert shape(bank) == {"n3": {"n5"}, "n4": {"n5"}, "n5": {"n3", "n4"}}
    assert bank.graph.successor(n("n1")) == "n5"
    assert bank.tree.merge_events[MergeEventId("m1")].merged_node_ids == ("n1", "n2")


def test_undo_keeps_what_was_learnt_later_and_follows_neighbours_that_moved() -> None:
    bank = bank_of(*(created(n) for n in range(1, 6)), link(1, 3), merged("m1", ["n1", "n2"], "n6"))
    bank.apply(link(6, 5), 2.0)
    bank.apply(merged("m2", ["n3", "n4"], "n7"), 2.0)
    bank.apply(undone(bank, "m1"), 3.0)
    assert shape(bank)["n1"] == {"n7", "n5"}
    assert shape(bank)["n2"] == {"n5"}
    assert bank.tree.merge_events[MergeEventId("m1")].undone
    assert frozenset(("n1", "n2")) in bank.conflicts.settled


def test_undo_reverts_a_neighbours_rewrite_unless_something_rewrote_it_since() -> None:
    start = [created(1), created(2), created(3), link(1, 3), merged("m1", ["n1", "n2"], "n4"), created(5)]
    rewritten = described(3, "near the merged one", 4)
    for later, context in (((), "topic n3"), ([described(3, "of its own", 5)], "of its own")):
        bank = bank_of(*start, rewritten, *later)
        bank.apply(undone(bank, "m1"), 3.0)
        assert bank.graph.nodes[n("n3")].context == context


def test_events_that_contradict_the_state_are_refused() -> None:
    bank = bank_of(created(1), created(2))
    of_itself, of_nothing = (merged("m1", ["n1", other], "n3") for other in ("n1", "n8"))
    for event in (created(1), link(1, 1), link(1, 9), of_itself, of_nothing):
        with pytest.raises(JournalError):
            bank.copy().apply(event, 1.0)


def test_pairs_are_unrelated_until_judged_otherwise() -> None:
    def judged(new: int, **relations: str) -> RelationsJudged:
        return RelationsJudged(
            node_id=n(new),
            relations=tuple(
                JudgedRelation(node_id=NodeId(old), relation=Relation(name), confidence=1.0, reasoning="")
                for old, name in relations.items()
            ),
        )

    bank = bank_of(created(1), created(2), created(3), judged(2, n1="unrelated"), judged(3, n1="unrelated", n2="merge"))
    assert bank.graph.unrelated == {frozenset(("n1", "n2")), frozenset(("n1", "n3"))}
    snapshot = bank.copy()
    bank.apply(judged(2, n1="related"), 2.0)
    assert bank.graph.unrelated == {frozenset(("n1", "n3"))}
    bank.apply(described(3, "c", 1), 3.0)
    assert bank.graph.unrelated == {frozenset(("n1", "n3"))}, "another topic line is no other content"
    assert len(snapshot.graph.unrelated) == 2


def test_a_conflict_with_a_merged_node_goes_back_to_the_source_that_states_its_side() -> None:
    said = Claim(text="Text of n2.", kind="number", subject="Willow", attribute="", value="2")
    against = replace(said, text="Text of n4.", value="4")
    pair = Contradiction(left=said, right=against, reason="r", confidence=0.9)
    found = replace(raised(3, 4), contradictions=(pair,))
    closed = replace(CLOSED, status=ConflictStatus.INCONCLUSIVE, winner="")
    history = (created(1), created(2), merged("m1", ["n1", "n2"], "n3"), created(4), found)
    for bank, is_open in ((bank_of(*history), True), (bank_of(*history, closed), False)):
        bank.apply(undone(bank, "m1"), 2.0)
        assert bank.conflicts.all[found.conflict_id].node_ids == ("n2", "n4")
        assert (frozenset(("n2", "n4")) in bank.conflicts.settled) is not is_open, "a closed pair stays closed"
        assert bank.disputed().keys() == {"n2", "n4"}
        if is_open:
            bank.apply(closed, 3.0)
        for node_id in bank.conflicts.all[found.conflict_id].node_ids:
            assert node_id in bank.graph.nodes


def test_a_conflict_that_was_told_apart_and_taken_back_is_what_it_was() -> None:
    """Whatever it was: its verdict, its pair, and the node of the merge that it had made, also with a third one."""
    found, closed = raised(1, 2), CLOSED
    start = (created(1), created(2), created(3), found)
    told = ConflictToldApart(conflict_ids=(found.conflict_id,), reason="two bridges", closed_by="user")
    for history in (start, (*start, closed), (*start, replace(closed, status=ConflictStatus.INCONCLUSIVE, winner=""))):
        bank = bank_of(*history)
        before = everything(bank)
        bank.apply(told, 2.0)
        conflict = bank.conflicts.all[found.conflict_id]
        assert (conflict.status, conflict.winner, conflict.reason) == (ConflictStatus.FALSE_ALARM, "", "two bridges")
        assert frozenset(("n1", "n2")) in bank.told_apart() & bank.conflicts.settled
        with pytest.raises(JournalError):
            bank.copy().apply(told, 3.0)
        bank.apply(ConflictRestored(conflict_ids=told.conflict_ids), 3.0)
        assert everything(bank) == before
        with pytest.raises(JournalError):
            bank.apply(ConflictRestored(conflict_ids=told.conflict_ids), 4.0)

    bank = bank_of(*start, closed, merged("m1", ["n1", "n2", "n3"], "n4"))
    bank.apply(replace(told, merge=MergeEventId("m1")), 2.0)
    bank.apply(undone(bank, "m1", (n("n2"),)), 2.0)
    bank.apply(merged("m2", ["n1", "n3"], "n5", rest_of="m1"), 2.0)
    assert bank.conflicts.all[found.conflict_id].status is ConflictStatus.FALSE_ALARM
    bank.apply(created(6), 2.0)
    bank.apply(merged("m3", ["n2", "n6"], "n7"), 2.0)
    assert bank.told_apart() == {frozenset(("n5", "n7"))}, "nor are those that they went into one thing"
    bank.apply(undone(bank, "m3"), 3.0)
    bank.apply(ConflictRestored(conflict_ids=told.conflict_ids), 3.0)
    bank.apply(again(bank, "m1"), 3.0)
    assert bank.conflicts.all[found.conflict_id].status is ConflictStatus.RESOLVED
    assert shape(bank) == {"n4": set(), "n6": set()}
    assert (bank.graph.gone, bank.tree.merge_events[MergeEventId("m2")].undone) == (
        {n(number): "n4" for number in (1, 2, 3)},
        True,
    )
