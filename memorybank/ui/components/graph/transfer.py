"""What is sent to the browser when the graph changes: what differs from the picture that it has.

Each graph of a tab has a channel, whose entries are `[part, name, content]`: a node, an edge or a piece of the frame
that is drawn so from now on, or, without content, that is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from memorybank.ui.components.channel import Channel
from memorybank.views.graph.model import GraphView, parts_of

_MOST_WASTE = 4
"""A log so many times as long as its picture is begun anew."""

Parts = Mapping[str, Mapping[str, Any]]


@dataclass(slots=True)
class Sender:
    """A graph, as far as the browser of one tab has it."""

    channel: Channel = field(default_factory=Channel)
    _parts: Parts = field(default_factory=dict)
    _message: dict[str, Any] = field(default_factory=dict)

    def send(self, view: GraphView, *, key: str = "", request: object = None) -> dict[str, Any]:
        """The message for `view`. What has not changed is the same to the byte: Streamlit sends a mere reference."""
        parts, channel = parts_of(view), self.channel
        if not channel.hear(key, request) and parts == self._parts:
            return self._message
        changes = list(_changes(self._parts, parts))
        if len(channel.entries) + len(changes) > _MOST_WASTE * sum(map(len, parts.values())):
            channel.begin()
            changes = list(_changes({}, parts))
        channel.entries.extend(changes)
        self._parts, self._message = parts, channel.next()
        return self._message


def _changes(old: Parts, new: Parts) -> list[list[Any]]:
    changes: list[list[Any]] = []
    for part, items in new.items():
        known = old.get(part, {})
        changes += [[part, name, None] for name in known if name not in items]
        changes += [[part, name, item] for name, item in items.items() if known.get(name) != item]
    return changes
