"""The Insight Doc of a run at each of its moments.

history = DocHistory(); history.take(record) …           as records come, O(1) each
history.at(k)                                            the doc after `k` events
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from typing import Any

from memorybank.memory.events import (
    AnswerGiven,
    Fact,
    MemoryImported,
    PlanUpdated,
    TaskCompleted,
    TaskFailed,
    TaskReceived,
)
from memorybank.memory.layers.insight_doc import InsightDocs
from memorybank.memory.types import InsightDoc
from memorybank.runs.journal import Record
from memorybank.runs.stages import border_of

_TOUCHING = (TaskReceived, PlanUpdated, TaskCompleted, TaskFailed, MemoryImported, AnswerGiven)


@dataclass(frozen=True, slots=True, kw_only=True)
class DocVersion:
    """The Insight Doc as a stage left it."""

    doc: InsightDoc = field(default_factory=InsightDoc)
    answer: str = ""
    seq: int = 0
    """Number of the commit that made it; 0: there is none yet."""


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
            now = DocVersion(doc=self._docs.doc, answer=self._answer, seq=record.seq)
            if (now.doc, now.answer) != (self._versions[-1].doc, self._versions[-1].answer):
                self._versions.append(now)

    def _apply(self, fact: Fact) -> None:
        if isinstance(fact, AnswerGiven):
            self._answer = fact.answer
        else:
            self._docs.apply(fact)
            if isinstance(fact, TaskReceived):
                self._answer = ""

    def at(self, k: int) -> DocVersion:
        """The version that stood after `k` events."""
        return self._versions[bisect_right(self._versions, k, key=lambda version: version.seq) - 1]
