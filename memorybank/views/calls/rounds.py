"""What happened in each round, in order: what was asked, answered, checked and lost. From records alone.

reader = RoundReader(); reader.take(record) …     as records come: every round with its task and what it cost
round_items(records, reader.marks()[-1])         one round, read by itself
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from memorybank.memory.events import (
    AgentCalled,
    ClustersFound,
    ClustersSummarised,
    ConflictClosed,
    ContextIntercepted,
    NodesAnalysed,
    NodesMerged,
    PlanUpdated,
    PromptEnhanced,
    RelationsJudged,
    TaskFailed,
    ToolUsed,
    ValidationApplied,
)
from memorybank.memory.types import AgentFailure, Task
from memorybank.runs.journal import Record
from memorybank.runs.stages import StageReader, placed
from memorybank.session import usage
from memorybank.session.usage import AgentUsage
from memorybank.views.run.commits import Records

ItemKind = Literal["prompt", "call", "by_rule", "tool", "sent_back", "verdict", "merged", "ignored", "failed", "barren"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundMark:
    """A round in the list of a run's rounds; its records are those from `first` to `last`, by seq."""

    number: int
    task: Task | None
    """None: before the first task, or there was none."""
    first: int
    last: int
    usage: AgentUsage
    """Of its agents."""
    tools: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundItem:
    kind: ItemKind
    stage: str
    seq: int
    event: Any
    count: int = 1
    """by_rule: calls of one role behind each other, which no model answered."""
    failure: AgentFailure | None = None


@dataclass(slots=True)
class _Round:
    number: int
    first: int
    last: int = 0
    task: Task | None = None
    calls: list[AgentCalled | ToolUsed] = field(default_factory=list)
    _mark: RoundMark | None = None

    def mark(self) -> RoundMark:
        """What it has come to; summed up again only where it went on."""
        if self._mark is None or self._mark.last != self.last:
            self._mark = RoundMark(
                number=self.number,
                task=self.task,
                first=self.first,
                last=self.last,
                usage=usage.by_agent(self.calls).get("all", AgentUsage()),
                tools=sum(isinstance(event, ToolUsed) for event in self.calls),
            )
        return self._mark


class RoundReader:
    """Follows the rounds of one run, whose records are taken one by one as they come."""

    def __init__(self) -> None:
        self._rounds: dict[int, _Round] = {}
        self._stages = StageReader()
        self._task: Task | None = None

    def take(self, record: Record[Any]) -> None:
        self._stages.take(record)
        number = self._stages.round
        current = self._rounds.setdefault(number, _Round(number, record.seq))
        current.last = record.seq
        match record.event:
            case PlanUpdated(next_task=next_task):
                self._task = next_task
            case PromptEnhanced():
                current.task = self._task
            case AgentCalled() | ToolUsed():
                current.calls.append(record.event)
            case _:
                pass

    def marks(self) -> tuple[RoundMark, ...]:
        """All rounds so far, oldest first."""
        return tuple(self._rounds[number].mark() for number in sorted(self._rounds))


def round_items(records: Records, mark: RoundMark) -> list[RoundItem]:
    """What a round's records tell, in their order."""
    items: list[RoundItem] = []
    for record, place in placed(records[mark.first - 1 : mark.last]):
        if place.round != mark.number:
            continue
        for kind, failure in _kinds(record.event):
            item = RoundItem(kind=kind, stage=place.stage, seq=record.seq, event=record.event, failure=failure)
            if not _joined(items, item):
                items.append(item)
    return list(_with_sent_back(items))


def _kinds(event: Any) -> Iterator[tuple[ItemKind, AgentFailure | None]]:
    match event:
        case PromptEnhanced():
            yield "prompt", None
        case AgentCalled():
            yield "call" if event.model or event.outcome == "failed" else "by_rule", None
        case ToolUsed():
            yield "tool", None
        case ConflictClosed():
            yield "verdict", None
        case NodesMerged(dropped=dropped) if dropped:
            yield "merged", None
        case RelationsJudged(ignored=ignored) if ignored:
            yield "ignored", None
        case TaskFailed():
            yield "failed", None
        case ClustersFound() | ClustersSummarised() | NodesAnalysed() | ValidationApplied():
            yield from (("failed", failure) for failure in event.failed)
        case ContextIntercepted(brings_new=False):
            yield "barren", None
        case _:
            pass


def _joined(items: list[RoundItem], item: RoundItem) -> bool:
    """Whether the item was counted with the one before it: calls of one role that no model answered."""
    last = items[-1] if items else None
    if last is None or not (last.kind == item.kind == "by_rule" and last.event.role == item.event.role):
        return False
    if last.stage != item.stage:
        return False
    items[-1] = RoundItem(kind="by_rule", stage=last.stage, seq=last.seq, event=last.event, count=last.count + 1)
    return True


def _with_sent_back(items: list[RoundItem]) -> Iterator[RoundItem]:
    """An answer of the executor after which it was asked once more was sent back: the next question says why."""
    turns = [item for item in items if item.kind == "call" and item.event.role == "react"]
    following = {turn.seq: later for turn, later in pairwise(turns)}
    for item in items:
        yield item
        later = following.get(item.seq)
        if later is not None and later.stage == item.stage and "<answer" in str(item.event.answer.get("text", "")):
            between = any(other.kind == "tool" and item.seq < other.seq < later.seq for other in items)
            if not between:
                yield RoundItem(kind="sent_back", stage=item.stage, seq=later.seq, event=later.event)
