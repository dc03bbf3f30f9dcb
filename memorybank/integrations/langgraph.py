"""LangGraph: the bank's tools for a graph, a graph as the session's executor, and the session as a graph.

    pip install "agentic-memory-bank[langgraph]"

LangSmith's tracing is off in everything that runs here, whatever the environment says.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypedDict
from uuid import uuid4

from memorybank.errors import AgentError
from memorybank.integrations import missing
from memorybank.integrations.arguments import Utterance
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.foreign import (
    RAISED,
    AgentTool,
    EventLoop,
    ForeignExecutor,
    call_block,
    failure_of,
    transcript_of,
)
from memorybank.integrations.turns import Turns
from memorybank.prompts.tags import block
from memorybank.session.effects import Paused
from memorybank.session.executors.base import Execution

try:
    from langchain_core.messages import (
        AIMessage,
        AnyMessage,
        BaseMessage,
        HumanMessage,
        RemoveMessage,
        SystemMessage,
        ToolMessage,
    )
    from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda
    from langchain_core.tools import BaseTool, StructuredTool
    from langgraph.errors import GraphBubbleUp
    from langgraph.graph import END, START, StateGraph
    from langgraph.graph.message import REMOVE_ALL_MESSAGES, add_messages
    from langgraph.graph.state import CompiledStateGraph
    from langgraph.types import Command, Interrupt
    from langsmith.run_helpers import tracing_context
except ModuleNotFoundError as error:
    raise missing("langgraph", error) from None

Graph = CompiledStateGraph[Any, Any, Any, Any]
MakeGraph = Callable[[list[BaseTool]], Graph]
"""Builds the agent around the tools it is given; its state has `messages`, as in MessagesState."""

MOST_STEPS = 128
"""The most steps of a graph in one round, its own recursion limit; the session counts tool calls besides."""
MOST_ROUNDS = 10_000
"""The most steps of a session as a graph, as many as its rounds need."""


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


def graph_executor(
    make_graph: MakeGraph,
    *,
    name: str = "LangGraph agent",
    config: Mapping[str, Any] | None = None,
    answer: Callable[[Any], Any] | None = None,
) -> ForeignExecutor:
    """Make a LangGraph agent the session's executor: a new graph each round, over the round's tools.

    A graph with a checkpointer gets a thread of its own each round, unless `config` names one. `answer` is asked what
    a node's `interrupt()` asks; without it such a round fails, and says what was asked.
    """
    loop = EventLoop()

    def agent(prompt: str, tools: Sequence[AgentTool]) -> Execution:
        graph = make_graph(as_langchain(tools))
        own = {"thread_id": uuid4().hex, **(config or {}).get("configurable", {})}
        chosen: Any = {"recursion_limit": MOST_STEPS, **(config or {}), "configurable": own}

        async def work() -> Execution:
            with tracing_context(enabled=False):
                return await _run_graph(graph, prompt, chosen, answer)

        return loop.run(work)

    return ForeignExecutor(agent, name=name)


async def _run_graph(graph: Graph, prompt: str, config: Any, answer: Callable[[Any], Any] | None) -> Execution:
    """Run an agent graph once. What it did until it failed is kept."""
    messages: list[BaseMessage] = []
    failure = ""
    given: Any = {"messages": [HumanMessage(prompt)]}
    try:
        while given is not None:
            asked: Sequence[Interrupt] = ()
            async for state in graph.astream(given, config, stream_mode="values"):
                messages, asked = state.get("messages", messages), state.get("__interrupt__", asked)
            if asked and answer is None:
                raise AgentError("agent.interrupted", asked=str(asked[0].value))
            given = Command(resume={each.id: answer(each.value) for each in asked}) if asked and answer else None
    except asyncio.CancelledError as error:
        if (task := asyncio.current_task()) is not None and task.cancelling():
            raise  # the session is to stop; a node may raise it by itself, too
        failure = failure_of(error)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever a node raises fails the task
        failure = failure_of(error)
    said = "" if failure else answer_of_messages(messages)
    return Execution(answer=said, transcript=messages_transcript(prompt, messages, said), failure=failure)


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


def enhancing(bank: BankTools, *, recent: int = 12) -> Callable[[Any], dict[str, Any]]:
    """Make a node that gives a model what memory holds on the last message of a person, and the newest messages.

    It writes `llm_input_messages`, which a `pre_model_hook` of `create_react_agent` gives to the model in place of the
    state's messages.
    """

    def enhance(state: Any) -> dict[str, Any]:
        messages: Sequence[BaseMessage] = state["messages"]
        newest = list(messages[-recent:])
        while newest and not isinstance(newest[0], HumanMessage) and len(newest) < len(messages):
            newest.insert(0, messages[len(messages) - len(newest) - 1])  # a result does not stand without its call
        asked = next((str(each.text) for each in reversed(messages) if isinstance(each, HumanMessage)), "")
        memory = bank.memory_block(asked)
        return {"llm_input_messages": [*([SystemMessage(memory)] if memory else []), *newest]}

    return enhance


def filing(bank: BankTools) -> Callable[[Any], dict[str, Any]]:
    """Make a node that files what the messages say, and what tools that are not the bank's have brought, each once.

    It stands at a graph's end, or is a `post_model_hook`.
    """
    own, filed = {tool.name for tool in bank.tools()}, set[str]()

    def file(state: Any) -> dict[str, Any]:
        fresh = [each for each in state["messages"] if (each.id or str(each.text)) not in filed]
        turns = [
            Utterance(speaker="user" if isinstance(each, HumanMessage) else "agent", text=str(each.text))
            for each in fresh
            if isinstance(each, HumanMessage | AIMessage) and str(each.text).strip()
        ]
        known = {str(each.text) for each in state["messages"] if isinstance(each, ToolMessage) and each not in fresh}
        for name, text in outside_sources(state["messages"], own):
            if text.strip() and text not in known:
                bank.ingest(text, name)
        if turns:
            bank.ingest(turns=turns)
        filed.update(each.id or str(each.text) for each in fresh)
        return {}

    return file


class BankState(TypedDict):
    """State of `bank_graph`: `messages` of the turn under way, the answer of the session when it is over."""

    messages: Annotated[list[AnyMessage], add_messages]
    prompt: str
    failure: str
    """The error that the agent raised in this turn, in words."""
    answer: str
    done: bool


def bank_graph(turns: Turns, agent: Callable[[Any], Any] | Graph, *, checkpointer: Any = None) -> Graph:
    """Make the session a graph: enhance -> agent -> intercept, until it has nothing more to ask.

    `agent` is a node over `messages`: a compiled graph or a function. It is given one message, the enhanced prompt, and
    each turn begins with a clean list: what was learnt is in memory. A ToolMessage of its own tools (not of
    `turns.tools`, which are known) is taken in as a source, named by its artifact when that is a text. A function that
    raises has failed its turn, no more; what it asks with `interrupt()` goes to who runs the graph.
    """
    known = {tool.name for tool in turns.tools} | {tool.name for tool in turns.bank.tools()}

    def enhance(state: BankState) -> dict[str, Any]:
        prompt = turns.enhance_prompt()
        if prompt is None:
            return {"prompt": "", "answer": turns.answer, "done": True}
        messages = [RemoveMessage(id=REMOVE_ALL_MESSAGES), HumanMessage(prompt)]
        return {"messages": messages, "prompt": prompt, "failure": "", "done": False}

    def intercept(state: BankState) -> dict[str, Any]:
        if turns.session.next_stage != "execute":  # the agent filed something itself: the task is planned anew
            return {}
        messages = state["messages"]
        answer = "" if state["failure"] else answer_of_messages(messages)
        turns.intercept(
            answer,
            sources=outside_sources(messages, known),
            transcript=messages_transcript(state["prompt"], messages, answer),
            failure=state["failure"] or ("" if answer else "the agent gave no answer"),
        )
        return {}

    node = agent if isinstance(agent, Runnable) else RunnableLambda(agent)

    def work(state: BankState, config: RunnableConfig) -> Any:
        try:
            return node.invoke(state, config)
        except (GraphBubbleUp, Paused):  # an interrupt, and how graphs end each other
            raise
        except RAISED as error:
            return {"failure": failure_of(error)}

    graph = StateGraph(BankState)
    graph.add_node("enhance", enhance)
    graph.add_node("agent", work)
    graph.add_node("intercept", intercept)
    graph.add_edge(START, "enhance")
    graph.add_conditional_edges("enhance", lambda state: END if state["done"] else "agent", ["agent", END])
    graph.add_edge("agent", "intercept")
    graph.add_edge("intercept", "enhance")
    return graph.compile(checkpointer=checkpointer)


def run_graph(graph: Graph, *, thread: str = "") -> Mapping[str, Any]:
    """Run `bank_graph` to its end, untraced.

    `thread` names the thread of a graph with a checkpointer; what a node asks with `interrupt()` is in the result
    (`__interrupt__`).
    """
    config: Any = {"recursion_limit": MOST_ROUNDS, "configurable": {"thread_id": thread or uuid4().hex}}
    given: Any = {"messages": []}
    with tracing_context(enabled=False):
        result: Mapping[str, Any] = graph.invoke(given, config)
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
            written = json.dumps(arguments.get(message.tool_call_id, {}), ensure_ascii=False, default=str)
            name = message.artifact if isinstance(message.artifact, str) else f"{message.name}({written})"
            texts.append((name, str(message.text)))
    return texts
