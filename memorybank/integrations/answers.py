"""The bank's answers to a foreign agent, as typed values: one shape for every framework, JSON schema included.

All that memories, conflicts and tasks say is neutralised (prompts/tags.py): recalled words are data and open no block
of a prompt.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from memorybank.contradiction.disputes import disputes_of
from memorybank.contradiction.words import shown
from memorybank.language.quotation import place
from memorybank.memory.bank import MemoryBank
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Evidence, Lang, Node, NodeId
from memorybank.prompts.tags import neutralise
from memorybank.retrieval.passages import PassageHit
from memorybank.session.checks import marked_summary, marked_topic, marks_of
from memorybank.session.stages.agent_failures import unfinished_reasons


def lang_of(bank: MemoryBank) -> Lang:
    """Return the language of its session, in which its checks are told."""
    return bank.settings.lang if bank.settings else "en"


class ToolAnswer(BaseModel):
    model_config = ConfigDict(frozen=True)


class Ingested(ToolAnswer):
    """The result of filing a text."""

    source: str
    """The name that the source has in memory: another text under a known name gets a number."""
    known: bool
    """The same text was filed before; nothing was done."""
    new_nodes: tuple[str, ...]
    """Memories that stand now and did not before, by id."""
    merges: tuple[str, ...]
    conflicts: tuple[str, ...]
    """Conflicts that this text raised, by id. They wait for a verdict."""
    nodes: int
    """Number of memories in all."""
    failures: tuple[str, ...] = ()
    """Agents that failed on this text, and why: part of it is in no memory, or was not compared. Given again, what
    failed of it is tried again."""


class CheckView(ToolAnswer):
    """A check of what a memory states."""

    conflict: str
    holds: str
    """One sentence on what holds; empty where the check did not decide."""
    refuted: tuple[str, ...]
    """Words of the summary that do not hold: whole sentences, or the refuted part of one."""
    evidence: tuple[Evidence, ...]
    """Passages of sources on it; those that are `independent` count."""

    @classmethod
    def of(cls, node: Node) -> tuple[Self, ...]:
        return tuple(
            cls(
                conflict=check.conflict_id,
                holds=neutralise(check.holds),
                refuted=tuple(neutralise(mark.words or node.summary[mark.start : mark.end]) for mark in check.refuted),
                evidence=tuple(_neutral(piece) for piece in check.evidence if piece.is_said),
            )
            for check in node.checks
        )


def _neutral(piece: Evidence) -> Evidence:
    return replace(
        piece,
        source=neutralise(piece.source),
        quote=neutralise(piece.quote),
        value=neutralise(piece.value),
        copy_of=neutralise(piece.copy_of),
    )


class MemoryView(ToolAnswer):
    node_id: str
    topic: str
    keywords: tuple[str, ...]
    summary: str
    """Each sentence that a check refuted says so."""
    score: float
    """Score in [0, 1]; a neighbour's is the score of the memory it hangs on."""
    via: str | None = None
    """The memory whose neighbour this is; None for one that was found directly."""
    disputed: str | None = None
    """The conflict that leaves its content in doubt."""
    checks: tuple[CheckView, ...] = ()

    @classmethod
    def of(cls, node: Node, *, score: float, via: NodeId | None, disputed: ConflictId | None, lang: Lang) -> Self:
        return cls(
            node_id=node.id,
            topic=neutralise(marked_topic(node, lang)),
            keywords=tuple(map(neutralise, node.keywords)),
            summary=neutralise(marked_summary(node, lang)),
            score=score,
            via=via,
            disputed=disputed,
            checks=CheckView.of(node),
        )


class RawPassage(ToolAnswer):
    """A turn of a dialogue or a sentence of another text, as it was recorded."""

    node_id: str
    """The best memory that stands on it."""
    text: str
    score: float
    refuted_by: str | None = None
    """The conflict whose check found that this does not hold, where the memory that stands on it is marked so."""

    @classmethod
    def of(cls, passage: PassageHit, node: Node) -> Self:
        refuting = (
            check.conflict_id
            for mark, check in marks_of(node)
            if place(passage.text, node.summary[mark.start : mark.end]) is not None
        )
        return cls(
            node_id=passage.node_id,
            text=neutralise(passage.text),
            score=passage.score,
            refuted_by=next(refuting, None),
        )


