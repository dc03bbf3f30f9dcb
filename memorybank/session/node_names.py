"""Node ids that a model wrote, as names of what they stand for: the next merge takes a node away, a document stays."""

from __future__ import annotations

import re

from memorybank.language.text import fold_space
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Lang, NodeId
from memorybank.prompts import say
from memorybank.prompts.tags import neutralise

MOST_DOCUMENTS = 3
"""A memory with more documents goes by its topic."""

_ID_RE = re.compile(
    r"(?:\b(?i:memory|memories|nodes?) +|(?:记忆|节点) *)?(?<![\w-])(?P<id>n[1-9]\d{0,8})(?![\w-])", re.ASCII
)
_CITED_RE = re.compile(r"(?<=\[)(?P<id>n[1-9]\d{0,8}) *[:：] *(?=[^\]\n]+\])")
"""The id before the documents that are named already: [n4: a.md]."""


def with_names(text: str, state: MemoryState, lang: Lang) -> str:
    """The text with documents, or a topic, for each node id; a word that a source writes itself is none."""
    ids = {match["id"] for match in _ID_RE.finditer(text)}
    known = {id_ for id_ in ids if id_ in state.graph.nodes or id_ in state.graph.gone}
    ids = {node_id for node_id in known if not _is_written(node_id, state)}
    if not ids:
        return text
    names = {node_id: _name(NodeId(node_id), state, lang) for node_id in ids}
    text = _CITED_RE.sub(lambda match: "" if match["id"] in ids else match[0], text)
    return _ID_RE.sub(lambda match: names.get(match["id"], match[0]), text)


def _is_written(word: str, state: MemoryState) -> bool:
    written = re.compile(rf"\b{word}\b", re.ASCII)
    entries = (entry for entry in state.tree.entries.values() if entry.is_source)
    return any(written.search(entry.text) for entry in entries)


def _name(node_id: NodeId, state: MemoryState, lang: Lang) -> str:
    live_id = state.graph.successor(node_id)
    documents = state.tree.sources_of(node_id) or state.tree.sources_of(live_id)
    if 0 < len(documents) <= MOST_DOCUMENTS:
        name = say("sources_between", lang).join(documents)
    else:
        name = say("memory_by_topic", lang, topic=state.graph.nodes[live_id].context)
    return neutralise(fold_space(name)).replace("\\", "/").replace('"', "'")  # it may stand in JSON: a verdict
