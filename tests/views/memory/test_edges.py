"""The edges of a moment are those of its graph, each with what was said of its ends and of what went into them."""

from __future__ import annotations

import pytest

from memorybank.memory.events import (
    ConflictFound,
    JudgedRelation,
    MergeUndone,
    NodesLinked,
    RelationsJudged,
    StageFinished,
)
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Lang, MergeEventId, NodeId, Relation
from memorybank.runs.run_folder import load
from memorybank.views.graph.style import EdgeKind
from memorybank.views.memory.edges import edges_of, members_of, reasons_in, reasons_of
from memorybank.views.run.playback import Playback
from tests.recorded import recorded_run
from tests.views.memory.test_node_history import A, B, C, M, created, journal, merged


def judged(new: NodeId, old: NodeId, relation: Relation, words: str) -> RelationsJudged:
    return RelationsJudged(
        node_id=new, relations=(JudgedRelation(node_id=old, relation=relation, confidence=0.75, reasoning=words),)
    )


BRIDGE = journal(
    (created(A, "Bridge length"), created(B, "Bridge opening"), created(C, "Towers")),
    (
        judged(C, A, Relation.RELATED, "both speak of the bridge"),
        judged(C, B, Relation.UNRELATED, "nothing shared"),
        NodesLinked(left=A, right=C, reason="both speak of the bridge"),
    ),
    (merged(A, B),),
    (ConflictFound(conflict_id=ConflictId("c1"), node_ids=(C, M), description="73 m against 67 m"),),
)


def test_an_inherited_link_keeps_the_reason_that_was_given_before_the_merge() -> None:
    bank = Playback().at(BRIDGE, 10).bank
    (edge,) = edges_of(bank).values()
    assert (edge.id, edge.kind, edge.linked) == ("n3|n4", EdgeKind.RELATED, True)
    assert members_of(bank) == {C: [C], M: [M, A, B]}
    (reason,) = reasons_of(edge, reasons_in(BRIDGE), members_of(bank))
    # The link repeats its verdict's words, and B had nothing to do with it: neither is said again.
    assert (reason.words, reason.relation, reason.confidence) == ("both speak of the bridge", Relation.RELATED, 0.75)
    assert (reason.left, reason.right, reason.round) == (A, C, 1)


def test_a_pair_has_one_edge_of_its_strongest_kind() -> None:
    bank = Playback().at(BRIDGE).bank
    (edge,) = edges_of(bank).values()
    assert (edge.kind, edge.linked, [each.id for each in edge.conflicts]) == (EdgeKind.CONFLICT, True, ["c1"])
    known = bank.conflicts.all[ConflictId("c1")]
    bank.conflicts.all[ConflictId("c1")] = Conflict(
        id=known.id, node_ids=known.node_ids, description=known.description, status=ConflictStatus.INCONCLUSIVE
    )
    assert next(iter(edges_of(bank).values())).kind is EdgeKind.DISPUTED
    bank.conflicts.all[ConflictId("c1")] = Conflict(
        id=known.id, node_ids=known.node_ids, description=known.description, status=ConflictStatus.FALSE_ALARM
    )
    assert next(iter(edges_of(bank).values())).kind is EdgeKind.RELATED


def test_undoing_a_merge_gives_each_source_its_own_reasons_back() -> None:
    undone = MergeUndone(event_id=MergeEventId("m1"), new_node_id=M, restored=(A, B))
    records = journal(
        *(
            tuple(record.event for record in BRIDGE if not isinstance(record.event, StageFinished) and record.at == at)
            for at in (0.0, 100.0, 200.0)
        ),
        (undone,),
    )
    bank = Playback().at(records).bank
    (edge,) = edges_of(bank).values()
    assert edge.ends == (A, C)
    assert [one.words for one in reasons_of(edge, reasons_in(records), members_of(bank))] == [
        "both speak of the bridge"
    ]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_edge_of_a_recorded_run_has_its_reasons(lang: Lang) -> None:
    records, playback = load(recorded_run(lang).path), Playback()
    seen = set[EdgeKind]()
    for k in range(0, len(records) + 1, 7):
        bank = playback.at(records, k).bank
        edges, reasons, members = edges_of(bank), reasons_in(records[:k]), members_of(bank)
        related = {edge.ends for edge in edges.values() if edge.linked}
        assert related == set(bank.graph.edges())
        for name, edge in edges.items():
            assert name == edge.id
            assert bool(edge.conflicts) == (edge.kind is not EdgeKind.RELATED)
            said = reasons_of(edge, reasons, members)
            assert said, (k, name)
            assert all(one.seq <= k and one.words for one in said)
            if edge.linked:
                assert any(one.relation in (Relation.RELATED, Relation.MERGE, None) for one in said)
            seen.add(edge.kind)
    assert seen >= {EdgeKind.RELATED, EdgeKind.CONFLICT}
