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


@pytest.mark.parametrize(
    ("before", "now", "found"),
    [
        (version("a", now="b"), version("a", "b", now="c"), [("now", "c", "new"), ("done", "b", "new")]),
        (version(now="b"), version(now="c"), [("now", "c", "new"), ("now", "b", "gone")]),
        (version("a"), version("a", answer="1961"), [("answer", "1961", "new")]),
        (version(answer="1961"), version(answer="1962"), [("answer", "1962", "changed")]),
        (version("a", "b", answer="x"), version("a"), [("answer", "x", "gone"), ("done", "b", "gone")]),
        (version("a"), version(doc_id="d2", now="n"), [("goal", "goal of d2", "changed"), ("now", "n", "new")]),
    ],
    ids=["done", "planned anew", "answered", "answered anew", "backwards", "another question"],
)
def test_what_changed_from_one_version_to_another(
    before: DocVersion, now: DocVersion, found: list[tuple[str, str, str]]
) -> None:
    assert changes(before, now) == found


def test_nothing_changed_is_nothing_marked() -> None:
    same = version("a", "b", now="c", answer="x")
    assert changes(same, replace(same, seq=9)) == []
    assert [line.text for line in doc_diff(same, same)] == ["goal of d1", "x", "c", "b", "a"]
    assert doc_diff(EMPTY, EMPTY) == ()
