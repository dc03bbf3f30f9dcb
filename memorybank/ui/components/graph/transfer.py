"""What is sent to the browser when the graph changes: under 5 kB, whatever the moment.

A tab's pages share one table of all that was ever drawn (`packing`), on the server and in the browser: a channel whose
entries are the table's items. A step is a frame, whole in itself, and the items that the browser has not got yet. Many
items at once (the first picture, another run) go as a bulk; a few more than fit go in pieces, for which the browser
asks.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from memorybank.memory.types import Conflict, Lang, Node
from memorybank.ui.components.channel import Channel
from memorybank.views.graph.atlas import Atlas
from memorybank.views.graph.items import all_looks, edge_parts, node_parts
from memorybank.views.graph.model import GraphView
from memorybank.views.graph.overlays import Pair
from memorybank.views.graph.packing import Table

STEP_BYTES = 2_900
"""Of a step's items and frame together, as JSON; what Streamlit adds to it makes about 900 more."""
_LEAST_BYTES = 500
"""Of items, however large the frame: a step always gets on."""
_BULK_BYTES = 24_000
"""From here on a bulk is quicker than pieces."""
_BULK_SECONDS = 3.0
"""So long a bulk is drawn with each run of the page, in case one that was overtaken has lost it. Streamlit sends what
has not changed only once, if it is not small."""
_MOST_WASTE = 20_000
"""Items that belong to pictures of the past; beyond, the table is begun anew."""


@dataclass(frozen=True, slots=True)
class Message:
    step: dict[str, Any]
    """The channel's message, and the frame."""
    bulk: bytes
    """The channel's bulk; or empty."""


@dataclass(slots=True)
class Sender:
    """The graphs of one tab, as far as its browser has them."""

    clock: Callable[[], float] = time.monotonic
    channel: Channel = field(default_factory=Channel)
    _table: Table = field(init=False)
    _bulk: bytes = b""
    _bulk_until: float = 0.0
    _foreseen: WeakKeyDictionary[Atlas, int] = field(default_factory=WeakKeyDictionary)
    """How much of an atlas is in the table."""

    def __post_init__(self) -> None:
        self._table = Table(self.channel.entries)

    def send(self, view: GraphView, *, key: str = "", request: object = None) -> Message:
        """The message for `view`, the graph under `key`. `request`: what its browser found missing; counts once."""
        channel = self.channel
        if len(channel.entries) > _MOST_WASTE + 4 * (len(view.nodes) + len(view.edges)):
            channel.begin()
            self._table = Table(channel.entries)
            self._foreseen.clear()
        channel.hear(key, request)
        frame = self._table.pack(view)
        room = max(_LEAST_BYTES, STEP_BYTES - len(json.dumps(frame)))
        if channel.sent == 0 or channel.unsent_size() > _BULK_BYTES:
            for look in all_looks(view.lang):
                self._table.look(look)
            self._foresee(view, float("inf"))
            self._bulk = channel.bulk("graph", channel.sent)
            self._bulk_until = self.clock() + _BULK_SECONDS
        elif self.clock() > self._bulk_until:
            self._bulk = b""
            self._foresee(view, room - channel.unsent_size())
        return Message({**channel.next(room), **frame}, self._bulk)

    def _foresee(self, view: GraphView, room: float) -> None:
        """Add what the run's other moments show, as far as there is room for it."""
        if view.atlas is None:
            return
        known = self._foreseen.get(view.atlas, 0)
        until = self.channel.size() + room
        for seen in islice(view.atlas.seen, known, None):
            if self.channel.size() >= until:
                break
            self._take(seen, view.atlas, view.lang)
            known += 1
        self._foreseen[view.atlas] = known

    def _take(self, seen: Node | Pair | Conflict, atlas: Atlas, lang: Lang) -> None:
        match seen:
            case Node():
                self._table.node(node_parts(seen, atlas[seen.id], atlas.merged_from.get(seen.id, ()), lang))
            case Conflict():
                self._table.edge(edge_parts(seen.node_ids, (seen,), lang))
            case pair:
                self._table.edge(edge_parts(pair))
