from __future__ import annotations

from typing import Any

import pytest

from memorybank.engines.llm.shortening import condensed, shortened
from memorybank.errors import AgentError
from memorybank.memory.contracts import FinishedTask, NodeInfo, OpenConflict, PlanningInput, StagedImageInfo
from memorybank.memory.types import CompletedTask, ConflictId, ImageId, Lang, TaskStatus, TaskType
from memorybank.prompts import say
from tests.engines.llm.scripted import Bench

GOAL = "How many qubits has IBM's Condor and when was it shown?"
SEARCH = {
    "type": "NORMAL",
    "description": "Find when IBM showed Condor",
    "conflicts": [],
    "images": [],
    "query": "IBM Condor date",
    "final": False,
}
FINAL = SEARCH | {"description": "Put together what is known on Condor", "final": True}
CONFLICTS = (
    OpenConflict(id=ConflictId("c7"), description="Condor: 1,121 or 433 qubits", group=0),
    OpenConflict(id=ConflictId("c9"), description="Condor: 433 or 127 qubits", group=0),
    OpenConflict(id=ConflictId("c8"), description="Tianyan: 504 or 176 qubits", group=1),
)
IMAGES = (StagedImageInfo(id=ImageId("i3"), name="chart.png"), StagedImageInfo(id=ImageId("i5"), name="photo.jpg"))


def finished(status: TaskStatus = TaskStatus.SUCCESS, **changes: Any) -> FinishedTask:
    values: dict[str, Any] = {
        "type": TaskType.NORMAL,
        "description": "Find the number of qubits",
        "status": status,
        "answer": "Condor has 1,121 qubits [ibm.md]. It was shown in New York. More follows.",
    }
    return FinishedTask(**values | changes)


def given(**changes: Any) -> PlanningInput:
    return PlanningInput(**{"task_goal": GOAL} | changes)


def answer(task: object, **changes: object) -> dict[str, object]:
    return {
        "reasoning": "The date is missing.",
        "finished_context": "Condor has 1,121 qubits.",
        "next_task": task,
    } | changes


def test_the_models_plan_is_taken() -> None:
    bench = Bench([answer(SEARCH)])
    node = NodeInfo(summary="Condor has 1,121 qubits.", context="IBM's Condor", keywords=("Condor",))
    done = CompletedTask(
        type=TaskType.NORMAL, description="Read ibm.md", status=TaskStatus.SUCCESS, context="It speaks of Condor."
    )
    output = bench.engine.planning.run(
        given(finished=finished(), new_nodes=(node,), completed_tasks=(done,), memory_size=4, rounds_left=9)
    )
    assert output.reasoning == "The date is missing."
    assert output.finished_context == "Condor has 1,121 qubits."
    assert output.next_task.description == SEARCH["description"]
    assert output.next_task.query == "IBM Condor date"
    assert bench.notes == []
    (prompt,) = bench.prompts
    for part in (
        GOAL,
        "It speaks of Condor.",
        "Find the number of qubits",
        "IBM's Condor: Condor has",
        "Rounds left: 9",
    ):
        assert part in prompt
    assert bench.chat.requests[0].temperature == 0.6


def test_conflicts_go_by_small_integers_and_a_whole_group_at_a_time() -> None:
    task = SEARCH | {"type": "cross validate", "conflicts": ["1", 12], "description": "Check Condor's qubits"}
    bench = Bench([answer(task)])
    output = bench.engine.planning.run(given(open_conflicts=CONFLICTS))
    assert output.next_task.type is TaskType.CROSS_VALIDATE
    assert output.next_task.conflict_ids == ("c7", "c9")
    assert output.next_task.description == "Check Condor's qubits"
    assert bench.notes == ["planning: unknown conflict 12"]
    (prompt,) = bench.prompts
    assert "[1] group 0: Condor: 433 or 127" in prompt
    assert "c9" not in prompt


def search(description: str = "", status: TaskStatus = TaskStatus.SUCCESS) -> dict[str, Any]:
    """The round before looked this up."""
    return {"finished": finished(status, description=description)}


