"""The Query Graph on a page: vis-network as pyvis ships it, in a Streamlit component of the second kind.

Use, in a page, in this order:

    chosen = selection("graph")                      # what the reader has clicked, before this run draws
    view = build_view(nodes, points, selected=chosen, …)
    draw(view, key="graph")

Streamlit sends a component's code again with each change of its data. So the library and our drawing code travel in a
component that has no data (sent once a tab), and the graph itself is a few lines and what has changed. Nothing leaves
the machine.
"""

from __future__ import annotations

import functools
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import streamlit as st

from memorybank.memory.types import NodeId
from memorybank.ui.shell.tab import select, selection, sender, sent_by
from memorybank.views.drawing.beside import text_beside
from memorybank.views.drawing.graph.script import graph_script
from memorybank.views.graph.model import GraphView, Parts, changes_between


@dataclass(slots=True)
class Channel:
    """A log that grows on the server and is kept in a tab's browser, too: append-only from `begin` to `begin`.

    Streamlit drops what a rerun overtakes, a server restarts under an open page, and two components may share one log.
    So a message names its log (`epoch`), the number of its first entry (`from`) and the length of the log (`total`),
    and the browser (channel.js) asks for what it finds missing. Until it does, nothing is taken to be lost.
    """

    entries: list[Any] = field(default_factory=list)
    epoch: str = field(default_factory=lambda: secrets.token_hex(6))
    """The id of this log; it differs also from that of a server that was restarted under an open page."""
    sent: int = 0
    """The number of entries that the browser has, if nothing was lost."""
    _answered: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def begin(self) -> None:
        """Begin an empty log, which takes the place of the former one in the browser."""
        self.entries = []
        self.epoch, self.sent = secrets.token_hex(6), 0

    def hear(self, key: str, request: object) -> bool:
        """Send again from where the browser's component `key` says that it is, and say whether that is news."""
        if not isinstance(request, Mapping) or "have" not in request or request == self._answered.get(key):
            return False
        self._answered[key] = request
        have = request["have"] if request.get("epoch") == self.epoch else 0
        self.sent = max(0, min(have, len(self.entries))) if isinstance(have, int) else 0
        return True

    def next(self) -> dict[str, Any]:
        """Return the entries that the browser lacks."""
        first, self.sent = self.sent, len(self.entries)
        # A tuple: Streamlit asks of a list whether it is a data frame, and imports pandas for that.
        return {"epoch": self.epoch, "from": first, "items": tuple(self.entries[first:]), "total": self.sent}


def draw_again() -> None:
    """Do nothing, as `on_asked_change`: the browser lacks something, and the run that follows sends it."""


_read = functools.partial(text_beside, __package__)

_SENDER = "graph-sender"
_CODE_SECONDS = 5.0
"""The seconds for which each run of the page draws the code, in case an overtaken one has lost it; it is sent once.

graph.js, which travels with each change, asks for it where it is not there when the page has been drawn: when its state
begins with no r, as is_drawing.js says at length.
"""


class _Components(NamedTuple):
    loader: Any
    graph: Any


@dataclass(slots=True)
class GraphSending:
    """The graphs and the code that a tab's browser has been sent."""

    senders: dict[str, Sender] = field(default_factory=dict)
    code_until: float = 0.0
    answered: object = None


def draw(view: GraphView, *, key: str, height: int = 480, scene: Mapping[str, Any] | None = None) -> None:
    """Draw `view`, `height` pixels high. A click reruns the page (or the fragment), and `selection` knows it.

    `scene`: what is acted out over it (views/graph/spotlight.py), once for each `turn`.
    """
    components, chosen = _components(), selection(key)
    sending = sender(_SENDER, GraphSending)
    request = sent_by(key, "asked")  # what the browser's component asked for last: kept until its next request
    data = {
        "key": key,
        "height": height,
        **sending.senders.setdefault(key, Sender()).send(view, key=key, request=request),
        **{name: value for name, value in (("selected", chosen), ("scene", scene)) if value is not None},
    }
    with st.container(gap=None):  # the loader shows nothing and takes no room; it comes last, for it comes and goes
        components.graph(
            key=key, data=data, on_clicked_change=functools.partial(_take, key), on_asked_change=draw_again
        )
        if _needs_code(sending, request):
            components.loader(key=f"{key}-loader", height=1)


def load_ahead() -> None:
    """Send the code while the reader looks at a page without a graph, once a tab; if it gets lost, it is asked for."""
    sending = sender(_SENDER, GraphSending)
    if sending.code_until == 0.0:
        sending.code_until = time.monotonic()
        _components().loader(key="graph-loader-ahead", height=1)


def _take(key: str) -> None:
    """Select the node that the reader has clicked, or none."""
    node = sent_by(key, "clicked").get("node")
    select(key, NodeId(node) if isinstance(node, str) else None)


def _needs_code(sending: GraphSending, request: object) -> bool:
    now = time.monotonic()
    is_asked = isinstance(request, dict) and "code" in request and request != sending.answered
    if is_asked:
        sending.answered = request
    if sending.code_until == 0.0 or is_asked:
        sending.code_until = now + _CODE_SECONDS
    return now < sending.code_until


@functools.cache
def _components() -> _Components:
    """Register the components, once a process, at the first drawing."""
    return _Components(
        loader=st.components.v2.component(
            "memorybank_graph_loader", js=f"{graph_script()}\nexport default () => {{}};\n"
        ),
        graph=st.components.v2.component("memorybank_graph", html='<div class="graph"></div>', js=_read("graph.js")),
    )


_MOST_WASTE = 4
"""A log that is longer than its picture by this factor is begun anew."""


@dataclass(slots=True)
class Sender:
    """A graph as far as the browser of one tab has it.

    The entries of its channel are `[part, name, content]`: what is drawn so from now on, or, without content, is gone.
    """

    channel: Channel = field(default_factory=Channel)
    _parts: Parts = field(default_factory=dict)
    _message: dict[str, Any] = field(default_factory=dict)

    def send(self, view: GraphView, *, key: str = "", request: object = None) -> dict[str, Any]:
        """Return the message for `view`. Unchanged parts are the same to the byte: Streamlit sends a mere reference."""
        parts, channel = view.parts, self.channel
        if not channel.hear(key, request) and parts == self._parts:
            return self._message
        changes = changes_between(self._parts, parts)
        if len(channel.entries) + len(changes) > _MOST_WASTE * sum(map(len, parts.values())):
            channel.begin()
            changes = changes_between({}, parts)
        channel.entries.extend(changes)
        self._parts, self._message = parts, channel.next()
        return self._message
