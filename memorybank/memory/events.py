"""Everything that happens in a session, one small frozen class each.

Two kinds:

* **facts** change state. A stage returns them, they are written in one append that ends with `StageFinished`, and the
  bank is their fold and nothing else;
* **observations** (`StageStarted`, `AgentCalled`, `ToolUsed`, `SessionResumed`) are written as they happen and change
  no state. Those after the last `StageFinished` are the memo of the stage that was interrupted.

An event carries no time: the journal stamps each line, and the bank is told that stamp. Vectors travel as base64 of
float16 bytes.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field, PlainSerializer, TypeAdapter

from memorybank.memory.bounds import Count, Dimensions, Milliseconds, Seconds, Share
from memorybank.memory.contracts import StatedVerdict
from memorybank.memory.types import (
    AgentFailure,
    AnswerPoint,
    Attachment,
    AttachmentId,
    Check,
    ClaimVerdict,
    ClusterId,
    CompletedTask,
    Conflict,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Entry,
    EntryId,
    Evidence,
    Hit,
    ImageId,
    Lang,
    MergeEvent,
    MergeEventId,
    NodeId,
    Parties,
    Relation,
    Side,
    Span,
    StagedImage,
    Task,
    Value,
)

_NOT_FINITE = bytes(high for high in range(256) if high & 0x7C == 0x7C)
"""Higher bytes of the float16 numbers that are infinite or not a number."""


def _decode_vector(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        raw = base64.b64decode(value, validate=True)
    except ValueError:
        raise ValueError("a vector is base64 of float16 bytes") from None
    if len(raw) % 2:
        raise ValueError("a vector has two bytes a number")
    if len(raw[1::2].translate(None, _NOT_FINITE)) * 2 != len(raw):
        raise ValueError("a vector holds a number that is not finite")
    return raw


Vector = Annotated[
    bytes,
    BeforeValidator(_decode_vector),
    PlainSerializer(lambda raw: base64.b64encode(raw).decode("ascii"), return_type=str, when_used="json"),
]
"""float16 little-endian bytes; base64 in JSON."""


def _finite(value: Any) -> Any:
    json.dumps(value, allow_nan=False)  # raises ValueError
    return value


Json = Annotated[dict[str, Any], AfterValidator(_finite)]
"""What a model or a tool said, as JSON has it: its numbers are finite."""

StageName = Literal[
    "receive", "classify", "structure", "file", "analyse", "plan", "enhance", "execute", "intercept", "resolve",
    "finish",
]  # fmt: skip
"""The stages in the order a session passes them; `record` of the specifications is what `receive` and `execute` do
first."""

UserAction = Literal["undo", "import", "settings", "refile", "verdict"]
"""Commits that a person makes between stages, through the same door."""

# -- the session ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted(Value):
    run_id: str
    """Unguessable (128 bits); names the run in URLs."""
    version: str
    engine: str
    embedding_model: str
    embedding_dim: Dimensions
    lang: Lang
    relations: tuple[Relation, ...]
    strategy: Literal["single", "two_stage"]
    k: Count
    alpha: Share
    max_rounds: Count
    prompt_tokens: Count
    neighbor_share: Share = 0.5
    merge_after_verdict: Literal["subject", "group"] = "group"
    """Runs of before united the whole group."""
    model: str = ""
    """The language model, by name; empty with the offline engine. Never an address or a key: those are local."""
    type: Literal["SessionStarted"] = "SessionStarted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionForked(Value):
    parent_run_id: str
    parent_seq: Count
    run_id: str
    type: Literal["SessionForked"] = "SessionForked"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResumed(Value):
    stage: str
    """The stage that runs again from its start, or empty."""
    memo: Count
    """Answers of it that are already known."""
    type: Literal["SessionResumed"] = "SessionResumed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsChanged(Value):
    k: Count
    alpha: Share
    relations: tuple[Relation, ...]
    strategy: Literal["single", "two_stage"]
    neighbor_share: Share = 0.5
    merge_after_verdict: Literal["subject", "group"] = "group"
    """Runs of before united the whole group."""
    type: Literal["SettingsChanged"] = "SettingsChanged"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionFinished(Value):
    result: Literal["complete", "complete_with_failures", "out_of_rounds", "filed", "filed_with_failures"]
    """`filed`: context only, there was no goal to reach."""
    type: Literal["SessionFinished"] = "SessionFinished"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageStarted(Value):
    stage: StageName
    round: Count
    type: Literal["StageStarted"] = "StageStarted"


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFinished(Value):
    """The commit mark: what stands before it in the same append is now true."""

    stage: StageName | UserAction
    round: Count
    ms: Milliseconds = 0.0
    type: Literal["StageFinished"] = "StageFinished"


# -- what comes in ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskReceived(Value):
    doc_id: str
    goal: str
    type: Literal["TaskReceived"] = "TaskReceived"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageStaged(Value):
    image: StagedImage
    type: Literal["ImageStaged"] = "ImageStaged"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageRecognised(Value):
    image_id: ImageId
    attachment_id: AttachmentId | None
    """The attachment; None when the image's file was gone, so that only a text is kept."""
    readable: bool
    entry_id: EntryId | None = None
    """The entry of its text; None in journals that are older than this field."""
    type: Literal["ImageRecognised"] = "ImageRecognised"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImageAttempted(Value):
    """A recognition round ended without a text for this image."""

    image_id: ImageId
    type: Literal["ImageAttempted"] = "ImageAttempted"


