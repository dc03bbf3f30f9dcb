"""What is drawn of a graph: a shape and a colour for each state, words for each shape, text as text."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import combinations

import pytest

from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Hit, Lang, Node, NodeId
from memorybank.views.graph import style
from memorybank.views.graph.items import LABEL_COLUMNS, TOOLTIP_COLUMNS, node_label
from memorybank.views.graph.layout import NewNode, Point
from memorybank.views.graph.model import GraphView, build_view
from memorybank.views.graph.overlays import GraphDiff, Trail
from memorybank.views.text.display import columns
from tests import made_events
from tests.tables import tables
from tests.views.graph.test_layout import positions

TABLES = tables(__file__)
A, B, C, D, E, F = (NodeId(f"n{i}") for i in range(1, 7))


def node(node_id: NodeId, *links: NodeId, context: str = "Qubits of the Condor processor") -> Node:
    keywords = ("Condor", "qubit")
    return made_events.node(node_id, "Condor has 1,121 qubits.", links, context=context, keywords=keywords)


def conflict(number: int, left: NodeId, right: NodeId, status: ConflictStatus = ConflictStatus.OPEN) -> Conflict:
    description = f"1,121 or 1,12{number}"
    return Conflict(id=ConflictId(f"c{number}"), node_ids=(left, right), description=description, status=status)


def graph_of(*nodes: Node) -> dict[NodeId, Node]:
    return {each.id: each for each in nodes}


def places(nodes: dict[NodeId, Node]) -> dict[NodeId, Point]:
    return positions(NewNode(id=node_id) for node_id in nodes)


def states(view: GraphView) -> dict[str, str]:
    return {each["id"]: each["group"] for each in view.nodes}


def test_each_state_has_its_shape_and_each_edge_its_line() -> None:
    nodes = graph_of(node(A, B), node(B, A, C), node(C, B, D), node(D, C), node(E), node(F))
    view = build_view(
        nodes,
        places(nodes),
        conflicts=[conflict(1, A, B), conflict(2, C, E, ConflictStatus.INCONCLUSIVE), conflict(3, A, B)],
        new=[F, A],
        merged=[D],
        raw_characters={A: 50, F: 9000},
    )
    assert states(view) == {A: "conflict", B: "conflict", C: "disputed", D: "merged", E: "disputed", F: "new"}
    for each in view.nodes:
        assert each["shape"] == style.NODE_LOOKS[style.NodeState(each["group"])].shape
        assert style.looks()["groups"][each["group"]]["fill"]
    assert view.parts["nodes"][A]["outlined"], "new and in conflict: the shape says conflict, the outline new"
    assert "outlined" not in view.parts["nodes"][F]
    assert view.parts["nodes"][A]["title"] == "In an open conflict · New since the last step"
    assert view.parts["nodes"][F]["size"] > view.parts["nodes"][A]["size"]
    assert style.vis_options()["physics"] == {"enabled": False}

    edges = {each["id"]: each for each in view.edges}
    assert {edge_id: edge["kind"] for edge_id, edge in edges.items()} == {
        "n1|n2": "conflict",
        "n3|n5": "disputed",
        "n2|n3": "related",
        "n3|n4": "related",
    }
    assert (edges["n1|n2"]["label"], edges["n1|n2"]["dashes"]) == ("Conflict", [8, 6])
    assert edges["n1|n2"]["conflicts"] == ["c1", "c3"]
    assert (edges["n1|n2"]["title"], edges["n1|n2"]["lines"]) == ("Conflict", ["1,121 or 1,121", "1,121 or 1,123"])
    assert (edges["n2|n3"]["label"], edges["n2|n3"]["dashes"]) == ("", False)

    assert view.description == "Query Graph. Nodes: 6. Links: 2. Pairs in open conflict: 1. Disputed pairs: 1."
    assert [item.words for item in view.legend] == TABLES["legend_of_states"]
    assert build_view(nodes, places(nodes), lang="zh").legend[0].words == "每个主题一种颜色"
    json.dumps([view.nodes, view.edges])


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (ConflictStatus.OPEN, "conflict"),
        (ConflictStatus.INCONCLUSIVE, "disputed"),
        (ConflictStatus.FALSE_ALARM, "related"),
        (ConflictStatus.RESOLVED, "related"),
    ],
)
def test_a_closed_conflict_changes_the_edge_in_place(status: ConflictStatus, kind: str) -> None:
    nodes = graph_of(node(A, B), node(B, A))
    edge = build_view(nodes, places(nodes), conflicts=[conflict(1, B, A, status)]).edges[0]
    assert (edge["id"], edge["kind"]) == ("n1|n2", kind)
    assert edge.keys() >= {"label", "title", "color", "width", "dashes"}, "or the old look would stay in the browser"


def test_conflicts_follow_merged_nodes_and_end_with_them() -> None:
    nodes = graph_of(node(C), node(D))
    gone = {A: C, B: C}

    def now(node_id: NodeId) -> NodeId:
        return gone.get(node_id, node_id)

    view = build_view(nodes, places(nodes), conflicts=[conflict(1, A, B), conflict(2, B, D)], successor=now)
    assert [(edge["from"], edge["to"], edge["conflicts"]) for edge in view.edges] == [(C, D, ["c2"])]
    lost = build_view(nodes, places(nodes), conflicts=[conflict(1, A, D)])
    assert lost.edges == ()


def test_the_newest_and_all_in_conflict_are_shown_and_what_is_hidden_is_said() -> None:
    nodes = graph_of(*(node(NodeId(f"n{i}"), *([NodeId(f"n{i - 1}")] if i > 1 else [])) for i in range(1, 51)))
    nodes = {
        node_id: replace(each, links=(*each.links, *([NodeId(f"n{each.seq + 1}")] if each.seq < 50 else [])))
        for node_id, each in nodes.items()
    }
    far = [
        conflict(1, NodeId("n3"), NodeId("n7")),
        conflict(2, NodeId("n9"), NodeId("n11"), ConflictStatus.INCONCLUSIVE),
    ]
    view = build_view(nodes, places(nodes), conflicts=far, selected=NodeId("n1"), limit=10)
    assert [each["id"] for each in view.nodes] == ["n1", "n3", "n7", "n9", "n11", *(f"n{i}" for i in range(41, 51))]
    assert (view.shown, view.total) == (15, 50)
    assert view.notice == "Showing 15 of 50 nodes: the newest, and all in conflict."
    shown = {each["id"] for each in view.nodes}
    assert all(edge["from"] in shown and edge["to"] in shown for edge in view.edges)
    assert "Nodes: 50. Links: 49." in view.description
    assert build_view(nodes, places(nodes)).notice == ""
    assert build_view(nodes, places(nodes), selected=NodeId("n99"), limit=0).shown == 0


@pytest.mark.parametrize(("context", "lang", "label"), [*TABLES["labels"], ("w" * 100_000, "en", "w" * 39 + "…")])
def test_a_label_names_the_topic_in_whole_words(context: str, lang: Lang, label: str) -> None:
    found = node_label(node(A, context=context), lang)
    assert found == label
    assert sum(map(columns, found)) <= LABEL_COLUMNS
    assert node_label(Node(id=A, summary="", context=" ", keywords=()), "zh") == "无标题主题"


@pytest.mark.parametrize("case", TABLES["namesakes"], ids=str)
def test_nodes_of_one_name_are_told_apart_by_what_only_one_of_them_says(case: dict[str, list[str]]) -> None:
    made = zip((A, B, C), case["said"], strict=True)
    nodes = graph_of(*(replace(node(each), context=topic, keywords=tuple(words)) for each, (topic, *words) in made))
    assert [drawn["label"] for drawn in build_view(nodes, places(nodes)).nodes] == case["drawn"]


def test_hostile_text_stays_text_and_small() -> None:
    hostile = '<script>alert(1)</script> href="javascript:1" $x$ :red[y] </memory>\u202e\x00 😀'
    nodes = graph_of(replace(node(A, context=hostile * 2000), summary=hostile * 2000, keywords=(hostile,) * 50))
    view = build_view(nodes, places(nodes), conflicts=())
    topic = view.nodes[0]["topic"]
    assert '<script>alert(1)</script> href="javascript:1"' in topic
    assert len(topic) <= TOOLTIP_COLUMNS
    assert not set("\u202e\x00\n") & set(topic)


def hit(node_id: NodeId, rank: int, via: NodeId | None = None) -> Hit:
    return Hit(
        node_id=node_id, score=1 / rank, keyword=0.5, vector=0.5, keyword_raw=1.0, cosine=0.5, rank=rank, via=via
    )


def test_a_trail_lights_its_hits_and_dims_the_rest() -> None:
    nodes = graph_of(node(A, B), node(B, A, C), node(C, B), node(D), node(E, F), node(F, E))
    gone = NodeId("n99")
    trail = Trail(hits=(hit(B, 1), hit(C, 2), hit(A, 3, via=B), hit(gone, 4), hit(F, 5, via=C)), below=(hit(D, 6),))
    view = build_view(nodes, places(nodes), trail=trail, conflicts=[conflict(1, C, D)], limit=0)
    assert {each["id"]: (each.get("mark"), each.get("badge")) for each in view.nodes} == {
        A: ("hit", "↳"),
        B: ("hit", "1"),
        C: ("hit", "2"),
        D: ("below", "6"),
        F: ("hit", "↳"),
    }, "shown whatever the limit; a hit that is gone is left out, one that was brought along has no rank"
    assert view.dim == 0.1
    marked = {each["id"]: (each["mark"], each["arrows"]) for each in view.edges if "mark" in each}
    assert marked == {"n1|n2": ("via", "from"), "n3|n6": ("via", "to")}, "also where there is no link"
    assert view.parts["edges"]["n3|n4"]["kind"] == "conflict"
    assert view.parts["nodes"][D]["shape"] == style.NODE_LOOKS[style.NodeState.CONFLICT].shape
    assert view.parts["nodes"][D]["title"] == "Below the cut-off · In an open conflict"
    assert [item.words for item in view.legend][:3] == TABLES["legend_of_a_trail"]
    assert (view.shown, view.total) == (5, 6)


def test_a_difference_shows_what_came_went_and_changed() -> None:
    nodes = graph_of(node(A, C), node(C, A), node(D))
    diff = GraphDiff(
        added=frozenset({D}),
        removed={B: node(B, A), E: node(E)},
        changed=frozenset({A}),
        edges_added=frozenset({(A, C)}),
        edges_removed=frozenset({(A, B)}),
        before="step 3",
        after="step 9",
    )
    everywhere = places({**nodes, B: node(B)})
    view = build_view(nodes, everywhere, diff=diff)
    assert {each["id"]: (each.get("mark"), each.get("badge")) for each in view.nodes} == {
        A: ("changed", "~"),
        B: ("removed", "−"),
        C: (None, None),
        D: ("added", "+"),
    }, "one that has no place is not drawn"
    assert (view.parts["nodes"][B]["x"], view.parts["nodes"][B]["y"]) == everywhere[B]
    assert {each["id"]: each.get("mark") for each in view.edges} == {"n1|n3": "added", "n1|n2": "removed"}
    assert (view.shown, view.total, view.notice) == (3, 3, "")
    assert [item.words for item in view.legend] == TABLES["legend_of_a_difference"]


def test_looks_are_told_apart_without_colour() -> None:
    shapes = [look.shape for look in style.NODE_LOOKS.values()]
    assert len(set(shapes)) == len(style.NodeState) == len(shapes)
    marks = [(look.shape, look.dashed) for look in style.MARK_LOOKS.values()]
    assert len(set(marks)) == len(marks)
    assert len({look.dashes for look in style.EDGE_LOOKS.values()}) == len(style.EdgeKind)
    assert len({(look.dashes, look.arrow) for look in style.EDGE_MARK_LOOKS.values()}) == len(style.EDGE_MARK_LOOKS)
    fills = [look.fill for look in style.NODE_LOOKS.values()]
    okabe_ito = {"#000000", "#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D32F2F", "#CC79A7"}
    assert set(fills) <= okabe_ito
    assert all(one != other for one, other in combinations(fills, 2))
    for state in style.NodeState:
        steps = [style.size_step(characters) for characters in (0, 100, 1000, 8000, 10**9)]
        sizes = [
            style.node_size(style.NODE_LOOKS[state], step, is_marked=state is not style.NodeState.NORMAL)
            for step in steps
        ]
        assert sizes == sorted(sizes)
        assert sizes[0] < sizes[2] < sizes[-1] == sizes[-2]


@pytest.mark.parametrize("page", ["#FFFFFF", "#12171D"])
def test_every_mark_stands_out_from_a_light_and_a_dark_page(page: str) -> None:
    """WCAG 1.4.11: fill or outline has a contrast of 3 to the page."""
    for look in (*style.NODE_LOOKS.values(), *(look for look in style.MARK_LOOKS.values() if look.outline)):
        assert max(contrast(color, page) for color in (look.fill, look.outline) if color) >= 3, look


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(color: str) -> float:
    channels = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
