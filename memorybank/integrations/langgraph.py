"""LangGraph: the bank's tools for a graph, a graph as the session's executor, and the session as a graph.

    pip install "agentic-memory-bank[langgraph]"

LangSmith's tracing is off in everything that runs here, whatever the environment says.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypedDict

from memorybank.integrations import missing
from memorybank.integrations.foreign import AgentTool, EventLoop, ForeignExecutor, call_block, transcript_of
from memorybank.integrations.turns import Turns
from memorybank.prompts.tags import block
from memorybank.session.executors.base import Execution

try:
    from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, RemoveMessage, ToolMessage
    from langchain_core.tools import BaseTool, StructuredTool
    from langgraph.errors import GraphRecursionError
    from langgraph.graph import END, START, StateGraph
    from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
    from langgraph.graph.state import CompiledStateGraph
    from langsmith.run_helpers import tracing_context
    from openai import OpenAIError
except ModuleNotFoundError as error:
    raise missing("langgraph", error) from None

Graph = CompiledStateGraph[Any, Any, Any, Any]
MakeGraph = Callable[[list[BaseTool]], Graph]
"""Builds the agent around the tools it is given; its state has `messages`, as in MessagesState."""

MOST_STEPS = 128
"""The most steps of a graph in one round, its own recursion limit; the session counts tool calls besides."""


# -- tools ------------------------------------------------------------------------------------------------------------


def as_langchain(tools: Sequence[AgentTool]) -> list[BaseTool]:
    """Offer `BankTools.tools()`, `Turns.tools` or a round's tools to a ToolNode or `bind_tools`."""
    return [
        StructuredTool(
            name=tool.name, description=tool.description, args_schema=dict(tool.parameters), func=_calling(tool)
        )
        for tool in tools
    ]


def _calling(tool: AgentTool) -> Callable[..., str]:
    """Wrap the tool in a plain function: LangGraph reads the hints of what it calls."""

    def call(**arguments: Any) -> str:
        return tool.run(arguments)

    return call


# -- the session leads ------------------------------------------------------------------------------------------------


def graph_executor(make_graph: MakeGraph, *, name: str = "LangGraph agent") -> ForeignExecutor:
    """Make a LangGraph agent the session's executor: a new graph each round, over the round's tools."""
    loop = EventLoop()

    def agent(prompt: str, tools: Sequence[AgentTool]) -> Execution:
        graph = make_graph(as_langchain(tools))

        async def work() -> Execution:
            with tracing_context(enabled=False):
                return await _run_graph(graph, prompt)

        return loop.run(work)

    return ForeignExecutor(agent, name=name)


async def _run_graph(graph: Graph, prompt: str) -> Execution:
    """Run an agent graph once. What it did until it failed is kept."""
    messages: list[BaseMessage] = []
    failure = ""
    try:
        start = {"messages": [HumanMessage(prompt)]}
        async for state in graph.astream(start, {"recursion_limit": MOST_STEPS}, stream_mode="values"):
            messages = state["messages"]
    except (OpenAIError, GraphRecursionError) as error:
        failure = str(error)
    answer = "" if failure else answer_of_messages(messages)
    return Execution(answer=answer, transcript=messages_transcript(prompt, messages, answer), failure=failure)


def answer_of_messages(messages: Sequence[BaseMessage]) -> str:
    """Return the text of the last message, when it is the model's and calls no tool."""
    last = messages[-1] if messages else None
    return str(last.text).strip() if isinstance(last, AIMessage) and not last.tool_calls else ""


def messages_transcript(prompt: str, messages: Sequence[BaseMessage], answer: str) -> str:
    steps: list[str] = []
    for message in messages:
        if isinstance(message, ToolMessage):
            steps.append(block("tool_response", str(message.text)))
        elif isinstance(message, AIMessage) and message.tool_calls:
            if str(message.text).strip():
                steps.append(block("think", str(message.text)))
            steps += [call_block(call["name"], call["args"]) for call in message.tool_calls]
    return transcript_of(prompt, steps, answer)


# -- the graph leads --------------------------------------------------------------------------------------------------


class BankState(TypedDict):
    """State of `bank_graph`: `messages` of the turn under way, the answer of the session when it is over."""

    messages: Annotated[list[AnyMessage], add_messages]
    prompt: str
    answer: str
    done: bool


def bank_graph(turns: Turns, agent: Callable[[Any], Any] | Graph) -> Graph:
    """Make the session a graph: enhance -> agent -> intercept, until it has nothing more to ask.

    `agent` is a node over `messages`: a compiled graph or a function. It is given one message, the enhanced prompt, and
    each turn begins with a clean list: what was learnt is in memory. A ToolMessage of its own tools (not of
    `turns.tools`, which are known) is taken in as a source, named by its artifact when that is a text.
    """
    known = {tool.name for tool in turns.tools} | {tool.name for tool in turns.bank.tools()}

    def enhance(state: BankState) -> dict[str, Any]:
        prompt = turns.enhance_prompt()
        if prompt is None:
            return {"prompt": "", "answer": turns.answer, "done": True}
        messages = [RemoveMessage(id=REMOVE_ALL_MESSAGES), HumanMessage(prompt)]
        return {"messages": messages, "prompt": prompt, "done": False}

    def intercept(state: BankState) -> dict[str, Any]:
        messages = state["messages"]
        answer = answer_of_messages(messages)
        turns.intercept(
            answer,
            sources=outside_sources(messages, known),
            transcript=messages_transcript(state["prompt"], messages, answer),
            failure="" if answer else "the agent gave no answer",
        )
        return {}

    graph = StateGraph(BankState)
    graph.add_node("enhance", enhance)
    graph.add_node("agent", agent)
    graph.add_node("intercept", intercept)
    graph.add_edge(START, "enhance")
    graph.add_conditional_edges("enhance", lambda state: END if state["done"] else "agent", ["agent", END])
    graph.add_edge("agent", "intercept")
    graph.add_edge("intercept", "enhance")
    return graph.compile()


def run_graph(graph: Graph, *, steps: int = 10_000) -> Mapping[str, Any]:
    """Run `bank_graph` to its end, untraced; its steps are as many as the session's rounds need."""
    with tracing_context(enabled=False):
        result: Mapping[str, Any] = graph.invoke({"messages": []}, {"recursion_limit": steps})
    return result


def outside_sources(messages: Sequence[BaseMessage], known: set[str]) -> list[tuple[str, str]]:
    """Return the results of the graph's own tools: source and text of each."""
    arguments = {
        call["id"]: call["args"]
        for message in messages
        if isinstance(message, AIMessage)
        for call in message.tool_calls
    }
    texts: list[tuple[str, str]] = []
    for message in messages:
        if isinstance(message, ToolMessage) and message.name not in known and message.status == "success":
            written = json.dumps(arguments.get(message.tool_call_id, {}), ensure_ascii=False)
            name = message.artifact if isinstance(message.artifact, str) else f"{message.name}({written})"
            texts.append((name, str(message.text)))
    return texts
