"""The story of a node and the reasons of its edges: how it came about, each rewrite, an undone merge told backwards."""

from __future__ import annotations

from itertools import count

from memorybank.memory import events
from memorybank.memory.types import ClusterId, ConflictId, EntryId, Lang, MergeEventId, NodeId, Relation, Span
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import load
from memorybank.views.graph.style import EdgeKind
from memorybank.views.memory.edges import edges_of, members_of, reasons_in, reasons_of
from memorybank.views.memory.node_history import HistoryStep, node_stories
from memorybank.views.run.playback import Playback
from tests import made_events
from tests.recorded import recorded_run

A, B, C, M = map(NodeId, ("n1", "n2", "n3", "n4"))


def created(node_id: NodeId, context: str, cluster: str = "") -> events.NodeCreated:
    spans = (Span(entry_id=EntryId("e1"), start=0, end=5),) if cluster else ()
    more = {"spans": spans, "cluster_id": cluster or None, "keywords": (context.split()[0],)}
    return made_events.created(node_id, f"{context}.", context, **more)


def described(node_id: NodeId, before: str, after: str, because: NodeId) -> events.NodeDescribed:
    keywords = {"keywords_before": ("Towers",), "keywords": ("Towers", "height")}
    return made_events.described(node_id, after, because, context_before=before, **keywords)


def merged(*sources: NodeId) -> events.NodesMerged:
    told = {"summary": "The bridge, whole.", "context": "Bridge whole", "description": "the same matter"}
    return made_events.merged("m1", sources, M, keywords=("Bridge",), **told)


def journal(*commits: tuple[events.Fact, ...]) -> list[Record[events.Fact]]:
    """Each commit ends with its mark; its place is its round."""
    numbers = count(1)
    return [
        Record(next(numbers), 100.0 * round_, fact)
        for round_, facts in enumerate(commits)
        for fact in (*facts, events.StageFinished(stage="analyse", round=round_))
    ]


def kinds(steps: list[HistoryStep]) -> list[str]:
    return [step.kind for step in steps]


BRIDGE = journal(
    (
        events.ClustersFound(
            taken=(), clusters=(events.Cluster(id=ClusterId("k1"), context="Bridge length", keywords=(), spans=()),)
        ),
        created(A, "Bridge length", "k1"),
        created(B, "Bridge opening"),
        created(C, "Towers"),
        events.NodesLinked(left=A, right=C, reason="both of the bridge"),
    ),
    (merged(A, B), described(C, "Towers", "Towers of the bridge", M)),
    (events.MergeUndone(event_id=MergeEventId("m1"), new_node_id=M, restored=(A, B)),),
)


def test_a_merge_and_its_undoing_are_told_of_each_node_they_touch() -> None:
    stories = node_stories(BRIDGE)
    assert kinds(stories[A].steps) == kinds(stories[B].steps) == ["created", "gone", "restored"]
    first = stories[A].steps[0]
    assert (first.seq, first.at, first.round, first.is_of_cluster) == (2, 0.0, 0, True)
    assert [span.entry_id for span in first.spans] == ["e1"]
    (union,) = stories[M].steps
    assert stories[M].born is union
    assert (union.kind, union.merge, union.round) == ("merged", "m1", 1)
    assert [(node.id, node.context) for node in union.before] == [(A, "Bridge length"), (B, "Bridge opening")]
    assert union.after.summary == "The bridge, whole."
    # No event names the rewrite that the undoing takes back.
    assert kinds(stories[C].steps) == ["created", "described", "reverted"]
    rewrite, back = stories[C].steps[1:]
    assert rewrite.because == back.because == M
    assert rewrite.before == (stories[C].steps[0].after,)
    assert (rewrite.after.context, back.after.context) == ("Towers of the bridge", "Towers")
    assert back.after.keywords == ("Towers",)


