"""The offline planner: each part of the goal once, then the answer."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.embedding.hashed import HashedNgrams
from memorybank.engines.offline.planning import OfflinePlanning, aspects
from memorybank.engines.tasks import decided
from memorybank.memory.contracts import FinishedTask, PlanningInput
from memorybank.memory.types import CompletedTask, Lang, TaskStatus, TaskType

GOAL = "What did Google's Willow chip achieve, how many qubits does it have and when was it announced?"


WILLOW = "(Google's Willow chip)"
GOAL_PARTS = [
    "What did Google's Willow chip achieve",
    f"how many qubits does it have {WILLOW}",
    f"when was it announced {WILLOW}",
]


@pytest.mark.parametrize(
    ("goal", "lang", "parts"),
    [
        (GOAL, "en", GOAL_PARTS),
        ("Who built the Hooker telescope?", "en", ["Who built the Hooker telescope"]),
        ("Compare lithium and NMC batteries.", "en", ["Compare lithium and NMC batteries"]),
        ("韦布望远镜何时发射、主镜直径是多少？", "zh", ["韦布望远镜何时发射", "主镜直径是多少 (韦布望远镜)"]),
        ("谷歌的Willow芯片有多少比特，何时发布？", "zh", ["谷歌的Willow芯片有多少比特", "何时发布 (谷歌的Willow芯片)"]),
        ("比较磷酸铁锂、三元锂和钠离子电池的能量密度", "zh", ["比较磷酸铁锂、三元锂和钠离子电池的能量密度"]),
        ("文革期间，马飚从事什么工作？", "zh", ["文革期间，马飚从事什么工作"]),
        ("石蟾坝有多高？鱼能不能过坝？", "zh", ["石蟾坝有多高", "鱼能不能过坝 (石蟾坝)"]),
        ("青雀一号有多重？现在它还有没有信号？", "zh", ["青雀一号有多重", "现在它还有没有信号 (青雀一号)"]),
        ("石门渡大桥何时建成，桥有多长？", "zh", ["石门渡大桥何时建成", "桥有多长 (石门渡大桥)"]),
        ("清河造纸厂何时成立，厂长是谁？", "zh", ["清河造纸厂何时成立", "厂长是谁 (清河造纸厂)"]),
        ("电视节目主持人是哪位，人民日报何时创刊？", "zh", ["电视节目主持人是哪位", "人民日报何时创刊"]),
        ("白沙纸业2021年的产量是多少，厂长是谁？", "zh", ["白沙纸业2021年的产量是多少", "厂长是谁 (白沙纸业)"]),
        ("鼓楼建于哪一年，有几层？由谁验收？", "zh", ["鼓楼建于哪一年", "有几层 (鼓楼)", "由谁验收 (鼓楼)"]),
        (
            "How old is the Dell mill, and when is it open?",
            "en",
            ["How old is the Dell mill", "when is it open (Dell mill)"],
        ),
        ("???", "en", ["???"]),
    ],
)
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
