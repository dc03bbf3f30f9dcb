"""The Insight Doc as a box: what comes next, and what was planned to follow it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from memorybank.memory.events import PlanUpdated, TaskCompleted, TaskReceived
from memorybank.memory.state import MemoryState
from memorybank.memory.types import CompletedTask, Task, TaskStatus, TaskType
from memorybank.views.boxes.state import insight_box


def test_what_is_planned_ahead_is_shown_until_a_plan_goes_without_it() -> None:
    moment: Any = SimpleNamespace(bank=MemoryState(), disputes=())
    first, second = (Task(type=TaskType.NORMAL, description=f"Read {name}") for name in ("a.md", "b.md"))
    done = CompletedTask(type=TaskType.NORMAL, description="Read a.md", status=TaskStatus.SUCCESS, context="")
    shown = []
    for fact in (
        TaskReceived(doc_id="d1", goal="Read all"),
        PlanUpdated(next_task=first, reasoning="", then=(second,)),
        TaskCompleted(task=done),
        PlanUpdated(next_task=None, reasoning=""),
    ):
        moment.bank.apply(fact, 1.0)
        shown.append("b.md" in repr(insight_box(moment, "en")))
    assert shown == [False, True, True, False]
