"""Cases made of calls and stages: they pass from their files in a suite of one line, and fail when outcomes change."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memorybank.errors import InputError
from memorybank.memory.events import TaskExecuted
from memorybank.runs.run_folder import RunFolder, load
from memorybank.settings.config import Settings
from memorybank.settings.llm import LLMSettings
from memorybank.settings.redaction import MASK
from memorybank.testing import Case, read_case, run_case
from memorybank.testing.cases import AgentCase, StageCase, case_json
from memorybank.testing.making import Cannot, agent_case, stage_case, stage_spans
from memorybank.views.calls.call_view import AgentView, agent_view
from tests.reading import call_rows
from tests.recorded import recorded_run
from tests.ui.llm_run import llm_run

ROOT = Path(__file__).parents[2]
AGENTS = {"classification", "structure", "analysis", "integration", "planning"}
SUITE = """
from pathlib import Path
import pytest
from memorybank.testing import run_case

@pytest.mark.parametrize("file", sorted(Path("cases").glob("*.json")), ids=lambda file: file.stem)
def test_case(file):
    run_case(file)
"""
HOSTILE = ('"""\nimport os', "\\", '"', "a\x00b", "\u202eevil", "\u2028x", "{x}", "\r\n\t", "é中文😀", "x" * 5_000)


def views(folder: RunFolder) -> Iterator[AgentView]:
    """The last call of each agent."""
    records = load(folder.path)
    last = {row.name: row for row in call_rows(records) if row.kind == "agent"}
    return (agent_view(records[row.seq - 1], row, folder.blobs.text) for row in last.values())


def cases(folder: RunFolder) -> dict[str, Case]:
    """Cases of the last call of each agent, and of the last stage of each kind."""
    records = load(folder.path)
    made = [agent_case(view, records, Settings()) for view in views(folder) if view.event.role in AGENTS]
    last = {span.stage: span for span in stage_spans(records)}
    of_stages = [stage_case(span, records, folder, Settings()) for span in last.values()]
    found = [case for case in (*made, *of_stages) if not isinstance(case, Cannot)]
    assert {case.role for case in found if isinstance(case, AgentCase)} >= AGENTS - {"structure"}
    assert {case.stage for case in found if isinstance(case, StageCase)} >= {"analyse", "enhance", "execute", "resolve"}
    return {case.name: case for case in found}


def test_calls_and_stages_without_a_model_pass_from_their_files_and_are_not_large(tmp_path: Path) -> None:
    made = cases(recorded_run("en"))
    # What pytest says of a suite with these cases, in a process and a folder of its own.
    (tmp_path / "cases").mkdir(parents=True)
    (tmp_path / "test_cases.py").write_text(SUITE, "utf-8")
    for name, case in made.items():
        (tmp_path / "cases" / f"{name}.json").write_text(case_json(case), "utf-8")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", tmp_path],
        cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    output = done.stdout + done.stderr
    assert f"{len(made)} passed" in output, output[-2_000:]
    assert max(len(case_json(case)) for case in made.values()) < 1_000_000


@pytest.mark.parametrize("native", [False, True], ids=["blocks", "native tools"])
def test_calls_and_stages_with_a_model_are_replayed(native: bool) -> None:
    for case in cases(llm_run("en", native_tools=native).folder).values():
        run_case(case)


def test_it_fails_when_the_outcome_changes_and_shows_where() -> None:
    made = cases(llm_run("en").folder)
    planning = next(case for case in made.values() if isinstance(case, AgentCase) and case.role == "planning")
    with pytest.raises(AssertionError, match=r'(?s)comes out otherwise.*-.*"reasoning": "Other"'):
        run_case(replace(planning, expected={**planning.expected, "reasoning": "Other"}))
    stage = next(case for case in made.values() if isinstance(case, StageCase) and case.stage == "analyse")
    with pytest.raises(AssertionError, match="comes out otherwise"):
        run_case(replace(stage, expected=stage.expected[:-1]))
    with pytest.raises(AssertionError, match="is not in the record"):
        run_case(replace(stage, record=replace(stage.record, calls=())))
    with pytest.raises(AssertionError, match="is not in the record"):
        run_case(replace(planning, replies=()))


