"""OpenAI Agents SDK: the bank as an agent's `Session`, its function tools, and an Agent as the session's executor.

    pip install "agentic-memory-bank[openai-agents]"

The SDK's tracing (which uploads to OpenAI) is off in every run made here.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from memorybank.integrations import missing
from memorybank.integrations.arguments import Utterance
from memorybank.integrations.bank_tools import BankTools
from memorybank.integrations.foreign import AgentTool, EventLoop, ForeignExecutor, failure_of, transcript_of
from memorybank.integrations.kept_items import Kept, KeptItems
from memorybank.prompts.tags import block
from memorybank.session.executors.base import Execution
from memorybank.tools.base import arguments_json

try:
    from agents import Agent, FunctionTool, RunConfig, Runner, Tool
    from agents.exceptions import AgentsException
    from agents.items import MessageOutputItem, RunItem, ToolCallItem, ToolCallOutputItem, TResponseInputItem
    from agents.memory.session_settings import SessionSettings, resolve_session_limit
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


# -- the agent leads --------------------------------------------------------------------------------------------------


class BankSession:
    """The SDK's `Session` over the bank: the history as it was, and all that was said filed as a dialogue.

    result = await Runner.run(agent, "Where does Ana live?", session=session, run_config=session.run_config())

    With `run_config` the model is given what memory holds on the new input and the newest items of the history, in
    place of all of it.
    """

    def __init__(self, bank: BankTools, session_id: str = "conversation", *, recent: int = 12) -> None:
        """`recent`: items of the history that the model is given as they are."""
        self.session_id = session_id
        self.session_settings: SessionSettings | None = None
        self._bank, self._recent = bank, recent
        self._kept = KeptItems(bank.folder)
        self._place = ("openai-agents", session_id)
        self._given: set[str] = set()
        """The items that memory gave: the SDK hands them back among the new ones, which the history does not hold."""

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        chosen = resolve_session_limit(limit, self.session_settings)
        items = [cast(TResponseInputItem, kept.value) for _, kept in self._history()]
        return items if chosen is None else items[max(0, len(items) - max(0, chosen)) :]

    async def add_items(self, items: list[TResponseInputItem]) -> None:
        fresh = [item for item in map(dict[str, Any], items) if item.get("content") not in list(self._given)]
        await asyncio.to_thread(self._add, fresh)

    async def pop_item(self) -> TResponseInputItem | None:
        with self._kept.changing:
            history = self._history()
            if not history:
                return None
            key, kept = history[-1]
            self._kept.put(self._place, key, None)
        return cast(TResponseInputItem, kept.value)

    async def clear_session(self) -> None:
        """Forget the history; what was said in it stays in memory."""
        for key, _ in self._history():
            self._kept.put(self._place, key, None)

    def run_config(self, **options: Any) -> RunConfig:
        """Return a configuration for `Runner.run` that gives the model memory in place of a long history, untraced."""
        return RunConfig(session_input_callback=self.enhance, **{"tracing_disabled": True, **options})

    def enhance(self, history: list[TResponseInputItem], new: list[TResponseInputItem]) -> list[TResponseInputItem]:
        """Return what memory holds on the new input, the newest of the history, the new input."""
        newest = history[-self._recent :] if self._recent else []
        while newest and newest[0].get("role") != "user":  # a call's result does not stand without its call
            newest = newest[1:]
        block = self._bank.memory_block("\n".join(words for item in new if (words := _words(item))))
        if not block:
            return [*newest, *new]
        self._given.add(block)
        return [cast(TResponseInputItem, {"role": "system", "content": block}), *newest, *new]

    def _history(self) -> list[tuple[str, Kept]]:
        return sorted((key, kept) for place, key, kept in self._kept if place == self._place)

    def _add(self, items: list[dict[str, Any]]) -> None:
        for number, item in enumerate(items, start=1):
            arguments_json(f"item {number}", item)
        turns = [Utterance(speaker=item["role"], text=words) for item in items if (words := _words(item))]
        if turns:
            self._bank.ingest(turns=turns, source=self.session_id)
        with self._kept.changing:
            history = self._history()
            for place, item in enumerate(items, start=int(history[-1][0]) + 1 if history else 0):
                self._kept.put(self._place, f"{place:09d}", item)


def _words(item: Mapping[str, Any]) -> str:
    """Return what a person or the agent says in an item; empty for calls, their results and reasoning."""
    if item.get("role") not in ("user", "assistant"):
        return ""
    content = item.get("content") or ""
    parts = [content] if isinstance(content, str) else [str(part.get("text") or "") for part in content]
    return "\n".join(parts).strip()
