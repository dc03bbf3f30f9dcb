"""LangGraph, the real package: an agent graph as the executor, and the session as a graph."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langchain_core.tracers.langchain import wait_for_all_tracers
from langchain_openai import ChatOpenAI
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.prebuilt import ToolNode, tools_condition

from memorybank.integrations.langgraph import as_langchain, bank_graph, outside_sources, run_graph
from memorybank.integrations.turns import Turns
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


def test_sources_are_results_of_tools_that_are_not_the_banks() -> None:
    calls = [
        {"id": "1", "name": "browse", "args": {"place": "x"}},
        {"id": "2", "name": "search_memory", "args": {"query": "x"}},
        {"id": "3", "name": "browse", "args": {"place": "y"}},
    ]
    messages = [
        AIMessage("", tool_calls=calls),
        ToolMessage("page x", tool_call_id="1", name="browse"),
        ToolMessage("recalled", tool_call_id="2", name="search_memory"),
        ToolMessage("refused", tool_call_id="3", name="browse", status="error"),
    ]
    assert outside_sources(messages, {"search_memory"}) == [('browse({"place": "x"})', "page x")]


def test_the_banks_tools_carry_their_schema(run_dir: Path, tmp_path: Path) -> None:
    with Turns.start(run_dir, GOAL, sources=sources(), parts=parts_with(None, tmp_path)) as turns:
        turns.enhance_prompt()
        tools = {one.name: one for one in as_langchain(turns.bank.tools())}
        assert "willow qubits: 105" in tools["search_memory"].invoke({"query": "willow"})
        assert "c1" in tools["conflicts"].invoke({})
        assert tools["deep_retrieval"].invoke({"node_id": "n9"}).startswith("there is no node")
