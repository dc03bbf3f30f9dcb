"""LangGraph, the real package: an agent graph as the executor, and the session as a graph."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from langchain_core.messages import AIMessage
from langchain_core.tools import BaseTool, tool
from langchain_core.tracers.langchain import wait_for_all_tracers
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command, interrupt

from memorybank.integrations.langgraph import as_langchain, bank_graph, graph_executor, run_graph
from memorybank.integrations.turns import Turns
from memorybank.memory.types import TaskStatus
from memorybank.session.session import Session
from memorybank_lab.scripted import Answer, ScriptedServer, SeenRequest, tool_reply
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


# -- what a node may do: raise, ask, keep checkpoints -----------------------------------------------------------------


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
def test_a_graph_with_a_checkpointer_asks_and_is_answered(
    run_dir: Path, tmp_path: Path, config: dict[str, Any] | None
) -> None:
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
