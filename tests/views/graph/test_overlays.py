"""What differs between two moments, whichever is the earlier."""

from __future__ import annotations

from memorybank.memory.state import MemoryState
from memorybank.views.graph.overlays import GraphDiff, diff_graphs, marks_of
from memorybank.views.graph.style import NodeMark
from tests.views.graph.made_run import MadeRun


def test_the_difference_of_two_moments_and_back() -> None:
    run = MadeRun(120)
    seen = 0
    for one, other in ((10, 40), (100, 260), (run.length, 200), (77, 77)):
        before, after = run.bank(one), run.bank(other)
        there, back = diff_graphs(before, after, names=("old", "new")), diff_graphs(after, before)
        assert (there.before, there.after, back.before, back.after) == ("old", "new", "A", "B")
        assert there.added == set(after.graph.nodes) - set(before.graph.nodes) == set(back.removed)
        assert there.removed == {key: node for key, node in before.graph.nodes.items() if key not in after.graph.nodes}
        assert there.changed == back.changed
        for node_id in there.changed:
            assert before.graph.nodes[node_id].context != after.graph.nodes[node_id].context
        assert (there.edges_added, there.edges_removed) == (back.edges_removed, back.edges_added)
        assert (set(before.graph.edges()) | there.edges_added) - there.edges_removed == set(after.graph.edges())
        seen += len(there.changed)
        marks = marks_of(None, there, after.graph.nodes)
        assert [node.seq for node in marks.ghosts] == sorted(node.seq for node in there.removed.values())
        assert set(marks.nodes) == there.added | there.changed | set(there.removed)
    assert seen, "some were rewritten"
    assert diff_graphs(run.bank(50), run.bank(50)) == GraphDiff()


def test_a_link_learnt_is_no_rewriting() -> None:
    run = MadeRun(60)
    bank = run.bank(run.length)
    alone = MemoryState(graph=bank.graph.copy())
    one, other = list(bank.graph.nodes)[:2]
    alone.graph._link(one, other)
    diff = diff_graphs(bank, alone)
    assert not diff.changed
    assert diff.edges_added <= {(one, other)}
    assert NodeMark.CHANGED not in marks_of(None, diff, alone.graph.nodes).nodes.values()
