"""Any agent framework as the session's executor.

    ForeignExecutor(agent, name="mine")     agent(prompt, tools) -> answer

The agent runs its own loop with its own model; what it reads through the session's tools is journaled and answered from
the memo when the round is begun again (design section 6). Its own model calls are not: a framework that keeps no record
restarts its round.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from typing import Any, TypeVar
from weakref import finalize

from memorybank import calls
from memorybank.calls import Cancelled
from memorybank.errors import MemoryBankError, ToolError
from memorybank.prompts import say
from memorybank.prompts.tags import block
from memorybank.session.effects import Effects, Paused
from memorybank.session.executors.base import Assignment, Execution
from memorybank.tools.base import Tool, ToolResult

T = TypeVar("T")

POLL = 0.1
"""Seconds between two looks at whether the session was asked to stop."""
FAREWELL = 1.0
"""Seconds that a cancelled agent has to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTool:
    """A tool as frameworks take one: name, words, JSON schema of the arguments, and a call that gives text.

    A call never fails: what went wrong is said in its text, for the model to read.
    """

    name: str
    description: str
    parameters: Mapping[str, Any]
    run: Callable[[Mapping[str, Any]], str]

    @classmethod
    def of(cls, tool: Tool, run: Callable[[Mapping[str, Any]], str]) -> AgentTool:
        return cls(name=tool.name, description=tool.description, parameters=tool.parameters, run=run)

    def __call__(self, **arguments: Any) -> str:
        return self.run(arguments)

    def run_json(self, arguments: str) -> str:
        """Run with the arguments as a model writes them: a JSON object."""
        try:
            parsed = json.loads(arguments or "{}")
        except (ValueError, RecursionError) as error:
            return f"{self.name}: the arguments are not JSON ({error})"
        if not isinstance(parsed, dict):
            return f"{self.name}: the arguments are not a JSON object"
        return self.run(parsed)

    @property
    def openai(self) -> dict[str, Any]:
        """Describe the tool as the `tools` parameter of an OpenAI-compatible endpoint takes it."""
        described = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": described}


Agent = Callable[[str, Sequence[AgentTool]], str | Execution]
"""Given the enhanced prompt and the session's tools: the answer, alone or with the transcript of how it came about.

Whatever it raises, or gives in place of these, fails the round; the session goes on.
"""


RAISED = (Exception, SystemExit, asyncio.CancelledError)
"""All that an agent may raise, but for a person's Ctrl-C."""
LONGEST_FAILURE = 500
"""The most characters of an error that an agent raised."""


def failure_of(error: BaseException) -> str:
    """Say in one line what an agent raised; our own errors are worded for a reader, others go by their class, too."""
    text = " ".join(str(error).split()) or repr(error)
    named = text if isinstance(error, MemoryBankError) else f"{type(error).__name__}: {text}"
    return named[:LONGEST_FAILURE]


class ForeignExecutor:
    def __init__(self, agent: Agent, *, name: str = "foreign agent") -> None:
        self.name = name
        self._agent = agent

    def run(self, assignment: Assignment, fx: Effects) -> Execution:
        tools = RoundTools(fx, assignment)
        try:
            outcome = self._agent(assignment.prompt, tools.offered)
            if not isinstance(outcome, str | Execution):
                raise TypeError(f"the agent gave no text but {type(outcome).__name__}")
        except (Cancelled, Paused):
            raise Paused from None
        except RAISED as error:
            transcript = transcript_of(assignment.prompt, tools.log, "") if tools.log else assignment.prompt
            outcome = Execution(answer="", transcript=transcript, failure=failure_of(error))
        if tools.raised is not None:  # a framework may take what a tool raises for the tool's answer
            raise tools.raised
        if isinstance(outcome, Execution):
            return outcome
        return Execution(answer=outcome, transcript=transcript_of(assignment.prompt, tools.log, outcome))


class RoundTools:
    """Offers the session's tools in one round. Frameworks call tools from threads of their own, so calls take turns."""

    def __init__(self, fx: Effects, assignment: Assignment) -> None:
        self.raised: Exception | None = None
        """Why no call is taken any more: the session is to stop, or its journal takes nothing."""
        self.log: list[str] = []
        """Calls and results, as blocks of a transcript."""
        self._fx = fx
        self._lang = assignment.lang
        self._left = assignment.max_tool_calls
        self._turn = threading.Lock()
        self.offered = tuple(AgentTool.of(tool, self._use(tool.name)) for tool in fx.tools.values())

    def _use(self, name: str) -> Callable[[Mapping[str, Any]], str]:
        def run(arguments: Mapping[str, Any]) -> str:
            with self._turn:
                text = self._answer(name, arguments)
                self.log += [call_block(name, arguments), block("tool_response", text)]
                return text

        return run

    def _answer(self, name: str, arguments: Mapping[str, Any]) -> str:
        if self.raised is not None:
            raise self.raised
        if self._left <= 0:
            return say("force", self._lang)
        self._left -= 1
        try:
            return self._fx.use(name, **arguments).text
        except ToolError as error:
            return str(error)
        except (Paused, MemoryBankError, OSError) as error:
            self.raised = error
            raise


# -- rounds that are worked elsewhere ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class OutsideCall:
    """A tool call made outside the session."""

    tool: str
    arguments: Mapping[str, Any]
    result: ToolResult


@dataclass(slots=True)
class Handover:
    """The executor of a session whose rounds are worked elsewhere: it gives what was handed in, once.

    With nothing handed in the session comes to rest before the round, as if it were paused there.
    """

    name: str = "outside loop"
    execution: Execution | None = None
    calls: Sequence[OutsideCall] = ()

    def run(self, assignment: Assignment, fx: Effects) -> Execution:
        if self.execution is None:
            raise Paused
        for call in self.calls:  # through the one door, so that they are journaled and their sources recorded
            fx.tools[call.tool] = Tool(_giving(call.result), call.tool)
            fx.use(call.tool, **call.arguments)
        return self.execution


def _giving(result: ToolResult) -> Callable[..., ToolResult]:
    return lambda **_: result


# -- transcripts ------------------------------------------------------------------------------------------------------


def call_block(name: str, arguments: Mapping[str, Any]) -> str:
    body = json.dumps({"name": name, "arguments": dict(arguments)}, ensure_ascii=False, default=str)
    return block("tool_call", body)


def transcript_of(prompt: str, steps: Sequence[str], answer: str) -> str:
    """Write a round as it is kept: the prompt, what was done in order, the answer."""
    marked = answer if "<answer" in answer else f"<answer>\n{answer}\n</answer>"
    return "\n\n".join([prompt, *steps, marked])


# -- asynchronous frameworks ------------------------------------------------------------------------------------------


class EventLoop:
    """Runs coroutines from synchronous code, each in a thread, all in one event loop.

    The loop lives as long as the executor that owns it: a client keeps its connections from round to round, and a
    connection cannot change loops.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        finalize(self, self._loop.close)

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        """Run the coroutine and return its result; it is cancelled where it waits when the session is asked to stop.

        Raises Cancelled then.
        """
        with ThreadPoolExecutor(1, thread_name_prefix="foreign-agent") as pool:
            return pool.submit(copy_context().run, lambda: self._loop.run_until_complete(_watched(work))).result()


async def _watched(work: Callable[[], Awaitable[T]]) -> T:
    task = asyncio.ensure_future(work())
    while not task.done():
        await asyncio.wait({task}, timeout=POLL)
        if not task.done() and calls.stopped():
            task.cancel()
            await asyncio.wait({task}, timeout=FAREWELL)
            raise Cancelled
    return task.result()
