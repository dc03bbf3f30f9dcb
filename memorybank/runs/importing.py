"""`memory.json`, in: one `MemoryImported` event, which a session begins with."""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from memorybank.errors import InputError, UnsafeInputError
from memorybank.language import quotation
from memorybank.language.text import sha256
from memorybank.memory.contracts import NodeInfo
from memorybank.memory.events import ImportedNode, MemoryImported
from memorybank.memory.types import (
    Attachment,
    AttachmentId,
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
)
from memorybank.runs import memory_file
from memorybank.runs.files.names import base_name, is_absolute, numbered

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
    memory = memory_file.read(text)
    tree, nodes = memory.interaction_tree, memory.query_graph.nodes
    links = _links(memory.query_graph)
    vectors = [_vector(node, vector_bytes) for node in nodes]
    missing = [place for place, vector in enumerate(vectors) if vector is None]
    made = embed([(nodes[place].summary, nodes[place].context, nodes[place].keywords) for place in missing])
    for place, vector in zip(missing, made, strict=True):
        vectors[place] = vector
    attachments = {
        attachment.id: _stored(attachment, has_file) for entry in tree.entries for attachment in entry.attachments
    }
    lengths = {entry.entry_id: len(entry.text) for entry in tree.entries}
    names = _names(tree.entries)

    def named(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
        return tuple(_renamed(piece, tree.entries, names) for piece in evidence)

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
                validations=tuple(map(_span, tree.node_validations.get(node.id, ()))),
                checks=tuple(replace(check, evidence=named(check.evidence)) for check in node.checks),
            )
            for node, vector in zip(nodes, vectors, strict=True)
        ),
        entries=tuple(_entry(entry, names[entry.entry_id]) for entry in tree.entries),
        attachments=tuple(attachments.values()),
        merge_events=tuple(
            MergeEvent(
                id=MergeEventId(merge.event_id),
                merged_node_ids=tuple(NodeId(node_id) for node_id in merge.merged_node_ids),
                new_node_id=NodeId(merge.new_node_id),
                trigger=merge.trigger,
                description=merge.description,
                timestamp=merge.timestamp,
                undone=merge.undone,
            )
            for merge in tree.merge_events
        ),
        conflicts=tuple(replace(one, evidence=named(one.evidence)) for one in _conflicts(memory, dispute)),
        doc_id=memory.insight_doc.doc_id,
        task_goal=memory.insight_doc.task_goal,
        completed_tasks=tuple(CompletedTask(**task.model_dump()) for task in memory.insight_doc.completed_tasks),
        pending_tasks=tuple(
            Task(
                type=task.type,
                description=task.description,
                conflict_ids=(ConflictId(task.conflict_id),) if task.conflict_id else (),
            )
            for task in memory.insight_doc.pending_tasks
        ),
    )


def _links(graph: memory_file.GraphForm) -> dict[str, tuple[NodeId, ...]]:
    """Return each node's neighbours: its `links` in their order, then those named by `edges` or the other side."""
    links: dict[str, dict[NodeId, None]] = {
        node.id: {NodeId(link): None for link in node.links} for node in graph.nodes
    }
    named = [(node.id, link) for node in graph.nodes for link in node.links]
    for left, right in [*named, *graph.edges]:
        links[left].setdefault(NodeId(right))
        links[right].setdefault(NodeId(left))
    return {node_id: tuple(found) for node_id, found in links.items()}


def _vector(node: memory_file.NodeForm, vector_bytes: int) -> bytes | None:
    """Return the exported vector when it is one of this session's model; another model's is made anew."""
    if not node.embedding:
        return None
    try:
        raw = base64.b64decode(node.embedding, validate=True)
    except ValueError:
        raise InputError("memory_file.not_base64", id=node.id) from None
    return raw if len(raw) == vector_bytes else None


