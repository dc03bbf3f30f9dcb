"""The Query Graph on a page: vis-network as pyvis ships it, in a Streamlit component of the second kind.

Use, in a page, in this order:

    chosen = selection("graph")                      # what the reader has clicked, before this run draws
    view = build_view(nodes, points, selected=chosen.node, …)
    draw(view, key="graph")

Streamlit sends a component's code again with each change of its data. So the library and our drawing code travel in a
component that has no data (sent once a session), the nodes and edges of one moment in another (`transfer`), and the
graph itself is a few lines and what has changed. No request leaves the machine.
"""

from __future__ import annotations

import functools
import json
import re
from dataclasses import asdict
from importlib import resources
from typing import Any, NamedTuple

import streamlit as st

from memorybank.types import NodeId
from memorybank.ui.graph.model import GraphView
from memorybank.ui.graph.style import NEW_OUTLINE, NEW_OUTLINE_WIDTH
from memorybank.ui.graph.transfer import split
from memorybank.ui.i18n import t

_CODE = ("theme.js", "labels.js", "legend.js", "frame.js", "view.js")


class Selection(NamedTuple):
    """What is selected in the graph: a node, an edge, or nothing."""

    node: NodeId | None
    edge: str | None
    """An edge's id (`GraphView.edge`)."""


_NOTHING = Selection(None, None)


class _Components(NamedTuple):
    loader: Any
    base: Any
    graph: Any


def selection(key: str) -> Selection:
    """What is selected in the graph drawn under `key`. Ids come from the browser: look them up, do not trust them."""
    chosen: Selection = st.session_state.get(f"{key}-selection", _NOTHING)
    return chosen


def select(key: str, node: NodeId | None = None, edge: str | None = None) -> None:
    """Select from Python, e.g. from a list beside the canvas. Shown from the next `draw` on."""
    # Not in the component's own state: the browser keeps a copy of that and would send the old value back.
    st.session_state[f"{key}-selection"] = Selection(node, edge)


def _take(key: str) -> None:
    """The reader has clicked."""
    clicked = st.session_state[key].get("clicked") or {}
    node, edge = clicked.get("node"), clicked.get("edge")
    select(key, NodeId(node) if isinstance(node, str) else None, edge if isinstance(edge, str) else None)


def draw(view: GraphView, *, key: str, height: int = 480) -> None:
    """Draw `view`, `height` pixels high. A click reruns the page (or the fragment), and `selection` knows it."""
    components = _components()
    chosen = selection(key)
    state_key = f"{key}-sent"
    base, change = split(st.session_state.get(state_key), view)
    st.session_state[state_key] = base
    with st.container(gap=None):  # the two that show nothing take no room
        components.loader(key=f"{key}-loader", height=1)
        look = {"options": view.options, "new_outline": {"color": NEW_OUTLINE, "width": NEW_OUTLINE_WIDTH}}
        components.base(key=f"{key}-base", data={"key": key, **base.data(), **look}, height=1)
        components.graph(
            key=key,
            data={
                "key": key,
                "height": height,
                "version": base.version,
                **asdict(change),
                "legend": [{"words": item.words, **asdict(item.look)} for item in view.legend],
                "words": {
                    "description": view.description,
                    "notice": view.notice,
                    "empty": t("graph.empty", view.lang),
                    **{name: t(f"graph.{name}", view.lang) for name in ("fit", "zoom_in", "zoom_out")},
                },
                "selected": chosen.node,
                "selected_edge": chosen.edge,
            },
            on_clicked_change=functools.partial(_take, key),
        )


@functools.cache
def _components() -> _Components:
    """Registered once a process, at the first drawing."""
    return _Components(
        loader=st.components.v2.component("memorybank_graph_loader", js=_loader()),
        base=st.components.v2.component("memorybank_graph_base", js=_read("base.js")),
        graph=st.components.v2.component("memorybank_graph", html='<div class="frame"></div>', js=_read("graph.js")),
    )


def _loader() -> str:
    """The library, our code and our style sheet in one module."""
    file = resources.files("pyvis").joinpath("templates/lib/vis-9.1.2/vis-network.min.js")
    # It ends with a note for debuggers that names a file which is not there.
    library = file.read_text(encoding="utf-8").split("//# sourceMappingURL=")[0]
    parts = {"VIS": library, "CSS": json.dumps(_read("graph.css")), "CODE": "\n".join(map(_read, _CODE))}
    # One pass, so that nothing inside a part is taken for another part's place.
    return re.sub(r"/\* (VIS|CSS|CODE) \*/", lambda match: parts[match[1]], _read("loader.js"))


def _read(name: str) -> str:
    """A file beside this module. All have many lines: a single line would be taken for a path by Streamlit."""
    return resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
