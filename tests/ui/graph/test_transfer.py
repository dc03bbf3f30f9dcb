"""Whatever is sent, base and difference together are the picture; and a small change is sent small."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.ui.graph.model import GraphView
from memorybank.ui.graph.transfer import Base, Change, split


def picture(nodes: dict[str, int], edges: dict[str, int]) -> GraphView:
    return GraphView(
        nodes=tuple({"id": name, "label": f"topic {value}"} for name, value in nodes.items()),
        edges=tuple({"id": name, "width": value} for name, value in edges.items()),
        options={},
        shown=len(nodes),
        total=len(nodes),
        description="",
        notice="",
        legend=(),
        lang="en",
    )


def put_together(base: Base, change: Change) -> tuple[dict[str, object], dict[str, object]]:
    """As the browser does it."""
    nodes = {**base.nodes, **{node["id"]: node for node in change.nodes}}
    edges = {**base.edges, **{edge["id"]: edge for edge in change.edges}}
    return (
        {name: node for name, node in nodes.items() if name not in change.gone_nodes},
        {name: edge for name, edge in edges.items() if name not in change.gone_edges},
    )


items = st.dictionaries(st.sampled_from([f"n{i}" for i in range(40)]), st.integers(0, 2), max_size=40)


@given(st.lists(st.tuples(items, items), min_size=1, max_size=5))
@settings(max_examples=60, deadline=None)
def test_base_and_difference_are_the_picture(steps: list[tuple[dict[str, int], dict[str, int]]]) -> None:
    base = None
    for nodes, edges in steps:
        view = picture(nodes, edges)
        base, change = split(base, view)
        assert put_together(base, change) == (
            {node["id"]: node for node in view.nodes},
            {edge["id"]: edge for edge in view.edges},
        )


def test_a_step_on_a_large_graph_sends_only_what_changed() -> None:
    nodes = {f"n{i}": 0 for i in range(1000)}
    base, change = split(None, picture(nodes, {}))
    assert len(change) == 0
    again, change = split(base, picture({**nodes, "n7": 1, "n1000": 0}, {"n7|n1000": 1}))
    assert again is base
    assert [node["id"] for node in change.nodes] == ["n7", "n1000"]
    assert len(json.dumps(change.nodes)) < 200
    other, change = split(base, picture({f"m{i}": 0 for i in range(500)}, {}))
    assert other.version != base.version
    assert len(change) == 0
