"""The planning agent: what the model is shown of task and memory, and what must hold whatever it answers."""

from __future__ import annotations

from typing import Any

import pytest

from memorybank.memory.contracts import FinishedTask, KnownMemory, PlanningInput
from memorybank.memory.types import CompletedTask, Lang, NodeId, TaskStatus, TaskType
from memorybank.prompts import say
from tests.engines.llm.scripted import Bench

GOAL = "How many qubits has IBM's Condor and when was it shown?"
SEARCH = {"description": "Find when IBM showed Condor", "query": "IBM Condor date", "final": False}
FINAL = SEARCH | {"description": "Put together what is known on Condor", "final": True}


def finished(status: TaskStatus = TaskStatus.SUCCESS, **changes: Any) -> FinishedTask:
    values: dict[str, Any] = {
        "type": TaskType.NORMAL,
        "description": "Find the number of qubits",
        "status": status,
        "answer": "Condor has 1,121 qubits [ibm.md]. It was shown in New York.\n\nMore follows.\n\nAnd more.",
    }
    return FinishedTask(**values | changes)


def given(**changes: Any) -> PlanningInput:
    return PlanningInput(**{"task_goal": GOAL, "memory_size": 1} | changes)


def answer(task: object, **changes: object) -> dict[str, object]:
    learnt = "Condor has 1,121 qubits."
    return {"reasoning": "The date is missing.", "finished_context": learnt, "next_task": task} | changes


def memory(topic: str, summary: str = "A fact.", **changes: Any) -> KnownMemory:
    return KnownMemory(id=NodeId(topic), summary=summary, context=topic, keywords=(), **changes)


def test_the_models_plan_is_taken() -> None:
    bench = Bench([answer(SEARCH)])
    known = (memory("Heron", "It has 133 qubits."),)
    output = bench.engine.planning.run(given(finished=finished(), rounds_left=9, memories=known, memory_size=7))
    assert "Memories: 7, of which 1 are shown." in bench.prompts[0]
    assert output.reasoning == "The date is missing."
    assert output.finished_context == "Condor has 1,121 qubits."
    assert output.next_task.description == SEARCH["description"]
    assert output.next_task.query == "IBM Condor date"
    assert bench.notes == []
    assert bench.chat.requests[0].temperature == 0.6


@pytest.mark.parametrize(("task", "kept"), [(SEARCH, ["1", "2", "3", "4", "5", "6"]), (FINAL, []), (None, [])])
def test_what_is_planned_ahead_are_six_tasks_that_were_not_done_and_none_behind_the_answer(
    task: object, kept: list[str]
) -> None:
    done = {"description": "Find the number of qubits.", "query": "0"}
    listed = [done, *({"description": f"Read {number}.md", "query": str(number)} for number in range(1, 9))]
    output = Bench([answer(task, then=listed)]).engine.planning.run(given(finished=finished()))
    assert [each.query for each in output.then] == kept


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_what_was_known_the_sentences_that_bear_on_the_goal_are_shown_and_all_of_what_is_new(lang: Lang) -> None:
    condor = (
        "Condor is a chip. " + "It was cooled in a large cryostat. " * 12 + "It has 1,121 qubits and was shown. Bye."
    )
    willow = "It has 105 qubits. " + "Of its cooling little is known. " * 8
    memories = memory("Heron", "It has 133 qubits.", rank=1), memory("Condor", condor, sources="ibm.md", rank=0)
    new = (memory("Willow", willow, sources="google.md", is_new=True),)
    shown = []
    for last in (None, finished()):
        for long in (memories, (*memories, memory("Laboratory", "A wall was painted blue. " * 2_000, rank=2))):
            bench = Bench([answer(SEARCH)], context=5_000)
            bench.engine.planning.run(given(memories=(*long, *new), finished=last, memory_size=3, lang=lang))
            shown.append(bench.prompts[0])
    whole, at_first, whole_later, later = shown
    assert all(
        prompt.count("cryostat") == 12 and prompt.count("little is known") == 8 for prompt in (whole, whole_later)
    )
    assert "…" not in whole + whole_later, "nothing is cut while all of it fits"
    assert all(prompt.index("133") < prompt.index("1,121") for prompt in shown), "in the order in which they came"
    assert at_first.count("cryostat") == 12
    assert "105" not in at_first, "what is new and not near the goal stands by its topic"
    assert all(number in later for number in ("1,121", "133"))
    assert later.count("little is known") == 8
    assert later.count("cryostat") < 12
    assert "…" in later
    assert all(topic in prompt for topic in ("Condor", "Heron", "Willow", "ibm.md", "google.md") for prompt in shown)


