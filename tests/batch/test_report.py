"""What a batch says of itself, while it runs and in its table, and of the same agent without the bank."""

from __future__ import annotations

import copy
import csv
import io
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import pytest

from memorybank.batch import means
from memorybank.batch.plan import BatchTask, System
from memorybank.batch.report import as_csv, as_markdown
from memorybank.batch.results import RESULTS, RoleTokens, TaskRow, read_results
from memorybank.batch.store import BATCH, Job, is_live, lines_of, run_folders
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import JobMoved, SerialScheduler, run_task
from memorybank.commands import batching
from memorybank.commands.batching import BatchProgress
from memorybank.errors import InputError
from memorybank.memory.events import AgentCalled, ToolUsed
from memorybank.runs.run_folder import JOURNAL, load, state_at
from memorybank.ui.batch import columns_of, table_box
from memorybank_lab.scripted import Script, ScriptedServer, SeenRequest
from tests.batch.making import FERRY, HASHED, RESERVOIR, documents, line, on_endpoint, task_file
from tests.command_line import memorybank

# -- what a batch says of itself while it runs: what is running, failed and left, and when it may be over -------------


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def moved(id_: str, state: Literal["running", "ended"], outcome: str = "", error: str = "") -> JobMoved:
    job = Job(task=BatchTask(id=id_, task="?"), system="bank", folder=Path(id_))
    row = TaskRow(id=id_, outcome=outcome, error=error, seconds=2) if state == "ended" else None
    return JobMoved(job=job, state=state, row=row)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr(batching.time, "monotonic", lambda: now[0])
    return now


def go_on(progress: BatchProgress, clock: list[float]) -> None:
    for id_ in ("a", "b"):
        progress.moved(moved(id_, "running"))
    clock[0] += 60
    progress.moved(moved("a", "ended", "complete"))
    progress.moved(moved("c", "running"))
    clock[0] += 60
    progress.moved(moved("b", "ended", "failed", "no room on the disk"))


def test_a_line_a_task_says_what_is_left_and_for_how_long(clock: list[float]) -> None:
    stream = io.StringIO()
    with BatchProgress(5, stream) as progress:
        go_on(progress, clock)
    first, failed = stream.getvalue().splitlines()
    assert first == "a: complete, 2.0 s; 1 running, 0 failed, 3 left, about 4 min 00 s to go"
    assert failed == "  x b: no room on the disk; 1 running, 1 failed, 2 left, about 3 min 00 s to go"


def test_a_bar_says_the_same_on_a_terminal(clock: list[float]) -> None:
    stream = Terminal()
    with BatchProgress(5, stream) as progress:
        go_on(progress, clock)
    last = stream.getvalue().rpartition("\r")[2]
    assert "2/5 · 1 running, 1 failed, 2 left [" in last
    assert "  x b: no room on the disk" in stream.getvalue()


# -- the table --------------------------------------------------------------------------------------------------------


def row(id_: str, system: System = "bank", **more: Any) -> TaskRow:
    return TaskRow(**{"id": id_, "system": system, "outcome": "complete", "answer": "240", "seconds": 1.0, **more})


def table(*rows: TaskRow) -> dict[tuple[str, System], TaskRow]:
    return {one.key: one for one in rows}


def test_an_answer_is_no_markup_and_no_formula() -> None:
    hostile = "=HYPERLINK(1) | <b>x</b> [a](http://evil.example)\n# head `code` ![](http://evil.example/p.png)"
    rows = table(row("a", answer=hostile), row("b", outcome="failed", answer="", error="@sum"))
    text = as_markdown("x|y", ["a", "b"], ("bank",), rows)
    cell = next(line for line in text.splitlines() if line.startswith("| a |"))
    for markup in ("<b>", "[a](", "http://", "![", " `code`"):
        assert markup not in cell
    assert cell.count(" | ") == next(line for line in text.splitlines() if line.startswith("| task")).count(" | ")
    assert "1 of 2 runs have ended, 1 failed" in text
    read = list(csv.DictReader(io.StringIO(as_csv(rows))))
    assert (read[0]["answer"], read[1]["error"]) == (f"'{hostile}", "'@sum")


def test_columns_without_a_number_are_left_out() -> None:
    offline = as_markdown("x", ["a"], ("bank",), table(row("a")))
    assert "tokens" not in offline
    assert "cost" not in offline
    use = {"planning": RoleTokens(input=1200, cached=200, output=30)}
    asked = table(row("a", tokens=use, cost=0.0123, conflicts={"resolved": 2, "open": 1}))
    text = as_markdown("x", ["a"], ("bank",), asked)
    assert "| tokens in | 1,200 [1,200, 1,200] |" in text
    assert "0.0123" in text
    assert "1 open, 2 resolved" in text
    (read,) = csv.DictReader(io.StringIO(as_csv(asked)))
    assert (read["planning_input"], read["planning_cached"], read["conflicts_resolved"]) == ("1200", "200", "2")