def _stored(attachment: memory_file.AttachmentForm, has_file: Callable[[str], bool]) -> Attachment:
    match = _STORED_RE.fullmatch(attachment.content)
    if match is None:
        raise UnsafeInputError("memory_file.attachment_outside", id=attachment.id, path=attachment.content[:80])
    path = match[1]
    if not has_file(path):
        raise InputError("memory_file.attachment_missing", id=attachment.id, path=path)
    return Attachment(
        id=AttachmentId(attachment.id),
        type=attachment.type,
        name=attachment.name.replace("\\", "/").rpartition("/")[2],
        path=path,
        sha256=path[:64],
        size=attachment.size,
        media_type=attachment.media_type,
        found_in=attachment.found_in,
    )


def _names(entries: Sequence[memory_file.EntryForm]) -> dict[str, str]:
    """Return the sources' names by entry: files of one name, as in older exports, are told apart by numbers."""
    taken: dict[str, str] = {}
    names = {}
    for entry in entries:
        name, body = entry.metadata.source, entry.text[entry.metadata.body_start :]
        name = base_name(name) if is_absolute(name) else name
        if entry.metadata.kind == "document" and "kind" in entry.metadata.model_fields_set:  # parts of one may say none
            name = next(own for own in numbered(name) if taken.setdefault(own, body) == body)
        names[entry.entry_id] = name
    return names


def _entry(entry: memory_file.EntryForm, name: str) -> Entry:
    return Entry(
        id=EntryId(entry.entry_id),
        kind=entry.metadata.kind,
        text=entry.text,
        source=name,
        sha256=sha256(entry.text[entry.metadata.body_start :]),
        timestamp=entry.timestamp,
        tool_calls=tuple(entry.metadata.tool_calls),
        attachments=tuple(AttachmentId(attachment.id) for attachment in entry.attachments),
        body_start=min(entry.metadata.body_start, len(entry.text)),
    )


def _spans(node_id: str, tree: memory_file.TreeForm, lengths: dict[str, int]) -> tuple[Span, ...]:
    if node_id in tree.node_spans:
        return tuple(map(_span, tree.node_spans[node_id]))
    refs = tree.node_to_entries.get(node_id, [])
    return tuple(Span(entry_id=EntryId(ref), start=0, end=lengths[ref]) for ref in refs)


def _span(written: tuple[str, int, int]) -> Span:
    return Span(entry_id=EntryId(written[0]), start=written[1], end=written[2])


def _conflicts(memory: memory_file.MemoryForm, dispute: Dispute) -> tuple[Conflict, ...]:
    """Give an open conflict without claims those of its nodes' summaries, so that it can be weighed."""
    texts = {
        node.id: NodeInfo(summary=node.summary, context=node.context, keywords=tuple(node.keywords))
        for node in memory.query_graph.nodes
    }
    conflicts = []
    for conflict in memory.conflicts:
        value = Conflict(
            id=ConflictId(conflict.id),
            node_ids=(NodeId(conflict.node_ids[0]), NodeId(conflict.node_ids[1])),
            description=conflict.description,
            contradictions=conflict.contradictions,
            same_subject=conflict.same_subject,
            parties=conflict.parties,
            status=conflict.status,
            value=conflict.value,
            winner=conflict.winner,
            reason=conflict.reason,
            closed_by=conflict.closed_by,
            claims=conflict.claims,
            evidence=tuple(Evidence(**evidence.model_dump()) for evidence in conflict.evidence),
        )
        left, right = (texts.get(node_id) for node_id in conflict.node_ids)
        if value.status is ConflictStatus.OPEN and not value.contradictions and left and right:
            value = replace(value, contradictions=dispute(left, right))
        conflicts.append(value)
    return tuple(conflicts)


def _renamed(evidence: Evidence, entries: Iterable[memory_file.EntryForm], names: dict[str, str]) -> Evidence:
    """Return the evidence with its source by the name that it has now: of several of one name the one that says it."""
    own = [entry for entry in entries if entry.metadata.source == evidence.source]
    saying = [entry for entry in own if quotation.place(entry.text, evidence.quote)]
    return replace(evidence, source=names[(saying or own)[0].entry_id]) if own else evidence
