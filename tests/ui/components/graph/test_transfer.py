"""Whatever is lost on the way, the browser shows the picture in the end; and what is sent for a change is small."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.memory.types import NodeId
from memorybank.ui.components.graph.transfer import Message, Sender
from memorybank.views.graph.model import GraphView, LegendItem
from memorybank.views.graph.packing import picture
from memorybank.views.graph.style import NODE_LOOKS, NodeState
from tests.ui.components.receiving import Receiver, receiver
from tests.views.graph.made_run import MadeRun

MOST_BYTES = 3_900
"""Of a step; what Streamlit says besides is about a thousand."""
GRAPH = ("graph/packing.js", "graph/mount.js")


def view_of(nodes: dict[str, tuple[int, int]], edges: dict[str, int], lang: Any = "en") -> GraphView:
    """Nodes by id: what they are, how they look."""
    return GraphView(
        nodes=tuple(
            {"id": name, "label": f"主题 {content} <b>", "x": 1.0, "y": 2.0, "group": "normal", "size": look}
            for name, (content, look) in nodes.items()
        ),
        edges=tuple(
            {
                "id": name,
                "from": "n1",
                "to": "n2",
                "label": "Conflict",
                "width": look,
                "dashes": [look, 2] if look else False,
            }
            for name, look in edges.items()
        ),
        shown=len(nodes),
        total=len(nodes),
        description="",
        notice=f"{len(nodes)}",
        legend=(LegendItem(words="w", look=NODE_LOOKS[NodeState.NEW]),) * bool(edges),
        lang=lang,
    )


def hear(page: Receiver, message: Message) -> Any:
    return page.hear(message.step, message.bulk)


def as_shown(view: GraphView) -> Any:
    """In any order: a canvas has none."""
    said = json.loads(json.dumps(picture(view)))
    return sorted_picture({key: said[key] for key in ("nodes", "edges", "legend", "words", "looks", "notice")})


def sorted_picture(shown: dict[str, Any]) -> dict[str, Any]:
    return {
        **shown,
        "nodes": sorted(shown["nodes"], key=lambda node: str(node["id"])),
        "edges": sorted(shown["edges"], key=lambda edge: str(edge["id"])),
    }


look = st.tuples(st.integers(0, 2), st.integers(0, 2))
views = st.builds(
    view_of,
    st.dictionaries(st.sampled_from([f"n{i}" for i in range(300)]), look, max_size=250),
    st.dictionaries(st.sampled_from([f"e{i}" for i in range(40)]), st.integers(0, 2), max_size=40),
    st.sampled_from(["en", "zh"]),
)
lost = st.sampled_from([(False, False), (False, False), (True, False), (False, True), (True, True)])


def test_whatever_is_lost_the_browser_shows_the_picture_in_the_end() -> None:
    with receiver(*GRAPH) as running:

        @given(steps=st.lists(st.tuples(views, lost, st.integers(0, 2)), min_size=1, max_size=6), forgets=st.booleans())
        @settings(max_examples=60, deadline=None)
        def check(steps: list[tuple[GraphView, tuple[bool, bool], int]], forgets: bool) -> None:
            now = 0.0
            sender = Sender(clock=lambda: now)
            for view, (loses_step, loses_bulk), seconds in steps:
                now += 2.0 * seconds
                message = sender.send(view, key="g", request=running.asked)
                running.hear(None if loses_step else message.step, b"" if loses_bulk else message.bulk)
            if forgets:  # the server forgets, the page stays open
                sender = Sender(clock=lambda: now)
            view = steps[-1][0]
            for _ in range(40):
                shown = hear(running, sender.send(view, key="g", request=running.asked))
                if not running.is_asking:
                    break
            assert not running.is_asking
            assert sorted_picture(shown) == as_shown(view)

        check()


@pytest.fixture(scope="module", params=["en", "zh"])
def made_run(request: pytest.FixtureRequest) -> MadeRun:
    return MadeRun(1_170, dimensions=64, lang=request.param)


def test_every_change_of_a_run_of_a_thousand_nodes_is_small(made_run: MadeRun) -> None:
    """Opened at its end and led to any moment; then one that grows, and one that leaps with nothing known."""
    chance = random.Random(5)
    now = 0.0
    sender = Sender(clock=lambda: now)
    with receiver(*GRAPH) as running:
        shown = hear(running, sender.send(made_run.view(made_run.length)))
        assert sorted_picture(shown) == as_shown(made_run.view(made_run.length))
        sizes = []
        for _ in range(30):
            now += 1.0
            view = made_run.view(chance.randrange(made_run.length))
            message = sender.send(view, request=running.asked)
            assert now < 5 or not message.bulk
            shown = hear(running, message)
            sizes.append(len(json.dumps(message.step)))
        assert max(sizes) < MOST_BYTES
        while running.is_asking:
            shown = hear(running, sender.send(view, request=running.asked))
        assert sorted_picture(shown) == as_shown(view)


def test_a_growing_run_is_sent_as_it_grows(made_run: MadeRun) -> None:
    now = 0.0
    sender = Sender(clock=lambda: now)
    sizes = []
    with receiver(*GRAPH) as running:
        for k, view in made_run.growing(step=23, until=1_500):
            for _ in range(9):  # what does not fit is asked for
                now += 2.0
                message = sender.send(view, request=running.asked)
                shown = hear(running, message)
                sizes.append(len(json.dumps(message.step)))
                assert not message.bulk or k < 50 or now < 5, "the first bulk, drawn for a while, is the only one"
                if not running.is_asking:
                    break
            assert not running.is_asking
            if k % 10 == 0:
                assert sorted_picture(shown) == as_shown(view)
        assert max(sizes) < MOST_BYTES


def test_another_run_under_the_same_key_does_not_pile_up(made_run: MadeRun) -> None:
    """A tab that opens run after run keeps the table of the last few, not of all."""
    sender = Sender()
    most = 0
    for run in range(12):
        view = view_of({str(NodeId(f"r{run}n{i}")): (i, 0) for i in range(3000)}, {})
        most = max(most, sender.send(view).step["total"])
    assert most < 36_000