class RecallView(ToolAnswer):
    query: str
    memories: tuple[MemoryView, ...]
    passages: tuple[RawPassage, ...] = ()
    """Passages of the raw text behind the memories, best first, where it was asked for."""


class CompletedTaskView(ToolAnswer):
    type: str
    description: str
    status: str
    context: str


class InsightView(ToolAnswer):
    """The state of the task."""

    task_goal: str
    completed_tasks: tuple[CompletedTaskView, ...]
    current_task: str | None
    """The task that is to be done next."""
    nodes: int
    open_conflicts: int
    """Disputes that are not settled; `conflicts` lists the pairs of memories behind them."""
    answer: str
    unfinished_reasons: dict[str, str] = {}
    """Entries not wholly filed and memories not compared, by id, with the agent that failed and why."""

    @classmethod
    def of(cls, bank: MemoryBank) -> Self:
        doc = bank.doc
        return cls(
            task_goal=neutralise(doc.task_goal),
            completed_tasks=tuple(
                CompletedTaskView(
                    type=task.type.value,
                    description=neutralise(task.description),
                    status=task.status.value,
                    context=neutralise(task.context),
                )
                for task in doc.completed_tasks
            ),
            current_task=neutralise(doc.current_task.description) if doc.current_task else None,
            nodes=len(bank.graph.nodes),
            open_conflicts=sum(each.status is ConflictStatus.OPEN for each in disputes_of(bank)),
            answer=neutralise(bank.progress.answer),
            unfinished_reasons={id_: neutralise(why) for id_, why in unfinished_reasons(bank).items()},
        )


class ConflictSideView(ToolAnswer):
    node_id: str
    """The memory in which this side is now; deep_retrieval shows its sources."""
    summary: str
    """Each sentence that a check refuted says so."""
    checks: tuple[CheckView, ...] = ()

    @classmethod
    def of(cls, bank: MemoryBank, node_id: NodeId) -> Self:
        live = bank.graph.successor(node_id)
        node = bank.graph.nodes.get(live)
        if node is None:
            return cls(node_id=live, summary="")
        return cls(node_id=live, summary=neutralise(marked_summary(node, lang_of(bank))), checks=CheckView.of(node))


class PointView(ToolAnswer):
    """One point on which the sides contradict each other, and what was ruled on it."""

    attribute: str
    left: str
    right: str
    """Value of each side, as it is written there."""
    status: ConflictStatus
    value: str = ""
    """The value that holds by the verdict."""

    @classmethod
    def of(cls, conflict: Conflict, number: int) -> Self:
        pair, ruling = conflict.contradictions[number], conflict.ruling_on(number)
        return cls(
            attribute=neutralise(pair.left.attribute or pair.right.attribute),
            left=neutralise(pair.left.value or shown(pair.left)),
            right=neutralise(pair.right.value or shown(pair.right)),
            status=ruling.status,
            value=neutralise(ruling.value),
        )


class ConflictView(ToolAnswer):
    id: str
    status: ConflictStatus
    description: str
    left: ConflictSideView
    right: ConflictSideView
    points: tuple[PointView, ...] = ()
    """Points of the conflict; empty where only the memories as wholes contradict each other."""
    winner: Literal["left", "right", ""] = ""
    value: str = ""
    reason: str = ""
    closed_by: str = ""

    @classmethod
    def of(cls, bank: MemoryBank, conflict: Conflict) -> Self:
        left, right = (ConflictSideView.of(bank, node_id) for node_id in conflict.node_ids)
        return cls(
            id=conflict.id,
            status=conflict.status,
            description=neutralise(conflict.description),
            left=left,
            right=right,
            points=tuple(PointView.of(conflict, number) for number in range(len(conflict.contradictions))),
            winner=conflict.winner,
            value=neutralise(conflict.value),
            reason=neutralise(str(conflict.closing)),
            closed_by=neutralise(conflict.closed_by),
        )


class ConflictList(ToolAnswer):
    conflicts: tuple[ConflictView, ...]


class Resolved(ToolAnswer):
    conflict: ConflictView
    merged_into: str | None
    """The memory that both sides became; None when they stay apart."""