def test_the_difference_is_that_of_pairs() -> None:
    pairs = [(3.0, 1.0), (5.0, 4.0), (9.0, 6.0)]
    rows = [row(f"t{n}", seconds=bank) for n, (bank, _) in enumerate(pairs)]
    rows += [row(f"t{n}", "plain", seconds=plain) for n, (_, plain) in enumerate(pairs)]
    rows += [row("alone", seconds=100.0), row("alone", "plain", outcome="failed")]
    text = as_markdown("x", ["t0", "t1", "t2", "alone"], ("bank", "plain"), table(*rows))
    line = next(line for line in text.splitlines() if line.startswith("| seconds"))
    assert line.endswith("| +2.00 [-0.48, +4.48] |"), "without the task that ended under one alone"


def test_intervals_are_those_of_the_tables() -> None:
    for degrees, known in ((1, 12.706), (2, 4.303), (4, 2.776), (10, 2.228), (30, 2.042), (1000, 1.962)):
        assert means.t_quantile(degrees) == pytest.approx(known, abs=0.006)
    estimate = means.share([True] * 8 + [False] * 2)
    assert estimate is not None
    assert (estimate.low, estimate.high) == pytest.approx((0.490, 0.943), abs=0.001)
    whole = means.mean([2.0])
    assert whole is not None
    assert (whole.low, whole.high) == (2.0, 2.0)
    assert means.mean([]) is None


# -- the same agent without the bank: an ordinary run folder without nodes, and one table of both ---------------------


def test_both_are_compared_task_by_task_in_one_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batching, "_scheduler", lambda *_: SerialScheduler())
    documents(tmp_path)
    tasks = [line("ferry", corpus="corpus", expect=240), {"id": "库", "task": RESERVOIR, "corpus": "corpus"}]
    path, out = task_file(tmp_path, tasks), tmp_path / "out"
    first = memorybank("batch", path, "--out", out, *HASHED)
    again = memorybank("batch", path, "--out", out, *HASHED, "--against", "plain")
    assert (first.returncode, again.returncode) == (0, 0), again.stderr
    rows = read_results(out)
    assert list(rows) == [("ferry", "bank"), ("库", "bank"), ("ferry", "plain"), ("库", "plain")], "the bank's stand"
    plain = rows["ferry", "plain"]
    assert (plain.outcome, plain.nodes, plain.expected, plain.rounds) == ("complete", 0, True, 1)
    assert "4200万立方米" in rows["库", "plain"].answer
    text = (out / "results.md").read_text("utf-8")
    assert "| mean of a task | bank | plain | difference |" in text
    assert "over the 2 tasks that ended under both" in text
    tools = {record.event.tool for record in load(out / "plain" / "ferry") if isinstance(record.event, ToolUsed)}
    assert tools == {"search", "visit"}


def answers(request: SeenRequest) -> object:
    """The answer is in the summary."""
    if "Summary so far:" in request.prompt or "此前的摘要" in request.prompt:
        return f"SUMMARY with {request.prompt.count('240')} mentions of 240."
    if "Summary of your work so far" in request.prompt:
        return "<answer>\n240 passengers, by the summary.\n</answer>"
    return "<answer>\nThe history was sent as it was.\n</answer>"


def test_a_history_at_its_limit_is_summarised_and_the_agent_goes_on(tmp_path: Path) -> None:
    corpus = documents(tmp_path)
    for place in range(4):
        text = " ".join(f"Sentence {n} of part {place}: the ferry carries 240 passengers." for n in range(150))
        (corpus / f"long{place}.md").write_text(text, "utf-8")
    long = [f"corpus/long{place}.md" for place in range(4)]
    (task,) = read_tasks(task_file(tmp_path, [{"id": "a", "task": FERRY, "context": long, "expect": 240}]))
    with ScriptedServer(Script(default=answers)) as server:  # type: ignore[arg-type]
        plan = on_endpoint(server, MAX_CONTEXT_TOKENS="4000", LLM_MAX_TOKENS="300")
        row = run_task(task, tmp_path / "run", plan, system="plain")
        sent = [request.prompt for request in server.chats]
    assert (row.outcome, row.answer, row.expected) == ("complete", "240 passengers, by the summary.", True), row.error
    assert set(row.tokens) <= {"react", "extraction"}
    assert sum("Summary so far:" in prompt for prompt in sent) >= 2, "a piece at a time"
    assert "SUMMARY with" in sent[-1]
    assert "Sentence 3 of part" not in sent[-1], "the history itself is gone"
    records = load(tmp_path / "run")
    assert not state_at(records).graph.nodes
    assert row.calls == sum(isinstance(record.event, AgentCalled) for record in records)


