"""OpenAI Agents SDK: the bank's function tools, and an Agent as the session's executor.

    pip install "agentic-memory-bank[openai-agents]"

The SDK's tracing (which uploads to OpenAI) is off in every run made here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from memorybank.integrations import missing
from memorybank.integrations.foreign import AgentTool, EventLoop, ForeignExecutor, failure_of, transcript_of
from memorybank.prompts.tags import block
from memorybank.session.executors.base import Execution

try:
    from agents import Agent, FunctionTool, RunConfig, Runner, Tool
    from agents.exceptions import AgentsException
    from agents.items import MessageOutputItem, RunItem, ToolCallItem, ToolCallOutputItem
    from agents.tool_context import ToolContext
except ModuleNotFoundError as error:
    raise missing("openai-agents", error) from None

MakeAgent = Callable[[list[Tool]], Agent[Any]]
"""Builds the agent around the tools it is given."""

MOST_TURNS = 60
"""Model calls of one round."""


def as_function_tools(tools: Sequence[AgentTool]) -> list[Tool]:
    """Offer `BankTools.tools()`, `Turns.tools` or a round's tools to `Agent(tools=…)`."""
    return [_function_tool(tool) for tool in tools]


def _function_tool(tool: AgentTool) -> FunctionTool:
    async def invoke(context: ToolContext[Any], arguments: str) -> str:
        return await asyncio.to_thread(tool.run_json, arguments)

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=dict(tool.parameters),
        on_invoke_tool=invoke,
        strict_json_schema=False,
    )


def agents_executor(
    make_agent: MakeAgent, *, max_turns: int = MOST_TURNS, name: str = "OpenAI Agents SDK"
) -> ForeignExecutor:
    """Make an Agent the session's executor: a new one each round, over the round's tools."""
    loop = EventLoop()

    def agent(prompt: str, tools: Sequence[AgentTool]) -> Execution:
        built = make_agent(as_function_tools(tools))
        return loop.run(lambda: _run_agent(built, prompt, max_turns))

    return ForeignExecutor(agent, name=name)


async def _run_agent(agent: Agent[Any], prompt: str, max_turns: int) -> Execution:
    """Run the agent once. What it did until it failed is kept."""
    try:
        result = await Runner.run(agent, prompt, max_turns=max_turns, run_config=RunConfig(tracing_disabled=True))
    except AgentsException as error:
        items = error.run_data.new_items if error.run_data else []
        return Execution(answer="", transcript=_transcript(prompt, items, ""), failure=failure_of(error))
    answer = str(result.final_output)
    return Execution(answer=answer, transcript=_transcript(prompt, result.new_items, answer))


def _transcript(prompt: str, items: Sequence[RunItem], answer: str) -> str:
    steps: list[str] = []
    for item in items:
        if isinstance(item, ToolCallItem):
            raw = item.raw_item
            steps.append(block("tool_call", f"{getattr(raw, 'name', '')}({getattr(raw, 'arguments', '')})"))
        elif isinstance(item, ToolCallOutputItem):
            steps.append(block("tool_response", str(item.output)))
        elif isinstance(item, MessageOutputItem) and item is not items[-1]:
            text = "".join(getattr(part, "text", "") for part in item.raw_item.content)
            steps.append(block("think", text))
    return transcript_of(prompt, steps, answer)
