"""The memories that name each other: the topic of one stands by its name in the text of the other.

A question that needs two texts is often answered by one that names the other ("the film was made by X", and a text on
X). Neither keywords nor vectors bring the two together, for a name is a few words in a long text; so names are looked
up as such (links by entity: HippoRAG, Gutiérrez et al. 2024, section 2).
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Protocol

from memorybank.language.text import HAN_RE
from memorybank.language.tokens import tokenize
from memorybank.memory.types import Node, NodeId

LEAST_LETTERS = 4
"""Letters of a name of one word; a Han character counts as two."""

_HEAD_RE = re.compile(r"(?P<head>[^:：]{2,80})[:：]\s*\S")
_HEADING_RE = re.compile(r"\s*#{1,6}\s+(?P<head>[^\n]{2,80})(?:\n|$)")
_ASIDE_RE = re.compile(r"\s*[(（][^)）]*[)）]")


class Naming(Protocol):
    """A node, or what an agent is shown of it."""

    @property
    def context(self) -> str: ...
    @property
    def summary(self) -> str: ...


def name_of(context: str, summary: str = "") -> str:
    """Return a memory's topic, less what is in brackets: the words before the colon of its topic line, else the heading
    that its summary begins with; empty when it names nothing."""
    head = _HEAD_RE.match(context) or _HEADING_RE.match(summary)
    name = _ASIDE_RE.sub("", head["head"]).strip() if head else ""
    letters = sum(map(str.isalpha, name)) + len(HAN_RE.findall(name))
    return name if letters >= LEAST_LETTERS else ""


def shared_name(left: Naming, right: Naming) -> str:
    """Return the name of one that stands in the other's text, word by word; else empty."""
    for bearer, node in ((left, right), (right, left)):
        name = name_of(bearer.context, bearer.summary)
        if name and stands_in(tokens_of(name), tokens_of(node.summary)):
            return name
    return ""


def stands_in(name: Sequence[str], tokens: Sequence[str]) -> bool:
    """Whether the tokens of the name follow each other there."""
    return bool(name) and f" {' '.join(name)} " in f" {' '.join(tokens)} "


@functools.lru_cache(maxsize=8_192)
def tokens_of(text: str) -> tuple[str, ...]:
    """Tokenize a text. It is remembered: the same summaries are looked through for each name."""
    return tuple(tokenize(text))


LONGEST = 10
"""The most tokens of a name; a longer one is a sentence."""
Name = tuple[str, ...]
"""A name as its tokens."""


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
        """Yield the nodes whose name stands in a text, as they come in it; each once."""
        seen: set[NodeId] = set()
        for place, token in enumerate(tokens):
            for name, bearers in self._by_first.get(token, {}).items():
                if tuple(tokens[place : place + len(name)]) == name:
                    yield from (bearer for bearer in bearers if bearer not in seen)
                    seen.update(bearers)

    def of(self, node: Node) -> Name:
        """Return the node's own name; empty when it has none."""
        return self._name_of.get(node.id) or tokens_of(name_of(node.context, node.summary))
