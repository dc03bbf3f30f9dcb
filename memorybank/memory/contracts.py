"""Contracts of the five agents: what each is asked and what it answers (final specification, section 7).

An agent is `run(input) -> output`: it decides, it writes nothing. Both sides are pydantic models, because an answer may
come from a language model or from a journal; the offline engine builds the same ones. Nodes are named to an agent by
small integers, 0, 1, 2 … in the order given, never by their ids.

A sixth contract, `Executor`, is the outside agent framework (session/executors/base.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Protocol, Self, TypeVar

from pydantic import (
    BaseModel,
    ConfigDict,
    SerializerFunctionWrapHandler,
    TypeAdapter,
    model_serializer,
    model_validator,
)

from memorybank.memory.bounds import Count, Share
from memorybank.memory.types import (
    AgentRole,
    ClaimVerdict,
    CompletedTask,
    ConflictId,
    ConflictStatus,
    Contradiction,
    Evidence,
    ImageId,
    Lang,
    NodeId,
    Relation,
    Side,
    TaskStatus,
    TaskType,
)

Ref = Count
"""The place of a node in an agent's input."""


class Message(BaseModel):
    """Base of all inputs and outputs: frozen, no unknown fields, JSON both ways."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# -- Classification ---------------------------------------------------------------------------------------------------


class TextToFile(Message):
    text: str
    """One piece of at most window × chunk ratio tokens."""
    source: str = ""
    """The name of its document."""
    dialogue: bool = False
    """The text is turns, one `speaker: text` a line."""


class ClassificationInput(TextToFile):
    further: tuple[TextToFile, ...] = ()
    """More texts, each with topics of its own: only for an engine whose calls cost something by themselves."""
    task_goal: str = ""
    lang: Lang = "en"

    @property
    def texts(self) -> tuple[TextToFile, ...]:
        return (self, *self.further)


class ClusterDraft(Message):
    number: Count = 0
    """The place of its text among the texts, from 0."""
    context: str
    """One sentence that names the topic."""
    keywords: tuple[str, ...]
    spans: tuple[tuple[Count, Count], ...]
    """Half-open character ranges of the text, ascending. Over all clusters they cover each text exactly once."""
    summary: str = ""
    """Summary as in `StructureOutput`, where the engine writes it in the same call; else the structure agent is
    asked."""


class ClassificationOutput(Message):
    should_cluster: bool
    """False: each text is one topic; then there is exactly one cluster of each."""
    clusters: tuple[ClusterDraft, ...]


# -- Structure --------------------------------------------------------------------------------------------------------


class StructureInput(Message):
    content: str
    context: str = ""
    keywords: tuple[str, ...] = ()
    lang: Lang = "en"


class StructureOutput(Message):
    summary: str
    """30–50 % of the content; short texts, tables and code whole."""


# -- Analysis ---------------------------------------------------------------------------------------------------------


class NodeInfo(Message):
    summary: str
    context: str
    keywords: tuple[str, ...]
    sources: str = ""
    """Documents, pages and conclusions that it stands on, by name; where there are many, the rest counted."""
    text: str = ""
    """The raw text that it stands on, less what was refuted; for engines to which reading costs nothing."""

    @model_serializer(mode="wrap")
    def _without_empty_text(self, fields: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Leave the text out where there is none: a model's calls are known by what it is shown."""
        return {name: value for name, value in fields(self).items() if name != "text" or value}


class Comparison(Message):
    new: NodeInfo
    candidates: tuple[NodeInfo, ...]


class AnalysisInput(Comparison):
    further: tuple[Comparison, ...] = ()
    """More new nodes, each with candidates of its own; a new node may be a candidate of one that stands behind it."""
    memory: tuple[NodeInfo, ...] = ()
    """All that is known beside the new nodes, in the order of its creation, where an engine may show it so that each
    request begins as the one before it; empty where it is too much, or costs nothing to leave out."""
    task_goal: str = ""
    """The session's question, which may say which value two texts speak of; empty while there is no task."""
    relations: tuple[Relation, ...] = (Relation.CONFLICT, Relation.MERGE, Relation.RELATED)
    """A kind not listed is not answered. `two_stage` asks for conflict and merge first, then for related."""
    lang: Lang = "en"

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        return (self, *self.further)


