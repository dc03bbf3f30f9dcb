"""`memory.json`: the three layers and the conflicts in the specifications' form, out and in.

Out: `to_json(bank)`. In: `from_json(text, …)` gives one `MemoryImported` event, checked against itself first: an export
may have been edited by hand, so ids, links, spans, attachment paths and merge chains must hold together.

Beyond the specifications' fields there are, all optional on reading: an entry's `metadata.kind`, `node_spans`, an
attachment's `name`, `size` and `media_type`, a merge's `trigger`, and of a conflict `contradictions` (the claims that
cannot both hold), `winner`, `value`, `reason` and `closed_by`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from memorybank.bank import MemoryBank
from memorybank.contracts import NodeInfo
from memorybank.errors import InputError, UnsafeInputError
from memorybank.events import ImportedNode, MemoryImported
from memorybank.text import sha256
from memorybank.types import (
    Attachment,
    AttachmentId,
    AttachmentType,
    Claim,
    ClaimKind,
    CompletedTask,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    Evidence,
    MergeEvent,
    MergeEventId,
    NodeId,
    Span,
    Task,
    TaskStatus,
    TaskType,
)

VERSION = 1
FILES = "files/"
"""Attachments' `content` is a path in the run's folder: this, then `<sha256><suffix>`."""

# -- out --------------------------------------------------------------------------------------------------------------


def to_json(bank: MemoryBank, *, embeddings: bool = False) -> dict[str, Any]:
    """The memory as it stands. `embeddings` adds each node's vector (base64 of float16)."""
    return {
        "version": VERSION,
        "insight_doc": _insight_doc(bank),
        "query_graph": {
            "nodes": [
                {
                    "id": node.id,
                    "summary": node.summary,
                    "context": node.context,
                    "keywords": list(node.keywords),
                    "timestamp": node.timestamp,
                    "links": list(node.links),
                    **({"embedding": base64.b64encode(node.vector).decode()} if embeddings else {}),
                }
                for node in bank.graph.nodes.values()
            ],
            "edges": [list(edge) for edge in bank.graph.edges()],
        },
        "interaction_tree": _interaction_tree(bank),
        "conflicts": [_conflict(conflict) for conflict in bank.conflicts.all.values()],
    }


def _insight_doc(bank: MemoryBank) -> dict[str, Any]:
    doc = bank.doc
    return {
        "doc_id": doc.doc_id,
        "task_goal": doc.task_goal,
        "completed_tasks": [
            {"type": one.type.value, "description": one.description, "status": one.status.value, "context": one.context}
            for one in doc.completed_tasks
        ],
        "pending_tasks": [
            {
                "type": task.type.value,
                "description": task.description,
                "conflict_id": task.conflict_ids[0] if task.conflict_ids else None,
            }
            for task in doc.pending_tasks
        ],
    }


def _interaction_tree(bank: MemoryBank) -> dict[str, Any]:
    tree = bank.tree
    return {
        "entries": [
            {
                "entry_id": entry.id,
                "text": entry.text,
                "timestamp": entry.timestamp,
                "metadata": {"source": entry.source, "tool_calls": list(entry.tool_calls), "kind": entry.kind},
                "attachments": [_attachment(tree.attachments[one]) for one in entry.attachments],
            }
            for entry in tree.entries.values()
        ],
        "node_to_entries": {node_id: list(tree.entries_of(node_id)) for node_id in bank.graph.nodes},
        "node_spans": {
            node_id: [[span.entry_id, span.start, span.end] for span in tree.spans.get(node_id, ())]
            for node_id in bank.graph.nodes
        },
        "merge_events": [
            {
                "event_id": merge.id,
                "merged_node_ids": list(merge.merged_node_ids),
                "new_node_id": merge.new_node_id,
                "timestamp": merge.timestamp,
                "description": merge.description,
                "undone": merge.undone,
                "trigger": merge.trigger,
            }
            for merge in tree.merge_events.values()
        ],
    }


def _attachment(attachment: Attachment) -> dict[str, Any]:
    return {
        "id": attachment.id,
        "type": attachment.type.value,
        "content": FILES + attachment.path,
        "name": attachment.name,
        "size": attachment.size,
        "media_type": attachment.media_type,
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "id": conflict.id,
        "status": conflict.status.value,
        "node_ids": list(conflict.node_ids),
        "description": conflict.description,
        "evidence": [
            {
                "source": one.source,
                "quote": one.quote,
                "supports": one.supports,
                "value": one.value,
                "independent": one.independent,
            }
            for one in conflict.evidence
        ],
        "contradictions": [asdict(one) for one in conflict.contradictions],
        "winner": conflict.winner,
        "value": conflict.value,
        "reason": conflict.reason,
        "closed_by": conflict.closed_by,
    }


