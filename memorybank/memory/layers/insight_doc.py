"""Insight Doc: the state of the task. Completed tasks only grow; of pending tasks there are none or one.

A second question on the same memory opens a new document; the earlier one is kept in `earlier`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from memorybank.memory.events import Fact, MemoryImported, PlanUpdated, TaskCompleted, TaskFailed, TaskReceived
from memorybank.memory.types import InsightDoc


@dataclass(slots=True)
class InsightDocs:
    doc: InsightDoc = field(default_factory=InsightDoc)
    earlier: tuple[InsightDoc, ...] = ()

    def copy(self) -> InsightDocs:
        return InsightDocs(self.doc, self.earlier)

    def apply(self, event: Fact) -> None:
        match event:
            case TaskReceived():
                if self.doc.task_goal:
                    self.earlier = (*self.earlier, self.doc)
                self.doc = InsightDoc(doc_id=event.doc_id, task_goal=event.goal)
            case PlanUpdated():
                self.doc = replace(self.doc, pending_tasks=(event.next_task,) if event.next_task else ())
            case TaskCompleted() | TaskFailed():
                completed = (*self.doc.completed_tasks, event.task)
                self.doc = replace(self.doc, completed_tasks=completed, pending_tasks=())
            case MemoryImported():
                self.doc = InsightDoc(
                    doc_id=event.doc_id,
                    task_goal=event.task_goal,
                    completed_tasks=event.completed_tasks,
                    pending_tasks=event.pending_tasks,
                )
            case _:
                pass