class Relationship(Message):
    """`reasoning` stands first on purpose: a model that explains before it judges judges better (graphiti #1666)."""

    new: Ref = 0
    """Place of the new node's comparison among all."""
    existing: Ref
    """Place of the existing node among that comparison's candidates."""
    reasoning: str
    relationship: Relation
    confidence: Share = 1.0
    conflict_description: str = ""
    contradictions: tuple[Contradiction, ...] = ()
    """Left: a claim of the existing node; right: of the new one. Optional for engines that cannot take claims apart."""
    same_subject: bool | None = None
    """Says of a conflict whether both nodes as wholes are about one subject. False where one only touches on it; None
    where nothing was said of it, and then they are taken for it."""
    merge_strategy: str = ""
    context_update_new: str = ""
    context_update_existing: str = ""
    """The topic line from now on; empty: as it was."""
    keywords_update_new: tuple[str, ...] = ()
    keywords_update_existing: tuple[str, ...] = ()
    """All keywords from now on, so that words may go as well as come; empty: as they were."""


class AnalysisOutput(Message):
    relationships: tuple[Relationship, ...]
    """One judgement for each candidate; a candidate that is left out is unrelated."""


# -- Integration ------------------------------------------------------------------------------------------------------


class NeighborInfo(Message):
    ref: Ref
    """Neighbours are numbered in one list of their own, the same neighbour of two nodes once."""
    context: str
    keywords: tuple[str, ...]
    summary: str = ""
    """The neighbour's summary; no update may say more than it does."""


class NodeWithNeighbors(NodeInfo):
    refuted: tuple[str, ...] = ()
    """Sentences of the summary that earlier checks refuted."""
    neighbors: tuple[NeighborInfo, ...] = ()


class PairVerdict(Message):
    """The verdict of a validation on one pair of the nodes to merge."""

    left: Ref
    right: Ref
    status: ConflictStatus
    winner: Side = ""
    value: str = ""
    """The value that holds: the winner's, or the third one when both were wrong."""
    reasoning: str = ""
    contradictions: tuple[Contradiction, ...] = ()
    conflict: str = ""
    """Id of the conflict that was checked."""
    quote: str = ""
    """The sentence of a source that states the value, word for word, where one was quoted."""
    sources: tuple[str, ...] = ()
    """Sources that state what holds."""


class IntegrationInput(Message):
    nodes: tuple[NodeWithNeighbors, ...]
    """The nodes to unite, oldest first."""
    sizes: tuple[int, ...] = ()
    """How many of the nodes, one after the other, become one each; empty: all of them become one."""
    trigger: Literal["merge", "conflict"]
    merge_strategies: tuple[str, ...] = ()
    verdicts: tuple[PairVerdict, ...] = ()
    validation_result: str = ""
    lang: Lang = "en"


class NeighborUpdate(Message):
    """The new description of a neighbour; it may equal the old one."""

    ref: Ref
    context: str
    keywords: tuple[str, ...]


class Union(Message):
    """What several nodes become."""

    summary: str
    context: str
    keywords: tuple[str, ...]
    neighbor_updates: tuple[NeighborUpdate, ...] = ()
    """One update for each neighbour; one that is left out stays as it was."""
    interaction_tree_description: str


class IntegrationOutput(Union):
    further: tuple[Union, ...] = ()
    """The unions behind the first, where several were asked for."""


# -- Planning ---------------------------------------------------------------------------------------------------------


class FinishedTask(Message):
    """The task of the round that has just ended."""

    type: TaskType
    description: str
    status: TaskStatus
    answer: str = ""
    """Plain words: verdict and image blocks are taken out."""
    failure: str = ""
    final: bool = False
    """True for the task that answers the goal."""
    outcomes: tuple[str, ...] = ()
    """Lines on what came of the conflicts that it checked, or of the images that it read, written from the values and
    not from the answer. Empty for a task of another kind."""


class OpenConflict(Message):
    id: ConflictId
    description: str
    disputes: tuple[str, ...] = ()
    """The disputes that it belongs to, each with its values and their sources, in the same words in each conflict."""


class StagedImageInfo(Message):
    id: ImageId
    name: str


class KnownMemory(NodeInfo):
    """A memory as a planner is told of it."""

    id: NodeId
    """The id by which other parts of the prompt speak of it, where its place among others would change."""
    rank: Count | None = None
    """The rank by nearness to the goal among all, the nearest first; None for one that was not found by it."""
    is_new: bool = False
    """It came since the last plan."""


class PlanningInput(Message):
    task_goal: str
    completed_tasks: tuple[CompletedTask, ...] = ()
    finished: FinishedTask | None = None
    states: str = ""
    """A text on how the statements of these memories were checked, by their ids."""
    memories: tuple[KnownMemory, ...] = ()
    """The memories in the order of their creation: all where they fit a prompt, else those nearest to the goal and
    what came since the last plan."""
    open_conflicts: tuple[OpenConflict, ...] = ()
    """The open conflicts that one round can check together: all that fit its prompt."""
    staged_images: tuple[StagedImageInfo, ...] = ()
    memory_size: int = 0
    """Number of nodes in the graph."""
    barren_rounds: int = 0
    """NORMAL rounds in a row that brought no new value or name into memory."""
    is_settled: bool = False
    """The corpus was searched for the goal, and now for what is disputed, and that brought nothing new."""
    rounds_left: int = 30
    lang: Lang = "en"


