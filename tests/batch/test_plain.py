"""The same agent without the bank: an ordinary run folder without nodes, and one table of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from memorybank.batch.results import read_results
from memorybank.batch.tasks import read_tasks
from memorybank.batch.worker import SerialScheduler, run_task
from memorybank.commands import batching
from memorybank.memory.events import AgentCalled, ToolUsed
from memorybank.runs.run_folder import load, state_at
from memorybank_lab.scripted import Script, ScriptedServer, SeenRequest
from tests.batch.making import FERRY, HASHED, RESERVOIR, documents, line, on_endpoint, task_file
from tests.command_line import memorybank


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