@dataclass(frozen=True, slots=True, kw_only=True)
class AttachmentStored(Value):
    attachment: Attachment
    type: Literal["AttachmentStored"] = "AttachmentStored"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryRecorded(Value):
    entry: Entry
    type: Literal["EntryRecorded"] = "EntryRecorded"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilingQueued(Value):
    """These pieces of raw text wait for classification."""

    spans: tuple[Span, ...]
    node_ids: tuple[NodeId, ...] = ()
    """Nodes that wait to be compared once more: the first time an agent failed."""
    type: Literal["FilingQueued"] = "FilingQueued"


# -- filing -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Cluster(Value):
    id: ClusterId
    context: str
    keywords: tuple[str, ...]
    spans: tuple[Span, ...]
    summary: str = ""
    """The summary; empty until the structure stage has written it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClustersFound(Value):
    taken: tuple[Span, ...]
    """The queued pieces this answers for; a piece without a cluster stays unfiled."""
    clusters: tuple[Cluster, ...]
    failed: tuple[AgentFailure, ...] = ()
    type: Literal["ClustersFound"] = "ClustersFound"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClustersSummarised(Value):
    summaries: dict[ClusterId, str]
    """A cluster left out could not be summarised; its text stays unfiled."""
    failed: tuple[AgentFailure, ...] = ()
    type: Literal["ClustersSummarised"] = "ClustersSummarised"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeCreated(Value):
    node_id: NodeId
    summary: str
    context: str
    keywords: tuple[str, ...]
    vector: Vector
    spans: tuple[Span, ...]
    cluster_id: ClusterId | None = None
    type: Literal["NodeCreated"] = "NodeCreated"


# -- analysis ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidatesRetrieved(Value):
    node_id: NodeId
    hits: tuple[Hit, ...]
    below: tuple[Hit, ...]
    """The best that did not make it, so that a cut-off can be shown."""
    type: Literal["CandidatesRetrieved"] = "CandidatesRetrieved"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRelation(Value):
    node_id: NodeId
    relation: Relation
    confidence: Share
    reasoning: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationsJudged(Value):
    node_id: NodeId
    relations: tuple[JudgedRelation, ...]
    ignored: tuple[str, ...] = ()
    """Answers that could not be used: an unknown node, a pair that is closed."""
    type: Literal["RelationsJudged"] = "RelationsJudged"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesAnalysed(Value):
    """These nodes have been compared with the memory; merged ones of the same commit wait for the next round."""

    node_ids: tuple[NodeId, ...]
    failed: tuple[AgentFailure, ...] = ()
    """Calls on some of them that gave no answer (analysis), and same ones that could not be united (integration)."""
    type: Literal["NodesAnalysed"] = "NodesAnalysed"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesLinked(Value):
    left: NodeId
    right: NodeId
    reason: str
    type: Literal["NodesLinked"] = "NodesLinked"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeDescribed(Value):
    """A node's topic line or keywords were rewritten because of another node."""

    node_id: NodeId
    context_before: str
    context: str
    keywords_before: tuple[str, ...]
    keywords: tuple[str, ...]
    vector: Vector
    because: NodeId
    type: Literal["NodeDescribed"] = "NodeDescribed"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeChecked(Value):
    """Checks found something on a node's statements. Each takes the place of an earlier one on the same point."""

    node_id: NodeId
    checks: tuple[Check, ...]
    type: Literal["NodeChecked"] = "NodeChecked"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictFound(Value):
    """Two nodes cannot both be true. Until this is closed, neither is merged or rewritten."""

    conflict_id: ConflictId
    node_ids: tuple[NodeId, NodeId]
    description: str
    contradictions: tuple[Contradiction, ...] = ()
    same_subject: bool = True
    parties: Parties | None = None
    type: Literal["ConflictFound"] = "ConflictFound"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictAttempted(Value):
    """A validation ended without a usable verdict on this conflict."""

    conflict_id: ConflictId
    type: Literal["ConflictAttempted"] = "ConflictAttempted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictClosed(Value):
    conflict_id: ConflictId
    status: ConflictStatus
    reason: str
    closed_by: str
    winner: Side = ""
    value: str = ""
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    """The verdict on each point, where they were ruled one by one."""
    spans: tuple[Span, ...] = ()
    """Raw text of the validation (transcript, passages). Both nodes lead to it; neither stands on it."""
    type: Literal["ConflictClosed"] = "ConflictClosed"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodesMerged(Value):
    event_id: MergeEventId
    merged_node_ids: tuple[NodeId, ...]
    new_node_id: NodeId
    summary: str
    context: str
    keywords: tuple[str, ...]
    vector: Vector
    trigger: Literal["merge", "conflict"]
    description: str
    dropped: tuple[str, ...] = ()
    """Sentences of the sources that the merged summary does not carry."""
    rest_of: MergeEventId | None = None
    """The merge that a node was split off from in the same commit: this unites those that stay together."""
    type: Literal["NodesMerged"] = "NodesMerged"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeUndone(Value):
    event_id: MergeEventId
    new_node_id: NodeId
    restored: tuple[NodeId, ...]
    split: tuple[NodeId, ...] = ()
    """The sources that come off, while the others are united anew in the same commit. Empty: all of them come off."""
    type: Literal["MergeUndone"] = "MergeUndone"


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeRestored(Value):
    """A merge that was taken back stands again, with the node that it had made."""

    event_id: MergeEventId
    new_node_id: NodeId
    merged_node_ids: tuple[NodeId, ...]
    rest: MergeEventId | None = None
    """The merge of those that had stayed together, which goes with its node. None: nothing united any of them since."""
    rest_node_id: NodeId | None = None
    type: Literal["MergeRestored"] = "MergeRestored"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictToldApart(Value):
    """A person says that the two nodes of a conflict are about different things, whatever was found before."""

    conflict_ids: tuple[ConflictId, ...]
    """The conflict that they said it of, then all others between the same two nodes: each becomes a false alarm."""
    reason: str
    closed_by: str
    merge: MergeEventId | None = None
    """The merge that had made them one, which is taken back in the same commit. None: they were apart."""
    type: Literal["ConflictToldApart"] = "ConflictToldApart"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConflictRestored(Value):
    """The two are about one thing after all: the conflicts are what they were before."""

    conflict_ids: tuple[ConflictId, ...]
    """The conflicts of the `ConflictToldApart` that is taken back."""
    type: Literal["ConflictRestored"] = "ConflictRestored"