CHECK = SEARCH | {"type": "CROSS_VALIDATE", "conflicts": [5]}
CONFLICT_FIRST = {"conflict_ids": ("c7", "c9")}
IMAGES_FIRST = {"image_ids": ("i3", "i5"), "final": False}
ANSWERED = {"finished": finished(final=True)}
LAST, WAITING = {"rounds_left": 1}, {"staged_images": IMAGES}
BOTH = {"open_conflicts": CONFLICTS, **WAITING}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("task", "changes", "planned", "corrected"),
    [
        pytest.param(None, BOTH, CONFLICT_FIRST, "corrected_conflicts", id="open conflicts, and nothing answered"),
        pytest.param({}, BOTH, CONFLICT_FIRST, "corrected_conflicts", id="open conflicts, an empty task"),
        pytest.param(SEARCH, BOTH, CONFLICT_FIRST, "corrected_conflicts", id="open conflicts, a search"),
        pytest.param(FINAL, BOTH, CONFLICT_FIRST, "corrected_conflicts", id="open conflicts, the answer"),
        pytest.param(CHECK, BOTH, CONFLICT_FIRST, "corrected_conflicts", id="open conflicts, an unknown conflict"),
        pytest.param(
            SEARCH | {"images": [0]}, BOTH, CONFLICT_FIRST, "corrected_conflicts", id="open conflicts, an image"
        ),
        pytest.param(SEARCH | {"images": [1], "final": True}, WAITING, IMAGES_FIRST, "", id="one image named"),
        pytest.param(SEARCH, WAITING, IMAGES_FIRST, "corrected_images", id="images, a search"),
        pytest.param(FINAL, WAITING, IMAGES_FIRST, "corrected_images", id="images, the answer"),
        pytest.param(None, WAITING, IMAGES_FIRST, "corrected_images", id="images, nothing"),
        pytest.param(None, {}, {"final": True, "query": GOAL}, "corrected_unanswered", id="no answer yet"),
        pytest.param(SEARCH, ANSWERED, None, "corrected_answered", id="answered, a search"),
        pytest.param(None, {**ANSWERED, **WAITING}, IMAGES_FIRST, "corrected_images", id="the answer met images"),
        pytest.param(None, {**ANSWERED, **WAITING, **LAST}, None, "", id="the answer met images in the last round"),
        pytest.param(None, ANSWERED, None, "", id="answered"),
        pytest.param(SEARCH, LAST, {"final": True}, "corrected_last_round", id="the last round"),
        pytest.param(SEARCH, {**LAST, **BOTH}, {"final": True}, "corrected_last_round", id="the last round with both"),
        pytest.param(
            CHECK | {"conflicts": [0]}, {**LAST, **BOTH}, {"final": True}, "corrected_unanswered", id="too late"
        ),
        pytest.param(SEARCH, {"rounds_left": 0}, None, "corrected_no_rounds", id="no round left"),
        pytest.param(SEARCH, {"barren_rounds": 3}, {"final": True}, "corrected_barren", id="nothing new for long"),
        pytest.param(SEARCH, {"barren_rounds": 1}, {"final": False}, "", id="nothing new once"),
        pytest.param(
            SEARCH, search("find when IBM showed Condor."), {"final": True}, "corrected_repeated", id="just done"
        ),
        pytest.param(SEARCH, search(SEARCH["description"], TaskStatus.FAILED), {"final": False}, "", id="failed once"),
        pytest.param(
            SEARCH | {"type": "交叉验证", "conflicts": [0]},
            {},
            {"type": TaskType.NORMAL, "conflict_ids": ()},
            "",
            id="a check of nothing",
        ),
    ],
)
def test_what_must_come_first_comes_first_whatever_is_answered(
    task: object, changes: dict[str, Any], planned: dict[str, Any] | None, corrected: str, lang: Lang
) -> None:
    bench = Bench([answer(task)])
    output = bench.engine.planning.run(given(lang=lang, **changes))
    made = output.next_task
    assert (None if made is None else {name: getattr(made, name) for name in planned or ()}) == planned
    assert output.reasoning == "\n".join(["The date is missing.", *([say(corrected, lang)] if corrected else [])])
    assert len(bench.prompts) == 1
    if planned == CONFLICT_FIRST and made is not None:
        assert "1,121 or 433" in made.description


def test_a_number_that_names_no_conflict_is_noted() -> None:
    bench = Bench([answer(CHECK)])
    bench.engine.planning.run(given())
    assert "planning: unknown conflict 5" in bench.notes
    assert any("counts as a normal task" in note for note in bench.notes)


def test_a_failed_answer_is_tried_once_more_and_not_again() -> None:
    first = Bench([answer(FINAL)]).engine.planning.run(given()).next_task
    assert first.description.startswith(f"Answer the goal: {GOAL}")
    failed = finished(TaskStatus.FAILED, description=first.description, failure="calls", answer="", final=True)
    again = Bench([answer(FINAL)]).engine.planning.run(given(finished=failed)).next_task
    assert again.final
    past = CompletedTask(
        type=TaskType.NORMAL, description=first.description, status=TaskStatus.FAILED, context="It failed."
    )
    output = Bench([answer(FINAL)]).engine.planning.run(given(finished=failed, completed_tasks=(past,)))
    assert output.next_task is None
    assert "corrected" in output.reasoning
    assert Bench([answer(None)]).engine.planning.run(given(finished=failed)).next_task is None


