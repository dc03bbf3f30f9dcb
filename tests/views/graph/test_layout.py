"""A node's place is decided at its birth and depends on older nodes alone; topics have their names, which stay."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.memory.events import NodesLinked
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Node, NodeId
from memorybank.runs.run_folder import load, state_at
from memorybank.views.graph.layout import CELL_HEIGHT, CELL_WIDTH, Layout, NewNode, Point, births
from memorybank.views.graph.model import LEAST_NODES, regions_of
from memorybank.views.graph.overlays import diff_graphs, marks_of
from memorybank.views.graph.style import NodeMark
from tests.made_events import created, described, merged
from tests.made_events import n as node_id
from tests.recorded import recorded_run


def positions(born: Iterable[NewNode]) -> dict[NodeId, Point]:
    """A place for every node."""
    layout = Layout()
    for birth in born:
        layout.add(birth)
    return dict(layout)


def embeddings(topics: list[int], dimensions: int = 384) -> list[bytes]:
    """Unit vectors, alike for the same topic (cosine about 0.7) and unlike for others."""
    random = np.random.default_rng(3)
    centres = random.normal(size=(max(topics) + 1, dimensions))
    vectors = centres[topics] + 0.65 * random.normal(size=(len(topics), dimensions))
    return [(vector / np.linalg.norm(vector)).astype("<f2").tobytes() for vector in vectors]


def births_of(topics: list[int]) -> list[NewNode]:
    return [NewNode(id=node_id(i), vector=vector) for i, vector in enumerate(embeddings(topics))]


def cells(points: dict[NodeId, Point]) -> np.ndarray:
    found: np.ndarray = np.array(list(points.values())) / [CELL_WIDTH, CELL_HEIGHT]
    return found


def distances(points: dict[NodeId, Point]) -> np.ndarray:
    """Between all pairs, in cells; infinite to itself."""
    places = cells(points)
    found: np.ndarray = np.sqrt(((places[:, None] - places[None, :]) ** 2).sum(axis=2))
    np.fill_diagonal(found, np.inf)
    return found


@st.composite
def histories(draw: st.DrawFn) -> list[NewNode]:
    """Births with and without embeddings, links to older nodes, merges, and names that mean nothing."""
    count = draw(st.integers(1, 30))
    vectors = embeddings(draw(st.lists(st.integers(0, 4), min_size=count, max_size=count)))
    found = []
    for i in range(count):
        known = st.lists(st.integers(0, count).map(node_id), max_size=3, unique=True).map(tuple)
        found.append(
            NewNode(
                id=node_id(i),
                vector=vectors[i] if draw(st.booleans()) else b"",
                links=draw(known) if draw(st.booleans()) else (),
                merged_from=draw(known) if draw(st.booleans()) else (),
            )
        )
    return found


@given(history=histories(), at=st.integers(0, 30))
@settings(max_examples=60, deadline=None)
def test_an_old_node_never_moves_and_no_two_overlap(history: list[NewNode], at: int) -> None:
    whole = positions(history)
    earlier = positions(history[:at])
    assert earlier == {birth.id: whole[birth.id] for birth in history[:at]}
    assert positions(history) == whole
    assert len(whole) == len(history)
    assert distances(whole).min(initial=np.inf) > 0.99

    layout = Layout()
    for birth in history:
        before = dict(layout)
        layout.add(birth)
        assert layout[birth.id] == whole[birth.id], "one at a time as all at once"
        layout.add(birth)
        assert {older: layout[older] for older in before} == before


@pytest.mark.parametrize("count", [5, 40, 300])
def test_nodes_of_a_topic_lie_together_and_the_map_stays_readable(count: int) -> None:
    topics = [int(topic) for topic in np.random.default_rng(4).integers(0, max(2, count // 12), count)]
    points = positions(births_of(topics))
    between = distances(points)
    same = np.equal.outer(topics, topics)
    nearest_is_kin = np.mean([same[i, int(between[i].argmin())] for i in range(count)])
    assert nearest_is_kin > 0.6
    # Neither a thread nor a sea.
    width, height = np.ptp(np.array(list(points.values())), axis=0)
    assert 0.4 < width / height < 4
    assert width * height < 7 * max(count, 9) * CELL_WIDTH * CELL_HEIGHT


def test_links_and_merges_decide_before_likeness() -> None:
    born = births_of([0, 0, 0, 1, 1, 1])
    linked = NewNode(id=node_id(7), vector=born[0].vector, links=(node_id(3), node_id(99)))
    merged = NewNode(id=node_id(8), vector=born[0].vector, merged_from=(node_id(3), node_id(5)))
    points = positions([*born, linked, merged])
    place = dict(zip(points, cells(points), strict=True))

    def distance(one: NodeId, other: np.ndarray) -> float:
        return float(np.linalg.norm(place[one] - other))

    assert distance(linked.id, place[node_id(3)]) < 2
    assert distance(merged.id, (place[node_id(3)] + place[node_id(5)]) / 2) < 1.3


def test_births_are_read_from_events() -> None:
    vector = embeddings([0])[0]
    made = [created(number, vector=vector) for number in (1, 2)]
    merge = merged("m1", (1, 2), 3, vector=vector)
    later = described(2, "other", 1, vector=vector[::-1])
    link = NodesLinked(left=node_id(1), right=node_id(2), reason="r")
    read = [birth for event in (*made, link, later, merge) for birth in births(event)]
    assert [(birth.id, birth.merged_from) for birth in read] == [("n1", ()), ("n2", ()), ("n3", ("n1", "n2"))]
    # What is learnt after a birth does not move it.
    assert positions(read) == positions(birth for event in (*made, merge) for birth in births(event))


def test_a_node_without_an_embedding_counts_for_no_likeness() -> None:
    """Nor does it before the first that has one: read whole or as it grows, a run has one map."""
    born = births_of([0, 1, 0, 1, 0])
    history = [NewNode(id=node_id(number + 10)) for number in range(4)] + born
    layout = Layout()
    for birth in history:
        layout.add(birth)
        assert layout
    assert layout == positions(history)


def test_tabs_that_ask_at_once_get_one_map() -> None:
    born = births_of([number % 5 for number in range(900)])
    layout = Layout()
    for birth in born:
        layout.add(birth)
    with ThreadPoolExecutor(4) as tabs:
        maps = list(tabs.map(lambda _: dict(layout), range(4)))
    assert maps == [positions(born)] * 4


# -- of a large picture the topics are named where they lie, and the names stay while the run grows -------------------


TOPICS = {"桥": "Severn", "mill": "Orwell", "harbour": "Tyne"}


def _grown(count: int) -> tuple[Layout, list[Node]]:
    """So many nodes, in turn of one of three topics."""
    random = np.random.default_rng(1)
    centres = random.normal(size=(len(TOPICS), 64))
    layout, nodes = Layout(), []
    for number in range(count):
        vector = centres[number % 3] + 0.4 * random.normal(size=64)
        keywords = (list(TOPICS)[number % 3], list(TOPICS.values())[number % 3], f"only {number}")
        unit = (vector / np.linalg.norm(vector)).astype("<f2").tobytes()
        event = created(number, keywords=keywords, vector=unit)
        layout.take(event)
        nodes.append(Node(id=event.node_id, context="c", keywords=keywords, summary="s"))
    return layout, nodes


def test_each_topic_has_its_name_among_its_own_nodes() -> None:
    layout, nodes = _grown(360)
    regions = regions_of(nodes, layout, "en")
    assert {region.name for region in regions} == {f"{word} · {place}" for word, place in TOPICS.items()}
    for region in regions:
        word = region.name.split(" · ")[0]
        nearest = sorted(nodes, key=lambda node: np.hypot(*np.subtract(layout[node.id], (region.x, region.y))))[:20]
        assert sum(word in node.keywords for node in nearest) > 12


def test_a_small_picture_has_none_and_names_stay_while_it_grows() -> None:
    layout, nodes = _grown(500)
    assert regions_of(nodes[: LEAST_NODES - 1], layout, "en") == ()
    assert len({regions_of(nodes[:count], layout, "en") for count in range(400, 500, 7)}) == 1


def test_a_link_learnt_is_no_rewriting() -> None:
    bank = state_at(load(recorded_run().path))
    alone = MemoryState(graph=bank.graph.copy())
    one, other = list(bank.graph.nodes)[:2]
    alone.graph._link(one, other)
    diff = diff_graphs(bank, alone)
    assert not diff.changed
    assert diff.edges_added <= {(one, other)}
    assert NodeMark.CHANGED not in marks_of(None, diff, alone.graph.nodes).nodes.values()
