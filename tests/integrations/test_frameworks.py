"""Agent frameworks, the real packages against a scripted endpoint: an agent as the executor, the session as a graph.

Of every framework's executor: it settles a dispute by its tools, a failing endpoint fails the task, a pause ends the
call.
"""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from agents import Agent, OpenAIChatCompletionsModel
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, tool
from langchain_core.tracers.langchain import wait_for_all_tracers
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command, interrupt
from openai import AsyncOpenAI
from smolagents import OpenAIServerModel, ToolCallingAgent

from memorybank.integrations.langgraph import as_langchain, bank_graph, graph_executor, run_graph
from memorybank.integrations.openai_agents import agents_executor
from memorybank.integrations.smolagents import as_smolagents, inputs_of, smolagents_executor
from memorybank.integrations.turns import Turns
from memorybank.memory.types import TaskStatus
from memorybank.session.executors.base import Executor
from memorybank.session.session import Session
from memorybank_lab.scripted import (
    Answer,
    Script,
    ScriptedReply,
    ScriptedServer,
    SeenRequest,
    asks,
    error_reply,
    on,
    tool_reply,
)
from tests.integrations.world import DECIDES, GOAL, answer_text, check_settled, parts_with, researcher, sources


@pytest.fixture
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which LangSmith is switched on: nothing may leave it all the same."""
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_API_KEY", "a-key")
    asked: list[str] = []
    looked_up = socket.getaddrinfo

    def seen(host: Any, *rest: Any, **options: Any) -> Any:
        asked.append(str(host))
        return looked_up(host, *rest, **options)

    monkeypatch.setattr(socket, "getaddrinfo", seen)
    yield
    wait_for_all_tracers()
    assert set(asked) <= {"127.0.0.1", "localhost"}


def react(model: ChatOpenAI, tools: list[BaseTool]) -> CompiledStateGraph[Any, Any, Any, Any]:
    """The smallest agent: the model, its tools, back to the model."""

    async def call(state: MessagesState) -> dict[str, Any]:
        return {"messages": [await model.bind_tools(tools).ainvoke(state["messages"])]}

    return _looped(call, tools)


def react_sync(model: ChatOpenAI, tools: list[BaseTool]) -> CompiledStateGraph[Any, Any, Any, Any]:
    bound = model.bind_tools(tools)
    return _looped(lambda state: {"messages": [bound.invoke(state["messages"])]}, tools)


def _looped(call: Callable[[Any], Any], tools: list[BaseTool]) -> CompiledStateGraph[Any, Any, Any, Any]:
    graph = StateGraph(MessagesState)
    graph.add_node("model", call)
    graph.add_node("tools", ToolNode(tools))
    graph.add_edge(START, "model")
    graph.add_conditional_edges("model", tools_condition)
    graph.add_edge("tools", "model")
    return graph.compile()


def chat(server: ScriptedServer) -> ChatOpenAI:
    return ChatOpenAI(model="scripted", base_url=server.base_url, api_key="any", max_retries=0)  # type: ignore[arg-type]


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
    """While the model keeps the framework's agent waiting: the call is given up, and so is the round."""
    with ScriptedServer(ScriptedReply(text="an answer of half a minute", delay=30)) as server:
        ready = parts_with(make(server), tmp_path)
        with Session.start(run_dir, ready, goal=GOAL, sources=sources()[:1]) as session:

            def pause() -> None:
                server.wait_for(1, 60)
                session.pause()

            threading.Thread(target=pause, daemon=True).start()
            session.run()
            assert session.next_stage == "execute"
            assert "half a minute" not in str(session.records), "it was not waited for"
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


# -- LangGraph: the session as a graph, and what a node may do ---------------------------------------------------------


@pytest.mark.usefixtures("traced")
def test_the_session_as_a_graph(run_dir: Path, tmp_path: Path) -> None:
    with (
        ScriptedServer(researcher) as server,
        Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path), name="graph") as turns,
    ):
        result = run_graph(bank_graph(turns, react_sync(chat(server), as_langchain(turns.tools))))
        assert result["answer"] == "Willow has 105 qubits."
        check_settled(turns.session, "graph")
        first = [request for request in server.chats if len(request.messages) == 1]
        assert len(first) == 2, "each turn begins with a clean list"


