"""The values everything else speaks of: nodes, entries, conflicts, tasks, hits.

All are frozen: state changes by replacing a value, never by editing one, so a snapshot is a shallow
copy and "did it change?" is an identity check. Ids are counters with a letter (`n1`, `e1`, `c1`, `m1`, `a1`, `i1`), so
a session repeated on the same input gives the same ids.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, NewType

from memorybank.errors import Notice
from memorybank.memory.bounds import Count, Score, Seconds, Share

NodeId = NewType("NodeId", str)
EntryId = NewType("EntryId", str)
ConflictId = NewType("ConflictId", str)
MergeEventId = NewType("MergeEventId", str)
AttachmentId = NewType("AttachmentId", str)
ImageId = NewType("ImageId", str)
ClusterId = NewType("ClusterId", str)

AgentRole = Literal["classification", "structure", "analysis", "integration", "planning"]
"""The roles of the memory's own agents."""

Lang = Literal["en", "zh"]
"""A session has one language: of its prompts, of its planner's sentences, of its answers."""

RECORDED = "recorded-"
"""Begins the run id of a recording that comes with the app: no other run's id is a word."""


class Value:
    """Base of all domain values: wherever one is read from JSON, a field it does not know is refused."""

    __slots__ = ()
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}


class TaskType(StrEnum):
    NORMAL = "NORMAL"
    CROSS_VALIDATE = "CROSS_VALIDATE"


class TaskStatus(StrEnum):
    SUCCESS = "success"
    FAILED = "failed"


class Relation(StrEnum):
    """The relation of a new node to an existing one, strongest first: conflict > merge > related > unrelated."""

    CONFLICT = "conflict"
    MERGE = "merge"
    RELATED = "related"
    UNRELATED = "unrelated"


class ConflictStatus(StrEnum):
    OPEN = "open"
    RESOLVED = "resolved"
    BOTH_WRONG = "both_wrong"
    FALSE_ALARM = "false_alarm"
    INCONCLUSIVE = "inconclusive"
    CHECKED = "checked"
    """There is a verdict, and no merge: both nodes carry the check, with what it refuted in them."""

    @property
    def merges(self) -> bool:
        """Whether a pair closed so becomes one node."""
        return self in (ConflictStatus.RESOLVED, ConflictStatus.BOTH_WRONG)

    @property
    def decides(self) -> bool:
        """Whether a verdict says what holds."""
        return self.merges or self is ConflictStatus.CHECKED


class AttachmentType(StrEnum):
    IMAGE = "image"
    DOCUMENT = "document"
    CODE = "code"


# -- Interaction Tree -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Span(Value):
    """`entry.text[start:end]`, in characters: the piece of raw text a node stands on."""

    entry_id: EntryId
    start: Count
    end: Count

    def holds(self, other: Span) -> bool:
        return self.entry_id == other.entry_id and self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment(Value):
    """An original that is not, or not only, text (image, PDF, code file), kept once per content in the formal store."""

    id: AttachmentId
    type: AttachmentType
    name: str
    """Base name it came under; shown, never used as a path."""
    path: str
    """Relative to the run's formal store: `<sha256><suffix>`."""
    sha256: str
    size: Count
    """Size of the file in bytes."""
    media_type: str
    found_in: str = ""
    """The page or document that shows an image, as in `StagedImage`."""


