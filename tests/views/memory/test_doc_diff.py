"""The Insight Doc by version: what a stage changed in it, and the difference of any two moments."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memorybank.memory.types import CompletedTask, InsightDoc, Lang, Task, TaskStatus, TaskType
from memorybank.runs.run_folder import load, state_at
from memorybank.views.memory.doc_diff import EMPTY, DocHistory, DocVersion, doc_at, doc_diff
from tests.recorded import recorded_run


def done(description: str) -> CompletedTask:
    return CompletedTask(type=TaskType.NORMAL, description=description, status=TaskStatus.SUCCESS, context="")


def task(description: str) -> Task:
    return Task(type=TaskType.NORMAL, description=description)


def version(*completed: str, now: str = "", answer: str = "", doc_id: str = "d1") -> DocVersion:
    doc = InsightDoc(
        doc_id=doc_id,
        task_goal=f"goal of {doc_id}",
        completed_tasks=tuple(map(done, completed)),
        pending_tasks=(task(now),) if now else (),
    )
    return DocVersion(doc=doc, answer=answer, seq=1)


def changes(before: DocVersion, now: DocVersion) -> list[tuple[str, str, str]]:
    return [(line.part, line.text, line.change) for line in doc_diff(before, now) if line.change]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_doc_at_every_moment_is_the_banks(lang: Lang) -> None:
    records = load(recorded_run(lang).path)
    history = DocHistory()
    for record in records:
        history.take(record)
    seen = []
    for k in range(0, len(records) + 1, 7):
        before, now = history.at(k)
        bank = state_at(records, k)
        assert (now.doc, now.answer) == (bank.doc, bank.progress.answer)
        assert before.seq <= now.seq <= k
        assert doc_at(records, k) == now
        seen.append(now.seq)
    assert len(set(seen)) > 8, "the demo changes its doc often"
    last = history.at(len(records))
    assert any(line.part == "answer" for line in doc_diff(*last))


def test_a_task_that_is_done_moves_and_the_next_one_is_new() -> None:
    found = changes(version("a", now="b"), version("a", "b", now="c"))
    assert found == [("now", "c", "new"), ("done", "b", "new")]


def test_a_plan_that_is_made_anew_takes_the_last_one_back() -> None:
    assert changes(version(now="b"), version(now="c")) == [("now", "c", "new"), ("now", "b", "gone")]


def test_an_answer_comes_and_changes() -> None:
    assert changes(version("a"), version("a", answer="1961")) == [("answer", "1961", "new")]
    (line,) = [line for line in doc_diff(version(answer="1961"), version(answer="1962")) if line.change]
    assert (line.change, line.was, line.text) == ("changed", "1961", "1962")


def test_backwards_what_was_learnt_is_taken_back() -> None:
    assert changes(version("a", "b", answer="x"), version("a")) == [("answer", "x", "gone"), ("done", "b", "gone")]


def test_another_question_begins_another_doc() -> None:
    found = changes(version("a", doc_id="d1"), version(doc_id="d2", now="n"))
    assert found == [("goal", "goal of d2", "changed"), ("now", "n", "new")]


def test_nothing_changed_is_nothing_marked() -> None:
    same = version("a", "b", now="c", answer="x")
    assert changes(same, replace(same, seq=9)) == []
    assert [line.text for line in doc_diff(same, same)] == ["goal of d1", "x", "c", "b", "a"]
    assert doc_diff(EMPTY, EMPTY) == ()
