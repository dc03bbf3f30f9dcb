"""OpenAI Agents SDK, the real package, against a scripted endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from agents import Agent, OpenAIChatCompletionsModel, Tool
from openai import AsyncOpenAI

from memorybank.integrations.openai_agents import agents_executor, as_function_tools
from memorybank.integrations.turns import Turns
from memorybank.lab.scripted import ScriptedReply, ScriptedServer, error_reply, tool_reply
from memorybank.memory.types import TaskStatus
from memorybank.session.session import Session
from tests.integrations.world import (
    GOAL,
    check_a_pause_ends_a_call,
    check_settled,
    parts_with,
    researcher,
    sources,
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a key set the SDK would upload traces, if it were let."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")


def agent(server: ScriptedServer) -> Any:
    client = AsyncOpenAI(base_url=server.base_url, api_key="any", max_retries=0)
    model = OpenAIChatCompletionsModel("scripted", client)

    def make(tools: list[Tool]) -> Agent[Any]:
        return Agent(name="researcher", instructions="Look it up.", model=model, tools=tools)

    return make


def test_an_agent_is_the_executor(run_dir: Path, tmp_path: Path) -> None:
    with ScriptedServer(researcher) as server:
        executor = agents_executor(agent(server))
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()) as session:
            session.run()
            check_settled(session, "OpenAI Agents SDK")
        assert {"search", "visit", "deep_retrieval"} <= set(server.chats[0].tools)
        assert {request.path for request in server.requests} == {"/v1/chat/completions"}


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (error_reply(500, "out of order"), "out of order"),
        (tool_reply(("search", {"query": "willow"})), "Max turns"),
        (tool_reply(("fly", {})), "fly"),
    ],
)
def test_what_goes_wrong_is_a_failed_task(run_dir: Path, tmp_path: Path, script: ScriptedReply, says: str) -> None:
    with ScriptedServer(script) as server:
        executor = agents_executor(agent(server), max_turns=3)
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
            session.run()
            (task, *_) = session.bank.doc.completed_tasks
            assert task.status is TaskStatus.FAILED
            assert says in task.context


def test_a_pause_ends_a_call_in_flight(run_dir: Path, tmp_path: Path) -> None:
    check_a_pause_ends_a_call(run_dir, tmp_path, lambda server: agents_executor(agent(server)))


def test_function_tools_of_the_bank(run_dir: Path, tmp_path: Path) -> None:
    with Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path)) as turns:
        tools = as_function_tools(turns.bank.tools())
        assert [one.name for one in tools] == ["search_memory", "deep_retrieval", "insight_doc", "conflicts"]
        assert tools[0].params_json_schema["required"] == ["query"]  # type: ignore[union-attr]