EntryKind = Literal["text", "document", "dialogue", "tool", "image", "transcript", "answer"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Value):
    """One source unit exactly as it arrived: a document, a dialogue part, a tool's result, a round's transcript."""

    id: EntryId
    kind: EntryKind
    text: str
    source: str
    """The document's name, which no other document of the session has: the end of its path, a number behind it, a URL,
    `dialogue`; never an absolute path. Excerpts and later parts of one document share it."""
    sha256: str
    """The hash of the source's own text, without a line that cites an attachment; it recognises a source read again."""
    timestamp: Seconds = 0.0
    """Seconds since the epoch, from the journal's clock."""
    tool_calls: tuple[str, ...] = ()
    """One line a call that led to this entry, e.g. `visit(doc="ibm.md")`."""
    attachments: tuple[AttachmentId, ...] = ()
    body_start: Count = 0
    """Character of `text` at which the source's own text begins, behind a line that cites its attachment."""

    @property
    def body(self) -> str:
        return self.text[self.body_start :]

    @property
    def is_source(self) -> bool:
        """Whether it came from outside; a round's transcript and what an answer concluded are the session's own."""
        return self.kind not in ("transcript", "answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class MergeEvent(Value):
    id: MergeEventId
    merged_node_ids: tuple[NodeId, ...]
    new_node_id: NodeId
    trigger: Literal["merge", "conflict"]
    description: str
    timestamp: Seconds = 0.0
    undone: bool = False


# -- Query Graph ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(Value):
    """A topic's summary. `vector` is the L2-normalised embedding as little-endian float16 bytes (2·dim bytes)."""

    id: NodeId
    summary: str
    context: str
    """One sentence that names the topic."""
    keywords: tuple[str, ...]
    vector: bytes = field(repr=False, default=b"")
    timestamp: Seconds = 0.0
    seq: Count = 0
    """Order of creation; "newest" is the higher one, whatever the clock said."""
    links: tuple[NodeId, ...] = ()
    """Neighbours (undirected `related` edges), in the order they were learnt."""
    checks: tuple[Check, ...] = ()
    """Checks of this node's statements in the order of their conflicts, one for each point."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Value):
    """A node that retrieval returned, with the reason. Scores are rounded to 6 decimals."""

    node_id: NodeId
    score: Score
    """alpha * keyword + (1 - alpha) * vector."""
    keyword: Score
    """BM25 over the query's best BM25, in [0, 1]."""
    vector: Score
    """Cosine stretched by the model's constants, in [0, 1]."""
    keyword_raw: Score
    cosine: Score
    rank: Count
    """Rank from 1, by score, among the direct hits; neighbours go on counting after them."""
    via: NodeId | None = None
    """The direct hit whose neighbour this is, or the asking node: one names the other. None for a direct hit."""


# -- conflicts --------------------------------------------------------------------------------------------------------

ClaimKind = Literal["number", "date", "name", "place", "negation", "text"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim(Value):
    """One statement of a text, taken apart so that two of them can be compared."""

    text: str
    """The sentence, verbatim from the node's summary."""
    kind: ClaimKind
    subject: str
    attribute: str
    value: str
    """Verbatim, so that a verdict can put another value in its place."""
    unit: str = ""
    time: str = ""
    polarity: bool = True


Side = Literal["left", "right", ""]
"""The node of a conflict that holds; empty for neither."""

Reader = Literal["claims", "copies", "corrections"]
"""A way in which the offline engine finds contradictions: claims equal but for the value, sentences copied but for a
name or number, corrections of what another text says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contradiction(Value):
    """Two claims that cannot both hold: same subject, attribute and time, another value or polarity."""

    left: Claim
    right: Claim
    reason: str
    confidence: Share
    found_by: Reader = "claims"
    """The reader of the offline engine that found it; a model's are claims."""
    newer: Side = ""
    """The side that corrects the other, or that was said after it; empty where neither supersedes the other."""


Refusal = Literal["", "no_source", "not_there", "party", "copy"]
"""Why a piece of evidence that was stated as a vote is none: no such source is known, its quote does not stand there,
it is a party, or it repeats another source."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence(Value):
    """A passage that speaks on a conflict. `supports` is what it says, in the words of the verdict."""

    source: str
    quote: str
    supports: Literal["left", "right", "other", "neither"]
    value: str = ""
    entry_id: EntryId | None = None
    independent: bool = True
    """False: it repeats a passage of another source, or it is a party whose vote is already counted."""
    contradictions: tuple[Count, ...] = ()
    """Places in `Conflict.contradictions` that it speaks on; empty: all."""
    refused: Refusal = ""
    copy_of: str = ""
    """The source that a copy repeats; empty for what is no copy."""

    @property
    def is_said(self) -> bool:
        """Whether the source that is named says it; a party or a copy does, though it is no vote."""
        return self.refused not in ("no_source", "not_there")


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuted(Value):
    """A sentence of a node's summary of which a verdict says that it does not hold: `summary[start:end]`."""

    start: Count
    end: Count
    words: str = ""
    """The refuted words of the sentence, as they stand in it; what else it says stands. Empty: the whole sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check(Value):
    """A check of one point of a conflict, as it bears on a node.

    A check marks a summary and never changes it: whoever shows a node draws its checks.
    """

    conflict_id: ConflictId
    point: Count = 0
    """The place of the point in `Conflict.contradictions`; 0 for a conflict without any."""
    state: ConflictStatus
    """The status with which the point was closed; `checked` where a verdict decided it and the nodes stayed apart."""
    winner: Side = ""
    """The side of the conflict that holds; empty where neither does, or where the check did not decide."""
    holds: str = ""
    """One plain sentence on what holds; empty where the check did not decide."""
    evidence: tuple[Evidence, ...] = ()
    """The passages that speak on the point, each with its source, quote and side."""
    refuted: tuple[Refuted, ...] = ()
    """Sentences of this node's summary that do not hold."""


SIDES: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")
"""The sides of a conflict, in the order of its nodes."""


USER: Final = "user"
"""The name by which a person closes a conflict."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict(Value):
    """The verdict on one point of a conflict."""

    contradiction: Count
    """Place of the point in `Conflict.contradictions`; 0 of a conflict that has none."""
    status: ConflictStatus
    winner: Side = ""
    value: str = ""


def ruled_on(whole: ClaimVerdict, claims: Iterable[ClaimVerdict]) -> ClaimVerdict:
    """Return what was ruled on the point of `whole`: on it alone, or on the pair. One left out of `claims` is not
    settled."""
    listed = {claim.contradiction: claim for claim in claims}
    open_ = ClaimVerdict(contradiction=whole.contradiction, status=ConflictStatus.INCONCLUSIVE)
    return listed.get(whole.contradiction, open_) if listed else whole


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties(Value):
    """The sources on which the two nodes of a conflict stood when it was found: none of them is evidence on it."""

    left: tuple[str, ...] = ()
    right: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict(Value):
    """A pair of nodes that contradict each other, from the finding to the verdict."""

    id: ConflictId
    node_ids: tuple[NodeId, NodeId]
    """The pair as it was found: (older, newer). `QueryGraph.successor` leads to where they are now."""
    description: str
    contradictions: tuple[Contradiction, ...] = ()
    same_subject: bool = True
    """Whether both nodes as wholes are about one subject. False: one is about another thing and only touches on it, as
    a ship's log or a newspaper feature does."""
    parties: Parties | None = None
    """The documents of the two nodes when the conflict was found. None in journals that are older than this field."""
    status: ConflictStatus = ConflictStatus.OPEN
    attempts: Count = 0
    """Validations that ended without a usable verdict; the second closes it as inconclusive."""
    value: str = ""
    """The value that holds by the verdict."""
    winner: Side = ""
    reason: str = ""
    closed_by: str = ""
    """The executor's name, or that of a person (`USER`)."""
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    """The verdict on each point, where they were ruled one by one; `winner` and `value` are then the leading one's."""
    undone: str = ""
    """The merge that closed it and that a person took back since."""

    @property
    def may_be_lifted(self) -> bool:
        """Whether a later verdict may close it anew: a check did not decide it. What a person left open stays so."""
        return self.status is ConflictStatus.INCONCLUSIVE and self.closed_by != USER and not self.undone

    def ruling_on(self, number: int) -> ClaimVerdict:
        """Return what was ruled on a point."""
        whole = ClaimVerdict(contradiction=number, status=self.status, winner=self.winner, value=self.value)
        return ruled_on(whole, self.claims)

    @property
    def closing(self) -> Notice:
        """Return why it was closed so, in the words of who closed it."""
        if self.undone:
            return Notice("conflict.merge_undone", event=self.undone, reason=self.reason)
        return Notice("text.outside", text=self.reason)


# -- what an agent left undone ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFailure(Value):
    """Calls of one agent in one stage that gave no usable answer, and what was left undone for it."""

    agent: AgentRole
    reason: str
    """The reason of the first call that failed."""
    failed: Count = 1
    calls: Count = 1
    """All calls of the stage, those that worked included."""
    spans: tuple[Span, ...] = ()
    """Raw text that stays unfiled (classification, structure)."""
    node_ids: tuple[NodeId, ...] = ()
    """Nodes that were not compared (analysis), or that stay apart (integration)."""


# -- Insight Doc ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Task(Value):
    """The next step for the executor. The type and the ids say what it is; nothing is read out of the wording."""

    type: TaskType
    description: str
    conflict_ids: tuple[ConflictId, ...] = ()
    """CROSS_VALIDATE: the group of connected open conflicts to check in this round."""
    image_ids: tuple[ImageId, ...] = ()
    """NORMAL: the staged images to recognise."""
    query: str = ""
    """NORMAL: what to look for, in one text; empty: the description."""
    queries: tuple[str, ...] = ()
    """NORMAL: the searches, or the names of what to read, each by itself; empty: `query` is the only one."""
    final: bool = False
    """NORMAL: its answer is the session's result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletedTask(Value):
    type: TaskType
    description: str
    status: TaskStatus
    context: str
    """One or two sentences: what was learnt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightDoc(Value):
    doc_id: str = ""
    task_goal: str = ""
    completed_tasks: tuple[CompletedTask, ...] = ()
    pending_tasks: tuple[Task, ...] = ()
    planned_ahead: tuple[Task, ...] = ()
    """Tasks that follow the current one, as long as nothing comes between."""

    @property
    def current_task(self) -> Task | None:
        return self.pending_tasks[0] if self.pending_tasks else None


# -- answers ----------------------------------------------------------------------------------------------------------

PointState = Literal[
    "checked", "decided", "corrected", "agreed", "single", "disputed", "both_hold", "unsourced", "nothing_found"
]
"""`checked`: a verdict says that it holds. `decided`: a person said so. `corrected`: the answer gave a value that a
verdict is against; what holds stands beside it. `agreed`: two independent sources say it, and none is known to say
otherwise. `single`: one does. `disputed`: not settled. `both_hold`: a check found no contradiction. `unsourced`: it is
the answer's or the memory's own wording, no source says it. `nothing_found`: the answer gives nothing on the part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerValue(Value):
    """A value that an answer gives, or that stands against it."""

    text: str
    """The value as the answer writes it, or the source."""
    sources: tuple[Span, ...] = ()
    """The passages that say it, one for each source. Empty: no source is known to say it."""
    node_ids: tuple[NodeId, ...] = ()
    """Memories that it stood in when the answer was given."""
    stands: bool = True
    """False: a verdict is against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPoint(Value):
    """One thing that an answer says on a part of the question, or that it says nothing on it."""

    part: str = ""
    """The part of the question; empty where the point answers none of them."""
    about: str = ""
    """A few words on what the value is of; empty where nothing names it, and for a sentence."""
    state: PointState
    values: tuple[AnswerValue, ...] = ()
    """The answer's own value first, then those that stand beside or against it. Empty when nothing was found."""
    is_sentence: bool = False
    """Whether its value is a whole sentence: a quotation, or a statement in which no value was read."""
    independent: Count = 0
    """The independent sources that the check counted for what holds; of an undisputed value those that say it."""
    why: str = ""
    """The reason of the check, in its own words."""
    conflict_ids: tuple[ConflictId, ...] = ()
    """The conflicts on the value; empty where it was never disputed."""
    looked_for: tuple[str, ...] = ()
    """The tasks that looked for it where nothing was found; empty when none did."""


# -- images waiting for recognition -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedImage(Value):
    """An image in the temp store: verified, re-encoded, named by the hash of what was written."""

    id: ImageId
    name: str
    """The session's name for it, which no other image has; with `found_in` it becomes the source of its entry."""
    sha256: str
    media_type: str
    width: Count
    height: Count
    size: Count
    """Size of the file in bytes."""
    found_in: str = ""
    """The page or document it was met in, or its own address or name where it stood alone; empty: a person gave it."""
