"""Plans that are no choice: in which order they come, what they say, and where an agent is asked after all."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.engines.tasks import ahead, decided
from memorybank.memory.contracts import FinishedTask, OpenConflict, PlanningInput, StagedImageInfo
from memorybank.memory.types import CompletedTask, ConflictId, ImageId, Lang, Task, TaskStatus, TaskType
from memorybank.prompts import say

GOAL = "How many qubits has IBM's Condor and when was it shown?"
CONFLICTS = (
    OpenConflict(id=ConflictId("c7"), description="Condor: 1,121 or 433 qubits"),
    OpenConflict(id=ConflictId("c8"), description="Tianyan: 504 or 176 qubits"),
    OpenConflict(id=ConflictId("c9"), description="Condor: 433 or 127 qubits"),
)
IMAGES = (StagedImageInfo(id=ImageId("i3"), name="chart.png"), StagedImageInfo(id=ImageId("i5"), name="photo.jpg"))


def finished(status: TaskStatus = TaskStatus.SUCCESS, **changes: Any) -> FinishedTask:
    values = {"type": TaskType.NORMAL, "description": "Look it up", "status": status, "answer": "Condor has 1,121."}
    return FinishedTask.model_validate(values | changes)


def given(**changes: Any) -> PlanningInput:
    return PlanningInput.model_validate({"task_goal": GOAL, **changes})


ANSWERED = {"finished": finished(final=True)}
WAITING, OPEN, LAST = {"staged_images": IMAGES}, {"open_conflicts": CONFLICTS}, {"rounds_left": 1}
CHECK = {"type": TaskType.CROSS_VALIDATE, "conflict_ids": ("c7", "c8", "c9")}
READ = {"type": TaskType.NORMAL, "image_ids": ("i3", "i5"), "final": False}
ANSWER = {"final": True, "query": GOAL}


FAILED_ANSWER = finished(TaskStatus.FAILED, description="Answer the goal: in short.", final=True)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("changes", "planned", "why"),
    [
        ({**OPEN, **WAITING}, CHECK, "plan_conflicts"),
        (WAITING, READ, "plan_images"),
        (ANSWERED, None, "plan_finished"),
        ({**ANSWERED, **WAITING}, READ, "plan_images"),
        ({**ANSWERED, **WAITING, **LAST}, None, "plan_finished"),
        ({**OPEN, **WAITING, **LAST}, ANSWER, "plan_answer_last"),
        ({"rounds_left": 0}, None, "plan_out_of_rounds"),
        ({"task_goal": ""}, None, "plan_no_goal"),
        ({"task_goal": "", **OPEN}, None, "plan_no_goal"),
        ({"task_goal": "", **WAITING}, READ, "plan_images"),
        ({"task_goal": "", **WAITING, **LAST}, None, "plan_no_goal"),
    ],
)
def test_what_comes_first(changes: dict[str, Any], planned: dict[str, Any] | None, why: str, lang: Lang) -> None:
    plan = decided(given(lang=lang, **changes))
    task = plan.next_task
    assert (None if task is None else {name: getattr(task, name) for name in planned or ()}) == planned
    assert plan.reasoning == say(why, lang, count=2 if why == "plan_images" else 3)
    assert task is None or GOAL not in task.description, "the goal stands in every prompt"


@pytest.mark.parametrize(
    "changes",
    [{}, {"finished": finished()}, {"finished": FAILED_ANSWER, **LAST}, {"barren_rounds": 4}],
    ids=["a new goal", "after a round", "the answer failed", "nothing new for long: engines differ in their patience"],
)
def test_what_is_a_choice_is_asked(changes: dict[str, Any]) -> None:
    assert decided(given(**changes)) is None


def test_conflicts_on_one_matter_are_told_of_once() -> None:
    qubits, year = "Willow: 105 qubits (a.md) or 98 qubits (b.md)", "When Willow was announced: 2023 or 2024"
    conflicts = [
        OpenConflict(id=ConflictId("c1"), description="one", disputes=(qubits, year)),
        OpenConflict(id=ConflictId("c2"), description="two", disputes=(qubits,)),
    ]
    plan = decided(given(open_conflicts=conflicts))
    assert plan.next_task.description.endswith(f"c1, c2: {qubits}; c1: {year}")


@pytest.mark.parametrize(
    ("answer", "learnt"),
    [
        ("On it:\n- It has 105 qubits. [willow.md]\n- It was shown.", "It has 105 qubits. [willow.md] It was shown."),
        (
            "# Brief\n\n**For the council**\n\n**Capacity: 18 MW.** Twelve turbines.",
            "Capacity: 18 MW. Twelve turbines.",
        ),
        ("**结论：**\n- 直径21.3厘米（发掘简报.md）。", "直径21.3厘米（发掘简报.md）。"),
        ("Only a heading:", "Only a heading:"),
        ("", "Nothing was found on it."),
        ("One. " + "Another sentence of the same answer. " * 20, "One. " + "Another sentence of the same answer. " * 8),
    ],
)
def test_what_the_task_taught_is_how_its_answer_begins(answer: str, learnt: str) -> None:
    for status, told in ((TaskStatus.SUCCESS, learnt.strip()), (TaskStatus.FAILED, "")):  # why, the stage says
        plan = decided(given(finished=finished(status, answer=answer), open_conflicts=CONFLICTS))
        assert plan.finished_context == told


DONE = CompletedTask(type=TaskType.NORMAL, description="read b.md.", status=TaskStatus.SUCCESS, context="")


@pytest.mark.parametrize(
    ("changes", "taken"),
    [
        ({"finished": finished()}, True),
        ({}, False),
        ({"finished": finished(TaskStatus.FAILED)}, False),
        ({"finished": finished(), "barren_rounds": 1}, False),
        ({"finished": finished(), "completed_tasks": (DONE,)}, False),
    ],
    ids=["in order", "nothing finished", "failed", "nothing new", "done by itself"],
)
def test_what_was_planned_ahead_is_taken_while_nothing_comes_between(changes: dict[str, Any], taken: bool) -> None:
    first, second = (Task(type=TaskType.NORMAL, description=f"Read {name}", query=name) for name in ("b.md", "c.md"))
    plan = ahead((first, second), given(**changes))
    assert (plan is not None) == taken
    if plan and plan.next_task:
        assert (plan.next_task.query, [task.query for task in plan.then]) == ("b.md", ["c.md"])
        assert plan.finished_context == "Condor has 1,121."
    assert ahead((), given(**changes)) is None