# -- the task loop ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanUpdated(Value):
    next_task: Task | None
    reasoning: str
    then: tuple[Task, ...] = ()
    """Tasks that follow, whatever the next one brings; a plan without them drops those of the plan before."""
    type: Literal["PlanUpdated"] = "PlanUpdated"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCompleted(Value):
    task: CompletedTask
    type: Literal["TaskCompleted"] = "TaskCompleted"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFailed(Value):
    task: CompletedTask
    """The task, whose status is failed and whose context says why."""
    agents: tuple[AgentFailure, ...] = ()
    """The memory's own agents that failed in this round; empty where the executor failed."""
    type: Literal["TaskFailed"] = "TaskFailed"


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPart(Value):
    name: str
    """goal, completed, failed, current, conflicts, memory, images, tools, frame."""
    tokens: Count
    node_id: NodeId | None = None
    start: Count = 0
    end: Count = 0
    """The part is `prompt[start:end]`; both are 0 in journals that are older than these fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptEnhanced(Value):
    prompt: str
    query: str
    query_vector: Vector
    hits: tuple[Hit, ...]
    below: tuple[Hit, ...]
    parts: tuple[PromptPart, ...]
    further_queries: tuple[str, ...] = ()
    """The queries that memory was searched with beside `query`: the parts of the goal, for its answer."""
    left_out: tuple[str, ...] = ()
    """Names of what the prompt budget did not hold."""
    type: Literal["PromptEnhanced"] = "PromptEnhanced"


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskExecuted(Value):
    """The executor's round is over; its raw record stands before this event as entries."""

    executor: str
    answer: str
    transcript: EntryId
    materials: tuple[EntryId, ...] = ()
    """Outside sources read in this round, in order; one read before is its first entry."""
    failure: str = ""
    quotes_only: bool = False
    stated: bool = False
    """Whether its verdicts are a person's or another authority's, and stand on that word, without evidence."""
    verdicts: tuple[StatedVerdict, ...] = ()
    """The round's verdicts on the conflicts that it checked, one for each of them at most."""
    points: tuple[AnswerPoint, ...] = ()
    """Points of the answer to the goal, where the executor has it as values."""
    type: Literal["TaskExecuted"] = "TaskExecuted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextIntercepted(Value):
    """The round's outcome has been handed on: to filing, to the resolution of conflicts, or to the image store."""

    route: Literal["normal", "cross_validate", "images", "final", "failed"]
    brings_new: bool | None = None
    """Whether what the round read or concluded has a value or a name that memory did not have. None: nothing of it is
    filed, or the journal is older than this field."""
    type: Literal["ContextIntercepted"] = "ContextIntercepted"