def fingerprint(bank: MemoryBank) -> str:
    """SHA-256 of the memory's content: texts, ids, edges, conflicts; not times, not vectors, not the parsed claims."""
    left_out = ("timestamp", "contradictions")

    def content(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: content(part) for key, part in value.items() if key not in left_out}
        return [content(part) for part in value] if isinstance(value, list) else value

    canonical = json.dumps(content(to_json(bank)), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "replace")).hexdigest()


# -- in ---------------------------------------------------------------------------------------------------------------


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


NodeRef = Annotated[str, Field(pattern=r"^n\d{1,9}$")]
EntryRef = Annotated[str, Field(pattern=r"^e\d{1,9}$")]


class _Task(_Part):
    type: TaskType
    description: str
    status: TaskStatus
    context: str = ""


class _Pending(_Part):
    type: TaskType
    description: str
    conflict_id: str | None = None


class _Doc(_Part):
    doc_id: str = "d1"
    task_goal: str = ""
    completed_tasks: list[_Task] = []
    pending_tasks: list[_Pending] = []


class _Node(_Part):
    id: NodeRef
    summary: str
    context: str
    keywords: list[str]
    timestamp: float
    links: list[NodeRef] = []
    embedding: str = ""


class _Graph(_Part):
    nodes: list[_Node]
    edges: list[tuple[NodeRef, NodeRef]] = []


class _Attachment(_Part):
    id: Annotated[str, Field(pattern=r"^a\d{1,9}$")]
    type: AttachmentType
    content: str
    name: str = ""
    size: int = 0
    media_type: str = ""


class _Metadata(_Part):
    source: str = ""
    tool_calls: list[str] = []
    kind: Literal["text", "document", "dialogue", "tool", "image", "transcript", "answer"] = "document"


class _Entry(_Part):
    entry_id: EntryRef
    text: str
    timestamp: float
    metadata: _Metadata = _Metadata()
    attachments: list[_Attachment] = []


class _Merge(_Part):
    event_id: Annotated[str, Field(pattern=r"^m\d{1,9}$")]
    merged_node_ids: list[NodeRef]
    new_node_id: NodeRef
    timestamp: float
    description: str
    undone: bool = False
    trigger: Literal["merge", "conflict"] = "merge"


class _Tree(_Part):
    entries: list[_Entry]
    node_to_entries: dict[NodeRef, list[EntryRef]]
    node_spans: dict[NodeRef, list[tuple[EntryRef, int, int]]] = {}
    merge_events: list[_Merge] = []


class _Evidence(_Part):
    source: str
    quote: str
    supports: Literal["left", "right", "other", "neither"] = "neither"
    value: str = ""
    independent: bool = True


class _Claim(_Part):
    text: str
    kind: ClaimKind
    subject: str
    attribute: str
    value: str
    unit: str = ""
    time: str = ""
    polarity: bool = True


class _Contradiction(_Part):
    left: _Claim
    right: _Claim
    reason: str
    confidence: float


class _Conflict(_Part):
    id: Annotated[str, Field(pattern=r"^c\d{1,9}$")]
    status: ConflictStatus
    node_ids: tuple[NodeRef, NodeRef]
    description: str
    evidence: list[_Evidence] = []
    contradictions: list[_Contradiction] = []
    winner: Literal["left", "right", ""] = ""
    value: str = ""
    reason: str = ""
    closed_by: str = ""


class _Memory(_Part):
    version: int
    insight_doc: _Doc
    query_graph: _Graph
    interaction_tree: _Tree
    conflicts: list[_Conflict] = []


_STORED_RE = re.compile(r"files/([0-9a-f]{64}(?:\.[a-z0-9]{1,8})?)")

Embed = Callable[[Sequence[tuple[str, str, Sequence[str]]]], list[bytes]]
Dispute = Callable[[NodeInfo, NodeInfo], tuple[Contradiction, ...]]


def from_json(
    text: str, *, embed: Embed, dispute: Dispute, has_file: Callable[[str], bool], vector_bytes: int
) -> MemoryImported:
    """Read a memory.json. Raises InputError (UnsafeInputError for a path outside the store), naming place and fault.

    `embed` makes the vectors the export leaves out, `dispute` the claims of an open conflict that has none (from its
    left and right node); `has_file` tells whether the store holds an attachment's file.
    """
    try:
        memory = _Memory.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(f"memory.json: {where}: {first['msg']}") from None
    if memory.version > VERSION:
        raise InputError(
            f"memory.json has version {memory.version}; this program reads up to {VERSION}: update it first"
        )
    _check(memory)
    return _imported(memory, embed, dispute, has_file, vector_bytes)