def test_an_answer_that_was_refused_is_expected_to_be_refused_again() -> None:
    folder = llm_run("en").folder
    view = next(view for view in views(folder) if view.event.role == "planning")
    (one,) = view.exchanges
    said = replace(one, reply="", call=replace(one.call, reply="", notes=("refused",)))
    error = "recorded refused to answer; ask in other words or choose another model"
    event = replace(view.event, outcome="failed", answer={}, error=error)
    case = agent_case(replace(view, event=event, exchanges=(said,)), load(folder.path), Settings())
    assert isinstance(case, AgentCase)
    assert case.expected == {"error": error}
    run_case(case)


def test_settings_that_a_run_does_not_keep_come_along_and_no_secret_does(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = llm_run("en").folder
    records = load(folder.path)
    llm = LLMSettings(api_key="k-0123456789abc", base_url="http://198.51.100.7/v1", max_tokens=2_000, price_input=3.0)
    settings = Settings(agent_window=9_000, corpus=Path("/somewhere/private"), llm=llm, max_tool_calls=7)
    (first, *_) = [span for span in stage_spans(records) if span.stage == "execute"]
    case = stage_case(first, records, folder, settings)
    assert isinstance(case, StageCase)
    assert (case.settings["agent_window"], case.settings["max_tool_calls"]) == (9_000, 7)
    assert "max_tokens" not in case.settings["llm"], "what the requests were asked with counts, not what is set now"
    text = case_json(case)
    for secret in ("k-0123456789abc", "198.51.100.7", "private", str(folder.path), "price"):
        assert secret not in text
    monkeypatch.setenv("LLM_API_KEY", "24 stone arches")
    assert "24 stone arches" in text
    assert "24 stone arches" not in case_json(case)
    assert MASK in case_json(case)


def test_what_no_case_can_be_made_of_says_why() -> None:
    folder = recorded_run("en")
    records = load(folder.path)
    view = next(view for view in views(folder) if view.event.role == "analysis")

    def reason(**changes: Any) -> str:
        found = agent_case(replace(view, **changes), records, Settings())
        return found.reason if isinstance(found, Cannot) else ""

    assert reason(input_blob="missing") == "input_missing"
    assert reason(output_blob="missing") == "output_missing"
    assert reason(event=replace(view.event, role="react")) == "inside_stage"
    assert reason(input_text="{}") == "input_unreadable"

    seq = next(row.seq for row in call_rows(records) if row.name == "search")
    span = next(span for span in stage_spans(records) if span.first < seq <= span.last)
    assert span.stage == "execute"
    assert span not in stage_spans(records[:seq]), "it has not ended"
    foreign = [
        replace(one, event=replace(one.event, executor="crew")) if isinstance(one.event, TaskExecuted) else one
        for one in records
    ]
    assert stage_case(span, foreign, folder, Settings()) == Cannot("foreign")
    assert stage_case(replace(span, stage="dance"), records, folder, Settings()) == Cannot("no_stage")
    elsewhere = [replace(records[0], event=replace(records[0].event, embedding_model="endpoint:m")), *records[1:]]
    assert stage_case(span, elsewhere, folder, Settings()) == Cannot("endpoint")
    assert stage_case(span, records, RunFolder(folder.path / "nowhere"), Settings()) == Cannot("result_missing")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_come_back_as_they_were(text: str, tmp_path: Path) -> None:
    folder = recorded_run("en")
    view = next(view for view in views(folder) if view.event.role == "structure")
    given = json.dumps({"content": text, "context": text, "keywords": [text]})
    event = replace(view.event, answer={text: [text, {"summary": text}]})
    case = agent_case(replace(view, event=event, input_text=given), load(folder.path), Settings())
    assert isinstance(case, AgentCase)
    file = tmp_path / "case.json"
    file.write_text(case_json(case), "utf-8", newline="")
    assert read_case(file) == case
    assert case.expected == event.answer


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"kind": "agent"}', '{"kind": "dance"}'])
def test_a_file_that_holds_no_case_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text(text, "utf-8")
    with pytest.raises(InputError, match=r"case\.json holds no case"):
        run_case(tmp_path / "case.json")
