"""Events of nodes, and values, as a test gives them to a bank: what it does not name is empty, or made of the id."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from memorybank.language.text import sha256
from memorybank.memory.events import EntryRecorded, NodeCreated, NodeDescribed, NodesMerged
from memorybank.memory.state import MemoryState
from memorybank.memory.types import (
    Claim,
    Conflict,
    ConflictId,
    Contradiction,
    Entry,
    EntryId,
    MergeEventId,
    Node,
    NodeId,
    Span,
)
from memorybank.runs.journal import Record


def recorded(*events: Any) -> list[Record[Any]]:
    """Events as the records of a run, a second apart."""
    return [Record(seq, float(seq), event) for seq, event in enumerate(events, start=1)]


def n(one: int | str) -> NodeId:
    """A node's id, given by its number or as it is."""
    return NodeId(f"n{one}" if isinstance(one, int) else one)


def node(one: int | str, summary: str = "", links: Iterable[int | str] = (), **more: Any) -> Node:
    told = {"context": "", "keywords": (), "seq": int(n(one)[1:])}
    return Node(id=n(one), summary=summary, links=tuple(map(n, links)), **{**told, **more})


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


def claim(value: str, text: str = "", **more: Any) -> Claim:
    told = {"text": text or f"It has {value}.", "kind": "number", "subject": "", "attribute": ""}
    return Claim(value=value, **{**told, **more})


def conflict(left: Claim, right: Claim, *, number: int = 1, nodes: tuple[int, int] = (1, 2), **more: Any) -> Conflict:
    pair = Contradiction(left=left, right=right, reason="", confidence=1.0)
    told = {"node_ids": (n(nodes[0]), n(nodes[1])), "description": "", "contradictions": (pair,)}
    return Conflict(id=ConflictId(f"c{number}"), **{**told, **more})


def bank_on(documents: Mapping[str, str], *conflicts: Conflict) -> MemoryState:
    """A bank with a memory on each document: the first is entry e1, on which node n1 stands."""
    bank = MemoryState()
    for number, (name, text) in enumerate(documents.items(), start=1):
        entry = Entry(id=EntryId(f"e{number}"), kind="document", text=text, source=name, sha256=sha256(text))
        bank.apply(EntryRecorded(entry=entry), 1.0)
        bank.apply(created(number, text, name, spans=(Span(entry_id=entry.id, start=0, end=len(text)),)), 1.0)
    bank.conflicts.all |= {each.id: each for each in conflicts}
    return bank
