"""smolagents, the real package, against a scripted endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from smolagents import OpenAIServerModel, Tool, ToolCallingAgent

from memorybank.integrations.smolagents import as_smolagents, inputs_of, smolagents_executor
from memorybank.integrations.turns import Turns
from memorybank.lab.scripted import ScriptedServer, error_reply, tool_reply
from memorybank.memory.types import TaskStatus
from memorybank.session.session import Session
from tests.integrations.world import GOAL, check_settled, parts_with, researcher, sources


def agent(server: ScriptedServer, **options: Any) -> Any:
    model = OpenAIServerModel("scripted", api_base=server.base_url, api_key="any", client_kwargs={"max_retries": 0})

    def make(tools: list[Tool]) -> ToolCallingAgent:
        return ToolCallingAgent(tools=tools, model=model, verbosity_level=0, **options)

    return make


def test_an_agent_is_the_executor(run_dir: Path, tmp_path: Path) -> None:
    with ScriptedServer(researcher) as server:
        executor = smolagents_executor(agent(server))
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()) as session:
            session.run()
            check_settled(session, "smolagents")
        assert {"search", "visit", "final_answer"} <= set(server.chats[0].tools)


def test_an_endpoint_that_fails_is_a_failed_task(run_dir: Path, tmp_path: Path) -> None:
    with ScriptedServer(error_reply(400, "out of order")) as server:
        executor = smolagents_executor(agent(server))
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
            session.run()
            (task, *_) = session.bank.doc.completed_tasks
            assert task.status is TaskStatus.FAILED
            assert "out of order" in task.context


def test_an_agent_that_never_ends_is_a_failed_task_with_its_record(run_dir: Path, tmp_path: Path) -> None:
    with ScriptedServer(tool_reply(("search", {"query": "willow"}))) as server:
        executor = smolagents_executor(agent(server, max_steps=2))
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
            session.run()
            (task, *_) = session.bank.doc.completed_tasks
            assert task.status is TaskStatus.FAILED
            assert "steps" in task.context
            transcript = next(one.text for one in session.bank.tree.entries.values() if one.kind == "transcript")
            assert transcript.count("<tool_call>") == 2


def test_a_pause_is_seen_after_the_step(run_dir: Path, tmp_path: Path) -> None:
    def script(request: Any) -> Any:
        session.pause()
        return tool_reply(("search", {"query": "willow"}))

    with ScriptedServer(script) as server:
        executor = smolagents_executor(agent(server))
        session = Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1])
        with session:
            session.run()
            assert session.next_stage == "execute"
            assert len(server.chats) == 1


def test_schemas_are_told_in_smolagents_form(run_dir: Path, tmp_path: Path) -> None:
    schema = {
        "properties": {
            "query": {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "string"}]},
            "names": {"type": "array", "items": {"type": "string"}, "description": "which"},
            "id": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        },
        "required": ["query", "names"],
    }
    assert inputs_of(schema) == {
        "query": {"type": "any", "description": "query"},
        "names": {"type": "array", "description": "which", "items": {"type": "string"}},
        "id": {"type": "string", "description": "id", "nullable": True},
    }
    with Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path)) as turns:
        turns.enhance_prompt()
        search, deep, *_ = as_smolagents(turns.bank.tools())
        assert "willow qubits: 105" in search(query="willow", k=None)
        assert "right.txt" in deep(node_id="n1")
