"""batch, from the command line: runs, rows, what goes on and what is left alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memorybank.batch.results import ResultsFile, TaskRow, read_results
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import SerialScheduler, Stopping, run_task
from memorybank.commands import batching
from memorybank.runs.run_folder import JOURNAL, load, state_at
from tests.batch.making import HASHED, PLAN, RESERVOIR, documents, line, task_file
from tests.command_line import memorybank


@pytest.fixture(autouse=True)
def in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    """One task after the other, in this process: what runs side by side is proven in test_local.py."""
    monkeypatch.setattr(batching, "_scheduler", lambda *_: SerialScheduler())


@pytest.fixture
def lines(tmp_path: Path) -> list[dict[str, Any]]:
    documents(tmp_path)
    return [
        line("ferry", context=["corpus/ferry.md", "corpus/harbour.md"], expect=[240, "310"]),
        line("水库", RESERVOIR, context=["corpus/水库.md"], expect=4200),
        line("wrong", expect="a whale"),
    ]


def test_a_batch_is_run_folders_and_rows_in_both_languages(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    out = tmp_path / "out"
    done = memorybank("batch", task_file(tmp_path, lines), "--out", out, *HASHED, "--json")
    assert done.returncode == 0, done.stderr
    printed = json.loads(done.stdout)
    rows = {row.id: row for row in read_results(out).values()}
    assert [row["id"] for row in printed["rows"]] == list(rows) == ["ferry", "水库", "wrong"]
    assert [row.expected for row in rows.values()] == [True, True, False]
    assert "4200万立方米" in rows["水库"].answer
    assert state_at(load(out / "runs" / "水库")).settings.lang == "zh"  # type: ignore[union-attr]
    for row in rows.values():
        bank = state_at(load(out / "runs" / row.id))
        assert (row.outcome, row.answer, row.nodes) == (
            bank.progress.result,
            bank.progress.answer,
            len(bank.graph.nodes),
        )
        assert row.calls > 0
        assert row.seconds > 0
    assert sum(rows["ferry"].conflicts.values()) == 1


def test_again_touches_nothing_that_is_finished(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    out, tasks = tmp_path / "out", task_file(tmp_path, lines[:2])
    command = ("batch", tasks, "--out", out, *HASHED)
    memorybank(*command)
    before = {path: path.stat().st_mtime_ns for path in (out / "runs").rglob("*") if path.is_file()}
    task_file(tmp_path, lines)
    assert memorybank(*command).returncode == 0
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert list(read_results(out)) == [("ferry", "bank"), ("水库", "bank"), ("wrong", "bank")]
    (out / "results.jsonl").unlink()
    assert memorybank(*command).returncode == 0
    assert before == {path: path.stat().st_mtime_ns for path in before}, "the folders say what was done"
    assert len(read_results(out)) == 3


def test_a_failing_task_is_its_own_and_is_tried_again(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    (tmp_path / "corpus" / "bad.pdf").write_bytes(b"%PDF-1.7 nothing")
    out, tasks = tmp_path / "out", task_file(tmp_path, [line("bad", context=["corpus/bad.pdf"]), lines[0]])
    done = memorybank("batch", tasks, "--out", out, *HASHED)
    assert done.returncode == 1
    rows = {row.id: row for row in read_results(out).values()}
    assert (rows["bad"].outcome, rows["ferry"].ended) == ("failed", True)
    assert "bad.pdf" in rows["bad"].error
    assert rows["bad"].error_zh != rows["bad"].error
    (tmp_path / "corpus" / "bad.pdf").write_bytes((tmp_path / "corpus" / "ferry.md").read_bytes())
    (tmp_path / "corpus" / "bad.pdf").rename(tmp_path / "corpus" / "good.md")
    again = memorybank("batch", tasks, "--out", out, *HASHED)
    assert (again.returncode, "line 1" in again.stderr) == (2, True), "the file that it names is gone"


@pytest.mark.parametrize("left", ["nothing", "an empty journal"])
def test_a_task_that_is_asked_to_stop_before_it_begins_is_stopped_not_failed(
    tmp_path: Path, lines: list[dict[str, Any]], left: str
) -> None:
    (task,) = read_tasks(task_file(tmp_path, lines[:1]))
    folder = tmp_path / "run"
    if left == "an empty journal":
        folder.mkdir()
        (folder / JOURNAL).touch()
    stopping = Stopping()
    stopping.ask()
    row = run_task(task, folder, PLAN, stopping=stopping)
    assert (row.outcome, row.error) == ("stopped", "")
    assert run_task(task, folder, PLAN).ended, "and is gone on with"


def test_other_settings_or_tasks_are_refused(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    command = ("batch", task_file(tmp_path, lines[2:]), "--out", tmp_path / "out", *HASHED)
    memorybank(*command)
    for change, words in (
        ("--set RETRIEVAL_K=3", "other settings"),
        ("--preset v3", "other settings"),
        ("--set LLM_API_KEY=abc", "is a secret"),
        ("--set RETRIEVAL_K", "NAME=VALUE"),
    ):
        done = memorybank(*command, *change.split())
        assert (done.returncode, words in done.stderr, "abc" in done.stderr) == (2, True, False), done.stderr
    task_file(tmp_path, [{**lines[2], "task": "When was it launched?"}])
    done = memorybank(*command)
    assert (done.returncode, "'wrong'" in done.stderr) == (2, True)


def test_bad_lines_are_told_and_nothing_is_begun(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    tasks = task_file(tmp_path, [*lines, line("ferry"), {"id": "x"}])
    done = memorybank("batch", tasks, "--out", tmp_path / "out", *HASHED)
    assert done.returncode == 2
    assert [words in done.stderr for words in ("line 4: ", "line 5: ", "2 of its lines")] == [True] * 3
    assert not (tmp_path / "out").exists()


def test_a_folder_that_holds_something_else_is_refused(tmp_path: Path, lines: list[dict[str, Any]]) -> None:
    tasks = task_file(tmp_path, lines[2:])
    (tmp_path / "taken" / "runs").mkdir(parents=True)
    assert memorybank("batch", tasks, "--out", tmp_path / "taken", *HASHED).returncode == 2
    assert memorybank("batch", tasks, "--out", tasks, *HASHED).returncode == 2


def test_a_torn_last_row_is_passed_over_and_cut_off(tmp_path: Path) -> None:
    with ResultsFile(tmp_path) as results:
        results.append(TaskRow(id="a", outcome="failed", error="x"))
        results.append(TaskRow(id="a", outcome="complete", answer="y"))
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"id": "b", "outc')
    assert {key: row.answer for key, row in read_results(tmp_path).items()} == {("a", "bank"): "y"}
    with ResultsFile(tmp_path) as results:
        results.append(TaskRow(id="b", system="plain", outcome="complete"))
    assert list(read_results(tmp_path)) == [("a", "bank"), ("b", "plain")]
