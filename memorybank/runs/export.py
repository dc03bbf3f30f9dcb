"""`memory.json`, out: the three layers and the conflicts in the specifications' form (memory_file.py says which).

`fingerprint` is what two memories are compared by.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from memorybank.memory.state import MemoryState
from memorybank.memory.types import Attachment, Check, Conflict, Evidence, Span
from memorybank.runs.memory_file import FILES, VERSION


def to_json(bank: MemoryState, *, embeddings: bool = False) -> dict[str, Any]:
    """Return the memory as it stands. `embeddings` adds each node's vector (base64 of float16)."""
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
                    **({"checks": [_check(check) for check in node.checks]} if node.checks else {}),
                    **({"embedding": base64.b64encode(node.vector).decode()} if embeddings else {}),
                }
                for node in bank.graph.nodes.values()
            ],
            "edges": [list(edge) for edge in bank.graph.edges()],
        },
        "interaction_tree": _interaction_tree(bank),
        "conflicts": [_conflict(conflict) for conflict in bank.conflicts.all.values()],
    }


def _insight_doc(bank: MemoryState) -> dict[str, Any]:
    doc = bank.doc
    return {
        "doc_id": doc.doc_id,
        "task_goal": doc.task_goal,
        "completed_tasks": [asdict(task) for task in doc.completed_tasks],
        "pending_tasks": [
            {
                "type": task.type.value,
                "description": task.description,
                "conflict_id": task.conflict_ids[0] if task.conflict_ids else None,
            }
            for task in doc.pending_tasks
        ],
    }


def _interaction_tree(bank: MemoryState) -> dict[str, Any]:
    tree = bank.tree
    read = {node_id: _placed(spans) for node_id, spans in tree.validations.items() if node_id in bank.graph.nodes}
    return {
        "entries": [
            {
                "entry_id": entry.id,
                "text": entry.text,
                "timestamp": entry.timestamp,
                "metadata": {
                    "source": entry.source,
                    "tool_calls": list(entry.tool_calls),
                    "kind": entry.kind,
                    "body_start": entry.body_start,
                },
                "attachments": [_attachment(tree.attachments[attachment_id]) for attachment_id in entry.attachments],
            }
            for entry in tree.entries.values()
        ],
        "node_to_entries": {node_id: list(tree.entries_of(node_id)) for node_id in bank.graph.nodes},
        "node_spans": {node_id: _placed(tree.spans.get(node_id, ())) for node_id in bank.graph.nodes},
        # What the validations of a node's conflicts read: it leads to them, but does not stand on them.
        **({"node_validations": read} if read else {}),
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


def _placed(spans: Iterable[Span]) -> list[list[Any]]:
    return [[span.entry_id, span.start, span.end] for span in spans]


def _check(check: Check) -> dict[str, Any]:
    return {**asdict(check), "evidence": [_evidence(piece) for piece in check.evidence]}


def _attachment(attachment: Attachment) -> dict[str, Any]:
    return {
        "id": attachment.id,
        "type": attachment.type.value,
        "content": FILES + attachment.path,
        "name": attachment.name,
        "size": attachment.size,
        "media_type": attachment.media_type,
        **({"found_in": attachment.found_in} if attachment.found_in else {}),
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    """Leaves out, where it is empty, what runs of before had no field for: their memory keeps its fingerprint."""
    added = ("contradictions", "refused", "copy_of")
    return {
        name: value for name, value in asdict(evidence).items() if name != "entry_id" and (value or name not in added)
    }


def _conflict(conflict: Conflict) -> dict[str, Any]:
    return {
        "id": conflict.id,
        "status": conflict.status.value,
        "node_ids": list(conflict.node_ids),
        "description": conflict.description,
        "evidence": [_evidence(evidence) for evidence in conflict.evidence],
        "contradictions": [asdict(pair) for pair in conflict.contradictions],
        **({} if conflict.same_subject else {"same_subject": False}),
        **({"parties": asdict(conflict.parties)} if conflict.parties else {}),
        "winner": conflict.winner,
        "value": conflict.value,
        "reason": str(conflict.closing),
        "closed_by": conflict.closed_by,
        **({"claims": [asdict(claim) for claim in conflict.claims]} if conflict.claims else {}),
    }


def fingerprint(bank: MemoryState) -> str:
    """Return SHA-256 of the memory's content: texts, ids, edges, conflicts; no times, vectors or parsed claims."""
    left_out = ("timestamp", "contradictions", "body_start")

    def content(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: content(part) for key, part in value.items() if key not in left_out}
        return [content(part) for part in value] if isinstance(value, list) else value

    canonical = json.dumps(content(to_json(bank)), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(canonical.encode("utf-8", "replace")).hexdigest()
