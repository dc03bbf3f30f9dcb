"""Events of nodes as a test gives them to a bank: what it does not name is empty, or made of the id."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from memorybank.memory.events import NodeCreated, NodeDescribed, NodesMerged
from memorybank.memory.types import MergeEventId, NodeId
from memorybank.runs.journal import Record


def recorded(*events: Any) -> list[Record[Any]]:
    """Events as the records of a run, a second apart."""
    return [Record(seq, float(seq), event) for seq, event in enumerate(events, start=1)]


def n(one: int | str) -> NodeId:
    """A node's id, given by its number or as it is."""
    return NodeId(f"n{one}" if isinstance(one, int) else one)


def created(one: int | str, summary: str = "", context: str = "", **more: Any) -> NodeCreated:
    told = {"summary": summary or f"Text of {n(one)}.", "context": context or f"topic {n(one)}"}
    return NodeCreated(node_id=n(one), **{"keywords": (), "vector": b"", "spans": (), **told, **more})


def described(one: int | str, context: str, because: int | str, **more: Any) -> NodeDescribed:
    left = {"context_before": "", "keywords_before": (), "keywords": (), "vector": b""}
    return NodeDescribed(node_id=n(one), context=context, because=n(because), **{**left, **more})


def merged(event: str, sources: Iterable[int | str], new: int | str, **more: Any) -> NodesMerged:
    told = {"summary": f"Text of {n(new)}.", "context": f"topic {n(new)}", "description": f"{event} happened"}
    left = {"keywords": (), "vector": b"", "trigger": "merge", **told}
    ids = tuple(map(n, sources))
    return NodesMerged(event_id=MergeEventId(event), merged_node_ids=ids, new_node_id=n(new), **{**left, **more})
