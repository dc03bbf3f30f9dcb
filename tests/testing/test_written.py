"""Tests made of calls and stages: they pass as they are in a fresh folder, and fail when the outcome changes."""

from __future__ import annotations

import ast
import functools
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.memory.events import SessionStarted, TaskExecuted
from memorybank.memory.types import Lang
from memorybank.runs.journal import Record
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank.testing.written import TestFile, agent_test, stage_of, stage_spans, stage_test, tool_test
from memorybank.testing.written.call_replay import context_window
from memorybank.testing.written.snippets import Cannot
from memorybank.tools.corpus import Corpus
from memorybank.views.calls.call_table import CallRow
from memorybank.views.calls.call_view import AgentView, ToolView, agent_view, tool_view
from tests.reading import call_rows
from tests.recorded import recorded_corpus, recorded_run
from tests.testing.test_python_code import HOSTILE
from tests.ui.llm_run import extracting_run, llm_run

ROOT = Path(__file__).parents[2]
Made = TestFile | Cannot


def run_pytest(files: Iterable[TestFile], folder: Path) -> str:
    """In a fresh folder, with the library and nothing else of this project."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        (folder / file.name).write_text(file.text, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # what else is installed here is no concern of theirs
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    return done.stdout + done.stderr


def passed(output: str) -> int:
    found = re.search(r"(\d+) passed", output)
    assert found is not None, output[-3_000:]
    assert "failed" not in output, output[-3_000:]
    assert "error" not in output.splitlines()[-1], output[-3_000:]
    return int(found[1])


def calls(folder: RunFolder, corpus: Callable[[], Corpus | None] = lambda: None) -> list[tuple[CallRow, Made]]:
    """Each call of a run, and the test that is made of it."""
    records = load(folder.path)
    return [(row, call_test(records, row, folder, corpus)) for row in call_rows(records)]


def call_test(records: list[Record[Any]], row: CallRow, folder: RunFolder, corpus: Callable[[], Corpus | None]) -> Made:
    begun = records[0].event
    assert isinstance(begun, SessionStarted)
    if row.kind == "tool":
        return tool_test(tool(records, row, folder), records, folder, Settings(), corpus)
    view = agent_view(records[row.seq - 1], row, folder.blobs.text)
    return agent_test(view, begun, Settings(), context_window(records[: row.seq]))


def tool(records: list[Record[Any]], row: CallRow, folder: RunFolder) -> ToolView:
    return tool_view(records[row.seq - 1], row, folder.blobs.text, state_at(records))


def stages(folder: RunFolder) -> list[Made]:
    records = load(folder.path)
    return [stage_test(span, records, folder, Settings()) for span in stage_spans(records)]


def files(made: Iterable[Made]) -> list[TestFile]:
    return [one for one in made if isinstance(one, TestFile)]


def last_calls(folder: RunFolder, corpus: Callable[[], Corpus | None] = lambda: None) -> dict[str, Made]:
    """The test of the last call of each agent and tool, by name."""
    records = load(folder.path)
    rows = {row.name: row for row in call_rows(records)}
    return {name: call_test(records, row, folder, corpus) for name, row in rows.items()}


@functools.cache
def corpus_of(lang: Lang) -> Corpus:
    return Corpus.open(recorded_corpus(lang))


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_stage_of_an_offline_run_makes_the_same_facts_again(lang: Lang, tmp_path: Path) -> None:
    made = stages(recorded_run(lang))
    assert all(isinstance(one, TestFile) for one in made)
    assert passed(run_pytest(files(made), tmp_path / "fresh")) == len(made) >= 30
    assert max(len(one.text) for one in files(made)) < 250_000, "compact: all that stood before it comes along"


def test_a_call_of_every_agent_and_tool_of_an_offline_run_comes_out_the_same(tmp_path: Path) -> None:
    last = last_calls(recorded_run("en"), lambda: corpus_of("en"))
    assert set(last) == {
        "classification", "structure", "analysis", "integration", "planning",
        "search", "visit", "deep_retrieval", "read_image",
    }  # fmt: skip
    assert passed(run_pytest(files(last.values()), tmp_path / "fresh")) == len(last)


@pytest.mark.parametrize("native", [False, True], ids=["blocks", "native tools"])
def test_calls_and_stages_of_a_run_with_a_model_are_replayed(native: bool, tmp_path: Path) -> None:
    folder = llm_run("en", native_tools=native).folder
    found = calls(folder)
    assert not [one for _, one in found if isinstance(one, Cannot)]
    made = [*files(one for _, one in found), *files(stages(folder))]
    assert {row.name for row, one in found if isinstance(one, TestFile)} == {
        "classification", "structure", "analysis", "integration", "planning", "react",
        "search", "visit", "deep_retrieval",
    }  # fmt: skip
    for one in made:
        if one.kind == "llm":
            assert "No model is asked" in (ast.get_docstring(ast.parse(one.text)) or "")
    assert passed(run_pytest(made, tmp_path / "fresh")) == len(made)


def test_of_a_visit_that_asked_a_model_no_test_is_made_and_why_is_said() -> None:
    refused = {(row.name, one.reason) for row, one in calls(extracting_run()) if isinstance(one, Cannot)}
    assert refused == {("visit", "inside_tool"), ("visit", "asked_model")}


def changed(file: TestFile, old: str, new: str) -> TestFile:
    head, mark, outcome = file.text.rpartition("\nEXPECTED = ") if "\nEXPECTED = " in file.text else (
        file.text.rpartition("\nOUTCOME = ")
    )  # fmt: skip
    assert old in outcome, file.name
    return replace(file, text=head + mark + outcome.replace(old, new, 1))


def test_they_fail_when_the_outcome_changes(tmp_path: Path) -> None:
    offline, model = recorded_run("en"), llm_run("en").folder
    of_offline, of_model = last_calls(offline, lambda: corpus_of("en")), last_calls(model)
    of_stage = {one.name.rpartition("_at_")[0]: one for one in files(stages(offline))}
    changes = [
        (of_offline["analysis"], '"confidence": 0.', '"confidence": 0.00'),
        (of_offline["planning"], '"reasoning": "', '"reasoning": "Not '),
        (of_offline["search"], "results for", "findings for"),
        (of_model["analysis"], '"relationship": "unrelated"', '"relationship": "conflict"'),
        (of_model["react"], "24 arches", "42 arches"),
        (of_model["deep_retrieval"], "PLATFORM NINE", "PLATFORM TEN"),
        (of_stage["test_analyse"], '"type": "NodesAnalysed"', '"type": "NodesLinked"'),
        (of_stage["test_resolve"], '"status": "', '"status": "un'),
        (of_stage["test_enhance"], '"name": "memory"', '"name": "memories"'),
        (of_stage["test_execute"], '"executor": "offline', '"executor": "online'),
    ]
    wrong = [changed(file, old, new) for file, old, new in changes if isinstance(file, TestFile)]
    assert len(wrong) == len(changes)
    output = run_pytest(wrong, tmp_path / "fresh")
    assert f"{len(wrong)} failed" in output, output[-2_000:]
    assert "passed" not in output, output[-2_000:]


def test_an_answer_that_could_not_be_used_is_expected_to_be_refused_again(tmp_path: Path) -> None:
    folder = llm_run("en").folder
    records = load(folder.path)
    row = next(row for row in call_rows(records) if row.name == "planning")
    view = agent_view(records[row.seq - 1], row, folder.blobs.text)
    (one,) = view.exchanges
    said = replace(one, reply="", call=replace(one.call, reply="", notes=("refused",)))
    event = replace(
        view.event,
        outcome="failed",
        answer={},
        error="recorded refused to answer; ask in other words or choose another model",
    )
    made = agent_test(replace(view, event=event, exchanges=(said,)), records[0].event, Settings(), None)
    assert isinstance(made, TestFile)
    assert "pytest.raises(AgentError)" in made.text
    wrong = replace(changed(made, "refused", "agreed"), name="test_wrong.py")
    output = run_pytest([made, wrong], tmp_path / "fresh")
    assert "1 failed, 1 passed" in output, output[-2_000:]
    assert "FAILED test_wrong.py" in output


def test_settings_that_a_run_does_not_keep_come_along_and_no_secret_does() -> None:
    folder = llm_run("en").folder
    records = load(folder.path)
    llm = LLMSettings(api_key="k-0123456789abc", base_url="http://198.51.100.7/v1", max_tokens=2_000, price_input=3.0)
    settings = Settings(agent_window=9_000, corpus=Path("/somewhere/private"), llm=llm, max_tool_calls=7)
    execute = [span for span in stage_spans(records) if span.stage == "execute"]
    made = stage_test(execute[0], records, folder, settings)
    assert isinstance(made, TestFile)
    assert "agent_window=9000" in made.text
    assert "max_tool_calls=7" in made.text
    assert "max_tokens=" not in made.text, "what the requests were asked with counts, not what is set now"
    for secret in ("k-0123456789abc", "198.51.100.7", "private", str(folder.path), "price"):
        assert secret not in made.text


def test_what_no_test_can_be_made_of_says_why() -> None:
    folder = recorded_run("en")
    records = load(folder.path)
    rows = {row.name: row for row in call_rows(records)}
    begun = records[0].event

    def agent_reason(view: AgentView) -> str:
        found = agent_test(view, begun, Settings(), None)
        return found.reason if isinstance(found, Cannot) else ""

    view = agent_view(records[rows["analysis"].seq - 1], rows["analysis"], folder.blobs.text)
    assert agent_reason(replace(view, input_blob="missing")) == "input_missing"
    assert agent_reason(replace(view, output_blob="missing")) == "output_missing"
    assert agent_reason(replace(view, event=replace(view.event, role="barista"))) == "unknown_role"
    assert agent_reason(replace(view, input_text="{}")) == "input_unreadable"

    def found_in_memory(view: ToolView) -> bool:
        entries = state_at(records, view.row.seq - 1).tree.entries.values()
        return set(view.event.sources) <= {entry.source for entry in entries}

    def tool_reason(view: ToolView, corpus: Corpus | None = None) -> str:
        found = tool_test(view, records, folder, Settings(), lambda: corpus)
        return found.reason if isinstance(found, Cannot) else ""

    searches = [row for row in call_rows(records) if row.name == "search"]
    search = next(one for one in (tool(records, row, folder) for row in reversed(searches)) if found_in_memory(one))
    assert tool_reason(search) == "", "all that it found has been filed since"
    first = tool(records, searches[0], folder)
    assert tool_reason(first) == "files", "the corpus is not at hand"
    assert tool_reason(replace(search, result=None)) == "result_missing"
    assert tool_reason(replace(search, event=replace(search.event, outcome="failed"))) == "failed"
    assert tool_reason(replace(search, event=replace(search.event, tool="dance"))) == "unknown_role"
    assert tool_reason(replace(search, event=replace(search.event, sources=("https://x.example/",)))) == "web"

    span = stage_of(records, rows["search"].seq)
    assert span.stage == "execute"
    assert stage_of(records[: rows["search"].seq], rows["search"].seq) is None, "it has not ended"
    foreign = [
        replace(one, event=replace(one.event, executor="crew")) if isinstance(one.event, TaskExecuted) else one
        for one in records
    ]
    assert stage_test(span, foreign, folder, Settings()) == Cannot("foreign")
    assert stage_test(replace(span, stage="dance"), records, folder, Settings()) == Cannot("no_stage")
    elsewhere = [replace(records[0], event=replace(begun, embedding_model="endpoint:m")), *records[1:]]
    assert stage_test(span, elsewhere, folder, Settings()) == Cannot("endpoint")
    empty = RunFolder(folder.path / "nowhere")
    assert stage_test(span, records, empty, Settings()) == Cannot("result_missing")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_in_their_literals(text: str) -> None:
    text = text.encode("utf-8", "replace").decode()
    folder = recorded_run("en")
    records = load(folder.path)
    row = next(row for row in call_rows(records) if row.name == "structure")
    view = agent_view(records[row.seq - 1], row, folder.blobs.text)
    event = replace(view.event, answer={text: [text, {"summary": text}]}, error=text)
    made = agent_test(replace(view, event=event), records[0].event, Settings(), None)
    assert isinstance(made, TestFile)
    tree = ast.parse(made.text)
    assert [type(node).__name__ for node in tree.body] == [
        "Expr", "ImportFrom", "ImportFrom", "Assign", "Assign", "FunctionDef",
    ]  # fmt: skip
    expected = next(node for node in tree.body if isinstance(node, ast.Assign) and node.targets[0].id == "EXPECTED")  # type: ignore[attr-defined]
    assert ast.literal_eval(expected.value) == event.answer
