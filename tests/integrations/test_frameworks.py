"""What every framework's executor keeps: it settles a dispute by its tools, a failing endpoint fails the task, a pause
ends the call. The real packages, against a scripted endpoint."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel
from openai import AsyncOpenAI
from smolagents import OpenAIServerModel, ToolCallingAgent

from memorybank.integrations.langgraph import graph_executor
from memorybank.integrations.openai_agents import agents_executor
from memorybank.integrations.smolagents import as_smolagents, inputs_of, smolagents_executor
from memorybank.integrations.turns import Turns
from memorybank.memory.types import TaskStatus
from memorybank.session.executors.base import Executor
from memorybank.session.session import Session
from memorybank_lab.scripted import Answer, Script, ScriptedServer, asks, error_reply, on, tool_reply
from tests.integrations.test_langgraph import chat, react, traced
from tests.integrations.world import GOAL, check_a_pause_ends_a_call, check_settled, parts_with, researcher, sources

__all__ = ["traced"]

MakeExecutor = Callable[[ScriptedServer], Executor]
STEPS = 4


def langgraph(server: ScriptedServer) -> Executor:
    model = chat(server)
    return graph_executor(lambda tools: react(model, tools))


def openai_agents(server: ScriptedServer) -> Executor:
    client = AsyncOpenAI(base_url=server.base_url, api_key="any", max_retries=0)
    model = OpenAIChatCompletionsModel("scripted", client)
    return agents_executor(lambda tools: Agent(name="researcher", model=model, tools=tools), max_turns=STEPS)


def smolagents(server: ScriptedServer) -> Executor:
    model = OpenAIServerModel("scripted", api_base=server.base_url, api_key="any", client_kwargs={"max_retries": 0})
    return smolagents_executor(
        lambda tools: ToolCallingAgent(tools=tools, model=model, verbosity_level=0, max_steps=STEPS)
    )


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key set the OpenAI SDK would upload traces, if it were let."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")


@pytest.mark.usefixtures("traced")
@pytest.mark.parametrize("make", [langgraph, openai_agents, smolagents])
def test_an_agent_is_the_executor(run_dir: Path, tmp_path: Path, make: MakeExecutor) -> None:
    with ScriptedServer(researcher) as server:
        executor = make(server)
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()) as session:
            session.run()
            check_settled(session, executor.name)
        assert {"search", "visit", "deep_retrieval"} <= set(server.chats[0].tools)
        assert {request.path for request in server.requests} == {"/v1/chat/completions"}
        assert all("<memory>" in request.text for request in server.chats)


SEARCHES = tool_reply(("search", {"query": "willow"}))
FAILS_LATER = Script(rules=[on(asks(last_role="tool"), error_reply(500, "out of order"))], default=SEARCHES)


@pytest.mark.parametrize(
    ("make", "script", "reason", "calls"),
    [
        (langgraph, FAILS_LATER, "out of order", 1),
        (openai_agents, error_reply(500, "out of order"), "out of order", 0),
        (openai_agents, SEARCHES, "Max turns", None),
        (openai_agents, tool_reply(("fly", {})), "fly", None),
        (smolagents, error_reply(400, "out of order"), "out of order", 0),
        (smolagents, SEARCHES, "steps", STEPS),
    ],
)
def test_what_goes_wrong_is_a_failed_task_with_its_record(
    run_dir: Path, tmp_path: Path, make: MakeExecutor, script: Answer | Script, reason: str, calls: int | None
) -> None:
    with (
        ScriptedServer(script) as server,
        Session.start(run_dir, parts_with(make(server), tmp_path), goal=GOAL, sources=sources()[:1]) as session,
    ):
        session.run()
        task = session.bank.doc.completed_tasks[0]
        entries = session.bank.tree.entries.values()
    assert task.status is TaskStatus.FAILED
    assert reason in task.context
    transcript = next(entry.text for entry in entries if entry.kind == "transcript")
    assert calls is None or transcript.count("<tool_call>") == calls


@pytest.mark.parametrize("make", [langgraph, openai_agents])
def test_a_pause_ends_a_call_in_flight(run_dir: Path, tmp_path: Path, make: MakeExecutor) -> None:
    check_a_pause_ends_a_call(run_dir, tmp_path, make)
    assert not [thread for thread in threading.enumerate() if thread.name.startswith("foreign-agent")]


def test_a_pause_of_smolagents_is_seen_after_the_step(run_dir: Path, tmp_path: Path) -> None:
    def script(request: Any) -> Any:
        session.pause()
        return tool_reply(("search", {"query": "willow"}))

    with ScriptedServer(script) as server:
        session = Session.start(run_dir, parts_with(smolagents(server), tmp_path), goal=GOAL, sources=sources()[:1])
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
