"""`memory.json` as it may come: its form, and whether its parts hold together.

An export may have been edited by hand, so ids, links, spans, attachment paths and merge chains are checked before
anything is made of them.

Beyond the specifications' fields there are, all optional on reading: an entry's `metadata.kind`, `node_spans`, an
attachment's `name`, `size`, `media_type` and `found_in`, a merge's `trigger`, and of a conflict `contradictions` (the
claims that cannot both hold), `parties`, `winner`, `value`, `reason` and `closed_by`; of a node its `checks`, and in
the tree `node_validations` (what was read for them).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from memorybank.errors import InputError, Notice
from memorybank.memory.bounds import MOST, Count, Seconds
from memorybank.memory.layers.query_graph import ends
from memorybank.memory.types import (
    AttachmentType,
    Check,
    ClaimVerdict,
    ConflictStatus,
    Contradiction,
    NodeId,
    Parties,
    Refusal,
    TaskStatus,
    TaskType,
)

VERSION = 1
FILES = "files/"
"""Attachments' `content` is a path in the run's folder: this, then `<sha256><suffix>`."""


class Form(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


NodeRef = Annotated[str, Field(pattern=r"^n[0-9]{1,9}$")]
EntryRef = Annotated[str, Field(pattern=r"^e[0-9]{1,9}$")]


class TaskForm(Form):
    type: TaskType
    description: str
    status: TaskStatus
    context: str = ""


class PendingForm(Form):
    type: TaskType
    description: str
    conflict_id: str | None = None


class DocForm(Form):
    doc_id: str = "d1"
    task_goal: str = ""
    completed_tasks: list[TaskForm] = []
    pending_tasks: list[PendingForm] = []


class NodeForm(Form):
    id: NodeRef
    summary: str
    context: str
    keywords: list[str]
    timestamp: Seconds
    links: list[NodeRef] = []
    embedding: str = ""
    checks: tuple[Check, ...] = ()


class GraphForm(Form):
    nodes: list[NodeForm]
    edges: list[tuple[NodeRef, NodeRef]] = []


class AttachmentForm(Form):
    id: Annotated[str, Field(pattern=r"^a[0-9]{1,9}$")]
    type: AttachmentType
    content: str
    name: str = ""
    size: Count = 0
    media_type: str = ""
    found_in: str = ""


class MetadataForm(Form):
    source: str = ""
    tool_calls: list[str] = []
    kind: Literal["text", "document", "dialogue", "tool", "image", "transcript", "answer"] = "document"
    body_start: Count = 0


class EntryForm(Form):
    entry_id: EntryRef
    text: str
    timestamp: Seconds
    metadata: MetadataForm = MetadataForm()
    attachments: list[AttachmentForm] = []


class MergeForm(Form):
    event_id: Annotated[str, Field(pattern=r"^m[0-9]{1,9}$")]
    merged_node_ids: list[NodeRef]
    new_node_id: NodeRef
    timestamp: Seconds
    description: str
    undone: bool = False
    trigger: Literal["merge", "conflict"] = "merge"


class TreeForm(Form):
    entries: list[EntryForm]
    node_to_entries: dict[NodeRef, list[EntryRef]]
    node_spans: dict[NodeRef, list[tuple[EntryRef, Count, Count]]] = {}
    node_validations: dict[NodeRef, list[tuple[EntryRef, Count, Count]]] = {}
    merge_events: list[MergeForm] = []


class EvidenceForm(Form):
    source: str
    quote: str
    supports: Literal["left", "right", "other", "neither"] = "neither"
    value: str = ""
    independent: bool = True
    contradictions: tuple[Count, ...] = ()
    refused: Refusal = ""
    copy_of: str = ""


def with_readers_of_now(pairs: Any) -> Any:
    """Raise contradictions (as JSON) of the time when denials and relations had readers: now they are claims."""
    for pair in pairs if isinstance(pairs, list) else ():
        if isinstance(pair, dict) and pair.get("found_by") in ("denials", "relations"):
            pair["found_by"] = "claims"
    return pairs


class ConflictForm(Form):
    id: Annotated[str, Field(pattern=r"^c[0-9]{1,9}$")]
    status: ConflictStatus
    node_ids: tuple[NodeRef, NodeRef]
    description: str
    evidence: list[EvidenceForm] = []
    contradictions: Annotated[tuple[Contradiction, ...], BeforeValidator(with_readers_of_now)] = ()
    same_subject: bool = True
    parties: Parties | None = None
    winner: Literal["left", "right", ""] = ""
    value: str = ""
    reason: str = ""
    closed_by: str = ""
    claims: tuple[ClaimVerdict, ...] = ()


class MemoryForm(Form):
    version: Annotated[int, Field(ge=1, le=MOST)]
    insight_doc: DocForm
    query_graph: GraphForm
    interaction_tree: TreeForm
    conflicts: list[ConflictForm] = []


def read(text: str) -> MemoryForm:
    """Return a memory.json whose parts hold together. Raises InputError, naming place and fault."""
    try:
        memory = MemoryForm.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError("memory_file.bad_field", where=where, reason=first["msg"]) from None
    if memory.version > VERSION:
        raise InputError("memory_file.newer", version=memory.version, known=VERSION)
    _check(memory)
    return memory


def _check(memory: MemoryForm) -> None:
    """Whether the parts hold together; names the first that does not."""
    nodes = {node.id for node in memory.query_graph.nodes}
    entries = {entry.entry_id: len(entry.text) for entry in memory.interaction_tree.entries}
    tree = memory.interaction_tree
    _check_ids("kind.node", [node.id for node in memory.query_graph.nodes])
    _check_ids("kind.entry", [entry.entry_id for entry in tree.entries])
    for node in memory.query_graph.nodes:
        for link in node.links:
            if link not in nodes or link == node.id:
                raise InputError("memory_file.bad_link", id=node.id, link=link)
    for left, right in memory.query_graph.edges:
        if left == right or not {left, right} <= nodes:
            raise InputError("memory_file.bad_edge", left=left, right=right)
    conflicts = {conflict.id for conflict in memory.conflicts}
    for node in memory.query_graph.nodes:
        if any(check.conflict_id not in conflicts for check in node.checks):
            raise InputError("memory_file.bad_check", node=node.id)
    open_ones = {conflict.id for conflict in memory.conflicts if conflict.status is ConflictStatus.OPEN}
    for task in memory.insight_doc.pending_tasks:
        if task.type is TaskType.CROSS_VALIDATE and task.conflict_id not in open_ones:
            raise InputError("memory_file.closed_conflict", conflict=task.conflict_id)
    for node_id, refs in tree.node_to_entries.items():
        if node_id not in nodes or not set(refs) <= set(entries):
            raise InputError("memory_file.bad_entries", node=node_id)
    for node_id, spans in (*tree.node_spans.items(), *tree.node_validations.items()):
        if node_id not in nodes or any(not 0 <= a <= b <= entries.get(ref, -1) for ref, a, b in spans):
            raise InputError("memory_file.bad_spans", node=node_id)
    _check_merges(memory, nodes)


def _check_merges(memory: MemoryForm, nodes: set[str]) -> None:
    into = {
        NodeId(source): NodeId(merge.new_node_id)
        for merge in memory.interaction_tree.merge_events
        if not merge.undone
        for source in merge.merged_node_ids
    }
    try:
        ended = ends(into)
    except ValueError as error:
        raise InputError("memory_file.bad_merges", reason=error) from None
    for start, end in ended.items():
        if end not in nodes or start in nodes:
            raise InputError("memory_file.bad_merge", node=start)
    _check_ids("kind.merge", [merge.event_id for merge in memory.interaction_tree.merge_events])
    _check_ids("kind.conflict", [conflict.id for conflict in memory.conflicts])
    for conflict in memory.conflicts:
        if conflict.node_ids[0] == conflict.node_ids[1]:
            raise InputError("memory_file.self_conflict", id=conflict.id, node=conflict.node_ids[0])
        for node_id in conflict.node_ids:
            if node_id not in nodes and node_id not in into:
                raise InputError("memory_file.unknown_node", id=conflict.id, node=node_id)


def _check_ids(kind: str, ids: Sequence[str]) -> None:
    """Raises InputError for one that stands twice."""
    seen: set[str] = set()
    for id_ in ids:
        if id_ in seen:
            raise InputError("memory_file.twice", what=Notice(kind), id=id_)
        seen.add(id_)