# -- A batch's folder may come from anywhere: what stands in it names no place and ends no table -----------------------

IDS = ("first", "second", "third")
BEGUN: dict[str, Any] = {
    "plan": {"engine": "offline", "preset": None, "embedding_model": "", "settings": [["K", "3"]], "systems": ["bank"]},
    "tasks": [{"id": id_, "task": f"Task {id_}", "digest": id_} for id_ in IDS],
}
ROW: dict[str, Any] = {
    "id": "first", "system": "bank", "outcome": "complete", "answer": "42", "expected": True, "rounds": 2,
    "conflicts": {"resolved": 1}, "merges": 1, "nodes": 5, "calls": 9,
    "tokens": {"planning": {"input": 9, "cached": 4, "output": 2}},
    "seconds": 1.5, "cost": 0.1, "error": "", "error_zh": "",
}  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, -1, -(10**13), 10**15, 10**400, 1e-320, float("inf"), float("-inf"), float("nan"), "", "x" * 5_000,
    "-1", "../../../x", "/etc", "..", "a/b", "a\\b", "con", "first.", "\ud83d half", "a\0b", "\u202eabc",
    [], [[]], {}, {"a": -1}, ["bank", "bank"],
)  # fmt: skip


def _mutants(value: Any) -> Iterator[Any]:
    """The value with each thing in it, a name too, made another."""
    yield from VALUES
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from ({**value, name: mutant} for mutant in _mutants(inner))
            yield {other: inner for other, inner in value.items() if other != name}
            yield from ({**value, str(mutant): inner} for mutant in VALUES[10:23])
    elif isinstance(value, list):
        yield [*value, *copy.deepcopy(value)]
        for place, inner in enumerate(value):
            yield from ([*value[:place], mutant, *value[place + 1 :]] for mutant in _mutants(inner))


def _write(folder: Path, begun: Any, rows: list[Any]) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / BATCH).write_text(json.dumps(begun))
    (folder / RESULTS).write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return folder


def _draw(folder: Path) -> str:
    """Everything that is made of the folder: the app's table, and both files."""
    lines, rows = lines_of(folder, live=False), read_results(folder)
    ids, systems = [line.id for line in lines], list(dict.fromkeys(line.system for line in lines))
    table = table_box(lines, columns_of(lines), "en", ticked=(), here="")
    as_markdown("name", ids, systems, rows).encode()
    as_csv(rows).encode()
    return json.dumps(table.data(), ensure_ascii=False)


def test_no_value_in_it_ends_the_table_or_names_another_place(tmp_path: Path) -> None:
    other = {**ROW, "id": "second", "cost": None, "tokens": {}}
    folder = _write(tmp_path / "batch", BEGUN, [ROW, other])
    whole = _draw(folder)
    for number, row in enumerate(_mutants(ROW)):
        _draw(_write(folder, BEGUN, [row, other])).encode()
        if number % 7 == 0:
            assert "second" in _draw(folder), "one bad row hides no other"
    for begun in _mutants(BEGUN):
        _write(folder, begun, [ROW, other])
        with suppress(InputError):
            _draw(folder).encode()
            assert all(run.resolve().parent.parent == folder for run in run_folders(folder))
    bad = {**BEGUN, "tasks": [{"id": "x" * 5_000, "task": "t", "digest": ""}, 7, *BEGUN["tasks"]]}
    assert _draw(_write(folder, bad, [ROW, other])) == whole, "one bad task hides no other"


@pytest.mark.parametrize("link", ["run", "runs"])
def test_a_link_in_it_leads_nowhere_and_a_pipe_holds_nobody_up(tmp_path: Path, link: str) -> None:
    private = tmp_path / "private"
    (private / "first").mkdir(parents=True)
    (private / "first" / JOURNAL).write_text("{}\n")
    folder = _write(tmp_path / "batch", BEGUN, [])
    if link == "runs":
        (folder / "runs").symlink_to(private)
        assert run_folders(folder) == ()
    else:
        (folder / "runs").mkdir()
        (folder / "runs" / "first").symlink_to(private / "first")
    os.mkfifo(folder / ".lock")
    assert not is_live(folder)
    assert not any(line.has_run for line in lines_of(folder, live=False))