class TaskDraft(Message):
    type: TaskType
    description: str
    conflict_ids: tuple[ConflictId, ...] = ()
    image_ids: tuple[ImageId, ...] = ()
    query: str = ""
    queries: tuple[str, ...] = ()
    final: bool = False

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if (self.type is TaskType.CROSS_VALIDATE) != bool(self.conflict_ids):
            raise ValueError("a CROSS_VALIDATE task names its conflicts, and only such a task does")
        return self


class PlanningOutput(Message):
    reasoning: str
    finished_context: str = ""
    """One or two sentences on what the finished task taught; empty when none was finished."""
    next_task: TaskDraft | None = None
    """The next task; None when the goal is reached, or nothing more can be done."""
    then: tuple[TaskDraft, ...] = ()
    """Tasks that follow, whatever the next one brings."""


# -- verdicts as an executor states them (session/markup.py reads and writes them) -------------------------------------


class StatedVerdict(Message):
    """One `<verdict>` block of an answer: JSON, so that any framework can write it.

    Where the points of the conflict are ruled one by one (`claims`), the verdict on the pair follows from them: that of
    the first point for which a verdict says what holds; without such a point inconclusive where a point is, else false
    alarm. A status, winner or value beside `claims` is not asked for and does not count.
    """

    conflict: ConflictId
    status: ConflictStatus
    winner: Side = ""
    value: str = ""
    reasoning: str = ""
    evidence: tuple[Evidence, ...] = ()
    claims: tuple[ClaimVerdict, ...] = ()
    """The ruling on each point; one left out is not settled. Empty when the verdict is on all of them."""

    @model_validator(mode="before")
    @classmethod
    def _of_its_claims(cls, stated: Any) -> Any:
        if not isinstance(stated, dict) or not stated.get("claims"):
            return stated
        claims = _CLAIMS.validate_python(stated["claims"])
        leading = leading_of(claims)
        return {**stated, "claims": claims, "status": leading.status, "winner": leading.winner, "value": leading.value}

    @model_validator(mode="after")
    def _closed(self) -> Self:
        rulings = [(self.status, self.winner), *((claim.status, claim.winner) for claim in self.claims)]
        for status, winner in rulings:
            if status in (ConflictStatus.OPEN, ConflictStatus.CHECKED):
                raise ValueError("a verdict closes the conflict: resolved, both_wrong, false_alarm or inconclusive")
            if status is ConflictStatus.RESOLVED and not winner:
                raise ValueError("a resolved conflict names its winner: left or right")
        return self


_CLAIMS = TypeAdapter(tuple[ClaimVerdict, ...])


class Ruled(Protocol):
    @property
    def status(self) -> ConflictStatus: ...


AnyRuled = TypeVar("AnyRuled", bound=Ruled)


def leading_of(rulings: Sequence[AnyRuled]) -> AnyRuled:
    """Return the ruling that stands for all those on the points of one conflict (StatedVerdict has the rule)."""
    merging = (ruling for ruling in rulings if ruling.status.merges)
    undecided = (ruling for ruling in rulings if ruling.status is ConflictStatus.INCONCLUSIVE)
    return next(merging, None) or next(undecided, None) or rulings[0]


# -- engines ----------------------------------------------------------------------------------------------------------

In = TypeVar("In", bound=Message, contravariant=True)
Out = TypeVar("Out", bound=Message, covariant=True)


class Agent(Protocol[In, Out]):
    """Decides from its input alone. Raises AgentError when it has no usable answer."""

    def run(self, given: In) -> Out: ...


class Engine(Protocol):
    """Five agents under one name. The two engines are `offline` and `llm`."""

    @property
    def name(self) -> str: ...
    @property
    def classification(self) -> Agent[ClassificationInput, ClassificationOutput]: ...
    @property
    def structure(self) -> Agent[StructureInput, StructureOutput]: ...
    @property
    def analysis(self) -> Agent[AnalysisInput, AnalysisOutput]: ...
    @property
    def integration(self) -> Agent[IntegrationInput, IntegrationOutput]: ...
    @property
    def planning(self) -> Agent[PlanningInput, PlanningOutput]: ...


Role = AgentRole
