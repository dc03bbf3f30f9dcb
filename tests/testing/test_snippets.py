"""Snippets are run: what they print is what was recorded, and what they send is what was sent."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memorybank.memory.events import SessionStarted
from memorybank.memory.types import Lang
from memorybank.runs import local_state
from memorybank.runs.run_folder import RunFolder, load, state_at
from memorybank.settings.llm import LLMSettings, Sampling
from memorybank.settings.redaction import MASK
from memorybank.testing.written.call_replay import context_window
from memorybank.testing.written.python_code import code
from memorybank.testing.written.snippets import Cannot, Snippet, agent_snippet, tool_snippet
from memorybank.views.calls.call_table import CallRow
from memorybank.views.calls.call_view import AgentView, agent_view, tool_view
from memorybank_lab.scripted import ScriptedServer
from tests.reading import call_rows
from tests.recorded import recorded_corpus, recorded_run
from tests.testing.test_python_code import HOSTILE
from tests.ui.llm_run import extracting_run, llm_run

ROOT = Path(__file__).parents[2]


def run(snippets: list[str], folder: Path, **environment: str) -> list[str]:
    """What each prints, run one after the other in a process of their own, in an empty folder."""
    driver = (
        "import contextlib, io, json, sys\n"
        "printed = []\n"
        "for text in json.load(sys.stdin):\n"
        "    out = io.StringIO()\n"
        "    with contextlib.redirect_stdout(out):\n"
        "        exec(compile(text, 'snippet', 'exec'), {'__name__': '__main__'})\n"
        "    printed.append(out.getvalue())\n"
        "print(json.dumps(printed))\n"
    )
    given = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", **environment}
    done = subprocess.run(
        [sys.executable, "-c", driver], input=json.dumps(snippets), cwd=folder, env=given, capture_output=True,
        text=True, timeout=240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    found: list[str] = json.loads(done.stdout)
    return found


def snippet_of(found: Snippet | Cannot) -> Snippet:
    assert isinstance(found, Snippet), found
    ast.parse(found.text)
    return found


def agents(folder: RunFolder, *, last: bool = True) -> dict[str, AgentView]:
    """One call of each role."""
    records = load(folder.path)
    rows = [row for row in call_rows(records) if row.kind == "agent"]
    chosen: dict[str, CallRow] = {row.name: row for row in (rows if last else reversed(rows))}
    return {name: agent_view(records[row.seq - 1], row, folder.blobs.text) for name, row in chosen.items()}


def begun_of(folder: RunFolder) -> SessionStarted:
    event = load(folder.path)[0].event
    assert isinstance(event, SessionStarted)
    return event


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_offline_snippet_of_every_role_prints_the_recorded_answer(lang: Lang, tmp_path: Path) -> None:
    folder = recorded_run(lang)
    views = agents(folder)
    assert set(views) == {"classification", "structure", "analysis", "integration", "planning"}
    made = [snippet_of(agent_snippet(view, begun_of(folder), LLMSettings(), None)) for view in views.values()]
    assert {(one.kind, one.exact) for one in made} == {("offline", True)}
    printed = run([one.text for one in made], tmp_path)
    assert [json.loads(text) for text in printed] == [view.event.answer for view in views.values()]


@pytest.mark.parametrize("native", [False, True], ids=["blocks", "native tools"])
def test_a_model_s_snippet_sends_the_very_request_and_gets_the_answer(native: bool, tmp_path: Path) -> None:
    recorded = llm_run("en", native_tools=native)
    records, folder = load(recorded.folder.path), recorded.folder
    views = [
        agent_view(records[row.seq - 1], row, folder.blobs.text)
        for row in call_rows(records)
        if row.kind == "agent" and row.model and row.name != "visit"
    ]
    window = context_window(records)
    made = [snippet_of(agent_snippet(view, begun_of(folder), LLMSettings(), window)) for view in views]
    assert {one.kind for one in made} == {"llm"}
    assert all(one.exact for one, view in zip(made, views, strict=True) if view.event.role == "react")
    replies = [view.exchanges[-1].reply for view in views]
    with ScriptedServer(
        [reply.partition("</think>\n")[2] or reply for reply in replies], api_key="k-123456789"
    ) as server:
        printed = run(
            [one.text for one in made], tmp_path,
            LLM_BASE_URL=server.base_url, LLM_API_KEY="k-123456789", RUN_FOLDER=str(folder.path),
        )  # fmt: skip
        bodies = [dict(request.body) for request in server.chats]
    sent_then = [dict(request.body) for request in recorded.requests]
    for view, body, text in zip(views, bodies, printed, strict=True):
        assert body in sent_then, (view.event.role, view.row.seq)
        assert text.rstrip("\n") == (
            view.exchanges[-1].reply.partition("</think>\n")[2] or view.exchanges[-1].reply
        ).rstrip("\n")
    assert any("image_url" in json.dumps(body) for body in bodies), "the image was sent again, from the run's folder"
    assert any(body.get("tools") for body in bodies) is native
    for one in made:
        assert "127.0.0.1" not in one.text
        assert "k-123456789" not in one.text


def test_parameters_that_are_not_kept_are_this_machine_s_and_it_is_said() -> None:
    folder = llm_run("en").folder
    view = agents(folder)["planning"]
    warm = LLMSettings(sampling={"planning": Sampling(temperature=1.25, top_p=0.5)}, max_tokens=333)
    made = snippet_of(agent_snippet(view, begun_of(folder), warm, None))
    assert not made.exact
    assert '"temperature": 1.25' in made.text
    assert '"max_tokens": 333' in made.text
    folder = extracting_run()
    inside = agents(folder)["visit"]
    assert not snippet_of(agent_snippet(inside, begun_of(folder), LLMSettings(), None)).exact


def test_a_tool_s_snippet_brings_back_the_recorded_result(tmp_path: Path) -> None:
    folder = recorded_run("en")
    records = load(folder.path)
    local_state.remember_corpus(begun_of(folder).run_id, recorded_corpus("en"))
    rows = {row.name: row for row in call_rows(records) if row.kind == "tool" and row.name != "read_image"}
    assert set(rows) == {"search", "visit", "deep_retrieval"}
    views = [tool_view(records[row.seq - 1], row, folder.blobs.text, state_at(records)) for row in rows.values()]
    deep = llm_run("en").folder
    deep_records = load(deep.path)
    row = next(row for row in call_rows(deep_records) if row.name == "deep_retrieval")
    deep_view = tool_view(deep_records[row.seq - 1], row, deep.blobs.text, state_at(deep_records))
    printed = run([snippet_of(tool_snippet(view)).text for view in views], tmp_path, RUN_FOLDER=str(folder.path))
    printed += run(
        [snippet_of(tool_snippet(deep_view)).text], tmp_path, RUN_FOLDER=str(deep.path), LLM_API_KEY="any-key-at-all"
    )
    results = [view.result for view in (*views, deep_view)]
    assert [text.rstrip("\n") for text in printed] == [one.text.rstrip("\n") for one in results if one is not None]
    assert str(folder.path) not in snippet_of(tool_snippet(views[0])).text


def test_what_cannot_be_repeated_says_why() -> None:
    folder = recorded_run("en")
    view = agents(folder)["analysis"]
    begun, llm = begun_of(folder), LLMSettings()

    def reason(changed: AgentView) -> str:
        found = agent_snippet(changed, begun, llm, None)
        assert isinstance(found, Cannot)
        return found.reason

    assert reason(replace(view, input_blob="missing")) == "input_missing"
    assert reason(replace(view, output_blob="missing")) == "output_missing"
    assert reason(replace(view, input_text='{"new": 1}')) == "input_unreadable"
    other = replace(view.event, role="barista", engine="elsewhere")
    assert reason(replace(view, event=other)) == "unknown_role"
    failed = replace(view.event, engine="llm", outcome="failed", error="lost")
    assert reason(replace(view, event=failed)) == "no_reply"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_stay_in_their_literals_and_secrets_are_taken_out(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LLM_API_KEY", "quite-secret-0123")
    folder = recorded_run("en")
    view = agents(folder)["structure"]
    text = text.encode("utf-8", "replace").decode()  # half a character never gets as far as a run's files
    given = json.dumps({"content": f"{text} quite-secret-0123", "context": text, "keywords": [text]})
    changed = replace(view, input_text=given)
    made = snippet_of(
        agent_snippet(changed, replace(begun_of(folder), embedding_model=f"m{text}"), LLMSettings(), None)
    )
    assert "quite-secret" not in made.text
    assert MASK in made.text
    calls = [node.func for node in ast.walk(ast.parse(made.text)) if isinstance(node, ast.Call)]
    names = {node.id for node in calls if isinstance(node, ast.Name)} | {
        node.attr for node in calls if isinstance(node, ast.Attribute)
    }
    assert names <= {"StructureInput", "Settings", "assemble", "run", "print", "model_dump_json"}

    folder = llm_run("en").folder
    records = load(folder.path)
    row = next(row for row in call_rows(records) if row.kind == "tool")
    tool = tool_view(records[row.seq - 1], row, folder.blobs.text, state_at(records))
    evil = replace(tool, event=replace(tool.event, tool=f"t{text}", arguments={text: [text]}))
    written = snippet_of(tool_snippet(evil)).text
    assert code({text: [text]}) in written
    assert ast.parse(written).body[0].value.value.startswith("T")  # type: ignore[attr-defined]
