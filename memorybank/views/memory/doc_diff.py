"""The Insight Doc and what changed in it: from records to lines that are new, changed or gone. Pure.

    history = DocHistory(); history.take(record) …          as records come, O(1) each
    before, now = history.at(k)                              the doc at a moment, and the one it replaced
    for line in doc_diff(before, now): …                     goal, answer, current task, completed tasks, in this order

Any two versions can be compared, e.g. those of two steps A and B: then `before` is A's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from memorybank.memory.events import (
    OBSERVATIONS,
    AnswerGiven,
    Fact,
    MemoryImported,
    PlanUpdated,
    TaskCompleted,
    TaskFailed,
    TaskReceived,
)
from memorybank.memory.layers.insight_doc import InsightDocs
from memorybank.memory.types import CompletedTask, InsightDoc, Task
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of

Part = Literal["goal", "answer", "now", "done"]
Change = Literal["", "new", "changed", "gone"]

_TOUCHING = (TaskReceived, PlanUpdated, TaskCompleted, TaskFailed, MemoryImported, AnswerGiven)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocVersion:
    """The Insight Doc as a stage left it."""

    doc: InsightDoc = field(default_factory=InsightDoc)
    answer: str = ""
    seq: int = 0
    """Of the commit that made it; 0: there is none yet."""
    stage: str = ""
    round: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DocLine:
    part: Part
    text: str
    change: Change = ""
    was: str = ""
    """The text before, of a changed line."""
    task: Task | CompletedTask | None = None
    """Of a `now` or `done` line."""


EMPTY = DocVersion()


class DocHistory:
    """The versions of a run's Insight Doc. What a stage wrote counts once the stage has ended."""

    def __init__(self) -> None:
        self._docs = InsightDocs()
        self._answer = ""
        self._pending: list[Fact] = []
        self._versions: list[DocVersion] = [EMPTY]

    def take(self, record: Record[Any]) -> None:
        """Read one more event."""
        event = record.event
        if isinstance(event, _TOUCHING):
            self._pending.append(event)
        elif self._pending and (border := border_of(event)) is not None and border.side == "end":
            for fact in self._pending:
                self._apply(fact)
            self._pending = []
            now = DocVersion(
                doc=self._docs.doc, answer=self._answer, seq=record.seq, stage=border.stage, round=border.round
            )
            if (now.doc, now.answer) != (self._versions[-1].doc, self._versions[-1].answer):
                self._versions.append(now)

    def _apply(self, fact: Fact) -> None:
        if isinstance(fact, AnswerGiven):
            self._answer = fact.answer
        else:
            self._docs.apply(fact)
            if isinstance(fact, TaskReceived):
                self._answer = ""

    def at(self, k: int) -> tuple[DocVersion, DocVersion]:
        """The version before, and the one that stood after `k` events."""
        place = bisect_right(self._versions, k, key=lambda version: version.seq) - 1
        return self._versions[max(0, place - 1)], self._versions[place]


def doc_at(records: Sequence[Record[Any]], k: int | None = None) -> DocVersion:
    """The Insight Doc after `k` events (all, when None), read from the beginning."""
    history = DocHistory()
    for record in records[:k]:
        if not isinstance(record.event, OBSERVATIONS):
            history.take(record)
    return history.at(len(records))[1]


def doc_diff(before: DocVersion, now: DocVersion) -> tuple[DocLine, ...]:
    """All lines of `now`, each with what became of it since `before`; lines that are gone stand where they stood."""
    same_goal = before.doc.doc_id == now.doc.doc_id
    return (
        *_text("goal", before.doc.task_goal, now.doc.task_goal),
        *_text("answer", before.answer, now.answer),
        *_current(before, now),
        *_done(before.doc.completed_tasks if same_goal else (), now.doc.completed_tasks),
    )


def _text(part: Part, was: str, text: str) -> tuple[DocLine, ...]:
    if not text:
        return (DocLine(part=part, text=was, change="gone"),) if was else ()
    change: Change = "" if was == text else "changed" if was else "new"
    return (DocLine(part=part, text=text, change=change, was=was if change == "changed" else ""),)


def _current(before: DocVersion, now: DocVersion) -> tuple[DocLine, ...]:
    """A task that was completed is not gone: it stands among the done ones."""
    was, task = before.doc.current_task, now.doc.current_task
    lines = []
    if task is not None:
        lines.append(DocLine(part="now", text=task.description, change="" if task == was else "new", task=task))
    if was is not None and was != task and not _is_done(was, now.doc):
        lines.append(DocLine(part="now", text=was.description, change="gone", task=was))
    return tuple(lines)


def _is_done(task: Task, doc: InsightDoc) -> bool:
    return any(completed.description == task.description for completed in doc.completed_tasks)


def _done(was: tuple[CompletedTask, ...], done: tuple[CompletedTask, ...]) -> tuple[DocLine, ...]:
    """The newest first. They only grow, so what they share is the beginning."""
    shared = 0
    while shared < min(len(was), len(done)) and was[shared] == done[shared]:
        shared += 1
    lines = [DocLine(part="done", text=completed.description, task=completed) for completed in done[:shared]]
    lines += [
        DocLine(part="done", text=completed.description, change="gone", task=completed) for completed in was[shared:]
    ]
    lines += [
        DocLine(part="done", text=completed.description, change="new", task=completed) for completed in done[shared:]
    ]
    return tuple(reversed(lines))