def test_a_merge_that_stands_again_is_told_of_each_node_it_touches() -> None:
    again = events.MergeRestored(event_id=MergeEventId("m1"), new_node_id=M, merged_node_ids=(A, B))
    ending = events.StageFinished(stage="undo", round=1)
    added = [Record(len(BRIDGE) + place, 0.0, event) for place, event in enumerate((again, ending), start=1)]
    stories = node_stories([*BRIDGE, *added])
    assert kinds(stories[A].steps) == ["created", "gone", "restored", "gone"]
    assert kinds(stories[M].steps) == ["merged", "restored"]
    assert kinds(stories[C].steps) == ["created", "described", "reverted", "reverted"]
    assert stories[C].steps[-1].after == stories[C].steps[1].after


def test_what_was_not_committed_has_not_happened() -> None:
    cut = next(place for place, record in enumerate(BRIDGE) if isinstance(record.event, events.NodesMerged)) + 1
    assert kinds(node_stories(BRIDGE[:cut])[A].steps) == ["created"]
    assert M not in node_stories(BRIDGE[:cut])
    assert node_stories([]) == {}


def test_the_stories_of_a_recorded_run_end_where_its_memory_is(lang: Lang) -> None:
    records, playback = load(recorded_run(lang).path), Playback()
    for k in (len(records), 3 * len(records) // 4, len(records) // 3):
        bank, stories = playback.at(records, k).bank, node_stories(records[:k])
        assert stories.keys() == bank.graph.nodes.keys() | bank.graph.gone.keys()
        for node_id, node in bank.graph.nodes.items():
            last = stories[node_id].steps[-1].after
            assert (last.context, last.keywords, last.summary) == (node.context, node.keywords, node.summary)
            assert stories[node_id].born
        for node_id in bank.graph.gone:
            assert stories[node_id].steps[-1].kind == "gone"
    compared = [judged for story in stories.values() for judged in story.judged.values()]
    assert compared
    assert any(compared)


# -- the edges of a moment, each with what was said of its ends --------------------------------------------------------


def judged(new: NodeId, old: NodeId, relation: Relation, words: str) -> events.RelationsJudged:
    return events.RelationsJudged(
        node_id=new,
        relations=(events.JudgedRelation(node_id=old, relation=relation, confidence=0.75, reasoning=words),),
    )


JUDGED: tuple[tuple[events.Fact, ...], ...] = (
    (created(A, "Bridge length"), created(B, "Bridge opening"), created(C, "Towers")),
    (
        judged(C, A, Relation.RELATED, "both speak of the bridge"),
        judged(C, B, Relation.UNRELATED, "nothing shared"),
        events.NodesLinked(left=A, right=C, reason="both speak of the bridge"),
    ),
    (merged(A, B),),
    (events.ConflictFound(conflict_id=ConflictId("c1"), node_ids=(C, M), description="73 m against 67 m"),),
)


def test_an_inherited_link_keeps_the_reason_that_was_given_before_the_merge() -> None:
    records = journal(*JUDGED)
    bank = Playback().at(records, 10).bank
    (edge,) = edges_of(bank).values()
    assert (edge.id, edge.kind, edge.linked) == ("n3|n4", EdgeKind.RELATED, True)
    assert members_of(bank) == {C: [C], M: [M, A, B]}
    (reason,) = reasons_of(edge, reasons_in(records), members_of(bank))
    # The link repeats its verdict's words, and B had nothing to do with it: neither is said again.
    assert (reason.words, reason.relation, reason.confidence) == ("both speak of the bridge", Relation.RELATED, 0.75)
    assert (reason.left, reason.right, reason.round) == (A, C, 1)


def test_a_pair_has_one_edge_of_its_strongest_kind() -> None:
    (edge,) = edges_of(Playback().at(journal(*JUDGED)).bank).values()
    assert (edge.kind, edge.linked, [each.id for each in edge.conflicts]) == (EdgeKind.CONFLICT, True, ["c1"])


def test_undoing_a_merge_gives_each_source_its_own_reasons_back() -> None:
    undone = events.MergeUndone(event_id=MergeEventId("m1"), new_node_id=M, restored=(A, B))
    records = journal(*JUDGED[:3], (undone,))
    bank = Playback().at(records).bank
    (edge,) = edges_of(bank).values()
    assert edge.ends == (A, C)
    (reason,) = reasons_of(edge, reasons_in(records), members_of(bank))
    assert reason.words == "both speak of the bridge"


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
