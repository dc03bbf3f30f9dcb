"""The names of nodes, so that what a text names is found without a look at each node."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from memorybank.language.node_names import name_of, tokens_of
from memorybank.memory.types import Node, NodeId

LONGEST = 10
"""Tokens of a name; what is longer is a sentence."""
Name = tuple[str, ...]
"""Tokens."""


class NameIndex:
    """The names of nodes. What a text names is found at the cost of the text, however many names there are."""

    def __init__(self) -> None:
        self._by_first: dict[str, dict[Name, list[NodeId]]] = defaultdict(dict)
        self._name_of: dict[NodeId, Name] = {}

    def put(self, node: Node) -> None:
        self.discard(node.id)
        name = tokens_of(name_of(node.context, node.summary))
        if 0 < len(name) <= LONGEST:
            self._name_of[node.id] = name
            self._by_first[name[0]].setdefault(name, []).append(node.id)

    def discard(self, node_id: NodeId) -> None:
        name = self._name_of.pop(node_id, None)
        if name is None:
            return
        bearers = self._by_first[name[0]]
        bearers[name].remove(node_id)
        if not bearers[name]:
            del bearers[name]

    def named_in(self, tokens: Sequence[str]) -> Iterator[NodeId]:
        """Nodes whose name stands in a text, as they come in it; each once."""
        seen: set[NodeId] = set()
        for place, token in enumerate(tokens):
            for name, bearers in self._by_first.get(token, {}).items():
                if tuple(tokens[place : place + len(name)]) == name:
                    yield from (bearer for bearer in bearers if bearer not in seen)
                    seen.update(bearers)

    def of(self, node: Node) -> Name:
        """The node's own name; empty when it has none."""
        return self._name_of.get(node.id) or tokens_of(name_of(node.context, node.summary))