@dataclass(frozen=True, slots=True, kw_only=True)
class ValidationApplied(Value):
    """The verdicts of a cross-validation are in the memory."""

    conflict_ids: tuple[ConflictId, ...]
    failed: tuple[AgentFailure, ...] = ()
    """Groups of nodes that could not be integrated: their conflicts are closed as checked."""
    type: Literal["ValidationApplied"] = "ValidationApplied"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerGiven(Value):
    answer: str
    engine: str
    """The engine of the memory."""
    entry_id: EntryId
    by: str = ""
    """The executor that gave it; empty in journals that are older than this field."""
    points: tuple[AnswerPoint, ...] = ()
    """The answer to each part of the question; empty in journals that are older than this field."""
    type: Literal["AnswerGiven"] = "AnswerGiven"


# -- import -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedNode(Value):
    node_id: NodeId
    summary: str
    context: str
    keywords: tuple[str, ...]
    timestamp: Seconds
    links: tuple[NodeId, ...]
    vector: Vector
    spans: tuple[Span, ...]
    validations: tuple[Span, ...] = ()
    """Spans that the validations of its conflicts read."""
    checks: tuple[Check, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryImported(Value):
    """A `memory.json` taken over whole, into an empty memory."""

    nodes: tuple[ImportedNode, ...]
    entries: tuple[Entry, ...]
    attachments: tuple[Attachment, ...]
    merge_events: tuple[MergeEvent, ...]
    conflicts: tuple[Conflict, ...]
    doc_id: str
    task_goal: str
    completed_tasks: tuple[CompletedTask, ...]
    pending_tasks: tuple[Task, ...] = ()
    """Shown as the export has them; they are planned anew when the session goes on."""
    type: Literal["MemoryImported"] = "MemoryImported"


# -- observations -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCalled(Value):
    role: str
    engine: str
    key: str
    """Digest of role, engine and input: the memo is looked up by it."""
    outcome: Literal["ok", "failed"]
    answer: Json = field(default_factory=dict)
    """The parsed answer; the exact input and the raw text are blobs."""
    error: str = ""
    input_blob: str = ""
    output_blob: str = ""
    input_tokens: Count = 0
    cached_input_tokens: Count = 0
    """Input tokens that the provider had in its prefix cache."""
    output_tokens: Count = 0
    ms: Milliseconds = 0.0
    attempt: Count = 1
    cached: bool = False
    model: str = ""
    """The language model that answered; empty for the offline engine."""
    notes: tuple[str, ...] = ()
    """Lines on what had to be done to get the answer: waited, repaired, asked in another form."""
    type: Literal["AgentCalled"] = "AgentCalled"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUsed(Value):
    tool: str
    arguments: Json
    key: str
    outcome: Literal["ok", "failed"]
    excerpt: str
    """The first 500 characters of what came back; the whole is a blob."""
    sources: tuple[str, ...] = ()
    blob: str = ""
    size: Count = 0
    ms: Milliseconds = 0.0
    type: Literal["ToolUsed"] = "ToolUsed"


Observation = StageStarted | SessionResumed | AgentCalled | ToolUsed

Fact = (
    SessionStarted | SessionForked | SettingsChanged | SessionFinished | StageFinished | MemoryImported
    | TaskReceived | PlanUpdated | TaskExecuted | TaskCompleted | TaskFailed | PromptEnhanced | AnswerGiven
    | ImageStaged | ImageRecognised | ImageAttempted | AttachmentStored
    | EntryRecorded | FilingQueued | ClustersFound | ClustersSummarised | ContextIntercepted
    | NodeCreated | NodesLinked | NodeDescribed | NodeChecked | NodesMerged | MergeUndone | MergeRestored
    | CandidatesRetrieved | RelationsJudged | NodesAnalysed | ValidationApplied
    | ConflictFound | ConflictAttempted | ConflictClosed | ConflictToldApart | ConflictRestored
)  # fmt: skip

Event = Annotated[Fact | Observation, Field(discriminator="type")]

EVENT: TypeAdapter[Any] = TypeAdapter(Event, config=ConfigDict(defer_build=True))
"""Reads and writes any event of this module."""

OBSERVATIONS = (StageStarted, SessionResumed, AgentCalled, ToolUsed)
