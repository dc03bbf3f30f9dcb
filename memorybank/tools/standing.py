"""The place of a source in memory, in words beside a search result: whoever knows that need not read it again."""

from __future__ import annotations

from collections.abc import Mapping

from memorybank.language.text import source_key
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Entry, Lang, NodeId
from memorybank.prompts import say

_MOST_NODES = 5
"""Named of a source; a long document may be behind many."""


def standing(state: MemoryState, lang: Lang) -> Mapping[str, str]:
    """Say of each source that was read, by `source_key`, which live nodes own it, or that none has taken it yet.

    A source of which only a search's excerpt was kept is told apart: its whole may still be worth reading.
    """
    whole: dict[str, list[NodeId]] = {}
    excerpts: dict[str, list[NodeId]] = {}
    for entry in state.tree.entries.values():
        if entry.is_source and not _is_excerpt(entry):
            whole.setdefault(source_key(entry.source), [])
    for node_id in state.graph.nodes:
        for entry_id in state.tree.entries_of(node_id):
            entry = state.tree.entries[entry_id]
            if entry.is_source:
                owners = excerpts if _is_excerpt(entry) else whole
                owners.setdefault(source_key(entry.source), []).append(node_id)
    marks = {key: say("search_excerpt_known", lang, nodes=_named(nodes, lang)) for key, nodes in excerpts.items()}
    for key, nodes in whole.items():
        marks[key] = say("search_known", lang, nodes=_named(nodes, lang)) if nodes else say("search_read", lang)
    return marks


def whole_sources(state: MemoryState) -> set[str]:
    """Return the names of the documents that were read whole."""
    return {entry.source for entry in state.tree.entries.values() if entry.is_source and not _is_excerpt(entry)}


def _is_excerpt(entry: Entry) -> bool:
    """Whether a search brought it and nobody read the whole (stages/executing.py writes the call)."""
    return entry.tool_calls == (f"search({entry.source})",)


def _named(nodes: list[NodeId], lang: Lang) -> str:
    distinct = list(dict.fromkeys(nodes))
    return say("search_between", lang).join([*distinct[:_MOST_NODES], *(["…"] if len(distinct) > _MOST_NODES else [])])