def test_what_a_task_taught_is_never_empty() -> None:
    output = Bench([answer(SEARCH, finished_context="")]).engine.planning.run(given(finished=finished()))
    assert output.finished_context == "Condor has 1,121 qubits [ibm.md]. It was shown in New York."
    assert Bench([answer(SEARCH)]).engine.planning.run(given()).finished_context == ""


@pytest.mark.parametrize(("lang", "line"), [("en", "[{}] group {}: {}"), ("zh", "[{}] 第 {} 组：{}")])
def test_a_dispute_is_one_line_with_its_sources_and_its_number_stands_for_its_whole_group(
    lang: Lang, line: str
) -> None:
    qubits, year = "“Condor”: 1,121 qubits (a.md, c.md) or 433 qubits (b.md)", "“Condor” (announced): 2023 or 2022"
    conflicts = (
        OpenConflict(id=ConflictId("c1"), description="first", disputes=(qubits, year), group=0),
        OpenConflict(id=ConflictId("c2"), description="second", disputes=(qubits,), group=0),
        OpenConflict(id=ConflictId("c3"), description="third", group=1),
        OpenConflict(id=ConflictId("c4"), description="fourth", disputes=(qubits,), group=1),
    )
    check = SEARCH | {"type": "CROSS_VALIDATE", "conflicts": [0]}
    bench = Bench([answer(check)])
    task = bench.engine.planning.run(given(open_conflicts=conflicts, lang=lang)).next_task
    assert task.conflict_ids == ("c1", "c2")
    (prompt,) = bench.prompts
    for number, (group, text) in enumerate([(0, qubits), (0, year), (1, "third")]):
        assert prompt.count(line.format(number, group, text)) == 1
        assert prompt.count(text) == 1
    assert not [word for word in ("first", "second", "fourth") if f"：{word}" in prompt or f": {word}" in prompt]


def test_without_anything_to_plan_for_nothing_is_asked() -> None:
    bench = Bench([answer(SEARCH)])
    assert bench.engine.planning.run(PlanningInput(task_goal="")).next_task is None
    assert bench.chat.requests == []


def test_a_task_without_words_is_no_answer() -> None:
    with pytest.raises(AgentError):
        Bench([answer(SEARCH | {"description": ""})]).engine.planning.run(given())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_long_past_shrinks_to_lines_and_then_to_a_count(lang: Lang) -> None:
    done = tuple(
        CompletedTask(
            type=TaskType.NORMAL,
            description=f"Task {n} of many",
            status=TaskStatus.SUCCESS,
            context=f"It taught fact {n}, which takes quite a few words to say.",
        )
        for n in range(300)
    )
    nodes = tuple(NodeInfo(summary="A fact. " * 60, context=f"topic {n}", keywords=()) for n in range(80))
    bench = Bench([answer(SEARCH)], context=5_000)
    output = bench.engine.planning.run(
        given(
            task_goal=f"{GOAL} " * 300,
            completed_tasks=done,
            new_nodes=nodes,
            finished=finished(answer="It says so. " * 3_000),
            new_merges=("Two memories were united. " * 10,) * 30,
            open_conflicts=tuple(
                OpenConflict(id=ConflictId(f"c{n}"), description="This differs from that. " * 30, group=n)
                for n in range(50)
            ),
            lang=lang,
        )
    )
    assert output.next_task is not None
    assert max(bench.sizes()) <= 5_000
    (prompt,) = bench.prompts
    assert "Task 299 of many" in prompt
    assert "Task 0 of many" not in prompt
    shown = sum(f"Task {n} of many" in prompt for n in range(300))
    whole = sum(f"taught fact {n}," in prompt for n in range(300))
    assert 0 < whole < shown < 300
    assert str(300 - shown) in prompt
    assert f"{shown - whole} " in prompt


def test_condensing_keeps_the_newest_whole() -> None:
    items = [(f"{n} " * 10, f"{n}") for n in range(6)]
    assert condensed(items, 1_000, len).lines == [whole for whole, _ in items]
    tight = condensed(items, 25, len)
    assert tight.lines == ["0", "1", "2", "3", "4", "5 " * 10]
    assert (tight.shortened, tight.omitted) == (5, 0)
    least = condensed(items, 3, len)
    assert (least.lines, least.shortened, least.omitted) == (["3", "4", "5"], 3, 3)
    assert condensed([], 0, len) == ([], 0, 0)


def test_shortening_keeps_whole_sentences() -> None:
    assert shortened("One. Two. Three.", 100, len) == ("One. Two. Three.", 0)
    assert shortened("One. Two. Three.", 11, len) == ("One. Two.", 1)
    text, left_out = shortened("Anendlesswordwithoutanystop", 10, len)
    assert text
    assert len(text) <= 10
    assert left_out == 1
