"""Of a large picture the topics are named where they lie, and the names stay while the run grows."""

from __future__ import annotations

import numpy as np

from memorybank.memory.types import Node
from memorybank.views.graph.layout import Layout
from memorybank.views.graph.model import LEAST_NODES, regions_of
from tests.made_events import created

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