LAST = {"rounds_left": 1}
FAILED, DONE = TaskStatus.FAILED, "find when IBM showed Condor."
PLANS: dict[str, tuple[object, dict[str, Any], dict[str, Any], str]] = {
    "no answer yet": (None, {}, {"final": True, "query": GOAL}, "corrected_unanswered"),
    "last round": (SEARCH, {"finished": finished(FAILED, final=True), **LAST}, {"final": True}, "corrected_last_round"),
    "nothing new once": (SEARCH, {"barren_rounds": 1}, {"final": False}, ""),
    "just done": (SEARCH, {"finished": finished(description=DONE)}, {"final": True}, "corrected_repeated"),
    "failed once": (SEARCH, {"finished": finished(FAILED, description=DONE)}, {"final": False}, ""),
    "a check, which is not the model's to plan": (
        SEARCH | {"type": "CROSS_VALIDATE", "conflicts": [0]},
        {},
        {"type": TaskType.NORMAL, "conflict_ids": ()},
        "",
    ),
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(("task", "changes", "planned", "corrected"), PLANS.values(), ids=PLANS)
def test_what_must_hold_holds_whatever_is_answered(
    task: object, changes: dict[str, Any], planned: dict[str, Any], corrected: str, lang: Lang
) -> None:
    bench = Bench([answer(task)])
    output = bench.engine.planning.run(given(lang=lang, **changes))
    assert {name: getattr(output.next_task, name) for name in planned} == planned
    assert output.reasoning == "\n".join(["The date is missing.", *([say(corrected, lang)] if corrected else [])])
    assert len(bench.prompts) == 1


def test_where_nothing_is_known_or_there_is_nothing_left_to_look_for_nobody_is_asked() -> None:
    bench = Bench([answer(SEARCH)])
    explore = bench.engine.planning.run(given(memory_size=0))
    assert (explore.next_task.query, explore.next_task.final) == (GOAL, False)
    for nothing_left in ({"barren_rounds": 3}, {"is_settled": True}):
        output = bench.engine.planning.run(given(finished=finished(), **nothing_left))
        assert output.next_task.final
        assert output.finished_context.startswith("Condor has 1,121 qubits")
    assert bench.prompts == []


def test_a_failed_answer_is_tried_once_more_and_not_again() -> None:
    first = Bench([answer(FINAL)]).engine.planning.run(given()).next_task
    assert first.description == f"Answer the goal: {FINAL['description']}", "the goal itself is not repeated"
    failed = finished(TaskStatus.FAILED, description=first.description, failure="calls", answer="", final=True)
    again = Bench([answer(FINAL)]).engine.planning.run(given(finished=failed)).next_task
    assert again.final
    described = first.description
    past = CompletedTask(type=TaskType.NORMAL, description=described, status=TaskStatus.FAILED, context="It failed.")
    output = Bench([answer(FINAL)]).engine.planning.run(given(finished=failed, completed_tasks=(past,)))
    assert output.next_task is None
    assert "corrected" in output.reasoning
    assert Bench([answer(None)]).engine.planning.run(given(finished=failed)).next_task is None


def test_what_a_task_taught_is_never_empty() -> None:
    output = Bench([answer(SEARCH, finished_context="")]).engine.planning.run(given(finished=finished()))
    assert output.finished_context == "Condor has 1,121 qubits [ibm.md]. It was shown in New York. More follows."
    assert Bench([answer(SEARCH)]).engine.planning.run(given()).finished_context == ""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_of_a_check_the_planner_is_told_what_was_not_decided_and_why_in_place_of_its_answer(lang: Lang) -> None:
    why = "c1: checked and not decided: no quote stands in its source."
    done = finished(type=TaskType.CROSS_VALIDATE, outcomes=(why, "c2: checked."))
    bench = Bench([answer(SEARCH)])
    bench.engine.planning.run(given(finished=done, lang=lang))
    (prompt,) = bench.prompts
    assert f"{why}\nc2: checked." in prompt
    assert "1,121" not in prompt
    assert say("status_success", lang) not in prompt


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_long_past_shrinks_to_lines_and_then_to_a_count(lang: Lang) -> None:
    kind, taught = {"type": TaskType.NORMAL, "status": TaskStatus.SUCCESS}, "which takes quite a few words to say."
    texts = [(f"Task {n} of many", f"It taught fact {n}, {taught}") for n in range(300)]
    done = tuple(CompletedTask(**kind, description=text, context=context) for text, context in texts)  # type: ignore[arg-type]
    nodes = tuple(memory(f"topic {n}", "A fact. " * 60, is_new=n > 40, rank=n) for n in range(80))
    told = {"completed_tasks": done, "memories": nodes, "finished": finished(answer="It says so. " * 3_000)}
    bench = Bench([answer(SEARCH)], context=5_000)
    assert bench.engine.planning.run(given(task_goal=f"{GOAL} " * 300, lang=lang, **told)).next_task is not None
    assert max(bench.sizes()) <= 5_000
    (prompt,) = bench.prompts
    assert "Task 299 of many" in prompt
    assert "Task 0 of many" not in prompt
    shown = sum(f"Task {n} of many" in prompt for n in range(300))
    whole = sum(f"taught fact {n}," in prompt for n in range(300))
    assert 0 < whole < shown < 300
    assert str(300 - shown) in prompt
    assert f"{shown - whole} " in prompt
