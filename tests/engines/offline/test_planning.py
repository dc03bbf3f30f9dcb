"""The offline planner: conflicts first, then images, then each part of the goal once, then the answer."""

from __future__ import annotations

import pytest

from memorybank.engines.offline.planning import OfflinePlanning, aspects
from memorybank.memory.contracts import FinishedTask, OpenConflict, PlanningInput, StagedImageInfo
from memorybank.memory.types import CompletedTask, Lang, TaskStatus, TaskType

GOAL = "What did Google's Willow chip achieve, how many qubits does it have and when was it announced?"


GOAL_PARTS = [
    "What did Google's Willow chip achieve",
    "how many qubits does it have (Google's Willow)",
    "when was it announced (Google's Willow)",
]


@pytest.mark.parametrize(
    ("goal", "lang", "parts"),
    [
        (GOAL, "en", GOAL_PARTS),
        ("Who built the Hooker telescope?", "en", ["Who built the Hooker telescope"]),
        (
            "Compare lithium iron phosphate and NMC batteries.",
            "en",
            ["Compare lithium iron phosphate and NMC batteries"],
        ),
        ("韦布望远镜何时发射、主镜直径是多少？", "zh", ["韦布望远镜何时发射", "主镜直径是多少 (韦布望远镜)"]),
        (
            "谷歌的Willow芯片有多少个量子比特，何时发布？",
            "zh",
            ["谷歌的Willow芯片有多少个量子比特", "何时发布 (Willow)"],
        ),
        ("比较磷酸铁锂、三元锂和钠离子电池的能量密度", "zh", ["比较磷酸铁锂、三元锂和钠离子电池的能量密度"]),
        ("文革期间，马飚从事什么工作？", "zh", ["文革期间，马飚从事什么工作"]),
        ("???", "en", ["???"]),
    ],
)
def test_a_goal_is_taken_apart_and_its_names_carried_over(goal: str, lang: Lang, parts: list[str]) -> None:
    assert aspects(goal, lang) == parts


def given(**changes: object) -> PlanningInput:
    return PlanningInput.model_validate({"task_goal": GOAL, **changes})


def planned(**changes: object) -> object:
    return OfflinePlanning().run(given(**changes)).next_task


def test_a_whole_goal_is_worked_through_and_ends() -> None:
    completed: tuple[CompletedTask, ...] = ()
    finished: FinishedTask | None = None
    asked = []
    for _ in range(10):
        plan = OfflinePlanning().run(given(completed_tasks=completed, finished=finished))
        if finished:
            done = CompletedTask(
                type=finished.type,
                description=finished.description,
                status=finished.status,
                context=plan.finished_context,
            )
            completed = (*completed, done)
        if plan.next_task is None:
            break
        asked.append(plan.next_task)
        finished = FinishedTask(
            type=plan.next_task.type,
            description=plan.next_task.description,
            status=TaskStatus.SUCCESS,
            answer="On it:\n- It has 105 qubits. [willow.md]",
            final=plan.next_task.final,
        )
    assert [task.final for task in asked] == [False, False, False, True]
    assert len({task.description for task in asked}) == 4
    assert completed[0].context == "It has 105 qubits. [willow.md]"


def test_the_first_group_of_conflicts_comes_first_whole() -> None:
    conflicts = [
        OpenConflict(id="c1", description="105 or 98 qubits", group=0),
        OpenConflict(id="c2", description="another thing", group=1),
        OpenConflict(id="c3", description="98 or 72 qubits", group=0),
    ]
    image = StagedImageInfo(id="i1", name="a.png")
    task = planned(open_conflicts=conflicts, staged_images=[image])
    assert (task.type, task.conflict_ids) == (TaskType.CROSS_VALIDATE, ("c1", "c3"))
    task = planned(staged_images=[image])
    assert (task.type, task.image_ids, task.final) == (TaskType.NORMAL, ("i1",), False)


def test_conflicts_on_one_matter_are_planned_as_one() -> None:
    qubits, year = "“Willow”: 105 qubits (a.md) or 98 qubits (b.md)", "“Willow” (announced): 2023 or 2024"
    conflicts = [
        OpenConflict(id="c1", description="one", disputes=(qubits, year), group=0),
        OpenConflict(id="c2", description="two", disputes=(qubits,), group=0),
    ]
    task = planned(open_conflicts=conflicts)
    assert task.description.endswith(f"c1, c2: {qubits}; c1: {year}")


def test_it_stops_searching_when_rounds_run_out_not_because_a_part_brought_nothing() -> None:
    assert not planned(barren_rounds=4).final
    assert planned(rounds_left=1).final
    assert planned(rounds_left=0) is None
    assert planned(task_goal="") is None


def test_a_failed_task_is_reported_once_and_does_not_block_the_end() -> None:
    failed = FinishedTask(
        type=TaskType.NORMAL, description="answer", status=TaskStatus.FAILED, failure="no tool", final=True
    )
    plan = OfflinePlanning().run(given(finished=failed))
    assert plan.finished_context == "Failed: no tool"
    assert plan.next_task is None
