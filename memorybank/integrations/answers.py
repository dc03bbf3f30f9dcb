"""The bank's answers to a foreign agent, as typed values: one shape for every framework, JSON schema included.

All that memories, conflicts and tasks say is neutralised (prompts/tags.py): recalled words are data and open no block
of a prompt. Every answer has a bound, for it stands in a model's context.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict

from memorybank.contradiction.disputes.gathering import disputes_of
from memorybank.language.quotation import place
from memorybank.memory.state import MemoryState
from memorybank.memory.types import Conflict, ConflictId, ConflictStatus, Evidence, Lang, Node, NodeId
from memorybank.prompts.claim_words import shown
from memorybank.prompts.tags import neutralise
from memorybank.retrieval.passages import PassageHit
from memorybank.session.checks import marked_summary, marked_topic, marks_of
from memorybank.session.stages.agent_failures import unfinished_reasons


def lang_of(bank: MemoryState) -> Lang:
    """Return the language of its session, in which its checks are told."""
    return bank.settings.lang if bank.settings else "en"


MOST_CHARACTERS = 20_000
"""The most characters of an answer as JSON, whatever memory holds; a search may be asked for as many."""
_SHORTER = ((8_000, 400), (2_000, 100), (500, 25), (100, 5))
"""The most characters of a text and items of a list, tried until an answer fits."""


class View(BaseModel):
    model_config = ConfigDict(frozen=True)


class ToolAnswer(View):
    """What a tool answers, as a whole."""

    left_out: int = 0
    """Items of lists that did not fit into the answer."""

    def bounded(self, most: int = MOST_CHARACTERS) -> Self:
        """Return it with its longest texts and lists cut until it fits; a text that was cut ends with its length."""
        if len(self.model_dump_json()) <= most:
            return self
        data = self.model_dump(mode="json")
        for characters, items in _SHORTER:
            cut, left_out = _shortened(data, characters, items)
            answer = self.model_validate({**cut, "left_out": self.left_out + left_out})
            if len(answer.model_dump_json()) <= most:
                break
        return answer


def _shortened(value: Any, characters: int, items: int) -> tuple[Any, int]:
    """Return a JSON value with its texts and lists cut, and how many items that took."""
    if isinstance(value, str) and len(value) > characters:
        return f"{value[:characters]}… [{len(value):,}]", 0
    if isinstance(value, list):
        kept = [_shortened(inner, characters, items) for inner in value[:items]]
        return [inner for inner, _ in kept], sum(count for _, count in kept) + len(value) - len(kept)
    if isinstance(value, dict):
        few = {name: _shortened(inner, characters, items) for name, inner in list(value.items())[: max(items, 25)]}
        return {name: inner for name, (inner, _) in few.items()}, sum(count for _, count in few.values())
    return value, 0


class Ingested(ToolAnswer):
    """The result of filing a text."""

    source: str
    """The name that the source has in memory: another text under a known name gets a number."""
    entry_id: str
    """The id of the source's raw record."""
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
    pending: str = ""
    """The stage of a filing that still goes on, else empty; the same call again waits for its result."""

    @classmethod
    def waiting(cls, doing: str) -> Self:
        """Return the answer for a text that is still being filed."""
        return cls(source="", entry_id="", known=False, new_nodes=(), merges=(), conflicts=(), nodes=0, pending=doing)


class CheckView(View):
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
    said: dict[str, Any] = {name: neutralise(getattr(piece, name)) for name in ("source", "quote", "value", "copy_of")}
    return replace(piece, **said)


class MemoryView(View):
    node_id: str
    topic: str
    keywords: tuple[str, ...]
    summary: str
    """Each sentence that a check refuted says so. Empty where it did not fit into the answer."""
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


class RawPassage(View):
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
            node_id=passage.node_id, text=neutralise(passage.text), score=passage.score, refuted_by=next(refuting, None)
        )


class RecallView(ToolAnswer):
    query: str
    passages: tuple[RawPassage, ...] = ()
    """Passages of the raw text behind the memories, best first."""
    memories: tuple[MemoryView, ...]

    @classmethod
    def within(
        cls, query: str, passages: Iterable[RawPassage], memories: Iterable[MemoryView], *, characters: int
    ) -> Self:
        """Return what fits into so many characters: passages fill the first half, memories what is left.

        A memory whose summary does not fit is named without it; deep_retrieval shows what it stands on.
        """
        asked, left = query[:200], characters - len(query[:200]) - 60
        kept: list[RawPassage] = []
        for passage in passages:
            room, size = left - characters // 2, len(passage.model_dump_json())
            if size > room and not kept:
                passage = passage.model_copy(update={"text": f"{passage.text[: room // 2]}…"})
                size = len(passage.model_dump_json())
            if size > room:
                break
            kept, left = [*kept, passage], left - size
        views: list[MemoryView] = []
        left_out = 0
        for memory in memories:
            short = memory.model_copy(update={"summary": "", "keywords": (), "checks": ()})
            view = next((each for each in (memory, short) if len(each.model_dump_json()) <= left), None)
            if view is None:
                left_out += 1
            else:
                views, left = [*views, view], left - len(view.model_dump_json())
        return cls(query=asked, passages=tuple(kept), memories=tuple(views), left_out=left_out)


class CompletedTaskView(View):
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
    def of(cls, bank: MemoryState) -> Self:
        doc = bank.doc
        return cls(
            task_goal=neutralise(doc.task_goal),
            completed_tasks=tuple(
                CompletedTaskView(**{name: neutralise(getattr(task, name)) for name in CompletedTaskView.model_fields})
                for task in doc.completed_tasks
            ),
            current_task=neutralise(doc.current_task.description) if doc.current_task else None,
            nodes=len(bank.graph.nodes),
            open_conflicts=sum(each.status is ConflictStatus.OPEN for each in disputes_of(bank)),
            answer=neutralise(bank.progress.answer),
            unfinished_reasons={id_: neutralise(why) for id_, why in unfinished_reasons(bank).items()},
        )


class ConflictSideView(View):
    node_id: str
    """The memory in which this side is now; deep_retrieval shows its sources."""
    summary: str
    """Each sentence that a check refuted says so."""
    checks: tuple[CheckView, ...] = ()

    @classmethod
    def of(cls, bank: MemoryState, node_id: NodeId) -> Self:
        live = bank.graph.successor(node_id)
        node = bank.graph.nodes.get(live)
        if node is None:
            return cls(node_id=live, summary="")
        return cls(node_id=live, summary=neutralise(marked_summary(node, lang_of(bank))), checks=CheckView.of(node))


class PointView(View):
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


class ConflictView(View):
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
    def of(cls, bank: MemoryState, conflict: Conflict) -> Self:
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

    @classmethod
    def within(cls, views: Iterable[ConflictView], *, characters: int = MOST_CHARACTERS) -> Self:
        """Return the first of them that fit; the first is cut where it does not fit alone."""
        kept: list[ConflictView] = []
        left_out, left = 0, characters - 100
        for view in views:
            left -= len(view.model_dump_json()) + 1
            if left < 0 and kept:
                left_out += 1
            else:
                kept.append(view)
        return cls(conflicts=tuple(kept), left_out=left_out).bounded(characters)


class Resolved(ToolAnswer):
    conflict: ConflictView
    merged_into: str | None
    """The memory that both sides became; None when they stay apart."""