def test_a_graph_brings_its_own_tools(run_dir: Path, tmp_path: Path) -> None:
    @tool(response_format="content_and_artifact")
    def browse(place: str) -> tuple[str, str]:
        """Read a page."""
        return DECIDES, f"https://example.org/{place}"

    def browser(request: SeenRequest) -> Answer:
        return answer_text(request) if "It agrees" in request.text else tool_reply(("browse", {"place": "third"}))

    with (
        ScriptedServer(browser) as server,
        Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path)) as turns,
    ):
        model = chat(server)
        result = run_graph(bank_graph(turns, react_sync(model, [browse])))
        assert result["done"]
        entries = turns.session.bank.tree.entries.values()
        assert [one.text for one in entries if one.source == "https://example.org/third"] == [DECIDES]


def one_node(node: Callable[[Any], Any], checkpointer: Any = None) -> CompiledStateGraph[Any, Any, Any, Any]:
    graph = StateGraph(MessagesState)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    return graph.compile(checkpointer=checkpointer)


def asking(state: MessagesState) -> dict[str, Any]:
    """Answer what a person says."""
    return {"messages": [AIMessage(interrupt("how many?"))]}


def raising(error: BaseException) -> Callable[[Any], Any]:
    def node(state: Any) -> Any:
        raise error

    return node


@pytest.mark.parametrize(
    "error",
    [httpx.ConnectError("nobody there"), ValueError("two\nlines"), SystemExit(3), asyncio.CancelledError("by itself")],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("leads", ["session", "graph"])
def test_whatever_a_node_raises_fails_the_task_and_never_the_session(
    run_dir: Path, tmp_path: Path, error: BaseException, leads: str
) -> None:
    if leads == "session":
        executor = graph_executor(lambda tools: one_node(raising(error), InMemorySaver()))
        with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
            session.run()
    else:
        with Turns.start(run_dir, GOAL, sources=sources()[:1], parts=parts_with(None, tmp_path)) as turns:
            run_graph(bank_graph(turns, raising(error)))
            session = turns.session
    assert session.result.result == "complete_with_failures"
    done = session.bank.doc.completed_tasks
    assert done
    for task in done:
        assert task.status is TaskStatus.FAILED
        assert type(error).__name__ in task.context


@pytest.mark.parametrize("config", [None, {"configurable": {"thread_id": "mine"}}])
def test_a_graph_asks_and_is_answered(run_dir: Path, tmp_path: Path, config: dict[str, Any] | None) -> None:
    saver, asked = InMemorySaver(), list[str]()

    def answer(question: str) -> str:
        asked.append(question)
        return "Willow has 105 qubits."

    executor = graph_executor(lambda tools: one_node(asking, saver), config=config, answer=answer)
    with Session.start(run_dir, parts_with(executor, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
        assert session.run().answer == "Willow has 105 qubits."
        rounds = session.bank.progress.round
    threads = {saved.config["configurable"]["thread_id"] for saved in saver.list(None)}
    assert (threads == {"mine"}) if config else (len(threads) == rounds), "a thread of its own each round, or mine"
    assert set(asked) == {"how many?"}

    unheard = graph_executor(lambda tools: one_node(asking, saver))
    with Session.start(tmp_path / "other", parts_with(unheard, tmp_path), goal=GOAL, sources=sources()[:1]) as session:
        session.run()
        assert "how many?" in session.bank.doc.completed_tasks[0].context


def test_the_session_as_a_graph_with_a_checkpointer_asks_whoever_runs_it(run_dir: Path, tmp_path: Path) -> None:
    with Turns.start(run_dir, GOAL, sources=sources()[:1], parts=parts_with(None, tmp_path)) as turns:
        graph = bank_graph(turns, one_node(asking), checkpointer=InMemorySaver())
        (question,) = run_graph(graph, thread="t")["__interrupt__"]
        assert question.value == "how many?"
        config: Any = {"configurable": {"thread_id": "t"}, "recursion_limit": 1_000}
        while "__interrupt__" in (result := graph.invoke(Command(resume="Willow has 105 qubits."), config)):
            pass
        assert result["answer"] == "Willow has 105 qubits."
