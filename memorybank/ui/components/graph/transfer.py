"""What is sent to the browser when the graph changes: under 5 kB, whatever the moment.

A tab's pages share one table of all that was ever drawn (`packing`), on the server and in the browser. A step is a
frame, whole in itself, and the items of the table that the browser has not got yet. A frame may be lost (Streamlit
drops what a rerun overtakes): the next one says it all again. Items may be lost too: so each step repeats the last few
and says how many there are, and the browser asks for what it finds missing. Many items at once (the first picture,
another run) go as a bulk, in a component of their own that is drawn once; a few more than fit go in pieces, for which
the browser asks in the same way.
"""

from __future__ import annotations

import json
import secrets
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from memorybank.memory.types import Conflict, Lang, Node
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
_REPEATED_STEPS, _REPEATED_BYTES = 3, 800
_ALL = 10**9
_BULK_SECONDS = 3.0
"""So long a bulk is drawn with each run of the page, in case one that was overtaken has lost it. Streamlit sends what
has not changed only once, if it is not small."""
_MOST_WASTE = 20_000
"""Items that belong to pictures of the past; beyond, the table is begun anew."""


@dataclass(frozen=True, slots=True)
class Message:
    step: dict[str, Any]
    """`epoch`, `from` (the number of the first item), `items`, `total` (how many there are), and the frame."""
    bulk: bytes
    """JSON of `epoch`, `from` and `items`; or empty."""


@dataclass(slots=True)
class Sender:
    """What one tab has been told, as far as the server knows."""

    clock: Callable[[], float] = time.monotonic
    _epoch: str = ""
    """Which table; told apart also from that of a server that was restarted under an open page."""
    _table: Table = field(default_factory=Table)
    _bytes: list[int] = field(default_factory=lambda: [0])
    """Size of the first so many items."""
    _sent: int = 0
    """Items that the browser has, if nothing was lost."""
    _before: deque[int] = field(default_factory=lambda: deque(maxlen=_REPEATED_STEPS))
    """`_sent` before each of the last steps."""
    _answered: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    _bulk: bytes = b""
    _bulk_until: float = 0.0
    _foreseen: WeakKeyDictionary[Atlas, int] = field(default_factory=WeakKeyDictionary)
    """How much of an atlas is in the table."""

    def send(self, view: GraphView, *, key: str = "", asked: Mapping[str, Any] | None = None) -> Message:
        """The message for `view`, the graph under `key`. `asked`: what its browser found missing; counts once."""
        if not self._epoch or len(self._table.items) > _MOST_WASTE + 4 * (len(view.nodes) + len(view.edges)):
            self._begin()
        if asked and asked != self._answered.get(key):
            self._answered[key] = asked
            self._rewind(asked)
        frame = self._table.pack(view)
        self._measure()
        room = max(_LEAST_BYTES, STEP_BYTES - len(json.dumps(frame)))
        if self._sent == 0 or self._bytes[-1] - self._bytes[self._sent] > _BULK_BYTES:
            for look in all_looks(view.lang):
                self._table.look(look)
            self._measure()
            self._foresee(view, _ALL)
            self._make_bulk()
        elif self.clock() > self._bulk_until:
            self._bulk = b""
            self._foresee(view, room - (self._bytes[-1] - self._bytes[self._sent]))
        first, end = self._piece(room)
        total = len(self._table.items)
        items = tuple(self._table.items[first:end])
        return Message({"epoch": self._epoch, "from": first, "items": items, "total": total, **frame}, self._bulk)

    def _begin(self) -> None:
        self._epoch = secrets.token_hex(6)
        self._table, self._bytes, self._sent = Table(), [0], 0
        self._before.clear()
        self._foreseen.clear()

    def _rewind(self, asked: Mapping[str, Any]) -> None:
        """Take the browser's word for what it has: it is only ever sent more for that."""
        have = asked.get("have") if asked.get("epoch") == self._epoch else 0
        self._sent = max(0, min(have, len(self._table.items))) if isinstance(have, int) else 0
        self._before.clear()

    def _measure(self) -> None:
        for item in self._table.items[len(self._bytes) - 1 :]:
            self._bytes.append(self._bytes[-1] + len(json.dumps(item)) + 2)

    def _foresee(self, view: GraphView, room: int) -> None:
        """Add what the run's other moments show, as far as there is room for it."""
        if view.atlas is None:
            return
        known = self._foreseen.get(view.atlas, 0)
        until = self._bytes[-1] + room
        for seen in islice(view.atlas.seen, known, None):
            if self._bytes[-1] >= until:
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
        self._measure()

    def _make_bulk(self) -> None:
        bulk = {"epoch": self._epoch, "from": self._sent, "items": self._table.items[self._sent :]}
        text = json.dumps(bulk, ensure_ascii=False, separators=(",", ":"))
        self._bulk = text.encode("utf-8", "replace")
        self._bulk_until = self.clock() + _BULK_SECONDS
        self._sent = len(self._table.items)
        self._before.clear()

    def _piece(self, room: int) -> tuple[int, int]:
        """Numbers of the items to send: some again, then as many new ones as fit, at least one."""
        first = self._before[0] if self._before else self._sent
        while self._bytes[self._sent] - self._bytes[first] > _REPEATED_BYTES:
            first += 1
        end = self._sent
        while end < len(self._table.items) and (end == self._sent or self._bytes[end + 1] - self._bytes[first] <= room):
            end += 1
        self._before.append(self._sent)
        self._sent = end
        return first, end
