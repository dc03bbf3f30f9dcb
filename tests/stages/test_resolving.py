"""Which pairs of a validated group may become one node."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.stages.resolving import mergeable
from memorybank.stages.uniting import components
from memorybank.types import ConflictId, NodeId

Edge = tuple[ConflictId, NodeId, NodeId]


def edge(conflict: str, left: str, right: str) -> Edge:
    return ConflictId(conflict), NodeId(left), NodeId(right)


def pair(left: str, right: str) -> frozenset[NodeId]:
    return frozenset((NodeId(left), NodeId(right)))


def test_a_third_node_does_not_unite_a_pair_that_was_left_apart() -> None:
    edges = [edge("c1", "n1", "n2"), edge("c3", "n1", "n3")]
    united, skipped = mergeable(edges, {pair("n2", "n3")})
    assert united == [("n1", "n2")]
    assert skipped == [edge("c3", "n1", "n3")]
    assert mergeable(edges, set()) == ([("n1", "n2"), ("n1", "n3")], [])


def test_nor_does_a_chain_of_nodes() -> None:
    edges = [edge("c1", "n1", "n2"), edge("c2", "n3", "n4"), edge("c3", "n2", "n3"), edge("c4", "n4", "n5")]
    united, skipped = mergeable(edges, {pair("n1", "n4")})
    assert components(united) == [("n1", "n2"), ("n3", "n4", "n5")]
    assert [one for one, _, _ in skipped] == ["c3"]


numbers = st.integers(min_value=1, max_value=7)
pairs = st.lists(st.tuples(numbers, numbers), max_size=12)


@given(pairs, pairs)
def test_no_group_holds_a_pair_left_apart(merging: list[tuple[int, int]], left_apart: list[tuple[int, int]]) -> None:
    edges = [edge(f"c{at}", f"n{one}", f"n{other}") for at, (one, other) in enumerate(merging)]
    apart = {pair(f"n{one}", f"n{other}") for one, other in left_apart if one != other}
    united, skipped = mergeable(edges, apart)
    groups = components(united)
    assert not any(two <= set(group) for group in groups for two in apart)
    assert len(united) + len(skipped) == sum(one != other for one, other in merging)