def _check(memory: _Memory) -> None:
    """Whether the parts hold together; names the first that does not."""
    nodes = {node.id for node in memory.query_graph.nodes}
    entries = {entry.entry_id: len(entry.text) for entry in memory.interaction_tree.entries}
    tree = memory.interaction_tree
    if len(nodes) != len(memory.query_graph.nodes) or len(entries) != len(tree.entries):
        raise InputError("memory.json: an id is used twice; export it again")
    for node in memory.query_graph.nodes:
        for link in node.links:
            if link not in nodes or link == node.id:
                raise InputError(f"memory.json: node {node.id} links to {link}, which is no other node")
    for left, right in memory.query_graph.edges:
        if left == right or not {left, right} <= nodes:
            raise InputError(f"memory.json: edge [{left}, {right}] does not join two nodes of the graph")
    open_ones = {conflict.id for conflict in memory.conflicts if conflict.status is ConflictStatus.OPEN}
    for task in memory.insight_doc.pending_tasks:
        if task.type is TaskType.CROSS_VALIDATE and task.conflict_id not in open_ones:
            raise InputError(f"memory.json: a pending task checks conflict {task.conflict_id}, which is not open")
    for node_id, refs in tree.node_to_entries.items():
        if node_id not in nodes or not set(refs) <= set(entries):
            raise InputError(f"memory.json: node_to_entries of {node_id} names a node or entry that is not there")
    for node_id, spans in tree.node_spans.items():
        if node_id not in nodes or any(not 0 <= a <= b <= entries.get(ref, -1) for ref, a, b in spans):
            raise InputError(f"memory.json: node_spans of {node_id} lies outside its entries")
    _check_merges(memory, nodes)


def _check_merges(memory: _Memory, nodes: set[str]) -> None:
    into = {
        source: merge.new_node_id
        for merge in memory.interaction_tree.merge_events
        if not merge.undone
        for source in merge.merged_node_ids
    }
    for start in into:
        seen, node = {start}, into[start]
        while node in into:
            if node in seen:
                raise InputError(f"memory.json: the merges of {start} run in a circle")
            seen.add(node)
            node = into[node]
        if node not in nodes or start in nodes:
            raise InputError(f"memory.json: merged node {start} does not lead to a node of the graph")
    for conflict in memory.conflicts:
        for node_id in conflict.node_ids:
            if node_id not in nodes and node_id not in into:
                raise InputError(f"memory.json: conflict {conflict.id} names node {node_id}, which is not there")


def _imported(
    memory: _Memory, embed: Embed, dispute: Dispute, has_file: Callable[[str], bool], vector_bytes: int
) -> MemoryImported:
    tree, nodes = memory.interaction_tree, memory.query_graph.nodes
    links = _links(memory.query_graph)
    vectors = [_vector(node, vector_bytes) for node in nodes]
    missing = [place for place, vector in enumerate(vectors) if vector is None]
    made = embed([(nodes[place].summary, nodes[place].context, nodes[place].keywords) for place in missing])
    for place, vector in zip(missing, made, strict=True):
        vectors[place] = vector
    attachments = {one.id: _stored(one, has_file) for entry in tree.entries for one in entry.attachments}
    lengths = {entry.entry_id: len(entry.text) for entry in tree.entries}
    return MemoryImported(
        nodes=tuple(
            ImportedNode(
                node_id=NodeId(node.id),
                summary=node.summary,
                context=node.context,
                keywords=tuple(node.keywords),
                timestamp=node.timestamp,
                links=links[node.id],
                vector=vector or b"",
                spans=_spans(node.id, tree, lengths),
            )
            for node, vector in zip(nodes, vectors, strict=True)
        ),
        entries=tuple(_entry(entry) for entry in tree.entries),
        attachments=tuple(attachments.values()),
        merge_events=tuple(
            MergeEvent(
                id=MergeEventId(merge.event_id),
                merged_node_ids=tuple(NodeId(one) for one in merge.merged_node_ids),
                new_node_id=NodeId(merge.new_node_id),
                trigger=merge.trigger,
                description=merge.description,
                timestamp=merge.timestamp,
                undone=merge.undone,
            )
            for merge in tree.merge_events
        ),
        conflicts=_conflicts(memory, dispute),
        doc_id=memory.insight_doc.doc_id,
        task_goal=memory.insight_doc.task_goal,
        completed_tasks=tuple(
            CompletedTask(type=one.type, description=one.description, status=one.status, context=one.context)
            for one in memory.insight_doc.completed_tasks
        ),
        pending_tasks=tuple(
            Task(
                type=one.type,
                description=one.description,
                conflict_ids=(ConflictId(one.conflict_id),) if one.conflict_id else (),
            )
            for one in memory.insight_doc.pending_tasks
        ),
    )


