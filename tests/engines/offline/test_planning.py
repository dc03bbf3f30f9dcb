"""The offline planner: each part of the goal once, then the answer."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.planning import OfflinePlanning, aspects
from memorybank.engines.tasks import decided
from memorybank.memory.contracts import FinishedTask, PlanningInput
from memorybank.memory.types import CompletedTask, Lang, TaskStatus, TaskType
from tests.tables import tables

TABLES = tables(__file__)

GOAL = "What did Google's Willow chip achieve, how many qubits does it have and when was it announced?"


@pytest.mark.parametrize(("goal", "lang", "parts"), TABLES["a_goal_is_taken_apart_and_its_names_carried_over"])
def test_a_goal_is_taken_apart_and_its_names_carried_over(goal: str, lang: Lang, parts: list[str]) -> None:
    assert aspects(goal, lang, HashedNgrams().parse) == parts


def given(**changes: object) -> PlanningInput:
    return PlanningInput.model_validate({"task_goal": GOAL, **changes})


def planned(**changes: object) -> Any:
    return OfflinePlanning(HashedNgrams().parse).run(given(**changes)).next_task


def test_a_whole_goal_is_worked_through_and_ends() -> None:
    completed: tuple[CompletedTask, ...] = ()
    finished: FinishedTask | None = None
    asked = []
    for _ in range(10):
        request = given(completed_tasks=completed, finished=finished)
        plan = decided(request) or OfflinePlanning(HashedNgrams().parse).run(request)
        if finished:
            told = finished.model_dump(include={"type", "description", "status"})
            completed = (*completed, CompletedTask(**told, context=plan.finished_context))
        if plan.next_task is None:
            break
        asked.append(plan.next_task)
        told = plan.next_task.model_dump(include={"type", "description", "final"})
        finished = FinishedTask(**told, status=TaskStatus.SUCCESS, answer="On it:\n- It has 105 qubits. [willow.md]")
    assert [task.final for task in asked] == [False, False, False, True]
    assert len({task.description for task in asked}) == 4
    assert completed[0].context == "It has 105 qubits. [willow.md]"


def test_a_part_that_brought_nothing_does_not_end_the_search() -> None:
    assert not planned(barren_rounds=4).final


def test_a_failed_answer_is_not_tried_again() -> None:
    failed = FinishedTask(
        type=TaskType.NORMAL, description="answer", status=TaskStatus.FAILED, failure="no tool", final=True
    )
    assert planned(finished=failed) is None
