"""Which pairs of a validated group may become one node."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memorybank.memory.types import NodeId
from memorybank.session.stages.resolving import mergeable
from memorybank.session.stages.uniting import components


def edge(left: str, right: str) -> tuple[NodeId, NodeId]:
    return NodeId(left), NodeId(right)


def pair(left: str, right: str) -> frozenset[NodeId]:
    return frozenset(edge(left, right))


def test_a_third_node_does_not_unite_a_pair_that_was_left_apart() -> None:
    edges = [edge("n1", "n2"), edge("n1", "n3")]
    assert mergeable(edges, {pair("n2", "n3")}) == [("n1", "n2")]
    assert mergeable(edges, set()) == edges


def test_nor_does_a_chain_of_nodes() -> None:
    edges = [edge("n1", "n2"), edge("n3", "n4"), edge("n2", "n3"), edge("n4", "n5")]
    united = mergeable(edges, {pair("n1", "n4")})
    assert components(united) == [("n1", "n2"), ("n3", "n4", "n5")]
    assert edge("n2", "n3") not in united


numbers = st.integers(min_value=1, max_value=7)
pairs = st.lists(st.tuples(numbers, numbers), max_size=12)


@given(pairs, pairs)
def test_no_group_holds_a_pair_left_apart(merging: list[tuple[int, int]], left_apart: list[tuple[int, int]]) -> None:
    edges = [edge(f"n{one}", f"n{other}") for one, other in merging]
    apart = {pair(f"n{one}", f"n{other}") for one, other in left_apart if one != other}
    united = mergeable(edges, apart)
    groups = components(united)
    assert not any(two <= set(group) for group in groups for two in apart)
    assert set(united) <= {one for one in edges if one[0] != one[1]}
