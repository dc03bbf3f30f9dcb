"""Whatever is lost on the way, the browser shows the picture in the end; and what is sent for a change is small."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from memorybank.ui.components.graph.component import Sender
from memorybank.views.graph.model import GraphView, LegendItem, picture
from memorybank.views.graph.style import NODE_LOOKS, NodeState
from tests.ui.components.receiving import receiver
from tests.views.graph.made_run import MadeRun

GRAPH = ("graph/mount.js",)


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


def test_whatever_is_lost_the_browser_shows_the_picture_in_the_end() -> None:
    with receiver(*GRAPH) as running:

        @given(steps=st.lists(st.tuples(views, st.booleans()), min_size=1, max_size=6), forgets=st.booleans())
        @settings(max_examples=60, deadline=None)
        def check(steps: list[tuple[GraphView, bool]], forgets: bool) -> None:
            sender = Sender()
            for view, is_lost in steps:
                message = sender.send(view, key="g", request=running.asked)
                running.hear(None if is_lost else message)
            if forgets:  # the server forgets, the page stays open
                sender = Sender()
            view = steps[-1][0]
            for _ in range(40):
                shown = running.hear(sender.send(view, key="g", request=running.asked))
                if not running.is_asking:
                    break
            assert not running.is_asking
            assert sorted_picture(shown) == as_shown(view)

        check()


def test_a_growing_run_is_sent_as_it_grows_and_a_stage_costs_what_it_changed() -> None:
    made_run, sender, sizes = MadeRun(300, dimensions=64), Sender(), []
    with receiver(*GRAPH) as running:
        for _, view in made_run.growing(step=9, until=900):
            message = sender.send(view, request=running.asked)
            assert sorted_picture(running.hear(message)) == as_shown(view)
            sizes.append(len(json.dumps(message)))
    assert sorted(sizes)[len(sizes) // 2] < 5_000, "but for the first, and where the log is begun anew"