def _links(graph: _Graph) -> dict[str, tuple[NodeId, ...]]:
    """Each node's neighbours: its `links` in their order, then those that only the `edges` or the other side name."""
    links: dict[str, dict[NodeId, None]] = {
        node.id: {NodeId(link): None for link in node.links} for node in graph.nodes
    }
    named = [(node.id, link) for node in graph.nodes for link in node.links]
    for left, right in [*named, *graph.edges]:
        links[left].setdefault(NodeId(right))
        links[right].setdefault(NodeId(left))
    return {node_id: tuple(found) for node_id, found in links.items()}


def _vector(node: _Node, vector_bytes: int) -> bytes | None:
    """The exported vector when it is one of this session's model; another model's is made anew."""
    if not node.embedding:
        return None
    try:
        raw = base64.b64decode(node.embedding, validate=True)
    except ValueError:
        raise InputError(f"memory.json: the embedding of {node.id} is not base64") from None
    return raw if len(raw) == vector_bytes else None


def _stored(attachment: _Attachment, has_file: Callable[[str], bool]) -> Attachment:
    match = _STORED_RE.fullmatch(attachment.content)
    if match is None:
        raise UnsafeInputError(
            f"memory.json: attachment {attachment.id} points to {attachment.content[:80]!r}, outside the run's files/ "
            "folder; only files/<sha256><suffix> is accepted"
        )
    path = match[1]
    if not has_file(path):
        raise InputError(f"memory.json: the file of attachment {attachment.id} is missing; put it into files/{path}")
    return Attachment(
        id=AttachmentId(attachment.id),
        type=attachment.type,
        name=attachment.name.replace("\\", "/").rpartition("/")[2],
        path=path,
        sha256=path[:64],
        size=attachment.size,
        media_type=attachment.media_type,
    )


def _entry(entry: _Entry) -> Entry:
    text = entry.text.partition("\n")[2] if entry.attachments and "\n" in entry.text else entry.text
    return Entry(
        id=EntryId(entry.entry_id),
        kind=entry.metadata.kind,
        text=entry.text,
        source=entry.metadata.source,
        sha256=sha256(text),
        timestamp=entry.timestamp,
        tool_calls=tuple(entry.metadata.tool_calls),
        attachments=tuple(AttachmentId(one.id) for one in entry.attachments),
    )


def _spans(node_id: str, tree: _Tree, lengths: dict[str, int]) -> tuple[Span, ...]:
    if node_id in tree.node_spans:
        return tuple(Span(entry_id=EntryId(ref), start=a, end=b) for ref, a, b in tree.node_spans[node_id])
    refs = tree.node_to_entries.get(node_id, [])
    return tuple(Span(entry_id=EntryId(ref), start=0, end=lengths[ref]) for ref in refs)


def _conflicts(memory: _Memory, dispute: Dispute) -> tuple[Conflict, ...]:
    """An open conflict without its claims gets those of its nodes' summaries, so that it can be weighed."""
    texts = {
        node.id: NodeInfo(summary=node.summary, context=node.context, keywords=tuple(node.keywords))
        for node in memory.query_graph.nodes
    }
    found = []
    for conflict in memory.conflicts:
        value = _conflict_value(conflict)
        left, right = (texts.get(node_id) for node_id in conflict.node_ids)
        if value.status is ConflictStatus.OPEN and not value.contradictions and left and right:
            value = replace(value, contradictions=dispute(left, right))
        found.append(value)
    return tuple(found)


def _contradiction(one: _Contradiction) -> Contradiction:
    left, right = Claim(**one.left.model_dump()), Claim(**one.right.model_dump())
    return Contradiction(left=left, right=right, reason=one.reason, confidence=one.confidence)


def _conflict_value(conflict: _Conflict) -> Conflict:
    return Conflict(
        id=ConflictId(conflict.id),
        node_ids=(NodeId(conflict.node_ids[0]), NodeId(conflict.node_ids[1])),
        description=conflict.description,
        contradictions=tuple(_contradiction(one) for one in conflict.contradictions),
        status=conflict.status,
        value=conflict.value,
        winner=conflict.winner,
        reason=conflict.reason,
        closed_by=conflict.closed_by,
        evidence=tuple(
            Evidence(
                source=one.source, quote=one.quote, supports=one.supports, value=one.value, independent=one.independent
            )
            for one in conflict.evidence
        ),
    )
